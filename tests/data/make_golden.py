"""Writes sample_golden.json, what the sample's build must hold: `python tests/data/make_golden.py` at the root.

Logical content only, no bytes of files, so that it holds for every version of Python and pyarrow. A change of it is a
change of what users get: look at which of the hashes differ before it is renewed.
"""

import hashlib
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

HERE = Path(__file__).parent
GOLDEN = HERE / "sample_golden.json"


def content_of(corpus: Path) -> dict[str, Any]:
    """The manifest's equations, and a hash over the content of each table, with its number of rows."""
    from inline import rows

    manifest = orjson.loads((corpus / "manifest.json").read_bytes())
    articles = rows(corpus, "articles")
    links = ("start", "end", "target", "fragment")
    spans = ("entity_ids", "entity_starts", "entity_ends")
    return {
        "equations": manifest["equations"],
        "articles": _digest(
            [a["title"], [[p["text"], [[k[n] for n in links] for k in p["links"]]] for p in a["paragraphs"]]]
            for a in articles
        ),
        "paragraphs": _digest(
            [a["title"], [[p["section"], p["kind"], p["depth"]] for p in a["paragraphs"]]] for a in articles
        ),
        "categories": _digest([a["title"], a["categories"], a["flags"]] for a in articles),
        "pages": _digest([p["page_id"], p["title"], p["kind"]] for p in rows(corpus, "tables/pages.parquet")),
        "redirects": _digest(
            [r["title"], r["final"], r["hops"], r["status"]] for r in rows(corpus, "tables/redirects.parquet")
        ),
        "vocabulary": _digest([e["id"], e["title"], e["count"]] for e in rows(corpus, "tables/entity_vocab.parquet")),
        "templates": _digest(
            [t["name"], t["rendered"], t["dropped"]] for t in rows(corpus, "tables/templates.parquet")
        ),
        "records": _digest(
            [r["title"], r["word_ids"], [r[name] for name in spans], r["sentence_starts"]]
            for r in rows(corpus, "records")
        ),
        "items": _digest([e["title"], e["qid"]] for e in rows(corpus, "tables/entity_vocab.parquet")),
        "relations": _digest([r["title"], [[*v.values()] for v in r["relations"]]] for r in rows(corpus, "records")),
        "relation_vocab": _digest([*r.values()] for r in rows(corpus, "tables/relation_vocab.parquet")),
    }


def _digest(rows: Iterable[Any]) -> dict[str, Any]:
    lines = [orjson.dumps(row) for row in rows]
    return {"rows": len(lines), "sha256": hashlib.sha256(b"\n".join(lines)).hexdigest()}


def main() -> None:
    """Build the sample and write what it holds."""
    sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]
    from inline import build

    from wikiprep.sample import dump_path, wikidata_path

    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder) / "corpus", dump_path(), sections={"wikidata": {"wikidata": str(wikidata_path())}})
        content = content_of(Path(folder) / "corpus")
    GOLDEN.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
