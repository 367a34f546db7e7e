// Search, toggles, keys and the theme.
const box = document.getElementById('search');
const hits = document.getElementById('hits');
const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const index = page.nodes.map((node) => ({ name: fold(node.name), all: [node.name, ...node.also].map(fold) }));
let found = [];
let at = 0;

function find(text) {
  const wanted = fold(text.trim());
  if (!wanted) return [];
  const ranked = [];
  index.forEach((entry, number) => {
    if (off.label.has(page.nodes[number].label)) return;
    const places = entry.all.map((form) => form.indexOf(wanted)).filter((place) => place >= 0);
    if (places.length) ranked.push([entry.name === wanted ? -1 : Math.min(...places), entry.name.length, number]);
  });
  ranked.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return ranked.slice(0, 20).map((row) => row[2]);
}

function showHits() {
  hits.replaceChildren(...found.map((number, i) => {
    const item = make('li', undefined, { role: 'option', id: 'hit' + i, 'aria-selected': String(i === at) });
    item.append(make('span', page.nodes[number].name), make('small', page.nodes[number].label));
    item.addEventListener('mousedown', (event) => { event.preventDefault(); take(number); });
    return item;
  }));
  if (!found.length && box.value.trim()) hits.append(make('li', 'Nothing in this picture has that name.', { class: 'quiet' }));
  const open = Boolean(box.value.trim());
  hits.hidden = !open;
  box.setAttribute('aria-expanded', String(open));
  if (found.length) box.setAttribute('aria-activedescendant', 'hit' + at);
  else box.removeAttribute('aria-activedescendant');
}
function closeHits() { found = []; hits.hidden = true; box.setAttribute('aria-expanded', 'false'); }
function take(number) { closeHits(); box.value = ''; choose({ node: number }, { move: true }); }

box.addEventListener('input', () => { found = find(box.value); at = 0; showHits(); });
box.addEventListener('blur', closeHits);
box.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    at = found.length ? (at + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length : 0;
    showHits();
  } else if (event.key === 'Enter' && found.length) {
    event.preventDefault();
    take(found[at]);
  } else if (event.key === 'Escape') {
    box.value = '';
    closeHits();
    box.blur();
  }
});

document.addEventListener('keydown', (event) => {
  if (event.target === box || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '/') { event.preventDefault(); box.focus(); }
  if (event.key === 'Escape') choose(null);
});

const step = (dx, dy) => {
  const { x, y } = network.getViewPosition();
  const reach = 80 / network.getScale();
  network.moveTo({ position: { x: x + dx * reach, y: y + dy * reach } });
};
const zoom = (factor) => network.moveTo({ scale: Math.min(6, Math.max(0.03, network.getScale() * factor)) });
// All that is shown, beside the legend, which lies over the left of a wide picture and the top of a narrow one.
function showAll() {
  const shown = data.nodes.filter((node) => !off.label.has(page.nodes[node.id].label));
  if (!shown.length) return;
  const places = network.getPositions();
  const at = (pick) => shown.map((node) => pick(places[node.id], node.size));
  const left = Math.min(...at((p, r) => p.x - r)), right = Math.max(...at((p, r) => p.x + r));
  const top = Math.min(...at((p, r) => p.y - r)), bottom = Math.max(...at((p, r) => p.y + r));
  const width = container.clientWidth, height = container.clientHeight;
  const legend = document.getElementById('legend');
  const over = legend.offsetWidth + 16;
  const aside = width > 4 * over ? over : 0;
  const above = aside ? 0 : Math.min(legend.offsetHeight, height / 3);
  // Names reach beyond their nodes.
  const scale = Math.min((width - aside - 90) / (right - left), (height - above - 70) / (bottom - top), 1.6);
  network.moveTo({ scale, position: { x: (left + right) / 2 - aside / 2 / scale, y: (top + bottom) / 2 - above / 2 / scale } });
}
const keys = {
  ArrowLeft: () => step(-1, 0), ArrowRight: () => step(1, 0), ArrowUp: () => step(0, -1), ArrowDown: () => step(0, 1),
  '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8), 0: showAll,
};
container.addEventListener('keydown', (event) => {
  if (event.key in keys && !event.ctrlKey && !event.metaKey) { event.preventDefault(); keys[event.key](); }
});
document.getElementById('closer').addEventListener('click', keys['+']);
document.getElementById('farther').addEventListener('click', keys['-']);
document.getElementById('fit').addEventListener('click', showAll);

document.getElementById('legend').addEventListener('change', (event) => {
  const { name, value, checked } = event.target;
  off[name][checked ? 'delete' : 'add'](value);
  paint();
});
document.getElementById('legend').addEventListener('submit', (event) => event.preventDefault());

const numberOf = new Map(page.nodes.map((node, number) => [node.id, number]));
function follow(event) {
  const button = event.target.closest('[data-node], [data-id]');
  if (!button) return;
  const number = button.dataset.node !== undefined ? Number(button.dataset.node) : numberOf.get(button.dataset.id);
  if (number === undefined) return;
  choose({ node: number }, { move: true });
  if (button.closest('.below')) document.querySelector('.stage').scrollIntoView();
}
document.addEventListener('click', follow);
document.addEventListener('keydown', (event) => {
  const isButton = event.target instanceof HTMLElement && event.target.matches('[role="button"]');
  if (isButton && (event.key === 'Enter' || event.key === ' ')) { event.preventDefault(); follow(event); }
});

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', paint);
document.getElementById('theme').addEventListener('click', () => {
  const now = root.dataset.theme || (dark.matches ? 'dark' : 'light');
  root.dataset.theme = now === 'dark' ? 'light' : 'dark';
  paint();
});

if (page.centre !== null) atCentre.append(...nodeDetail(page.centre, { heading: false }));
paint();
showAll();
