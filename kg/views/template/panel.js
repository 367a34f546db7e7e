// The panel beside the picture: what a node or a line rests on. Text goes in as text, never as HTML.
function make(tag, text, attributes = {}) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
const counted = (n, word) => n.toLocaleString('en') + ' ' + word + (n === 1 ? '' : 's');
const types = new Map(page.types.map((type) => [type.name, type]));
const phrase = (type) => types.get(type);

function sentence(tag, runs) {
  const element = make(tag);
  for (const [text, label] of runs) {
    element.append(label ? make('mark', text, { class: 'l-' + label }) : text);
  }
  return element;
}

function link(text, address) {
  if (!/^https?:\/\//.test(address)) return make('span', text);
  return make('a', text, { href: address, target: '_blank', rel: 'noopener noreferrer' });
}

function nodeButton(number) {
  const button = make('button', page.nodes[number].name, { type: 'button', class: 'node' });
  button.addEventListener('click', () => choose({ node: number }, { move: true }));
  return button;
}

function paperLine(index) {
  const paper = page.papers[index];
  const line = make('small');
  line.append(paper.node === null ? paper.title : nodeButton(paper.node));
  if (paper.year) line.append(' · ' + paper.year);
  for (const [text, address] of paper.links.slice(0, 2)) line.append(' · ', link(text, address));
  return line;
}

function confidence(value) {
  const line = make('small', 'confidence ' + value.toFixed(2) + ' ');
  const meter = make('span', '', { class: 'meter', 'aria-hidden': 'true' });
  const bar = make('i');
  bar.style.width = Math.round(value * 100) + '%';
  meter.append(bar);
  line.append(meter);
  return line;
}

function evidenceItem(row, node) {
  const other = node === null ? null : (row.h === node ? row.t : row.h);
  const label = other === null ? 'Paper' : page.nodes[other].label;
  const item = make('li', undefined, { class: 'l-' + label });
  if (other !== null) item.append(nodeButton(other));
  if (row.count) item.append(make('small', 'in ' + counted(row.count, 'paper')));
  const words = row.sentence.map((run) => run[0]).join('');
  if (words && (other === null || words !== page.nodes[other].name)) item.append(sentence('blockquote', row.sentence));
  const paperShown = other !== null && row.paper !== null && page.papers[row.paper].node === other;
  const paperHere = row.paper !== null && page.papers[row.paper].node === node && node !== null;
  if (row.paper !== null && !paperShown && !paperHere) item.append(paperLine(row.paper));
  if (row.confidence !== null) item.append(confidence(row.confidence));
  return item;
}

const FIRST = 8;
function evidenceGroup(heading, entries, node) {
  const group = make('section', undefined, { class: 'group' });
  const title = make('h3', heading + ' ');
  title.append(make('b', entries.length.toLocaleString('en')));
  const list = make('ul', undefined, { class: 'evidence' });
  list.append(...entries.slice(0, FIRST).map((row) => evidenceItem(row, node)));
  group.append(title, list);
  if (entries.length > FIRST) {
    const more = make('button', 'Show all ' + entries.length.toLocaleString('en'), { type: 'button', class: 'more' });
    more.addEventListener('click', () => {
      list.append(...entries.slice(FIRST).map((row) => evidenceItem(row, node)));
      more.remove();
    });
    group.append(more);
  }
  return group;
}

function nodeDetail(number, { heading = true } = {}) {
  const node = page.nodes[number];
  const parts = [];
  if (heading) {
    parts.push(make('p', node.label, { class: 'quiet' }), make('h2', node.name, { class: 'title' }));
  }
  if (node.facts.length) {
    const facts = make('dl', undefined, { class: 'facts' });
    for (const [key, value] of node.facts) facts.append(make('dt', key), make('dd', value));
    parts.push(facts);
  }
  if (node.links.length) {
    const links = make('p', undefined, { class: 'links' });
    links.append(...node.links.map(([text, address]) => link(text, address)));
    parts.push(links);
  }
  const groups = new Map();
  for (const index of node.evidence) {
    const row = page.evidence[index];
    const words = row.h === number ? phrase(row.type).out : phrase(row.type).in;
    if (!groups.has(words)) groups.set(words, []);
    groups.get(words).push(row);
  }
  for (const [words, entries] of groups) {
    entries.sort((a, b) => (b.count || 0) - (a.count || 0) || (b.confidence || 0) - (a.confidence || 0));
    parts.push(evidenceGroup(words, entries, number));
  }
  return parts;
}

function lineDetail(id) {
  const line = lineOf.get(id);
  const title = make('h2', undefined, { class: 'title' });
  title.append(nodeButton(line.from), ' – ', nodeButton(line.to));
  const parts = [make('p', counted(line.rows.length, 'edge'), { class: 'quiet' }), title];
  const groups = new Map();
  for (const index of line.rows) {
    const row = page.evidence[index];
    const words = page.nodes[row.h].name + ' ' + phrase(row.type).out + ' ' + page.nodes[row.t].name;
    if (!groups.has(words)) groups.set(words, []);
    groups.get(words).push(row);
  }
  for (const [words, entries] of groups) parts.push(evidenceGroup(words, entries, null));
  const papersOf = (number) => new Set(page.nodes[number].evidence.map((row) => page.evidence[row].paper));
  if (line.rows.some((row) => page.evidence[row].count)) {
    const both = papersOf(line.to);
    const shared = page.nodes[line.from].evidence.concat(page.nodes[line.to].evidence)
      .map((index) => page.evidence[index])
      .filter((row) => row.paper !== null && !row.count && both.has(row.paper) && papersOf(line.from).has(row.paper));
    if (shared.length) parts.push(evidenceGroup('papers that name both, for example', [...new Set(shared)], null));
  }
  return parts;
}

const home = document.getElementById('home');
const atCentre = document.getElementById('centre');
const detail = document.getElementById('detail');
const panel = document.querySelector('.panel');

function showDetail(what) {
  const isHome = what === null || (what.node !== undefined && what.node === page.centre);
  home.hidden = atCentre.hidden = !isHome;
  detail.hidden = isHome;
  panel.scrollTop = 0;
  if (isHome) { detail.replaceChildren(); return; }
  const back = make('button', '← Back', { type: 'button', class: 'back' });
  back.addEventListener('click', () => choose(null));
  detail.replaceChildren(back, ...(what.line !== undefined ? lineDetail(what.line) : nodeDetail(what.node)));
}
