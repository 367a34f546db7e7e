"""English word forms: plural to singular, British to American. Lower-case words in and out."""

import re
from functools import lru_cache

_IRREGULAR = {
    "analyses": "analysis",
    "appendices": "appendix",
    "automata": "automaton",
    "axes": "axis",
    "bacteria": "bacterium",
    "biases": "bias",
    "buses": "bus",
    "caches": "cache",
    "emojis": "emoji",
    "taxis": "taxi",
    "apis": "api",
    "children": "child",
    "codices": "codex",
    "corpora": "corpus",
    "corpuses": "corpus",
    "criteria": "criterion",
    "crises": "crisis",
    "curricula": "curriculum",
    "diagnoses": "diagnosis",
    "ellipses": "ellipse",
    "formulae": "formula",
    "foci": "focus",
    "gases": "gas",
    "genera": "genus",
    "halves": "half",
    "hypotheses": "hypothesis",
    "indexes": "index",
    "indices": "index",
    "knives": "knife",
    "leaves": "leaf",
    "lemmata": "lemma",
    "lexica": "lexicon",
    "memoranda": "memorandum",
    "metastases": "metastasis",
    "parentheses": "parenthesis",
    "polyhedra": "polyhedron",
    "prostheses": "prosthesis",
    "schemata": "schema",
    "symposia": "symposium",
    "lenses": "lens",
    "lives": "life",
    "loci": "locus",
    "matrices": "matrix",
    "matrixes": "matrix",
    "maxima": "maximum",
    "men": "man",
    "menus": "menu",
    "mice": "mouse",
    "minima": "minimum",
    "modi": "modus",
    "momenta": "momentum",
    "movies": "movie",
    "cookies": "cookie",
    "optima": "optimum",
    "people": "person",
    "phenomena": "phenomenon",
    "priors": "prior",
    "quanta": "quantum",
    "quizzes": "quiz",
    "radii": "radius",
    "selves": "self",
    "shelves": "shelf",
    "simplices": "simplex",
    "simplexes": "simplex",
    "spectra": "spectrum",
    "stimuli": "stimulus",
    "strata": "stratum",
    "syntheses": "synthesis",
    "taxa": "taxon",
    "theses": "thesis",
    "vertexes": "vertex",
    "vertices": "vertex",
    "viruses": "virus",
    "vortices": "vortex",
    "wolves": "wolf",
    "women": "woman",
}

# Words whose last s is not a plural's; names of people and things among them.
_INVARIANT = frozenset(
    """
    adidas always anas arkansas atlas bayes bias canvas chaos christmas comics cosmos cross
    davis dolphins economics ethics gas genesis gibbs graphics has hastings hermes hopkins hughes
    hydras its james jones kansas keras kinetics kudos lens linguistics logics mars mathematics
    mechanics moses news optics pancreas pandas pathos perhaps physics pragmatics reuters
    robotics rodrigues sas semantics series species sphinx statistics stokes texas this thus
    towards atlas alias phonetics genetics genomics proteomics informatics dynamics kinematics
    acoustics electronics ergonomics analytics photonics athletics politics obstetrics pediatrics
    geriatrics orthopedics diabetes rabies scabies means yes as is was us
    """.split()
)


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """Return the singular of an English noun, and any other word as it is.

    >>> [singular(w) for w in ("policies", "matrices", "losses", "corpus", "Bayes".lower())]
    ['policy', 'matrix', 'loss', 'corpus', 'bayes']
    """
    known = _IRREGULAR.get(word)
    if known is not None:
        return known
    if len(word) < 4 or not word.endswith("s") or word in _INVARIANT or not word.isascii():
        return word
    if word.endswith(("ss", "us", "is")) or word[-2].isdigit():
        return word  # resnet50s is a model of its own
    if word.endswith("ies"):
        return f"{word[:-3]}y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "ches", "shes", "xes", "zzes")):
        return word[:-2]
    if word.endswith("oes") and len(word) > 5:
        return word[:-2]
    return word[:-1]


