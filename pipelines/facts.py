"""Train everything that is said of entities: roles, claims and their links, relations, results."""

from collections.abc import Sequence
from pathlib import Path

from pipelines.claims import train_claims
from pipelines.examples import Example
from pipelines.links import train_links
from pipelines.relations import train_relations
from pipelines.results import train_results
from pipelines.roles import train_roles

# The components in the order of the pipeline; kg_citations alone needs no training.
FACTS = ("kg_roles", "kg_claims", "kg_links", "kg_results", "kg_relations", "kg_citations")


def train_facts(
    examples: Sequence[Example], folder: Path, *, with_scores: bool
) -> dict[str, float]:
    """Write the folders of FACTS; return figures measured on folds.

    Args:
        examples: annotated abstracts, with the entities that the pipeline would find in them by
            models that have not seen them; after them what a teacher annotated.
        folder: of the model; each component has its own in it.
        with_scores: learn from the encoder's scores too, of those examples that have some.
    """
    figures, roles = train_roles(examples, folder / "kg_roles", with_scores=with_scores)
    figures |= train_claims(examples, folder / "kg_claims", with_scores=with_scores)
    figures |= train_links(examples, roles, folder / "kg_links", with_scores=with_scores)
    annotated = [e for e in examples if not e.silver]
    figures |= train_results(annotated, folder / "kg_results")
    figures |= train_relations(examples, roles, folder / "kg_relations", with_scores=with_scores)
    return {name: round(value, 4) for name, value in figures.items()}
