"""A page that lists figures and errors: one file, no scripts, no requests."""

from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape

from kg.analytics.calibration import Calibration
from kg.analytics.errors import KINDS, EntityError
from kg.analytics.evaluation import Evaluation, Figures
from kg.analytics.scoring import ACCURACIES, Outcome

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%;margin:1rem 0 2rem}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}
.context{color:#666}mark{background:#ffe9a8}
"""


def error_page(title: str, found: Evaluation) -> str:
    """Return the HTML of a page with the figures, and the errors by kind."""
    kinds = Counter(error.kind for error in found.errors)
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        f"<title>{escape(title)}</title><style>{_STYLE}</style><h1>{escape(title)}</h1>",
        *_figures_table(found.whole, found.floor),
    ]
    for name, figures in found.groups.items():
        parts.append(f"<h2>{escape(name)}: {figures.abstracts} abstracts</h2>")
        parts.extend(_figures_table(figures, {}))
    parts.extend(_calibration_tables(found.calibration))
    parts.append(
        "<p>" + ", ".join(f'<a href="#{_anchor(k)}">{k}: {kinds[k]}</a>' for k in KINDS) + "</p>"
    )
    for kind in KINDS:
        parts.append(f'<h2 id="{_anchor(kind)}">{kind}</h2><table>')
        parts.append("<tr><th>abstract<th>type<th>annotated<th>predicted<th>context</tr>")
        parts.extend(_error_rows(error for error in found.errors if error.kind == kind))
        parts.append("</table>")
    return "\n".join(parts) + "\n"


def _figures_table(figures: Figures, floor: Mapping[str, Outcome]) -> Iterable[str]:
    heads = ("figure", "precision", "recall", "F1", "95% interval", "annotated")
    yield "<table><tr>" + "".join(f"<th>{head}" for head in heads)
    yield "<th>floor</tr>" if floor else "</tr>"
    for name, one in figures.outcomes.items():
        row = _figure_row(name, one, figures.bounds.get(name))
        if floor:
            at = floor.get(name)
            row += f"<td class=n>{_value(name, at):.3f}" if at else "<td>"
        yield row + "</tr>"
    yield "</table>"


def _value(name: str, one: Outcome) -> float:
    return one.recall if name in ACCURACIES else one.f1


def _calibration_tables(found: Mapping[str, Calibration]) -> Iterable[str]:
    """Yield per kind what is told with which confidence, and how much of it is right."""
    if found:
        yield "<h2>calibration</h2>"
    for kind, one in found.items():
        yield f"<p>{escape(kind)}: expected calibration error {one.error:.3f} of {one.count}</p>"
        yield "<table><tr><th>confidence<th>predictions<th>mean<th>right</tr>"
        for b in one.bins:
            yield (
                f"<tr><td>{b.low:.1f} to {b.high:.1f}<td class=n>{b.count}"
                f"<td class=n>{b.confidence:.3f}<td class=n>{b.accuracy:.3f}</tr>"
            )
        yield "</table>"


def _figure_row(name: str, one: Outcome, bounds: tuple[float, float] | None) -> str:
    if name in ACCURACIES:
        cells = ["", "", f"{one.recall:.3f}"]
    else:
        cells = [f"{one.precision:.3f}", f"{one.recall:.3f}", f"{one.f1:.3f}"]
    cells.append(f"{bounds[0]:.3f}-{bounds[1]:.3f}" if bounds else "")
    cells.append(str(one.both + one.missed))
    return f"<tr><td>{escape(name)}" + "".join(f"<td class=n>{cell}" for cell in cells)


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
