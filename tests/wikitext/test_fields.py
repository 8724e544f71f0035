"""Categories, interlanguage links, kinds, depths, sections, counts and flags."""

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.article import Extraction, Paragraph
from wikiprep.wikitext.extract import Extractor, extract

EN = Site.for_language("en")


def kinds(result: Extraction) -> list[tuple[str, int, str]]:
    return [(p.kind, p.depth, p.text) for p in result.paragraphs]


def test_categories_come_without_their_prefix_and_once() -> None:
    result = extract("a [[Category:Birds|x]] [[category:Birds]] [[Category:Big cats]]", "T", EN)
    assert result.categories == ["Birds", "Big cats"]


def test_interlanguage_links() -> None:
    result = extract("a\n[[de:Haus]]\n[[fr:Maison]]\n[[:es:Casa]]", "T", EN)
    assert result.interlanguage == [("de", "Haus"), ("fr", "Maison")]
    assert result.links["interlanguage"] == 2
    assert result.links["interwiki"] == 1


def test_kinds_and_depths() -> None:
    text = "Prose\n* a\n*# b\n; t : d\n:: e\n<blockquote>q</blockquote>"
    assert kinds(extract(text, "T", EN)) == [
        ("prose", 0, "Prose"),
        ("list_item", 1, "a"),
        ("list_item", 2, "b"),
        ("term", 1, "t"),
        ("definition", 1, "d"),
        ("definition", 2, "e"),
        ("quote", 1, "q"),
    ]


def test_sections_are_paths() -> None:
    text = "lead\n== A ==\na\n=== B [[x]] ===\nb\n== C ==\nc\n==== D ====\nd"
    assert [(p.section, p.text) for p in extract(text, "T", EN).paragraphs] == [
        ((), "lead"),
        (("A",), "a"),
        (("A", "B x"), "b"),
        (("C",), "c"),
        (("C", "D"), "d"),
    ]


def test_captions_only_by_option() -> None:
    text = "Before.\n[[File:A.jpg|thumb|upright=1.2|A ''red'' [[fox|foxes]] jumps|alt=x]]\nAfter [[b]]."
    assert kinds(extract(text, "T", EN)) == [("prose", 0, "Before."), ("prose", 0, "After b.")]
    with_captions = extract(text, "T", EN, captions=True)
    assert kinds(with_captions) == [
        ("prose", 0, "Before."),
        ("caption", 0, "A red foxes jumps"),
        ("prose", 0, "After b."),
    ]
    assert [(link.target, link.start) for p in with_captions.paragraphs for link in p.links] == [("Fox", 6), ("B", 6)]
    assert with_captions.links["kept"] == 2


def test_formulas_leave_no_text_or_their_source() -> None:
    text = "Let <math>X_0</math> and <math>a &lt; \\text{''b''}\n[c] </math> be [[set]]s, ''x'' (<chem>H2O</chem>)."
    assert kinds(extract(text, "T", EN)) == [("prose", 0, "Let and be sets, x.")]
    (paragraph,) = extract(text, "T", EN, math="tex").paragraphs
    assert paragraph.text == "Let X_0 and a < \\text{''b''} [c] be sets, x (H2O)."
    assert [(link.start, link.end, link.target) for link in paragraph.links] == [(36, 40, "Set")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[[a]]", "kept"),
        ("<ref>[[a]]</ref>", "reference"),
        ("{{x|[[a]]}}", "template"),
        ("{|\n|[[a]]\n|}", "table"),
        ("== [[a]] ==", "heading"),
        ("[[Category:a]]", "category"),
        ("[[File:a.jpg]]", "file"),
        ("[[de:a]]", "interlanguage"),
        ("[[:de:a]]", "interwiki"),
        ("[[#a]]", "section"),
        ("[[T]]", "self"),
        ("[[<a>]]", "invalid"),
        ("[[]]", "invalid"),
        ("[[a|{{x}}]] b", "empty"),
        ("<gallery>\nx.jpg|[[a]]\n</gallery>", "gallery"),
        (" [[a]]", "preformatted"),
        ("b\n|- alt=[[a]]\nc", "table"),
        ("[[a", "unclosed"),
        ("[[Special:Search]]", "special"),
        ("<!-- [[a]] -->", "comment"),
    ],
)
def test_each_link_has_one_reason(text: str, reason: str) -> None:
    result = extract(text, "T", EN)
    assert result.links == {"found": 1, reason: 1}


