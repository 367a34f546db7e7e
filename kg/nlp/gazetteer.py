"""A user's list of names as a component of any of our pipelines.

>>> import spacy
>>> nlp = spacy.load(model_path("fast"))                                  # doctest: +SKIP
>>> nlp.add_pipe("kg_gazetteer", config={"names": "names.csv"})           # doctest: +SKIP
>>> nlp.to_disk("my_model")                                               # doctest: +SKIP

`kg build --model my_model` then reads with these names. As the last component it does what
`--names` does; right after kg_entities, the roles, links and relations of its names are judged
as those of all others.
"""

from pathlib import Path
from typing import Any, Final

from spacy.language import Language
from spacy.tokens import Doc

import kg.nlp.document  # noqa: F401 - registers the names under doc._
from kg.errors import InputError
from kg.model.extraction import Extraction
from kg.model.known_name import parse_names
from kg.nlp.own_names import OwnNames

_FILE: Final = "names.csv"
_NOTHING: Final = b"name,type,aliases\n"


class Gazetteer:
    """Let the names of a file win over what was read in a text."""

    def __init__(self, names: Path | None = None) -> None:
        """Take the file, which is read when the first text or nlp.to_disk needs it."""
        self._path = names
        self._content: bytes | None = None if names else _NOTHING
        self._names: OwnNames | None = None

    def load(self, path: Path) -> None:
        """Read a file with the columns name, type and aliases; InputError if it is none."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise InputError(
                f"{path}: {error.strerror}", "Give kg_gazetteer a CSV file with name,type,aliases."
            ) from error
        self._names = OwnNames(parse_names(content, str(path)))
        self._content = content

    def __call__(self, doc: Doc) -> Doc:
        """Set the entities, claims and relations with the names of the list."""
        marks = doc._
        read = Extraction(
            model="",
            entities=marks.kg_entities,
            claims=marks.kg_claims,
            relations=marks.kg_relations,
            flags=marks.kg_flags,
        )
        found = self.names(marks.kg_text, read)
        if found is not read:
            marks.kg_entities = found.entities
            marks.kg_claims = found.claims
            marks.kg_relations = found.relations
        return doc

    @property
    def names(self) -> OwnNames:
        """The list."""
        if self._content is None and self._path is not None:
            self.load(self._path)
        if self._names is None:
            self._names = OwnNames(parse_names(self._content or _NOTHING))
        return self._names

    def to_disk(self, path: Path | str, **kwargs: Any) -> None:
        """Write the file as it was."""
        if self._content is None and self._path is not None:
            self.load(self._path)
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _FILE).write_bytes(self._content or _NOTHING)

    def from_disk(self, path: Path | str, **kwargs: Any) -> "Gazetteer":
        """Read what to_disk wrote, wherever the first file is now."""
        self.load(Path(path) / _FILE)
        return self


@Language.factory(
    "kg_gazetteer",
    default_config={"names": ""},
    assigns=["doc._.kg_entities", "doc._.kg_claims", "doc._.kg_relations"],
)
def make_gazetteer(nlp: Language, name: str, names: str) -> Gazetteer:  # noqa: ARG001 - spaCy passes both
    """Build the component with a CSV file of names."""
    return Gazetteer(Path(names) if names else None)
