"""What a model is trained from."""

from dataclasses import dataclass
from pathlib import Path

from kg.nlp.encoder import Encoder, Reading
from kg.nlp.sentences import sentence_spans
from pipelines.corpora import Abstract, read_gold, text_key
from pipelines.steps import file_key


@dataclass(frozen=True, slots=True)
class Inputs:
    """Files and folders; None for what is not given."""

    gold: Path
    apart: tuple[Path, ...] = ()  # annotation that no statistics may come from
    corpora: Path | None = None
    base: Path | None = None  # a model whose clusters and public names are taken
    encoder: Path | None = None  # an exported encoder that has not seen held-out abstracts
    shipped_encoder: Path | None = None  # what reads in its place in the model
    teacher: Path | None = None  # a model that reads raw abstracts

    def key(self) -> dict[str, str]:
        """Return what tells these inputs from others."""
        named = {
            "gold": self.gold,
            "corpora": self.corpora,
            "base": self.base,
            "encoder": self.encoder,
            "teacher": self.teacher,
            **{f"apart{i}": path for i, path in enumerate(self.apart)},
        }
        return {name: file_key(path) for name, path in named.items() if path is not None}

    def annotated(self) -> frozenset[str]:
        """Return text_key of every annotated abstract, which raw text must not hold."""
        return frozenset(
            text_key(one.text) for path in (self.gold, *self.apart) for one in read_gold(path)
        )


def encode(encoder: Path, abstracts: list[Abstract]) -> dict[str, Reading]:
    """Return what an encoder makes of each abstract, by id."""
    model = Encoder(encoder, split=sentence_spans)
    return {one.id: model.read(one.text) for one in abstracts}
