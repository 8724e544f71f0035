"""export-dataset: the folder is read by datasets, huggingface_hub and mlcroissant, and is what the corpus holds."""

from pathlib import Path

import orjson
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from building import wikiprep

from wikiprep.runtime.dataset_card import front_matter, size_category

CONFIGS = ["articles", "records", "entities", "redirects", "mentions"]


@pytest.fixture(scope="module")
def folder(tiny_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hub") / "dataset"
    done = wikiprep("export-dataset", tiny_corpus, "-o", made)
    assert done.returncode == 0, done.stderr
    assert "hf upload" in done.stderr
    return made


def test_each_configuration_is_loaded_by_datasets(folder: Path, tiny_corpus: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    rows = {name: datasets.load_dataset(str(folder), name, split="train", cache_dir=tmp_path) for name in CONFIGS}
    assert rows["articles"].num_rows == 15
    records = ds.dataset(tiny_corpus / "records", format="ipc").to_table()
    assert rows["records"].to_list() == records.to_pylist()
    assert rows["mentions"].num_rows == pq.read_metadata(tiny_corpus / "tables" / "mentions.parquet").num_rows
    default = datasets.load_dataset(str(folder), split="train", cache_dir=tmp_path)
    assert default.column_names == rows["articles"].column_names


def test_a_corpus_itself_is_loaded_too(tiny_corpus: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    assert datasets.load_dataset(str(tiny_corpus), split="train", cache_dir=tmp_path).num_rows == 15
    records = datasets.load_dataset(str(tiny_corpus), data_dir="records", split="train", cache_dir=tmp_path)
    assert "word_ids" in records.column_names


def test_the_card_is_one_of_the_hub(folder: Path) -> None:
    hub = pytest.importorskip("huggingface_hub")
    made = hub.DatasetCard.load(folder / "README.md")
    said = made.data.to_dict()
    assert (said["license"], said["language"], said["size_categories"]) == ("cc-by-sa-4.0", "en", ["n<1K"])
    assert said["pretty_name"].startswith("Wikipedia (en)")
    assert [it["config_name"] for it in said["configs"]] == CONFIGS
    assert {"wikipedia", "entity-linking"} <= set(said["tags"])
    example = orjson.loads(made.content.split("```json\n")[1].split("```")[0])
    assert example["title"] == "Solar System" and example["paragraphs"][0]["links"][0]["target"] == "Mercury (planet)"
    for name in CONFIGS:
        table = made.content.split(f"`{name}`, a row each:")[1].split("\n\n`")[0]
        for column in pq.read_schema(next((folder / name).glob("*.parquet"))).names:
            assert f"- `{column}`: " in table
    assert made.content.index("## What is in it") < made.content.index("## Counts")


@pytest.mark.filterwarnings("ignore")  # mlcroissant uses what rdflib and pandas will take away
def test_croissant_is_valid_and_its_records_are_read(folder: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed: pip install '.[test]'")
    said = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert not said.metadata.ctx.issues.errors
    found = [row["entities/title"].decode() for row in said.records("entities")]
    assert found == pq.read_table(folder / "entities", columns=["title"])["title"].to_pylist()
    assert [row["articles/page_id"] for row in said.records("articles")] == list(range(1, 16))
    assert next(iter(said.records("records")))["records/entity_ids"]
    names = [row["mentions/name"].decode() for row in said.records("mentions")]
    assert names == pq.read_table(folder / "mentions", columns=["name"])["name"].to_pylist()


def test_a_folder_with_files_is_not_written_into(folder: Path, tiny_corpus: Path) -> None:
    done = wikiprep("export-dataset", tiny_corpus, "-o", folder)
    assert (done.returncode, "is not empty" in done.stderr) == (2, True)


def test_the_head_of_a_card() -> None:
    options = {"pretty": 'A "B"', "rows": 5, "wikipedia": False, "relations": True, "configs": {"default": "*"}}
    text = front_matter(licence="other", language="no", **options)
    assert 'language: "no"\n' in text  # which is false in YAML
    assert 'pretty_name: "A \\"B\\""\n' in text
    assert "license_name: of-its-source\n" in text and "- wikidata\n" in text
    assert [size_category(n) for n in (0, 999, 1000, 7_000_000, 2 * 10**7)] == [
        *("n<1K", "n<1K", "1K<n<10K", "1M<n<10M", "10M<n<100M")
    ]
