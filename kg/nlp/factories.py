"""Registers every component; importing this is enough to load a model with spaCy."""

from kg.nlp import abbreviations as abbreviations
from kg.nlp import citations as citations
from kg.nlp import claims as claims
from kg.nlp import encoding as encoding
from kg.nlp import entities as entities
from kg.nlp import fitness as fitness
from kg.nlp import gazetteer as gazetteer
from kg.nlp import lexicon as lexicon
from kg.nlp import links as links
from kg.nlp import relations as relations
from kg.nlp import rescorer as rescorer
from kg.nlp import results as results
from kg.nlp import roles as roles
from kg.nlp import tagger as tagger
from kg.nlp import tokenizer as tokenizer
