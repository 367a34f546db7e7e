"""What the trainer, the export and the judge compute, each answer worked out by hand."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from kg.nlp.encoder import RELATIONS, Encoder, Pieces, Reading, sentences  # noqa: E402
from kg.nlp.scores import LABELS  # noqa: E402
from pipelines.corpora import held_out  # noqa: E402
from pipelines.encoder.data import (  # noqa: E402
    IGNORED,
    batches,
    claims_of_sentences,
    collate,
    example,
    mentions,
)
from pipelines.encoder.export import even_out, export, kept_pieces, tokenizer_of  # noqa: E402
from pipelines.encoder.judge import best_labels, extract, figures, overlap, spans  # noqa: E402
from pipelines.encoder.model import Shape, Tagger, buckets  # noqa: E402
from pipelines.encoder.train import Config, batches_of_epochs  # noqa: E402

ROW: dict[str, Any] = {
    "id": "x1",
    "text": "We propose Foo for parsing. Foo beats Bar.",
    "entities": [
        {"name": "Foo", "surfaces": ["Foo"], "type": "method", "named": True, "role": "proposed"},
        {"name": "Bar", "surfaces": ["Bar"], "type": "method", "named": True, "role": "compared"},
        {
            "name": "parsing",
            "surfaces": ["parsing"],
            "type": "task",
            "named": False,
            "role": "addressed",
        },
    ],
    "claims": [
        {
            "text": "Foo beats Bar.",
            "kind": "performance",
            "about": ["Foo"],
            "compared_to": ["Bar"],
            "on": [],
            "metrics": [],
        }
    ],
    "relations": [["Foo", "OUTPERFORMS", "Bar"], ["Foo", "ADDRESSES", "parsing"]],
}


def letters(word: str) -> list[int]:
    """One piece per letter, so that pieces and words differ."""
    return [10 + ord(letter) % 26 for letter in word]


def test_mentions_prefer_the_longest_surface() -> None:
    """Shorter surfaces only count where no longer one lies."""
    row = {"text": "deep Q and Q", "entities": [{"surfaces": ["Q"]}, {"surfaces": ["deep Q"]}]}
    assert mentions(row) == [(0, 6, 1), (11, 12, 0)]


def test_a_claim_belongs_to_the_sentence_that_it_fills() -> None:
    """The other sentence makes none."""
    assert claims_of_sentences(ROW, sentences(ROW["text"])) == [None, 0]


def test_example_labels_first_pieces() -> None:
    """Other pieces are ignored; answers of pairs follow the order of the entities."""
    item = example(ROW, letters, begin=0, end=2)
    marked = item.label[item.label != IGNORED].tolist()
    named = [LABELS.index(label) for label in ("B-method", "B-task", "B-method", "B-method")]
    assert [label for label in marked if label] == named
    assert len(marked) == 10  # words
    assert item.kind.tolist() == [0, 1]
    assert item.claims == (1,)
    assert item.link[0].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    assert item.relation[0, 1, RELATIONS.index("OUTPERFORMS")] == 1
    assert item.relation.sum() == 2
    assert item.asked[2].sum() == 0  # nothing starts from a task
    assert item.weights.sum(1).tolist() == pytest.approx([1, 1, 1])


def test_batches_hold_everything_once() -> None:
    """None is larger than allowed, but for a single example that is."""
    lengths = [7, 3, 5, 9, 4, 30]
    found = batches(lengths, 12)
    assert sorted(index for batch in found for index in batch) == list(range(6))
    assert all(len(b) == 1 or len(b) * max(lengths[i] for i in b) <= 12 for b in found)


def test_silver_is_in_the_first_epoch_only() -> None:
    """What a model read is gone through once, beside the annotation."""
    lengths = [10 + 7 * i % 90 for i in range(100)]  # no epoch may lose one, however it is stirred
    config = Config(epochs=3, batch=100)
    orders = batches_of_epochs(lengths, 40, config)
    seen = [sorted({index for batch in order for index in batch}) for order in orders]
    assert seen == [list(range(100)), list(range(40)), list(range(40))]


def test_a_relation_that_a_model_read_counts_by_its_confidence() -> None:
    """Annotation is certain, a reading is not."""
    row = {**ROW, "confidences": [0.6, 1.0]}
    item = example(row, letters, begin=0, end=2)
    assert float(item.relation[0, 1, RELATIONS.index("OUTPERFORMS")]) == pytest.approx(0.6)
    assert float(item.relation.sum()) == pytest.approx(1.6)


def test_collate_pads() -> None:
    """Sentences that are not there have empty pools."""
    item = example(ROW, letters, begin=0, end=2)
    short = example({**ROW, "text": "Foo.", "claims": []}, letters, begin=0, end=2)
    batch = collate([item, short], padding=1)
    assert batch.mask.sum(1).tolist() == [len(item.ids), 6]
    np.testing.assert_allclose(batch.pool.sum(2), [[1, 1], [1, 0]], atol=1e-6)
    assert batch.kind.tolist() == [[0, 1], [0, IGNORED]]


def test_padding_changes_nothing() -> None:
    """A short text beside a long one reads as it does alone."""
    shape = Shape(vocabulary=40, width=24, heads=2, inner=32, layers=2, longest=128, pair=4)
    tagger = Tagger(shape).eval()
    item = example(ROW, letters, begin=0, end=2)
    short = example({**ROW, "text": "Foo.", "claims": []}, letters, begin=0, end=2)
    both, alone = collate([item, short], padding=1), collate([short], padding=1)
    beside = tagger(both.ids, both.case, both.pool, both.mask)[0][1, :6]
    single = tagger(alone.ids, alone.case, alone.pool)[0][0]
    np.testing.assert_allclose(beside.detach(), single.detach(), atol=1e-5)


def test_buckets_are_exact_near_and_coarse_far() -> None:
    """Half of the classes look back, the last for all that is far."""
    row = buckets(300)[299].tolist()  # looks back, from distance 299 to 0
    assert row[-1] == 0
    assert row[-8:] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert row[0] == 15
    assert row == sorted(row, reverse=True)


def test_kept_pieces_fall_back_to_single_signs() -> None:
    """Dropped pieces are cut into kept ones; a word of nothing is unknown."""
    full = {"[UNK]": 0, "<s>": 1, "<pad>": 2, "</s>": 3, "a": 4, "##b": 5, "ab": 6, "abb": 7}
    kept = kept_pieces(full, {6: 5})
    assert kept == ["<s>", "<pad>", "</s>", "[UNK]", "a", "##b", "ab"]
    tokenizer = tokenizer_of(kept)
    assert tokenizer.encode("ABB", add_special_tokens=False).tokens == ["ab", "##b"]
    assert Pieces(tokenizer)("\u0301") == (3,)


def test_best_labels_never_begin_inside() -> None:
    """The best first label is barred, so the second best begins."""
    logs = np.full((3, 9), -9.0)
    logs[0, LABELS.index("I-task")] = -0.1
    logs[0, LABELS.index("B-task")] = -2.0
    logs[1, LABELS.index("I-task")] = -0.1
    logs[2, LABELS.index("O")] = -0.1
    assert best_labels(logs) == ["B-task", "I-task", "O"]
    assert best_labels(logs[:0]) == []


def test_spans_split_where_one_begins() -> None:
    """Two spans of one type may touch."""
    found = spans(["B-task", "I-task", "B-task", "O"])
    assert [(span.start, span.end) for span in found] == [(0, 2), (2, 3)]


def test_figures_by_hand() -> None:
    """Counted from the three entities and the claim."""
    found = {
        "entities": [
            {"surfaces": ["foo"], "type": "method", "named": True, "role": "proposed"},
            {"surfaces": ["Bar"], "type": "dataset", "named": True, "role": "compared"},
        ],
        "claims": [{"text": "Foo beats Bar.", "kind": "finding"}],
    }
    got = figures([(ROW, found)])
    assert got["entity"] == pytest.approx(2 * 1 / (2 + 1 + 2))  # 1 right, 1 extra, 2 missed
    assert got["named"] == pytest.approx(2 * 1 / (2 + 1 + 1))
    assert got["claim"] == 1
    assert got["claim kind"] == 0
    assert got["role"] == 1


def test_overlap_is_shared_over_joint_length() -> None:
    """As the scorer has it."""
    assert overlap("abcd", "cdef", "abcdef") == pytest.approx(2 / 6)
    assert overlap("ab", "ef", "abcdef") == 0


def test_extract_joins_equal_surfaces() -> None:
    """One entity per folded surface, all its surface forms kept."""
    text = "Foo. foo"
    entity = np.full((3, 9), -9.0, np.float32)
    entity[[0, 1, 2], [1, 0, 1]] = -0.01
    reading = Reading(
        words=np.array([[0, 3], [3, 4], [5, 8]]),
        entity=entity,
        named=np.array([0.9, 0.1, 0.8], np.float32),
        role=np.log(np.full((3, 6), 1 / 6, np.float32)),
        sentences=np.array([[0, 4], [5, 8]]),
        kind=np.log(np.array([[0.9, 0.1, 0, 0], [0.1, 0.9, 0, 0]], np.float32) + 1e-9),
        pair=np.zeros((3, 8), np.float16),
        context=np.zeros((2, 4), np.float16),
    )
    row = extract(text, reading)
    assert [(e["surfaces"], e["type"], e["named"]) for e in row["entities"]] == [
        (["Foo", "foo"], "method", True)
    ]
    assert row["claims"] == [{"text": "foo", "kind": "performance"}]


def test_held_out_is_about_three_tenths() -> None:
    """By hash of the identifier."""
    share = sum(held_out(str(number)) for number in range(2000)) / 2000
    assert 0.27 < share < 0.33


@pytest.mark.filterwarnings("ignore")
def test_the_exported_folder_reads_as_the_tagger_does(tmp_path: Path) -> None:
    """Words of several pieces, two sentences and a pair, in fp32 and in int8."""
    signs = [chr(number) for number in range(33, 127)]
    kept = kept_pieces({piece: i for i, piece in enumerate(signs + ["##" + s for s in signs])}, {})
    tokenizer = tokenizer_of(kept)
    torch.manual_seed(0)
    shape = Shape(vocabulary=len(kept), width=24, heads=2, inner=32, layers=2, pair=4)
    tagger = Tagger(shape).eval()
    item = example(
        ROW,
        Pieces(tokenizer),
        begin=tokenizer.token_to_id("<s>"),
        end=tokenizer.token_to_id("</s>"),
    )
    batch = collate([item], padding=1)
    with torch.no_grad():
        token, _, pair, context = tagger(batch.ids, batch.case, batch.pool)
        wanted = token[0][item.label != IGNORED]
        logits = tagger.relation_logits(pair[0], context[0], item.weights, item.inside)
    for quantised, allowed in ((False, 0.02), (True, 0.2)):
        export(tagger, tokenizer, kept, tmp_path, quantised=quantised)
        encoder = Encoder(tmp_path)
        reading, empty = encoder([ROW["text"], ""])
        np.testing.assert_allclose(
            np.exp(reading.entity), wanted[:, :9].softmax(-1).numpy(), atol=allowed
        )
        ranges = [[(2, 3), (6, 7)], [(8, 9)], [(4, 5)]]
        np.testing.assert_allclose(
            encoder.relations(reading, ranges), logits.sigmoid().numpy(), atol=allowed
        )
        assert encoder.links(reading, [1], ranges).shape == (1, 3, 4)
        assert len(empty.words) == 0


def test_evening_out_changes_no_number() -> None:
    """Inputs are divided by what the weights are multiplied with."""
    torch.manual_seed(0)
    shape = Shape(vocabulary=40, width=24, heads=2, inner=32, layers=2, longest=128, pair=4)
    tagger = Tagger(shape).eval()
    with torch.no_grad():
        tagger.encoder.layers[0].norm1.weight[3] = 30.0  # one channel far above the others
    item = example(ROW, letters, begin=0, end=2)
    evened = even_out(tagger, [item])
    batch = collate([item], padding=1)
    with torch.no_grad():
        before = tagger(batch.ids, batch.case, batch.pool)[0]
        after = evened(batch.ids, batch.case, batch.pool)[0]
    np.testing.assert_allclose(before, after, atol=1e-4)
    assert evened.encoder.layers[0].up.inverse[3] < evened.encoder.layers[0].up.inverse.min() * 1.01
