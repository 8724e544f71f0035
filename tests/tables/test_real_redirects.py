"""The redirects of a real wiki (Maltese, 2016, page.sql and redirect.sql) against a walk in memory."""

import re
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from make_tables import PageRow, page, write_partial

from wikiprep.dump.sql import read_rows
from wikiprep.tables.page_tables import REDIRECTS, build_pages
from wikiprep.tables.title_lookup import TitleTable


def full(namespace: int, title: bytes) -> str:
    """A title with a made-up prefix for its namespace; the wiki's own names do not matter here."""
    return ("" if namespace == 0 else f"NS{namespace}:") + title.decode().replace("_", " ")


@pytest.mark.parametrize("wiki", ["mtwiki-20160111", "ngwiki-20160111"])
def test_a_real_wiki(tmp_path: Path, shared_data: Path, wiki: str) -> None:
    targets: dict[int, tuple[str, str]] = {}
    for source, namespace, title, interwiki in read_rows(
        str(shared_data / "sql" / f"{wiki}-redirect.sql.gz"), ["rd_from", "rd_namespace", "rd_title", "rd_interwiki"]
    ):
        assert isinstance(source, int) and isinstance(namespace, int) and isinstance(title, bytes)
        targets[source] = (full(namespace, title), interwiki.decode() if isinstance(interwiki, bytes) else "")
    rows: list[PageRow] = []
    for page_id, namespace, title, is_redirect in read_rows(
        str(shared_data / "sql" / f"{wiki}-page.sql.gz"),
        ["page_id", "page_namespace", "page_title", "page_is_redirect"],
    ):
        assert isinstance(page_id, int) and isinstance(namespace, int) and isinstance(title, bytes)
        kind = "other_namespace" if namespace else "redirect" if is_redirect else "article"
        target, interwiki = targets.get(page_id, (None, "")) if kind == "redirect" else (None, "")
        rows.append(
            page(
                page_id,
                full(namespace, title),
                kind,
                None if interwiki else target,
                problem="interwiki" if interwiki else None if target or kind != "redirect" else "invalid",
            )
        )
    partials = [write_partial(tmp_path / f"{i}.arrow", rows[i::3], 1000) for i in range(3)]
    made = build_pages(partials, tmp_path, is_main=lambda title: not re.match(r"NS-?\d+:", title))

    known = {row[1] or "": row for row in rows}
    table = TitleTable.open(tmp_path)
    ends = Counter[str]()
    for title, row in known.items():
        if row[2] == "other_namespace":
            continue
        seen = [title]
        while (further := known.get(seen[-1], row)[3]) is not None and seen[-1] in known and further not in seen:
            seen.append(further)
        end = known.get(seen[-1])
        found = table.resolve(title)
        if end is not None and end[2] == "article":
            assert (found.title, found.page_id, found.status) == (seen[-1], end[0], "article")
            ends["resolved" if len(seen) > 1 else "article"] += 1
        else:
            assert found.page_id is None
            ends[found.status] += 1
    counts = made.counts
    assert ends["article"] == counts["pages.article"] > 0
    assert ends["resolved"] == counts["redirects.one_hop"] + counts["redirects.more_hops"]
    assert ends["missing"] == counts["redirects.missing"]
    assert pq.read_metadata(tmp_path / REDIRECTS).num_rows == counts["redirects.read"]
    assert counts["redirects.read"] == sum(n for k, n in counts.items() if k.startswith("redirects.")) / 2
