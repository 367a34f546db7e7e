// The picture: nodes and lines from the page's data, drawn by vis-network at computed places.
const data = JSON.parse(document.getElementById('data').textContent);
const page = data.page;
const container = document.getElementById('network');
const root = document.documentElement;
// Names are drawn below, at one size whatever the zoom, so vis-network gets none.
const bare = data.nodes.map(({ label, ...node }) => node);
const rows = { nodes: new vis.DataSet(bare), edges: new vis.DataSet(data.edges) };
const lineOf = new Map(data.edges.map((line) => [line.id, line]));
const linesAt = data.nodes.map(() => []);
for (const line of data.edges) {
  linesAt[line.from].push(line);
  if (line.to !== line.from) linesAt[line.to].push(line);
}
const off = { label: new Set(), type: new Set() };
let selected = null; // {node: number} or {line: id}

const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();

function faded(colour, share) {
  // Colours on a canvas know no color-mix: this is one of #rrggbb with an alpha.
  const alpha = Math.round(share * 255).toString(16).padStart(2, '0');
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour + alpha : colour;
}

const many = data.nodes.length > 300;
const network = new vis.Network(container, rows, {
  autoResize: true,
  physics: false,
  layout: { improvedLayout: false, randomSeed: 1 },
  nodes: { borderWidth: 1.5, borderWidthSelected: 1.5 },
  edges: { smooth: false, selectionWidth: 0.6, hoverWidth: 0, arrows: { to: { scaleFactor: 0.45 } }, arrowStrikethrough: false },
  interaction: { hover: true, hideEdgesOnDrag: many, hideEdgesOnZoom: many, selectConnectedEdges: false, tooltipDelay: 1e9, zoomSpeed: 0.7 },
});

// What is in the foreground: a set of node numbers, or null when everything is.
function foreground() {
  if (selected === null) return null;
  if (selected.line !== undefined) {
    const line = lineOf.get(selected.line);
    return new Set([line.from, line.to]);
  }
  const near = new Set([selected.node]);
  for (const line of linesAt[selected.node]) { near.add(line.from); near.add(line.to); }
  return near;
}

function lineShown(line) {
  const wanted = line.rows.some((row) => !off.type.has(page.evidence[row].type));
  const ends = !off.label.has(page.nodes[line.from].label) && !off.label.has(page.nodes[line.to].label);
  const touched = selected !== null
    && (line.id === selected.line || line.from === selected.node || line.to === selected.node);
  return wanted && ends && (!line.hidden || touched);
}

function paint() {
  const front = foreground();
  const ink = css('--ink'), ground = css('--ground');
  const colours = Object.fromEntries(page.labels.map((l) => [l.name, css('--l-' + l.name)]));
  rows.nodes.update(data.nodes.map((node) => {
    const label = page.nodes[node.id].label;
    const inFront = front === null || front.has(node.id);
    const fill = inFront ? colours[label] : faded(colours[label], 0.18);
    const isSelected = selected !== null && selected.node === node.id;
    const colour = { background: fill, border: isSelected ? ink : ground };
    return {
      id: node.id,
      hidden: off.label.has(label),
      borderWidth: isSelected ? 3 : 1.5,
      color: { ...colour, highlight: colour, hover: { background: fill, border: ink } },
    };
  }));
  rows.edges.update(data.edges.map((line) => {
    const inFront = selected === null || line.id === selected.line
      || line.from === selected.node || line.to === selected.node;
    const ends = [page.nodes[line.from].label, page.nodes[line.to].label];
    const tint = colours[ends.find((label) => label !== 'Paper') || 'Paper'];
    // The lines of the middle say least: everything has one.
    const middle = line.from === page.centre || line.to === page.centre;
    const still = (many ? 0.36 : 0.5) * (middle && data.nodes.length > 60 ? 0.45 : 1);
    const colour = faded(tint, selected === null ? still : (inFront ? 0.75 : 0.05));
    return { id: line.id, hidden: !lineShown(line), color: { color: colour, highlight: colour, hover: faded(tint, 0.9) } };
  }));
}

