"""A scene as one HTML file that needs nothing else and asks for nothing."""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import networkx as nx
from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup

from kg.graph.target import new_file
from kg.model.schema import NodeLabel
from kg.views import lines as thinning
from kg.views.abstract import abstract_runs
from kg.views.claims import claim_rows
from kg.views.layout import positions
from kg.views.palette import LOOKS
from kg.views.payload import Payload, caption, payload, size
from kg.views.scenes import Scene, of_networkx
from kg.views.wording import PHRASES, facts, name

# Pictures of more lines than this have no arrow heads: they would be all that one sees.
_ARROWS = 250
_VIS = "lib/vis-9.1.2/vis-network.min.js"
_SCRIPTS = ("picture.js", "panel.js", "controls.js")


def render(
    scene: "Scene | nx.MultiDiGraph[str]", *, title: str = "", source: str = "", centre: str = ""
) -> str:
    """Return the page of a scene, or of any graph that `kg.graph.subgraph` made.

    Args:
        scene: what the page shows.
        title: heading; by default the name of the node in the middle.
        source: where the graph came from, for the foot of the page.
        centre: of a networkx graph, id of the node in the middle.
    """
    if isinstance(scene, nx.MultiDiGraph):
        scene = of_networkx(scene, centre or None)
    known = payload(scene.graph, scene.drawn, scene.centre)
    network = _network(scene, known)
    environment = network.templateEnv
    environment.globals.update(_context(scene, known, title, source))
    html: str = network.generate_html()
    return html


def write_page(
    scene: "Scene | nx.MultiDiGraph[str]",
    path: Path,
    *,
    title: str = "",
    source: str = "",
    centre: str = "",
) -> None:
    """Write the page; a failed write leaves no file, and what stood there stays."""
    html = render(scene, title=title, source=source, centre=centre)
    with new_file(path) as file:
        file.write(html.encode("utf-8", "replace"))


def _network(scene: Scene, known: Payload) -> Any:
    """Return the picture as pyvis has it, with our page instead of its own."""
    # It loads IPython, which takes a second that no other part of kg should wait for.
    from pyvis.network import Network

    network = Network(directed=True, cdn_resources="in_line", height="100%", width="100%")
    ours = PackageLoader("kg.views", "template")
    network.templateEnv = Environment(
        loader=ChoiceLoader([ours, network.templateEnv.loader]), autoescape=True
    )
    network.templateEnv.filters["clean"] = _clean
    network.path = "page.html"

    degrees: Counter[int] = Counter()
    for line in known.lines:
        degrees.update((line.head, line.tail))
    radii = []
    for i, node in enumerate(known.ids):
        ordinary = size(scene.graph.nodes[node], degrees[i])
        middle = 30.0 if len(known.ids) < 150 else 42.0
        radii.append(middle if node == scene.centre else ordinary)
    pairs = [(line.head, line.tail) for line in known.lines if line.drawn]
    centre = known.ids.index(scene.centre) if scene.centre in scene.drawn else None
    labels = [scene.graph.nodes[node]["label"] for node in known.ids]
    # Names stand under the nodes and are wider than they are; in a large picture few show.
    allowance = min(max(220.0 / max(len(radii), 1) ** 0.5, 9.0), 55.0)
    room = [radius + allowance for radius in radii]
    points = positions(room, pairs, labels, centre)
    for i, node in enumerate(known.ids):
        properties = scene.graph.nodes[node]
        is_centre = node == scene.centre
        network.add_node(
            i,
            label=_clean(caption(properties, node, centre=is_centre)),
            shape=LOOKS[NodeLabel(labels[i])].shape,
            group=labels[i],
            x=round(float(points[i][0]), 1),
            y=round(float(points[i][1]), 1),
            size=round(radii[i], 1),
        )
    strongest = max((line.strength for line in known.lines), default=1.0)
    arrows = sum(line.drawn for line in known.lines) <= _ARROWS
    for i, line in enumerate(known.lines):
        network.add_edge(
            line.head,
            line.tail,
            id=f"line{i}",
            width=round(0.8 + 2.2 * line.strength / strongest, 2),
            rows=list(line.edges),
            hidden=not line.drawn,
            arrows="to" if arrows else "",
        )
    network.set_options(json.dumps({"physics": {"enabled": False}}))
    return network


