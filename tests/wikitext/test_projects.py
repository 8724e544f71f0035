"""Tables of projects: template_cases/projects/PROJECT.LANGUAGE.txt, one `call => text` a line."""

from pathlib import Path

import pytest

from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import Siteinfo, with_default_namespaces
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.templates.definition import Definition
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.template_table import DATA, TemplateTable, load_table

from .test_template_cases import as_marked

CASES = Path(__file__).parent / "template_cases" / "projects"


def site_of(project: str, language: str = "en") -> Site:
    if project == "fandom":
        info = Siteinfo(
            "muppet", language, "Muppet Wiki", "https://muppet.fandom.com/wiki/X", "", "first-letter", (), ""
        )
    else:
        base, name = f"https://{language}.{project}.org/wiki/X", project.capitalize()
        case = "case-sensitive" if project == "wiktionary" else "first-letter"
        dbname = f"{language}{'wiki' if project == 'wikipedia' else project}"
        info = Siteinfo(dbname, language, name, base, "", case, (), "")
    return Site.of(with_default_namespaces(info))


def read_cases() -> list[tuple[str, str, str, str, int]]:
    cases = []
    for path in sorted(CASES.glob("*.txt")):
        project, _, language = path.stem.partition(".")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line and (not line.startswith("#") or line.startswith("# {{")):  # which is an item of a list
                call, _, expected = line.partition(" => ")
                cases.append((project, language, call.replace("\\n", "\n"), expected, number))
    return cases


@pytest.mark.parametrize(("project", "language", "call", "expected", "line"), read_cases())
def test_template_shows(project: str, language: str, call: str, expected: str, line: int) -> None:
    shown = " / ".join(as_marked(p) for p in extract(call, "cat", site_of(project, language)).paragraphs)
    assert shown == expected, f"line {line}"


@pytest.mark.parametrize("path", sorted((DATA / "projects").glob("*.txt")), ids=lambda path: path.stem)
def test_every_line_compiles(path: Path) -> None:
    if path.stem.startswith("languages"):
        assert all(" " in line for line in path.read_text(encoding="utf-8").splitlines())
    else:
        assert TemplateTable(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    ("project", "rule"),
    [("wiktionary", "rendered"), ("wikipedia", "unknown"), ("wikivoyage", "unknown"), ("", "unknown")],
)
def test_a_table_is_for_its_project_alone(project: str, rule: str) -> None:
    assert load_table("en", None, project).rule("T+") == rule


class _Dump:
    """A dump's own templates."""

    def __init__(self, **found: Definition) -> None:
        self._found = found

    def find(self, name: str) -> Definition | None:
        return self._found.get(name)


@pytest.mark.parametrize(
    ("definition", "own", "expected"),
    [
        (None, None, "burts (“letter”)"),
        (Definition("L", "text", "text of the dump: {{{2}}}"), None, "text of the dump: burts"),
        (Definition("L", "nothing"), None, "."),
        (Definition("L", "script", "{{#invoke:links/templates|l_term_t}}"), None, "burts (“letter”)"),
        (Definition("L", "text", "text of the dump"), "l = own {2}", "own burts"),
        (None, "l = own {2}", "own burts"),
    ],
)
def test_who_decides(definition: Definition | None, own: str | None, expected: str) -> None:
    definitions = _Dump(**({"L": definition} if definition else {}))
    table = OwnTable((own,)) if own else None
    text = "{{l|lv|burts||letter}}" + ("." if expected == "." else "")
    made = extract(text, "Page", site_of("wiktionary"), definitions=definitions, own_templates=table)
    assert [p.text for p in made.paragraphs] == ([expected] if expected != "." else [])


def test_it_wins_over_wikipedias_table_of_the_language() -> None:
    call = "{{term|burts||letter|lang=lv}}"
    assert [p.text for p in extract(call, "Page", site_of("wiktionary")).paragraphs] == ["burts (“letter”)"]


@pytest.mark.parametrize(
    ("base", "project"),
    [
        ("https://harrypotter.fandom.com/wiki/Main_Page", "fandom"),
        ("http://muppet.wikia.com/wiki/Muppet_Wiki", "fandom"),
        ("https://wiki.example.org/wiki/Main_Page", ""),
        ("https://fandom.com.example.org/wiki/X", ""),
    ],
)
def test_which_project(base: str, project: str) -> None:
    assert Siteinfo("x", "en", "X Wiki", base, "", "first-letter", (), "").project == project


ARGUMENTS = (
    "",
    "|",
    "|||",
    "|a",
    "|en|x",
    "|la|ā|b|c|d|lang=",
    "|x|lang=la",
    "|-",
    "|[[a|b]]|[[c]]|g=m-p|tr=-|alt=z",
    "|=|1=|2=*y#z",
    "|en|a<t:b><q:c>|<t:d>|e<f:g|<a:>|x>>",
)


@pytest.mark.parametrize("path", sorted((DATA / "projects").glob("w*.txt")), ids=lambda path: path.stem)
def test_any_arguments(path: Path) -> None:
    """No call raises, and links add up; a page of all names at once, since most of them are much alike."""
    project, _, language = path.stem.partition(".")
    site = site_of(project, language or "en")
    names = list(TemplateTable(path.read_text(encoding="utf-8").splitlines())._names)
    for given in ARGUMENTS:
        made = extract("\n".join(f"* a {{{{{name}{given}}}}} b" for name in names), "Page", site)
        assert made.links["found"] == sum(n for reason, n in made.links.items() if reason != "found")
        assert len(made.paragraphs) >= len(names)