# British stems: a word that starts with the left side starts with the right one in America.
_STEMS = tuple(
    pair.split("/")
    for pair in """
    adaption/adaptation ageing/aging aluminium/aluminum anaem/anem anaesth/anesth
    armour/armor artefact/artifact
    behaviour/behavior cancelle/cancele cancelli/canceli calibre/caliber centimetre/centimeter
    centre/center centred/centered centring/centering channell/channel cheque/check
    colour/color counsell/counsel defence/defense diarrhoea/diarrhea
    disfavour/disfavor dialled/dialed dialling/dialing endeavour/endeavor enrol/enroll
    favour/favor fibre/fiber flavour/flavor foetal/fetal foetus/fetus fuell/fuel fulfil/fulfill
    grey/gray gynaeco/gyneco haemato/hemato haemo/hemo harbour/harbor honour/honor
    humour/humor hypoglycaem/hypoglycem initiall/initial instalment/installment
    judgement/judgment acknowledgement/acknowledgment kilometre/kilometer labell/label
    labour/labor leukaem/leukem levell/level licence/license litre/liter manoeuvr/maneuver
    marvell/marvel metre/meter millimetre/millimeter modell/model mould/mold
    neighbour/neighbor oedema/edema oesophag/esophag offence/offense orthopaed/orthoped
    paediatr/pediatr panell/panel parallell/parallel practise/practice pretence/pretense
    programme/program pyjama/pajama rumour/rumor saviour/savior sceptic/skeptic signall/signal
    skilful/skillful spectre/specter storey/story sulph/sulf theatre/theater totall/total
    travell/travel tumour/tumor tunnell/tunnel unlabell/unlabel vapour/vapor vigour/vigor
    mislabell/mislabel relabell/relabel premodell/premodel remodell/remodel wilful/willful
    """.split()
)
_BY_INITIAL: dict[str, tuple[tuple[str, str], ...]] = {}
for _british, _american in sorted(_STEMS, key=lambda pair: -len(pair[0])):
    _BY_INITIAL[_british[0]] = (*_BY_INITIAL.get(_british[0], ()), (_british, _american))

# Words that keep a double l, or that only look like a British stem.
_NOT_BRITISH = re.compile(
    r"(?:totally|initially|modell[oi]$|enroll|fulfill|metrec|programmed|programmer|programming"
    r"|programmable|signally|parallelly|parallelogram|labella|mouldy$|centrella)"
)

# -ise and -yse verbs, with everything made from them.
_ISE = re.compile(r"([a-z]{3,})is(e|ed|er|ers|es|ing|able|ation|ations|ational)$")
_OGUE = re.compile(
    r"((?:dial|catal|anal|monol|homol|epil|prol)og)u(?:e|(?=ed|ing|er))(?=s?$|ed|ing|er)"
)
_YSE = re.compile(r"((?:an|par|cat|electro|hydro|dia)[a-z]*)ys(ed|er|ers|ing|e)$")
# What stands before -is- in words that no one writes with z.
_KEEPS_S = re.compile(
    r"(?:un|non|semi|self|re)?(?:superv|prec|imprec|rev|surpr|dev|prom|comprom|compr|expert|enterpr"
    r"|entrepr|disgu|prem|conc|deno|advert|exerc|improv|adv|pra|appra|appr|reprai|exc|circumc"
    r"|chast|franch|merchand|telev|desp|surm|dem|porpo|tortoi|turquoi|cerv|malad|parad|treat"
    r"|anglai|upr|mayonnai|polona|[a-z]+w)"
)


@lru_cache(maxsize=1 << 16)
def american(word: str) -> str:
    """Return the American spelling of a British word, and any other word as it is.

    >>> [american(w) for w in ("summarisation", "behaviour", "modelling", "noise", "supervised")]
    ['summarization', 'behavior', 'modeling', 'noise', 'supervised']
    """
    for british, us in _BY_INITIAL.get(word[:1], ()):
        if word.startswith(british):
            if not _NOT_BRITISH.match(word):
                word = us + word[len(british) :]
            break
    if "is" in word:
        match = _ISE.match(word)
        if match and not _KEEPS_S.fullmatch(match.group(1)):
            word = f"{match.group(1)}iz{match.group(2)}"
    elif "ogu" in word:
        word = _OGUE.sub(r"\1", word)
    elif "ys" in word:
        word = _YSE.sub(r"\1yz\2", word)
    return word
