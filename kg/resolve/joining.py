"""Which nodes are one over the whole corpus; the strongest evidence first."""

import re
from collections.abc import Sequence

from kg.model.decision import Decision, DecisionKind
from kg.model.schema import NodeLabel
from kg.resolve.aliases import REST, Expansion, Known, abbreviated
from kg.resolve.corpus import Corpus, abbreviated_nodes
from kg.resolve.evidence import InText, pair_counts, satellites, sort_pairs
from kg.resolve.forms import LABELS
from kg.resolve.nodes import Head
from kg.resolve.normalise import fold_word, key, signature, words_of
from kg.resolve.partition import Edge
from kg.resolve.senses import Sense, senses_of

# Names of whole fields and media: an AI model is not AI, a 3D model not 3D.
_FIELDS = frozenset("ai ml dl nlp nlu nlg cv 2d 3d 4d iot api gpu cpu hpc genai xai agi".split())

# Words after what is done, and ends of those that cannot stand alone: data-driven approach.
_PROCEDURES = frozenset(
    "algorithm approach method principle procedure scheme strategy technique".split()
)
_NO_NOUN = re.compile(
    r"[a-z]{3}(?:ed|al|ive|ic|ous|able|ible|ary|less)$"
    r"|^(?:agent|aware|centered|driven|free|language|level|like|only|source|specific|wise)$"
)

# An abbreviation inside a longer name is written out when this share of at least so many
# papers take it for one thing.
_CERTAIN = 0.9
_TWO = 2


def join_decided(corpus: Corpus, decisions: Sequence[Decision]) -> None:
    """Join what the user says is one."""
    for decision in decisions:
        if decision.kind is DecisionKind.JOIN:
            one, two = (corpus.finder.find(form) for form in decision.forms)
            if one is not None and two is not None:
                edge = Edge("decision", 0, 1.0, str(decision.number))
                corpus.partition.join(one, two, edge, force=True)


def join_names(corpus: Corpus) -> None:
    """Join the forms of the user's names, then those of shipped names that do not contradict."""
    claimed: dict[int, int] = {}
    for name, members in corpus.user_names:
        for member in members:
            corpus.partition.join(members[0], member, Edge("names", 0, 1.0, name.name))
            claimed[member] = members[0]
    corpus.claimed = claimed
    for name, members in corpus.known_names:
        # Abbreviations wait for what the corpus says that they stand for. A form that the user
        # gave to something else stays there, and brings nothing along.
        shorts = {signature(key(short)) for short, _ in abbreviated(name)}
        plain = [m for m in members if corpus.nodes.signature[m] not in shorts]
        own = claimed.get(plain[0]) if plain else None
        for member in plain[1:]:
            if claimed.get(member, own) == own:
                corpus.partition.join(plain[0], member, Edge("alias", 0, 0.97, name.name))


def join_heads(corpus: Corpus) -> None:
    """Join 'GRPO algorithm' with 'GRPO', where the short form is a name."""
    for head in corpus.heads:
        short = corpus.reader.find(corpus.nodes.label[head.node], head.short)
        if short is None or corpus.nodes.signature[short] in _FIELDS or len(head.short) < 2:
            continue  # F-measure is not F
        if head.strong or (_is_known_alone(corpus, head, short) and _alike(corpus, head, short)):
            edge = Edge("head", int(corpus.groups.papers[head.node]), 0.97 if head.strong else 0.9)
            if corpus.partition.join(head.node, short, edge):
                corpus.headed.add(head.node)


def _is_known_alone(corpus: Corpus, head: Head, short: int) -> bool:
    """Papers use it without the head: as a name, or, of a task or a metric, at all."""
    if short in corpus.name_shaped:
        return True
    if LABELS[corpus.nodes.label[short]] in ("Task", "Metric"):
        return bool(corpus.seen[short])
    if corpus.mostly_named(short) or _is_procedure(corpus, head.node, short):
        return True
    # Construction-Integration framework
    words = [*words_of(head.short), *words_of(corpus.surface(short))]
    return len(words) > _TWO and bool(corpus.seen[short]) and all(w[0].isupper() for w in words)


def _is_procedure(corpus: Corpus, head: int, short: int) -> bool:
    """Papers write the beam search algorithm, and beam search too; algorithms are a family."""
    if corpus.surface(head).endswith("s"):
        return False
    words = corpus.nodes.keys(short)[0].split(" ")
    last = corpus.nodes.keys(head)[0].rpartition(" ")[2]
    is_noun = not _NO_NOUN.search(words[-1])
    return len(words) > 1 and bool(corpus.seen[short]) and last in _PROCEDURES and is_noun


def _alike(corpus: Corpus, head: Head, node: int) -> bool:
    """What stands before the head is written as the name is: rule systems are not RULE.

    Of a name in several words capitals tell nothing before the heads that say least: skip-gram
    model and Skip-Gram.
    """
    surface = corpus.surface(node)
    if key(head.short) != key(surface):
        return False
    if corpus.best[node] < 0 or head.short[:1].isupper() == surface[:1].isupper():
        return True
    last = corpus.nodes.keys(head.node)[0].rpartition(" ")[2]
    return " " in head.short and (last == "model" or last in _PROCEDURES)


