"""What the documentation says of commands, options and links is so."""

import importlib
import importlib.util
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from wikiprep.cli.main import COMMANDS, cli

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "benchmarks" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
# Of every command; --name, --no-name and --flag stand for any option; of torchrun.
OTHERS = {"--help", "--version", "--name", "--no-name", "--flag", "--nproc-per-node"}
# Of Spark, Beam, Docker, gcloud and other programs that docs/cluster.md and docs/dataflow.md show.
OF_ENGINES = {
    *("--master", "--conf", "--host", "--port", "--cores", "--memory", "--archives", "--deploy-mode"),
    *("--num-executors", "--executor-cores", "--job_endpoint", "--job_port", "--service_port", "--environment_type"),
    *("--environment_config", "--direct_num_workers", "--direct_running_mode", "--prism_location", "--flink_master"),
    *("--dumps", "--detach", "--build", "--rm", "--tag", "--target", "--gpus", "--shm-size", "--volume"),
    *("--dry_run", "--project", "--region", "--temp_location", "--sdk_container_image", "--machine_type"),
    *(
        "--num_workers",
        "--autoscaling_algorithm",
        "--max_num_workers",
        "--number_of_worker_harness_threads",
        "--disk_size_gb",
    ),
    *("--image", "--sdk-language", "--metadata-file", "--template-file-gcs-location", "--parameters"),
    *("--entrypoint", "--file", "--exclude"),
}
# Of pip, uv, build, twine, cibuildwheel and auditwheel.
OF_INSTALLERS = {
    "--platform",
    "--output-dir",
    "--sdist",
    "--outdir",
    "--wheel",
    "--python",
    "--out-dir",
    "--wheel-dir",
    "--force-reinstall",
    "--no-deps",
}
PROMPTS = re.compile(r"^```(?:bash|sh|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@cache
def text(name: str) -> str:
    """A page."""
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def options_of_benchmarks() -> set[str]:
    """The options of the scripts of benchmarks/."""
    scripts = (ROOT / "benchmarks").glob("*.py")
    return {option for script in scripts for option in re.findall(r'"(--[a-z-]+)"', script.read_text(encoding="utf-8"))}


def commands(name: str) -> Iterator[list[str]]:
    """The words of each `wikiprep …` in the shell blocks of a page."""
    for block in PROMPTS.findall(text(name)):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            while "wikiprep" in words:
                words = words[words.index("wikiprep") + 1 :]
                end = words.index("&&") if "&&" in words else len(words)
                yield words[:end]


def option_names() -> set[str]:
    """Every option of every command."""
    context = click.Context(cli)
    found = set(OTHERS)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        for parameter in command.params:
            found |= {*parameter.opts, *parameter.secondary_opts}
    return found


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        found.add(words.replace(" ", "-"))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_commands_parse(name: str) -> None:
    for words in commands(name):
        if words[:1] in (["--help"], ["COMMAND"]) or words[1:] == ["--help"]:
            continue
        assert words and words[0] in COMMANDS, f"{name}: wikiprep {' '.join(words)}"
        command = cli.get_command(click.Context(cli), words[0])
        assert command is not None
        try:
            command.make_context(words[0], words[1:])  # parses, and runs nothing
        except click.ClickException as error:
            pytest.fail(f"{name}: wikiprep {' '.join(words)}: {error.format_message()}")


@pytest.mark.parametrize("name", NAMES)
def test_commands_in_the_text_exist(name: str) -> None:
    for command in re.findall(r"`wikiprep ([a-z-]+)[ `]", text(name)):
        assert command in COMMANDS, f"{name}: wikiprep {command}"


@pytest.mark.parametrize("name", NAMES)
def test_options_in_the_text_exist(name: str) -> None:
    known = option_names() | (OF_ENGINES if name in ("docs/cluster.md", "docs/dataflow.md") else set())
    known |= OF_INSTALLERS if name in ("docs/cluster.md", "docs/install.md", "docs/troubleshooting.md") else set()
    of_benchmarks = ("benchmarks/README.md", "docs/results.md", "docs/fidelity.md")
    known |= options_of_benchmarks() if name in of_benchmarks else set()
    for option in re.findall(r"(?<![\w-])--[a-z][a-z_-]*", text(name)):
        assert option in known, f"{name}: {option}"


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text(name)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        page = (ROOT / name).parent / path if path else ROOT / name
        assert page.exists(), f"{name}: {target}"
        assert not anchor or anchor in anchors(page), f"{name}: {target}"


def test_the_index_leads_to_every_page_once_and_the_site_has_them_in_its_order() -> None:
    index = text("docs/index.md")
    docs = ROOT / "docs"
    pages = sorted(
        path.relative_to(docs).with_suffix("").as_posix()
        for path in (*docs.glob("*.md"), *docs.glob("notebooks/*.ipynb"))
        if path.name != "index.md"
    )
    linked = [target.rpartition(".")[0] for target in re.findall(r"\]\(([^)\s]+)\)", index)]
    assert sorted(linked) == pages
    trees = re.findall(r"^```{toctree}\n(?::[^\n]*\n)+\n(.*?)^```", index, re.MULTILINE | re.DOTALL)
    assert sorted(name for tree in trees for name in tree.split()) == pages
    captions = re.findall(r"^:caption: (.*)", index, re.MULTILINE)
    assert captions == re.findall(r"^## (.*)", index, re.MULTILINE)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("docs/")])
