"""The layout of a Doc, made once for all components that look at sentences."""

from dataclasses import replace

from spacy.tokens import Doc

from kg.nlp.layout import Layout, lay_out

_KEY = "kg_layout"


def layout_of(doc: Doc) -> Layout:
    """Return the layout of the text with its present entities."""
    entities = doc._.kg_entities
    kept: Layout | None = doc.user_data.get(_KEY)
    if kept is None or kept.entities is not entities:
        kept = lay_out(doc._.kg_text, doc._.kg_sentences, entities)
        doc.user_data[_KEY] = kept
    return kept


def keep_layout(doc: Doc, layout: Layout) -> None:
    """Keep the layout of the present entities, which are the same mentions as before."""
    doc.user_data[_KEY] = replace(layout, entities=doc._.kg_entities)


def forget_layout(doc: Doc) -> None:
    """Drop the layout; the last component that needs it calls this."""
    doc.user_data.pop(_KEY, None)
