"""Where sentences begin and end."""

import pytest

from kg.nlp.sentences import sentence_spans

# One string per case; | marks the boundaries, and is not part of the text.
CASES = {
    "two plain": "We train a parser. |It is fast.",
    "glued": "It improves all results.|We release the code.",
    "glued after an acronym": "All of it runs on BERT.|We evaluate on two tasks.",
    "glued after a bracket": "It helps (by 3.1%).|The code is open.",
    "decimals": "Accuracy rises from 93.1 to 94.5 on v2.0. |The gain holds.",
    "et al.": "We follow Novak et al. Their parser, e.g. TinyParse, and others, i.e. Most of them.",
    "et al. in brackets": "A parser was built (Novak et al.). |We extend it.",
    "etc. ends before an opener": "We test news, mail, etc. |The model wins.",
    "etc. within": "It reads HTML, PDF, etc. Files of any size work.",
    "initials": "The work of J. Novak and K. L. Berg. |It is old.",
    "versus": "We compare A vs. B and cf. Table 2. |Nothing changes.",
    "address": "Code is at https://example.org/Tool.Name and http://x.org/a.We_b for all. |Enjoy.",
    "package name": "We build on scikit.learn and Node.JS tools.",
    "latex": "It is hard. |$k$-means fails. |\\textbf{Ours} works. |\\method is best.",
    "percent": "Error falls by 12.4\\%. |Memory stays.",
    "question": 'Does depth help? |We say "yes." |And why?',
    "small first letter": "Baselines fail. |mBERT works.",
    "list numbers": "We show two things. |1. Depth helps. |2. Width does not.",
    "bracketed items": "We find: i) more is better. |ii) less is worse.",
    "hard-wrapped": "The model is\nsmall. |It is\nfast.",
    "blank line": "A title without a stop\n\n|The abstract follows.",
    "no stop at all": "one two three",
    "ellipsis": "And so on... |The end.",
    "chinese": "我们提出一个模型。|它很快。",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES.keys())
def test_sentences_end_where_a_reader_ends_them(marked: str) -> None:
    """Claims, evidence and relations are shown as sentences; a cut in a name ruins them."""
    text = marked.replace("|", "")

    found = [text[start:end] for start, end in sentence_spans(text)]

    assert found == [part.strip() for part in marked.split("|")]


@pytest.mark.parametrize("text", ["", " \n ", "\n\n\n"])
def test_nothing_visible_is_no_sentence(text: str) -> None:
    """An empty abstract is not one empty sentence."""
    assert sentence_spans(text) == ()


def test_time_grows_with_length_only() -> None:
    """A pasted book or a run without spaces must not hang the reader."""
    for text in ("A.b" * 70_000, "a" * 200_000, "." * 200_000, "1. " * 70_000, "\n" * 200_000):
        spans = sentence_spans(text)
        assert all(start < end for start, end in spans)