def _context(scene: Scene, known: Payload, title: str, source: str) -> dict[str, Any]:
    centre = dict(scene.graph.nodes[scene.centre]) if scene.centre is not None else {}
    shown_name = name(scene.centre, centre) if scene.centre is not None else ""
    heading = _clean(title or shown_name or "Knowledge graph")
    vis = _script(Path(_pyvis_templates() / _VIS).read_text(encoding="utf-8"))
    own = _script("\n".join(["'use strict';", *(_text(script) for script in _SCRIPTS)]))
    page = {
        "kind": scene.kind,
        "centre": known.ids.index(scene.centre) if scene.centre in scene.drawn else None,
        "nodes": known.nodes,
        "evidence": known.evidence,
        "papers": known.papers,
        "labels": known.labels,
        "types": known.types,
    }
    return {
        "page": page,
        "heading_text": heading,
        "scene": scene,
        "known": known,
        "centre": centre,
        "centre_facts": facts(centre),
        "subtitle": _subtitle(scene, known),
        "abstract": abstract_runs(scene.graph, scene.centre) if scene.kind == "paper" else [],
        "claims": claim_rows(scene.graph),
        "phrases": {str(key): value for key, value in PHRASES.items()},
        "looks": {label.value: look for label, look in LOOKS.items()},
        "left_out": _left_out(scene),
        "line_rule": thinning.rule(known.lines),
        "source": _clean(source),
        "css": Markup(_text("page.css")),  # noqa: S704 - a file of ours
        "vis": vis,
        "own": own,
        "hashes": f"{_hash(vis)} {_hash(own)}",
        "top": _top(known) if scene.kind in ("overview", "part") else {},
    }


def _subtitle(scene: Scene, known: Payload) -> str:
    if scene.centre is not None:
        return str(scene.graph.nodes[scene.centre]["label"])
    counts = [_counted(row["count"], row["name"].lower()) for row in known.labels]
    return " · ".join(counts)


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}" + ("" if count == 1 else "s")


def _left_out(scene: Scene) -> dict[str, Any]:
    if not scene.left_out:
        return {}
    total = sum(scene.left_out.values())
    by_label = ", ".join(_counted(n, label.lower()) for label, n in scene.left_out.items())
    return {
        "count": total,
        "by_label": by_label,
        "rule": scene.rule,
        "all": total + len(scene.drawn),
    }


def _top(known: Payload) -> Mapping[str, list[tuple[int, str, int]]]:
    """Return the most named entities of each label, for the side of an overview."""
    found: dict[str, list[tuple[int, str, int]]] = {}
    for i, node in enumerate(known.nodes):
        if node["label"] != "Paper":
            papers = node["papers"]
            found.setdefault(node["label"], []).append((i, node["name"], papers))
    return {
        label: sorted(rows, key=lambda row: (-row[2], row[1]))[:8] for label, rows in found.items()
    }


def _clean(text: str) -> str:
    """Return the text without lone surrogates, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _script(text: str) -> Markup:
    if "</script" in text.lower():
        raise ValueError("a script must not hold the end of its own element")
    # A browser hashes the script after it turned line ends into \n.
    return Markup(text.replace("\r\n", "\n").replace("\r", "\n"))  # noqa: S704 - ours and pyvis's


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _text(file: str) -> str:
    return resources.files("kg.views").joinpath("template", file).read_text(encoding="utf-8")


def _pyvis_templates() -> Path:
    import pyvis

    return Path(pyvis.__file__).parent / "templates"