// Names, the most important first, each where it covers no other: closer shows more of them.
const widths = new Map();
function drawNames(context) {
  const scale = network.getScale();
  const front = foreground();
  const ink = css('--ink'), ground = css('--ground');
  const places = network.getPositions();
  const { x: cx, y: cy } = network.getViewPosition();
  const halfWidth = container.clientWidth / scale / 2, halfHeight = container.clientHeight / scale / 2;
  const importance = (node) => (selected !== null && node.id === selected.node ? 1e6 : 0)
    + (front !== null && front.has(node.id) ? 1e4 : 0) + (node.id === page.centre ? 1e3 : 0)
    + node.size - (page.nodes[node.id].label === 'Paper' ? 5 : 0);
  const order = data.nodes
    .filter((node) => !off.label.has(page.nodes[node.id].label)
      && Math.abs(places[node.id].x - cx) < halfWidth && Math.abs(places[node.id].y - cy) < halfHeight)
    .sort((a, b) => importance(b) - importance(a));
  // Nodes that matter more than a name are not covered by it.
  const discs = order.map((node) => {
    const { x, y } = places[node.id];
    const r = node.size * 0.8;
    return [x - r, y - r, x + r, y + r];
  });
  const taken = [];
  const apart = (a, b) => a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.lineJoin = 'round';
  for (const [rank, node] of order.entries()) {
    const inFront = front === null || front.has(node.id);
    if (front !== null && !inFront && front.size > 1) continue;
    const isMain = node.id === page.centre || (selected !== null && node.id === selected.node);
    const pixels = isMain ? 15 : Math.min(14, 11 + node.size / 10);
    const font = (isMain ? '600 ' : '') + pixels + 'px system-ui, sans-serif';
    const key = font + node.label;
    context.font = font;
    if (!widths.has(key)) widths.set(key, context.measureText(node.label).width);
    const width = widths.get(key) / scale + 8 / scale, height = pixels * 1.25 / scale;
    const { x, y } = places[node.id];
    // The names that matter most are there in any case.
    const obstacles = isMain || rank < 12 ? taken : taken.concat(discs.slice(0, Math.max(rank, Math.min(40, order.length))));
    const tops = [y + node.size + 3 / scale, y - node.size - 3 / scale - height];
    const top = tops.find((edge) => {
      const box = [x - width / 2, edge, x + width / 2, edge + height];
      return obstacles.every((other) => apart(box, other));
    });
    if (top === undefined) continue;
    taken.push([x - width / 2, top, x + width / 2, top + height]);
    context.font = font.replace(pixels + 'px', pixels / scale + 'px');
    context.lineWidth = 3.5 / scale;
    context.strokeStyle = ground;
    context.fillStyle = ink;
    context.strokeText(node.label, x, top);
    context.fillText(node.label, x, top);
  }
}
network.on('afterDrawing', drawNames);

function choose(what, { move = false } = {}) {
  selected = what;
  paint();
  if (what === null) network.unselectAll();
  else if (what.line !== undefined) network.setSelection({ nodes: [], edges: [what.line] });
  else network.setSelection({ nodes: [what.node], edges: [] });
  if (move && what !== null && what.node !== undefined) {
    const scale = Math.max(network.getScale(), 0.75);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    network.focus(what.node, { scale, animation: still ? false : { duration: 350, easingFunction: 'easeInOutQuad' } });
  }
  showDetail(what);
}

network.on('click', (event) => {
  if (event.nodes.length) choose({ node: event.nodes[0] });
  else if (event.edges.length) choose({ line: event.edges[0] });
  else choose(null);
});

const tip = document.getElementById('tip');
function showTip(parts, at) {
  tip.replaceChildren(...parts);
  tip.hidden = false;
  const box = container.getBoundingClientRect();
  const left = Math.min(at.x + 16, box.width - tip.offsetWidth - 8);
  const below = at.y + 18 + tip.offsetHeight < box.height;
  tip.style.left = Math.max(8, left) + 'px';
  tip.style.top = Math.max(8, below ? at.y + 18 : at.y - tip.offsetHeight - 12) + 'px';
}
network.on('hoverNode', (event) => {
  const node = page.nodes[event.node];
  const first = node.evidence.find((row) => page.evidence[row].sentence.length);
  const parts = [make('b', node.name), make('small', node.label + ' · ' + counted(node.evidence.length, 'edge'))];
  if (first !== undefined) parts.push(sentence('p', page.evidence[first].sentence));
  showTip(parts, event.pointer.DOM);
  container.style.cursor = 'pointer';
});
network.on('hoverEdge', (event) => {
  const line = lineOf.get(event.edge);
  const row = page.evidence[line.rows[0]];
  const more = line.rows.length > 1 ? [make('small', 'and ' + counted(line.rows.length - 1, 'more edge'))] : [];
  const text = [page.nodes[row.h].name, phrase(row.type).out, page.nodes[row.t].name].join(' ');
  showTip([make('b', text), ...(row.sentence.length ? [sentence('p', row.sentence)] : []), ...more], event.pointer.DOM);
  container.style.cursor = 'pointer';
});
for (const name of ['blurNode', 'blurEdge', 'dragStart', 'zoom']) {
  network.on(name, () => { tip.hidden = true; container.style.cursor = ''; });
}