def join_in_text(corpus: Corpus, known: Known) -> None:
    """Join abbreviations with their long forms, and what texts use side by side for one thing."""
    in_text = sort_pairs(pair_counts(corpus.groups), corpus.nodes, corpus.surface)
    _add_parentheses(corpus, in_text)
    for node in sorted(
        _abbreviations(corpus, in_text, known), key=corpus.nodes.signature.__getitem__
    ):
        longs = in_text.expansions.get(node, {})
        _join_senses(corpus, node, longs, known)
        if len(corpus.senses[node].senses) > 1:
            corpus.expansions[node] = longs
    for node, other, papers, share in satellites(
        in_text.variants, corpus.groups.papers, corpus.nodes
    ):
        edge = Edge("text", papers, share * (papers + 1.6) / (papers + 2))
        corpus.partition.join(node, other, edge)


def _add_parentheses(corpus: Corpus, in_text: InText) -> None:
    for written in corpus.parentheses:
        label = int(corpus.forms.label[written.form])
        short = corpus.reader.find(label, written.short)
        long = corpus.reader.find(label, written.long)
        if short is not None and long is not None and short != long:
            longs = in_text.expansions.setdefault(short, {})
            longs[long] = longs.get(long, 0) + int(corpus.forms.rows[written.form])


def _abbreviations(corpus: Corpus, in_text: InText, known: Known) -> set[int]:
    """Nodes that some text or the shipped list expands."""
    return {*in_text.expansions, *abbreviated_nodes(corpus.nodes, known)}


def _join_senses(corpus: Corpus, short: int, long_papers: dict[int, int], known: Known) -> None:
    nodes, partition = corpus.nodes, corpus.partition
    label = nodes.label[short]
    expanded = sum(long_papers.values())
    senses = senses_of(
        long_papers,
        known.expand(nodes.signature[short], NodeLabel(LABELS[label])),
        bare=max(0, int(corpus.groups.papers[short]) - expanded),
        key=lambda node: nodes.keys(node)[0],
        root=partition.root,
        find=lambda long: nodes.find(label, signature(long)) if long != REST else None,
    )
    corpus.senses[short] = senses
    for sense in senses.senses:
        for long in sense.nodes[1:]:
            papers = long_papers.get(long, 0)
            edge = Edge("long form", papers, 0.93, corpus.surface(short))
            partition.join(sense.nodes[0], long, edge)
    meant = senses.overwhelming
    if meant is None or not meant.nodes:
        return
    if short in corpus.claimed and partition.root(short) != partition.root(meant.nodes[0]):
        return  # the user says what it is
    if partition.join(short, meant.nodes[0], _edge(meant, senses.share)):
        corpus.short.add(short)


def _edge(sense: Sense, share: float) -> Edge:
    if sense.papers:
        sure = (sense.papers + 1.8) / (sense.papers + 2)
        return Edge("abbreviation", sense.papers, share * sure)
    if sense.listed:
        return Edge("alias", 0, 0.95 * share, sense.long)
    return Edge("known abbreviation", sense.prior, 0.95 * share)


def join_one_sense(corpus: Corpus, known: Known) -> None:
    """Judge abbreviations anew whose senses turned out to be one thing.

    'Generative AI' and 'generative artificial intelligence' are two long forms of GenAI until AI
    is written out.
    """
    for short in sorted(corpus.senses, key=corpus.nodes.signature.__getitem__):
        nodes = [node for sense in corpus.senses[short].senses for node in sense.nodes]
        senses = [sense for sense in corpus.senses[short].senses if sense.nodes]
        if len(senses) > len({corpus.partition.root(node) for node in nodes}):
            _join_senses(corpus, short, corpus.expansions.get(short, {}), known)
    corpus.expansions.clear()


def join_parts(corpus: Corpus, known: Known) -> None:
    """Join 'LLM agents' with 'large language model agents': what their parts stand for is known."""
    written_out = _certain_expansions(corpus, known)
    nodes = corpus.nodes
    for node in range(len(nodes)):
        parts = nodes.keys(node)[0].split(" ")
        if len(parts) < 2 or corpus.best[node] < 0 or written_out.keys().isdisjoint(parts):
            continue
        words = words_of(corpus.surface(node))
        folded = [fold_word(word) for word in words]
        at = [
            i
            for i, word in enumerate(words)
            if folded[i] in written_out and any(c.isupper() for c in word[1:])
        ]
        if not at or len(words) == 1:
            continue
        for i in at:
            long = written_out[folded[i]]
            folded[i] = long.long
        other = nodes.find(nodes.label[node], signature(" ".join(folded)))
        if other is not None and other != node:
            edge = Edge("parts", long.papers, 0.93, long.long)
            corpus.partition.join(node, other, edge)


def _certain_expansions(corpus: Corpus, known: Known) -> dict[str, Expansion]:
    """Single words that nearly all papers take for one thing, with what they stand for."""
    found = dict(known.certain)
    here: dict[str, int] = {}  # papers of this corpus, which know better
    for short in sorted(corpus.senses, key=lambda node: (corpus.nodes.signature[node], node)):
        senses = corpus.senses[short]
        meant = senses.overwhelming
        said = sum(sense.papers for sense in senses.senses)
        word = corpus.nodes.keys(short)[0]
        if said <= here.get(word, 0):
            continue
        here[word] = said
        if meant is not None and senses.share >= _CERTAIN and meant.papers + meant.prior >= _TWO:
            found[word] = Expansion(meant.long, meant.papers + meant.prior)
        else:
            found.pop(word, None)
    return found
