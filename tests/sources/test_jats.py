"""JATS articles with more than themselves in them."""

import io

from kg.model.record import Record
from kg.sources.reader import registered
from kg.sources.registry import readers

REVIEWED = """\
<article article-type="research-article"><front><article-meta>
<article-id pub-id-type="doi">10.1000/ice</article-id>
<title-group><article-title>On ice</article-title></title-group>
<abstract abstract-type="graphical"><p>A picture.</p></abstract>
<abstract><sec><title>Methods</title><p>We walk.</p></sec></abstract>
<trans-abstract xml:lang="no"><p>Vi går.</p></trans-abstract>
</article-meta></front>
<back><ref-list><ref><mixed-citation>Doe J. Snow. 2001.</mixed-citation></ref></ref-list></back>
<sub-article article-type="decision-letter"><front-stub>
<article-id pub-id-type="doi">10.1000/ice.sa1</article-id>
<title-group><article-title>Decision letter</article-title></title-group></front-stub>
<back><ref-list><ref><mixed-citation>Roe R. Sand. 2002.</mixed-citation></ref></ref-list></back></sub-article>
<response><back><ref-list><ref><mixed-citation>Poe P. Salt. 2003.</mixed-citation></ref></ref-list></back></response>
</article>"""


def test_a_review_inside_an_article_keeps_its_references() -> None:
    """What a reviewer cites, the paper does not."""
    assert readers()
    (record,) = registered()["jats"].read(io.BytesIO(REVIEWED.encode()))
    assert isinstance(record, Record)
    assert (record.title, record.text, record.ids.doi) == (
        "On ice",
        "Methods: We walk.",
        "10.1000/ice",
    )
    assert [each.raw for each in record.references] == ["Doe J. Snow. 2001."]
