"""Set on a Doc whether its text is an abstract that can be read, and why not."""

from spacy.language import Language
from spacy.tokens import Doc

from kg.nlp.capitals import in_small_letters
from kg.nlp.document import text_of
from kg.nlp.flags import CAPITALS, UNFIT, flags, readable
from kg.nlp.sentences import sentence_spans


@Language.component("kg_fitness", assigns=["doc._.kg_text", "doc._.kg_flags", "doc._.kg_sentences"])
def kg_fitness(doc: Doc) -> Doc:
    """Set why the text is not read, and its sentences if it is."""
    whole = text_of(doc)
    found = flags(whole)
    text = readable(whole)
    # Of a text in capitals every word looks like a name.
    doc._.kg_text = in_small_letters(text) if CAPITALS in found else text
    doc._.kg_flags = tuple(dict.fromkeys((*doc._.kg_flags, *found)))
    doc._.kg_sentences = () if UNFIT.intersection(found) else sentence_spans(text)
    return doc
