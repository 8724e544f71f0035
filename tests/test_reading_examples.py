"""The Python examples of the documentation run, on a corpus of the sample, in a process of their own each."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from building import TOKENIZER, built, wikiprep
from entity_dumps import array, item, prop, statement
from inline import write_dump, xml_page

from wikiprep.wikidata.graph.graph import WikidataGraph
from wikiprep.wikidata.graph.split import split
from wikiprep.wikidata.graph.write import write_triples

ROOT = Path(__file__).parents[1]
# Examples that need more than a corpus: a run on several languages (tests/inference/test_several_languages.py runs it),
# Beam and a pipeline's arguments (tests/pipelines/test_transforms_page.py).
ELSEWHERE = {"multilingual.md", "beam-transforms.md"}
PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in ELSEWHERE)]
# Libraries of the reader's choice, which wikiprep itself does not need.
OPTIONAL = ("datasets", "polars", "duckdb")


@dataclass(frozen=True)
class Example:
    """A fenced block of Python: where it stands, and what it imports."""

    place: str
    code: str

    @property
    def imports(self) -> set[str]:
        found = set()
        for node in ast.walk(ast.parse(self.code)):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
        return found


def examples(page: Path) -> Iterator[Example]:
    """The blocks of a page between ```python and ```.

    But for those that begin with a docstring: such a block is a file that a command loads, and the test of that command
    runs it.
    """
    lines: list[str] | None = None
    start = 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line == "```python":
            lines, start = [], number
        elif line == "```" and lines is not None:
            code = "\n".join(lines) + "\n"
            if not code.startswith('"""'):
                yield Example(f"{page.relative_to(ROOT).as_posix()}:{start}", code)
            lines = None
        elif lines is not None:
            lines.append(line)


EXAMPLES = [example for page in PAGES for example in examples(page)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the corpora that the examples read, under the names that they use."""
    folder = tmp_path_factory.mktemp("reading")
    built(folder / "corpus", "--sample", "--mentions", "--quiet")
    for form, name in (("rel", "entity_word_embedding.db"), ("tsv", "mentions.tsv")):
        done = wikiprep("export-mentions", folder / "corpus", "--format", form, "--output", folder / name)
        assert done.returncode == 0, done.stderr
    built(folder / "corpus-with-text", "--sample", "--text", "--quiet")
    return folder


SQL = "-- MySQL dump\nCREATE TABLE `{0}` (\n{1}\n);\nINSERT INTO `{0}` VALUES {2};\n-- Dump completed on 2026-01-01\n"


@pytest.fixture(scope="module")
def wikidata_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for the page on Wikidata: a corpus with its tables, and the items of pages from SQL tables."""
    folder = tmp_path_factory.mktemp("wikidata")
    text = "This page has a few words about [[Oslo]] and about [[Norway]], where that town is."
    dump = write_dump(
        folder / "enwiki.xml", *(xml_page(i, t, text) for i, t in enumerate(("Oslo", "Norway", "Bergen"), 12))
    )
    entities = [item(585, statement("P17", "Q20"), title="Oslo"), item(20, title="Norway"), prop(17, label="country")]
    (folder / "all.json").write_bytes(array(entities))
    built(folder / "corpus", dump, "--wikidata", folder / "all.json", "--tokenizer", TOKENIZER, "--quiet")
    columns = {
        "page": "page_id page_namespace page_title page_is_redirect",
        "page_props": "pp_page pp_propname pp_value",
    }
    rows = {"page": "(12,0,'Oslo',0),(14,0,'Oslo_Municipality',1)", "page_props": "(12,'wikibase_item','Q585')"}
    for table, names in columns.items():
        lines = ",\n".join(f"  `{name}` int NOT NULL" for name in names.split())
        (folder / f"{table}.sql").write_text(SQL.format(table, lines, rows[table]))
    tables = ("--page", folder / "page.sql", "--page-props", folder / "page_props.sql")
    done = wikiprep("qids", *tables, "--output", folder / "qids")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def graph_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a graph of generated triples, as exported."""
    folder = tmp_path_factory.mktemp("graph")
    rng = np.random.default_rng(1)
    triples = np.unique(rng.integers(1, (100, 5, 100), (2000, 3)), axis=0)
    graph = WikidataGraph.of(triples[:, 0], triples[:, 1].astype(np.int32), triples[:, 2])
    (folder / "kg").mkdir()
    write_triples(graph, split(graph, 0.1, 0.1, 0), folder / "kg")
    return folder


@pytest.fixture(scope="module")
def knowledge_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with vectors of a small graph, under the name that docs/knowledge.md uses."""
    pytest.importorskip("pykeen", reason="pykeen is not installed; it is one of the dev dependencies")
    folder = tmp_path_factory.mktemp("knowledge")
    (folder / "graph").mkdir()
    train, other = (
        "engine\tpart of\tcar\nwheel\tpart of\tcar\nwheel\tis a\tpart\ncar\tis a\tengine\n",
        "engine\tis a\tpart\n",
    )
    for part, triples in (("train", train), ("valid", other), ("test", other)):
        (folder / "graph" / f"{part}.txt").write_text(triples)
    done = wikiprep("kg-embed", folder / "graph", "--output", folder / "wn18-transe", "--epochs", "1", "--dim", "4")
    assert done.returncode == 0, done.stderr
    return folder


def test_readme_has_an_example_for_each_reader() -> None:
    found = {name for example in examples(ROOT / "README.md") for name in example.imports}
    assert {"pyarrow", *OPTIONAL} <= found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.place)
def test_example_runs(example: Example, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    fixtures = {
        "docs/wikidata.md": "wikidata_folder",
        "docs/knowledge-graph.md": "graph_folder",
        "docs/knowledge.md": "knowledge_folder",
    }
    folder = request.getfixturevalue(fixtures.get(example.place.partition(":")[0], "folder"))
    for name in (*OPTIONAL, "pykeen", "torch", "transformers"):
        if name in example.imports:
            pytest.importorskip(name, reason=f"{name} is not installed; it is one of the dev dependencies")
    # Caches of `datasets` go to a folder of the test's, and nothing may ask the network.
    env = os.environ | {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "PYTHONWARNINGS": "error::DeprecationWarning"}
    done = subprocess.run(
        [sys.executable, "-c", example.code], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), "an example shows something"