def test_what_nowiki_holds_is_no_link() -> None:
    assert extract("<nowiki>[[b]]</nowiki>", "T", EN).links == {}


def test_targets_are_never_empty_and_keep_fragments_apart() -> None:
    result = extract("[[Rome#Forum|x]] [[#y]] [[T#z]] [[ |w]]", "T", EN)
    links = [(link.target, link.fragment) for p in result.paragraphs for link in p.links]
    assert links == [("Rome", "Forum"), ("T", "z")]


def test_templates_are_counted() -> None:
    result = extract("{{nowrap|a {{unknown thing}}}} {{infobox|x={{nowrap|y}}}}", "T", EN)
    expected = {("Nowrap", "rendered"): 1, ("Unknown thing", "dropped"): 1, ("Infobox", "dropped"): 1}
    # What it was given: x={{nowrap|y}}, between the bars.
    assert result.templates == expected | {("Infobox", "words"): 2}


@pytest.mark.parametrize("text", ["{{disambig}}", "{{Disambiguation|geo}}", "{{dab}}", "a __DISAMBIG__", "{{hndis|x}}"])
def test_disambiguation(text: str) -> None:
    assert extract(text, "T", EN).disambiguation
    assert extract(text, "T", EN, templates="drop").disambiguation


def test_disambiguation_of_a_language() -> None:
    assert extract("{{Begriffsklärung}}", "T", Site.for_language("de")).disambiguation
    assert not extract("{{Begriff}} {{disambiguation needed}}", "T", EN).disambiguation


def test_flags_say_what_was_met() -> None:
    assert extract("plain", "T", EN).flags == []
    flags = extract("a<ref>b</ref> {{open [[c <math>x", "T", EN).flags
    assert flags == ["ref", "unclosed:link", "unclosed:math", "unclosed:template"]


def test_template_policies() -> None:
    text = "a ({{lang|fr|b}}) {{formatnum:1234}}"
    assert [p.text for p in extract(text, "T", EN).paragraphs] == ["a (b) 1,234"]
    # Nothing in the place of every template, as MediaWiki does it where none exists.
    assert [p.text for p in extract(text, "T", EN, templates="drop").paragraphs] == ["a () 1,234"]


def test_paragraph_is_data() -> None:
    assert extract("a [[b]]", "T", EN).paragraphs[0] == Paragraph(
        (), "prose", 0, "a b", extract("a [[b]]", "T", EN).paragraphs[0].links
    )


@pytest.mark.parametrize("before", ["", "a<blockquote>q</blockquote>"])
def test_a_link_reads_the_same_when_its_target_is_known(before: str) -> None:
    text = before + "x [[Some page|b [c]]] d [[Some page|e<br>\nf]] [[Some page]]s [[Some page|g<p>h]]"
    reader = Extractor(EN)
    first = reader.extract(text, "T")
    assert reader.extract(text, "T") == first
    mention = first.paragraphs[-1].links[0]
    assert first.paragraphs[-1].text[mention.start : mention.end] == "b [c]"


def test_a_file_beside_a_known_link_leaves_the_same() -> None:
    reader = Extractor(EN)
    first = reader.extract("[[Page|a]][[File:x.jpg]]\nb", "T")
    assert reader.extract("[[Page|a]][[File:x.jpg]]\nb", "T") == first
    assert len(first.paragraphs) == 1
