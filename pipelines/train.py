r"""Train a model from annotated abstracts to a folder that ``--model`` and ``spacy.load`` take.

    python -m pipelines.train pipelines/configs/fast.toml \
        --gold gold/train.jsonl --corpora corpora --teacher teacher --out kg_fast --work build

On your own annotation, with the word clusters and public names of a model that you have:

    python -m pipelines.train pipelines/configs/fast.toml \
        --gold mine.jsonl --base fast --out my_model

Each line of the annotation is an object with ``id``, ``text``, ``entities`` (``name``,
``surfaces``, ``type``, ``named``, ``role``), ``claims`` and ``relations``. Three tenths of the
abstracts, by their ids, are kept from the tagger, so that what judges its spans learns from texts
that it has not seen; a CRF is trained once more on all of them at the end. Every step keeps its
result in ``--work``; a run that was stopped goes on where it was. One thread and fixed seeds: the
same input gives the same bytes.
"""

import argparse
import json
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from kg.nlp.encoder import Encoder, Reading
from kg.nlp.encoding import EncoderTagger
from kg.nlp.features import WordFeatures
from kg.nlp.lexicon import EMPTY, GOLD, GOLD_NAMED, GOLD_SEEN, Lexicon, Row
from kg.nlp.models import model_path
from kg.nlp.scores import TokenScores
from kg.nlp.sentences import sentence_spans
from kg.nlp.tagger import CrfTagger, load_clusters, save_clusters
from pipelines.assemble import BEFORE, ENTITIES, write_model
from pipelines.clusters import cluster_words
from pipelines.corpora import Abstract, held_out, read_gold, read_raw
from pipelines.crf import CrfSettings, example, read_with, train_crf
from pipelines.examples import Example
from pipelines.examples import example as fact_example
from pipelines.facts import FACTS, train_facts
from pipelines.inputs import Inputs, encode
from pipelines.judges import Judges, saved, train_judges
from pipelines.names import gold_rows, list_rows, merged
from pipelines.silver import (
    Readings,
    names_read,
    read_with_teacher,
    silver_abstracts,
    silver_examples,
)
from pipelines.steps import Steps, file_key

