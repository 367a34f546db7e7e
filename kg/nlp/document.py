"""What the components leave on a Doc for each other; importing this registers the names.

A component reads what stands before it in the pipeline and sets what is its own:

| name under ``doc._`` | set by | type |
| --- | --- | --- |
| kg_text | kg_fitness | the part of doc.text that is read; in small letters if all is in capitals |
| kg_flags | kg_fitness | tuple of str: why the text was not read, or not in full |
| kg_sentences | kg_fitness | tuple of [start, end) spans in characters; none when unfit |
| kg_abbreviations | kg_abbreviations | tuple of Abbreviation |
| kg_names | kg_names | list of lexicon.KnownName |
| kg_scores | kg_tagger or kg_encoder | TokenScores |
| kg_reading | kg_encoder | encoder.Reading, else None |
| kg_spans | kg_rescorer | tuple of grouping.SpanScore, in text order |
| kg_entities | kg_entities, then kg_roles | tuple of model.extraction.Entity, in text order |
| kg_claims | kg_claims, kg_results, kg_links | tuple of model.extraction.Claim, in text order |
| kg_relations | kg_relations | tuple of model.extraction.Relation |
| kg_citations | kg_citations | tuple of model.extraction.InlineCitation |

``doc.text`` is the text exactly as it was read, and every offset counts its characters.
"""

from typing import Any, Final

from spacy.tokens import Doc

_DEFAULTS: Final[tuple[tuple[str, Any], ...]] = (
    ("kg_text", ""),
    ("kg_flags", ()),
    ("kg_sentences", ()),
    ("kg_abbreviations", ()),
    ("kg_names", ()),
    ("kg_scores", None),
    ("kg_reading", None),
    ("kg_spans", ()),
    ("kg_entities", ()),
    ("kg_claims", ()),
    ("kg_relations", ()),
    ("kg_citations", ()),
)

_WRITTEN: Final = "kg_written"


def keep_text(doc: Doc, text: str) -> None:
    """Let the Doc remember the text that it was made from: to put it together takes time."""
    doc.user_data[_WRITTEN] = text


def text_of(doc: Doc) -> str:
    """Return doc.text."""
    kept: str | None = doc.user_data.get(_WRITTEN)
    return doc.text if kept is None else kept


for _name, _default in _DEFAULTS:
    # Names under doc._ are global, hence the prefix; force, since notebooks reload modules.
    Doc.set_extension(_name, default=_default, force=True)
