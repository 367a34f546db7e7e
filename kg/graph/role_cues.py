"""Which sentence shows best what an entity is to a paper.

The role of an entity is judged by all of its mentions together, and "A and B are known methods.
... We propose C, which extends A" says it only once. The sentence that an edge quotes is the first
that has a word of the role in it.
"""

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from kg.model.extraction import Role

_MADE: Final = "propos|present|introduc|develop|describ|design|releas|construct|creat|build|built|devis|contribut"
_CUES: Final = {
    Role.PROPOSED: (
        rf"\b(?:we|paper|work|article|study|here|authors)\b.{{0,60}}\b(?:{_MADE})|"
        r"\b(?:called|named|dubbed|termed|coined|proposed|novel)\b|\bour (?:new|own|method|model|approach)\b"
    ),
    Role.EVALUATED_ON: (
        r"\b(?:evaluat|experiment|test(?:s|ed|ing)?\b|benchmark|validat|assess|results?\b|on (?:the|two|three|"
        r"four|five|six|several|both)\b|achiev|reach|attain|outperform)"
    ),
    Role.COMPARED: (
        r"\b(?:compar|outperform|baseline|surpass|exceed|than\b|versus\b|vs\b|better\b|worse\b|against\b|"
        r"beats?\b|improv\w* (?:over|upon|on)\b|above\b|below\b|relative to\b)"
    ),
    Role.USED: (
        r"\b(?:us(?:e|es|ed|ing)\b|utili[sz]|employ|appl(?:y|ies|ied|ying)\b|leverag|based on\b|adopt|train|"
        r"fine-?tun|built (?:on|upon)\b|combin|via\b|through\b|measur|report)"
    ),
    Role.ADDRESSED: (
        r"\b(?:address|tackl|solv|problem|task|challeng|for\b|aim|goal|focus|stud(?:y|ies)\b|investigat)"
    ),
}


def shows_role(sentences: pa.Array, role: str) -> pa.Array:
    """Return which sentences have a word of the role; none has one of a mere mention."""
    cue = _CUES.get(Role(role))
    if cue is None:
        return pa.array([False] * len(sentences), pa.bool_())
    return pc.match_substring_regex(sentences, f"(?is){cue}")