Settings = Mapping[str, Any]
Clusters = Mapping[str, Sequence[int]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and write a model."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("config", type=Path)
    parser.add_argument("--gold", type=Path, required=True, help="annotated abstracts, JSONL")
    parser.add_argument(
        "--apart", type=Path, action="append", default=[], metavar="JSONL",
        help="annotation that must stay out of raw text; again for more",
    )  # fmt: skip
    parser.add_argument("--corpora", type=Path, help="folder of raw abstracts and name lists")
    parser.add_argument("--base", help="a model whose clusters and names to take")
    parser.add_argument("--encoder", type=Path, help="folder of an exported encoder")
    parser.add_argument(
        "--ship-encoder", type=Path,
        help="the same encoder trained on, also on held-out abstracts; it ships instead",
    )  # fmt: skip
    parser.add_argument("--teacher", help="a model that reads raw abstracts to learn from")
    parser.add_argument("--out", type=Path, required=True, help="folder of the model")
    parser.add_argument("--work", type=Path, help="folder for the results of steps")
    given = parser.parse_args(arguments)
    if not given.corpora and not given.base:
        parser.error("one of --corpora and --base is needed")
    settings = tomllib.loads(given.config.read_text("utf-8"))
    if (settings["tagger"] == "encoder") != (given.encoder is not None):
        parser.error("--encoder goes with a configuration whose tagger is an encoder")
    inputs = Inputs(
        gold=given.gold,
        apart=tuple(given.apart),
        corpora=given.corpora,
        base=model_path(given.base) if given.base else None,
        encoder=given.encoder,
        shipped_encoder=given.ship_encoder or given.encoder,
        teacher=model_path(given.teacher) if given.teacher else None,
    )
    work = given.work or given.out.with_name(given.out.name + ".work")
    # One thread: the order of additions must not depend on the machine. Only libraries that are
    # loaded can be limited.
    import sklearn.ensemble  # noqa: F401

    with threadpool_limits(1):
        figures = train(settings, inputs, Steps(work), given.out)
    print(json.dumps(figures, indent=1), file=sys.stderr)


def train(settings: Settings, inputs: Inputs, steps: Steps, out: Path) -> dict[str, Any]:
    """Train every component and write the model; return what was measured on folds."""
    key = {**inputs.key(), "settings": dict(settings)}
    abstracts = read_gold(inputs.gold)
    readings = _readings(settings, inputs, steps)
    lexicon = Lexicon(steps.do("names", key, lambda: _names(settings, abstracts, inputs, readings)))
    files: dict[str, bytes] = {"kg_names/names.zst": saved(lexicon.save)}
    read: Mapping[str, Reading] = {}
    if inputs.encoder is not None:
        tagger = "kg_encoder"
        shipped = inputs.shipped_encoder or inputs.encoder
        read = _encoded(inputs.encoder, abstracts, key, steps)
        scores = {id_: _scores(reading) for id_, reading in read.items()}
        for name in EncoderTagger.FILES:
            files[f"kg_encoder/{name}"] = (shipped / name).read_bytes()
    else:
        tagger = "kg_tagger"
        crf_files, scores = steps.do(
            "crf", key, lambda: _crf(settings, inputs, steps, abstracts, lexicon, readings)
        )
        files |= crf_files
    judges: Judges = steps.do(
        "judges", key, lambda: train_judges(settings, abstracts, scores, lexicon)
    )
    files |= judges.files
    facts = FACTS if settings.get("facts", True) else ()
    pipeline = (*BEFORE, tagger, *ENTITIES, *facts)
    figures = dict(judges.figures)
    if facts:
        examples = _fact_examples(abstracts, judges, inputs.encoder, read)
        examples += silver_examples(readings[: settings.get("silver", {}).get("facts", 0)])
        with tempfile.TemporaryDirectory() as folder:
            figures |= train_facts(examples, Path(folder), with_scores=bool(read))
            files |= _files_of(Path(folder))
    write_model(out, settings["name"], pipeline, files, figures)
    return figures


def _readings(settings: Settings, inputs: Inputs, steps: Steps) -> Readings:
    """Return what the teacher reads in raw abstracts; nothing without a teacher."""
    count = settings.get("silver", {}).get("read", 0)
    teacher, corpora = inputs.teacher, inputs.corpora
    if teacher is None or corpora is None or not count:
        return []
    key = [file_key(teacher), file_key(corpora), sorted(inputs.annotated()), count]
    return steps.do(
        "readings", key, lambda: read_with_teacher(teacher, corpora, inputs.annotated(), count)
    )


def _names(
    settings: Settings, abstracts: Sequence[Abstract], inputs: Inputs, readings: Readings
) -> dict[str, Row]:
    """Return the counts of names: of the annotation, of lists or the base model, of readings."""
    if settings.get("names") == "seen":
        abstracts = [one for one in abstracts if not held_out(one.id)]
    if inputs.corpora is not None:
        other = list_rows(inputs.corpora / "gazetteers")
    else:
        path = _base(inputs) / "kg_names" / "names.zst"
        other = {name: _not_gold(row) for name, row in Lexicon.load(path).items()}
        other = {name: row for name, row in other.items() if any(row)}
    return merged(gold_rows(abstracts), other, names_read(readings))


def _not_gold(row: Row) -> Row:
    """Return the counts without those of another annotation."""
    taken = {*range(*GOLD.indices(len(EMPTY))), GOLD_NAMED, GOLD_SEEN}
    return tuple(0 if i in taken else count for i, count in enumerate(row))


def _encoded(
    encoder: Path, abstracts: Sequence[Abstract], key: Mapping[str, Any], steps: Steps
) -> dict[str, Reading]:
    """Return what the encoder makes of the abstracts that it has not seen."""
    unseen = [one for one in abstracts if held_out(one.id)]
    return steps.do("encoded", [key["encoder"], key["gold"]], lambda: encode(encoder, unseen))


def _crf(
    settings: Settings,
    inputs: Inputs,
    steps: Steps,
    abstracts: Sequence[Abstract],
    lexicon: Lexicon,
    readings: Readings,
) -> tuple[dict[str, bytes], dict[str, TokenScores]]:
    """Train the CRF twice: for texts that it has not seen, then on all.

    Returns:
        The files of kg_tagger, and the scores of the held-out abstracts by the first CRF.
    """
    clusters = steps.do(
        "clusters",
        [inputs.key(), settings["clusters"]],
        lambda: _clusters(settings, inputs),
    )
    crf = CrfSettings(**settings["crf"])
    features = WordFeatures(clusters)
    learned = readings[: settings["silver"]["learn"]]
    silver = [example(one, features, lexicon, counted=False) for one in silver_abstracts(learned)]
    gold = [(one, example(one, features, lexicon)) for one in abstracts]
    key = [inputs.key(), dict(settings)]
    first = steps.do(
        "crf-first",
        key,
        lambda: train_crf([*(x for one, x in gold if not held_out(one.id)), *silver], crf),
    )
    scores = read_with(
        CrfTagger(first, features),
        [one for one in abstracts if held_out(one.id)],
        lexicon,
        counted=True,
    )
    whole = steps.do("crf-whole", key, lambda: train_crf([*(x for _, x in gold), *silver], crf))
    files = {
        "kg_tagger/clusters.zst": saved(lambda path: save_clusters(dict(clusters), path)),
        "kg_tagger/words.crfsuite": whole,
    }
    return files, scores


def _clusters(settings: Settings, inputs: Inputs) -> Clusters:
    if inputs.corpora is None:
        return load_clusters(_base(inputs) / "kg_tagger" / "clusters.zst")
    texts = read_raw(inputs.corpora, inputs.annotated())
    return cluster_words(texts, seed=settings["seed"], **settings["clusters"])


def _fact_examples(
    abstracts: Sequence[Abstract],
    judges: Judges,
    encoder: Path | None,
    read: Mapping[str, Reading],
) -> list[Example]:
    """Return the abstracts with the entities that were found, or the annotated ones."""
    model = Encoder(encoder, split=sentence_spans) if encoder else None
    return [
        fact_example(one.row, judges.entities.get(one.id), model, read.get(one.id))
        for one in abstracts
    ]


def _scores(reading: Reading) -> TokenScores:
    return TokenScores(
        words=reading.words,
        entity=reading.entity,
        named=reading.named,
        role=reading.role,
        sentences=reading.sentences,
        kind=reading.kind,
    )


def _files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _base(inputs: Inputs) -> Path:
    if inputs.base is None:
        raise ValueError("neither corpora nor a base model")
    return inputs.base


if __name__ == "__main__":
    main()