def test_a_page_begins_with_what_it_is_for_and_the_shortest_command(name: str) -> None:
    title, _, rest = text(name).partition("\n\n")
    assert title.startswith("# ")
    before, fence, _ = rest.partition("\n```")
    if not rest.startswith("```"):
        assert fence and len(before) < 1000, f"{name}: no command near its beginning"
    else:
        before = ""
    language = rest[len(before) :].lstrip("\n")[3:].partition("\n")[0]
    assert language in ("bash", "python"), f"{name}: begins with {language!r}, not with a command"


def test_the_two_commands_stand_near_the_top_of_the_readme() -> None:
    top = text("README.md")[:1500]
    assert "pip install . && wikiprep build-corpus --sample --output corpus" in top
    assert 'pip install ".[test]" && pytest -n 2' in top


def test_page_of_options_is_current() -> None:
    spec = importlib.util.spec_from_file_location("make_options", ROOT / "docs" / "make_options.py")
    assert spec is not None and spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    assert text("docs/options.md") == maker.page(), "run `python docs/make_options.py`"


def test_formats_name_every_column() -> None:
    from wikiprep.config import RelationsConfig
    from wikiprep.corpus import schema as corpus
    from wikiprep.leave_out.pages import left_out_schema
    from wikiprep.storage.tables import reject_schema
    from wikiprep.tables import schema as tables
    from wikiprep.tables.given_vocabulary import given_vocabulary_schema
    from wikiprep.tables.mentions.schema import mention_schema
    from wikiprep.tables.relation_vocab import relation_vocab_schema
    from wikiprep.tables.templates import template_schema

    page = text("docs/formats.md")
    schemas = (
        left_out_schema(),
        given_vocabulary_schema(),
        corpus.article_schema(),
        reject_schema(),
        corpus.record_schema(text=True, relations=RelationsConfig(unk_relations=True)),
        relation_vocab_schema(),
        tables.page_schema(),
        tables.redirect_schema(),
        tables.vocabulary_schema(),
        mention_schema(),
        template_schema(),
    )
    for schema in schemas:
        for column in schema.names:
            assert re.search(rf"\b{column}\b", page), column
        name = schema.metadata[b"wikiprep.schema"].decode()
        assert f"`{name}`" in page
    for struct in (corpus.PARAGRAPH, corpus.LINK, corpus.RELATION):
        for field in struct:
            assert re.search(rf"\b{field.name}\b", page), field.name


def test_formats_name_every_status() -> None:
    from wikiprep.tables.schema import STATUSES

    page = text("docs/formats.md")
    for word in STATUSES:
        assert re.search(rf"\b{word}\b", page), word


def test_own_text_names_every_field() -> None:
    from wikiprep.corpus import annotated_text

    source = Path(annotated_text.__file__).read_text(encoding="utf-8")
    page = text("docs/own-text.md")
    for field in set(re.findall(r"_(?:string|integer)\(found, \"(\w+)\"", source)) | {"section", "abstract", "links"}:
        assert re.search(rf"\b{field}\b", page), field


def test_toml_of_the_page_of_options_loads(tmp_path: Path) -> None:
    from wikiprep.config import Config, apply
    from wikiprep.config_toml import load

    (block,) = re.findall(r"^```toml\n(.*?)^```", text("docs/options.md"), re.MULTILINE | re.DOTALL)
    (tmp_path / "wikiprep.toml").write_text(block, encoding="utf-8")
    given = load(tmp_path / "wikiprep.toml")
    assert apply(Config(), given.sections).vocabulary.min_count == 5
    assert given.top["output"] == "corpus" and given.run == {"workers": 16}


def test_lines_of_own_text_are_as_the_reader_wants_them(tmp_path: Path) -> None:
    from wikiprep.corpus.annotated_text import read_annotated, read_redirects
    from wikiprep.corpus.articles import ArticleRow

    (block,) = re.findall(r"^```json\n(.*?)^```", text("docs/own-text.md"), re.MULTILINE | re.DOTALL)
    path = tmp_path / "paragraphs.jsonl"
    path.write_text(block, encoding="utf-8")
    (page,) = list(read_annotated(path))
    assert isinstance(page, ArticleRow)
    assert [p.text[link.start : link.end] for p in page.paragraphs for link in p.links] == ["Warsaw", "polonium"]
    assert list(read_redirects(path)) == [("Polonium (element)", "Polonium")]
