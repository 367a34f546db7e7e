"""Names that are known beforehand: the user's own list, and the shape of the shipped one."""

from dataclasses import dataclass

from kg.model.schema import NodeLabel


@dataclass(frozen=True, slots=True)
class KnownName:
    """One thing by its canonical name, with the other forms it goes by."""

    name: str
    label: NodeLabel
    aliases: tuple[str, ...] = ()

    @property
    def forms(self) -> tuple[str, ...]:
        """The canonical name, then its aliases."""
        return (self.name, *self.aliases)
