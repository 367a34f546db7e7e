"""Records, extractions and decisions to the tables of the schema: a pure function.

Nothing here reads a clock, a file or an order of arrival: the same records, extractions and
decisions give the same rows, sorted by id.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from kg.graph import bibliography
from kg.graph.claim_citations import CITING, add_claim_citations, citing_claims
from kg.graph.claims import add_claims
from kg.graph.extraction_table import text_hash
from kg.graph.mentions import Entities, add_mention_edges, batch_mentions, entity_rows
from kg.graph.people import add_people, add_venues
from kg.graph.relations import add_relations
from kg.graph.rows import Collected, in_order
from kg.graph.tables import TABLES
from kg.graph.text_batch import text_batches
from kg.model.decision import Decision
from kg.model.known_name import KnownName
from kg.resolve.citations import CITED, REFERENCES, RESOLVED, Missing, ReferenceMatcher
from kg.resolve.entities import MENTIONS, resolve_entities


@dataclass(frozen=True, slots=True)
class Assembled:
    """A graph, with what resolution says about itself."""

    tables: Mapping[str, pa.Table]  # every table of the schema, sorted by id
    merges: pa.Table  # why surface forms are one entity, or two
    references: pa.Table  # every reference, and which paper it means
    unapplied: tuple[str, ...]  # decisions that find nothing to do, in words


def with_hashes(papers: pa.Table) -> pa.Table:
    """Return the papers with a column `text_hash`, null where there is no text to read."""
    hashes = pa.chunked_array(
        [
            pa.array([text_hash(text) if text else None for text in chunk.to_pylist()], pa.string())
            for chunk in papers["text"].chunks
        ],
        pa.string(),
    )
    return papers.append_column("text_hash", hashes)


def assemble(
    papers: pa.Table,
    extractions: Callable[[], Iterator[pa.RecordBatch]],
    *,
    decisions: Sequence[Decision] = (),
    names: Sequence[KnownName] = (),
    min_confidence: float = 0.0,
) -> Assembled:
    """Make the graph.

    Args:
        papers: columns of kg.resolve.papers.PAPERS and `text_hash`, in any order.
        extractions: called twice; each time gives the columns of EXTRACTIONS, at most one row
            per text, in the same order. Texts without a row are papers about which nothing
            was read.
        decisions: the user's.
        names: the user's own names.
        min_confidence: what is less certain than this is left out.
    """
    collected = Collected()
    read = papers.filter(pc.is_valid(papers["text_hash"])).select(["id", "text", "text_hash"])

    # First the names of all texts, since which is which is decided over the whole corpus.
    mentions = []
    inline = [REFERENCES.empty_table()]
    citing = [CITING.empty_table()]
    for batch in text_batches(read, extractions()):
        mentions.append(batch_mentions(batch, min_confidence))
        inline.append(bibliography.inline_references(batch))
        citing.append(citing_claims(batch, min_confidence))
    rows = pa.concat_tables([MENTIONS.empty_table(), *(m.rows for m in mentions)])
    resolution = resolve_entities(rows, decisions, names)
    for name, columns in entity_rows(resolution):
        collected.add(name, columns)

    entities = Entities(resolution)
    model_of: dict[str, str] = {}
    start = 0
    for batch, own in zip(text_batches(read, extractions()), mentions, strict=True):
        of_local = entities.of_locals(own, start, batch)
        start += own.rows.num_rows
        model_of.update(zip(batch.papers.to_pylist(), batch.models.to_pylist(), strict=True))
        add_mention_edges(collected, batch, of_local, entities)
        add_claims(collected, batch, of_local, entities, min_confidence)
        add_relations(collected, batch, of_local, entities, min_confidence)

    cited = _cite(collected, papers, pa.concat_tables(inline))
    models = pa.array([model_of.get(paper) for paper in papers["id"].to_pylist()], pa.string())
    bibliography.add_papers(collected, papers, models, cited.in_texts, cited.missing)
    add_people(collected, papers)
    add_venues(collected, papers)
    add_claim_citations(collected, pa.concat_tables(citing), cited.in_texts)
    return Assembled(
        {name: collected.table(name) for name in TABLES},
        resolution.merges,
        cited.references,
        tuple(f"{u.decision}: {u.why}" for u in resolution.unapplied),
    )


@dataclass(frozen=True, slots=True)
class _Cited:
    references: pa.Table  # every reference and which paper it means
    in_texts: pa.Table  # of these, the citations in texts
    missing: Missing


def _cite(collected: Collected, papers: pa.Table, inline: pa.Table) -> _Cited:
    """Add who cites whom, some papers after the other."""
    ids = papers["id"].combine_chunks()
    papers = in_order(papers.select(CITED), pc.sort_indices(ids))
    matcher = ReferenceMatcher(papers)
    schema = pa.schema([*REFERENCES, *(field.with_nullable(True) for field in RESOLVED)])
    found, in_texts = [schema.empty_table()], [schema.empty_table()]
    for references in bibliography.references_by_paper(papers, inline):
        resolved = matcher.resolve(references)
        bibliography.add_citations(collected, references, resolved)
        both = pa.table([*references.columns, *resolved.columns], schema=schema)
        in_texts.append(both.filter(pc.equal(both["origin"], "inline")))
        found.append(_sorted(both))
    return _Cited(pa.concat_tables(found), pa.concat_tables(in_texts), matcher.missing())


def _sorted(references: pa.Table) -> pa.Table:
    """In an order that does not tell in which order the papers came."""
    keys = [(name, "ascending") for name in ("paper", "origin", "start", "raw", "title", "method")]
    return references.combine_chunks().take(pc.sort_indices(references, keys))
