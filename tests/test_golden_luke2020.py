"""`wikiprep records --from … --compat luke-2020` gives the published code's own records, token for token."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from building import wikiprep
from tokenizers import Tokenizer


@pytest.mark.parametrize(("variant", "options"), [("", []), ("-unk", ["--include-unk-entities"])])
def test_the_golden_pages(shared_data: Path, tmp_path: Path, variant: str, options: list[str]) -> None:
    golden = shared_data / "luke" / "golden-3pages"
    done = wikiprep(
        "records", "--from", golden / "paragraphs.jsonl", "--vocab", golden / f"vocab{variant}.jsonl",
        "--tokenizer", shared_data / "tokenizers" / "roberta-base", "--language", "en",
        "--compat", "luke-2020", *options, "--output", tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    expected = [json.loads(line) for line in (golden / f"records{variant}.jsonl").read_text().splitlines()[1:]]
    by_page = lambda records: sorted(records, key=lambda r: r["title"])  # noqa: E731 - stable: keeps a page's order
    assert by_page(shown(tmp_path)) == by_page([{k: r[k] for k in ("title", "tokens", "entities")} for r in expected])
    assert wikiprep("verify", tmp_path).returncode == 0


def shown(output: Path) -> list[dict[str, Any]]:
    tokenizer = Tokenizer.from_file(str(output / "tokenizer" / "tokenizer.json"))
    titles = {id_: title for title, id_ in json.loads((output / "tokenizer" / "entity_vocab.json").read_text()).items()}
    records = []
    for path in sorted((output / "records").iterdir()):
        for row in pa.ipc.open_file(pa.memory_map(str(path))).read_all().to_pylist():
            assert (row["page_id"], row["revision_id"]) == (None, None)
            spans = zip(row["entity_ids"], row["entity_starts"], row["entity_ends"], strict=True)
            entities = [{"title": titles[e], "start": start, "end": end} for e, start, end in spans]
            tokens = [tokenizer.id_to_token(i) for i in row["word_ids"]]
            records.append({"title": row["title"], "tokens": tokens, "entities": entities})
    return records
