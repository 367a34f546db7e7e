"""A page that lists figures and errors: one file, no scripts, no requests."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from kg.analytics.errors import KINDS, EntityError
from kg.analytics.scoring import ACCURACIES, Outcome

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%;margin:1rem 0 2rem}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}
.context{color:#666}mark{background:#ffe9a8}
"""


def error_page(
    title: str,
    figures: Mapping[str, Outcome],
    bounds: Mapping[str, tuple[float, float]],
    errors: Sequence[EntityError],
) -> str:
    """Return the HTML of a page with the figures, and the errors by kind."""
    kinds = Counter(error.kind for error in errors)
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        f"<title>{escape(title)}</title><style>{_STYLE}</style><h1>{escape(title)}</h1>",
        "<table><tr><th>figure<th>precision<th>recall<th>F1<th>95% interval<th>annotated</tr>",
        *(_figure_row(name, one, bounds.get(name)) for name, one in figures.items()),
        "</table>",
        "<p>" + ", ".join(f'<a href="#{_anchor(k)}">{k}: {kinds[k]}</a>' for k in KINDS) + "</p>",
    ]
    for kind in KINDS:
        parts.append(f'<h2 id="{_anchor(kind)}">{kind}</h2><table>')
        parts.append("<tr><th>abstract<th>type<th>annotated<th>predicted<th>context</tr>")
        parts.extend(_error_rows(error for error in errors if error.kind == kind))
        parts.append("</table>")
    return "\n".join(parts) + "\n"


def _figure_row(name: str, one: Outcome, bounds: tuple[float, float] | None) -> str:
    if name in ACCURACIES:
        cells = ["", "", f"{one.recall:.3f}"]
    else:
        cells = [f"{one.precision:.3f}", f"{one.recall:.3f}", f"{one.f1:.3f}"]
    cells.append(f"{bounds[0]:.3f}-{bounds[1]:.3f}" if bounds else "")
    cells.append(str(one.both + one.missed))
    return f"<tr><td>{escape(name)}" + "".join(f"<td class=n>{cell}" for cell in cells) + "</tr>"


def _error_rows(errors: Iterable[EntityError]) -> Iterable[str]:
    for error in errors:
        context = escape(error.context)
        form = escape(error.gold or error.predicted)
        at = context.lower().find(form)
        if at >= 0:
            end = at + len(form)
            context = f"{context[:at]}<mark>{context[at:end]}</mark>{context[end:]}"
        cells = (error.id, error.type, error.gold, error.predicted)
        yield (
            "<tr>"
            + "".join(f"<td>{escape(cell)}" for cell in cells)
            + f"<td class=context>{context}</tr>"
        )


def _anchor(kind: str) -> str:
    return kind.replace(" ", "-")
