"""How each label looks: a colour for light and for dark pages, and a shape beside the colour."""

from dataclasses import dataclass

from kg.model.schema import NODE_TABLES, NodeLabel


@dataclass(frozen=True, slots=True)
class Look:
    """Colours of a label on a light and on a dark page, and its shape in vis-network's words."""

    light: str
    dark: str
    shape: str


# Each colour has a contrast of at least 3 to 1 with the page behind it, and neighbours on the
# wheel differ in lightness, for readers who do not tell red from green.
LOOKS = {
    NodeLabel.PAPER: Look("#64748b", "#94a3b8", "square"),
    NodeLabel.METHOD: Look("#2563eb", "#60a5fa", "dot"),
    NodeLabel.DATASET: Look("#0f766e", "#2dd4bf", "diamond"),
    NodeLabel.TASK: Look("#c2410c", "#fb923c", "triangle"),
    NodeLabel.METRIC: Look("#7e22ce", "#c084fc", "hexagon"),
    NodeLabel.CLAIM: Look("#be123c", "#fb7185", "star"),
    NodeLabel.RESULT: Look("#a16207", "#facc15", "triangleDown"),
    NodeLabel.AUTHOR: Look("#57534e", "#d6d3d1", "dot"),
    NodeLabel.VENUE: Look("#4d7c0f", "#a3e635", "square"),
}

MEANINGS = {table.label: table.meaning for table in NODE_TABLES}

# An edge type that the pages compute and the graph does not hold.
NAMED_TOGETHER = "NAMED_TOGETHER"
