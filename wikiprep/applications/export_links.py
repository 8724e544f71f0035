"""Writes the links of a corpus as a table, and says how many there are by what became of them."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import click
import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.corpus.articles import read_articles
from wikiprep.dump.site import MainNamespace, Site
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store, whole_path
from wikiprep.manifest import Manifest, read_manifest
from wikiprep.runtime.output_folder import must_be_outside
from wikiprep.stages.extract_counts import articles_in
from wikiprep.tables.choose_entities import COVERED
from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, VOCAB_TRIE, EntityVocab, open_entity_items
from wikiprep.tables.link_counts import FROM_DISAMBIGUATION, READ, TO_OTHER_NAMESPACE
from wikiprep.tables.link_rows import COLUMNS, LinkTargets, link_rows, link_schema
from wikiprep.tables.qids import Qids
from wikiprep.tables.resolver import open_titles
from wikiprep.terminal.command_progress import show_progress
from wikiprep.terminal.wording import plural
from wikiprep.verbosity import tell

_USED = "_state/used_articles/articles"  # without what --leave-out lists (stages/used_articles.py)
_TARGETS = 1 << 20  # targets whose final pages are cached


def export_links(corpus: str, target: str, *, lost: bool = False) -> None:
    """Write `target` as its suffix says (.parquet, .jsonl, .tsv), with `lost` only links that no entity covers.

    Raises UsageError for another suffix, and for a corpus that was not built from a dump or not to its vocabulary.
    """
    suffix = Path(target).suffix
    if suffix not in _FORMS:
        raise UsageError(f"{target}: links are written as {', '.join(_FORMS)}", "give the file one of these endings")
    must_be_outside(target, corpus)
    store = Store(corpus)
    manifest = read_manifest(store)
    if not (manifest.has_stage("links") and manifest.has_stage("vocabulary")):
        raise UsageError(
            f"{corpus}: its links were not counted",
            "they are where a dump was built up to its vocabulary: `wikiprep tables` or build-corpus",
        )
    keep = bool(manifest.options["vocabulary"]["keep_disambiguation"])
    link_target_of = lru_cache(_TARGETS)(_link_targets(store, manifest).of)
    outcomes: Counter[str] = Counter()
    written_rows = 0
    with (
        whole_path(target) as path,
        _FORMS[suffix](path) as write,
        show_progress() as progress,
        progress.part("links", articles_in(manifest), "article") as advance,
    ):
        for part in _parts(store, manifest):
            for batch in read_articles(part, COLUMNS):
                rows = link_rows(batch, link_target_of, keep_disambiguation=keep)
                for value in pc.value_counts(rows["lost"]).to_pylist():
                    outcomes[value["values"] or "covered"] += value["counts"]
                if lost:
                    rows = rows.filter(pc.is_valid(rows["lost"]))
                written_rows += rows.num_rows
                write(rows)
                advance(batch.num_rows)
    tell(f"{target}: {plural(written_rows, 'link')}; {_format_outcomes(outcomes)}")
    if differences := _differences(outcomes, manifest):
        click.echo(f"wikiprep: the manifest counts otherwise: {differences} (namespaces of the wiki's own?)", err=True)


def _link_targets(store: Store, manifest: Manifest) -> LinkTargets:
    options = manifest.options["vocabulary"]
    folder, _ = [store.fetch(f"tables/{name}").parent for name in (VOCAB_ARRAYS, VOCAB_TRIE)]
    qids = Qids(store)
    try:
        items = open_entity_items(folder)
    except WikiprepError:  # a build without --wikidata
        items = None

    def item(entity: int | None, page_id: int | None) -> str | None:
        number = -1 if items is None or entity is None else int(items[entity])
        return f"Q{number}" if number >= 0 else qids.of(page_id)

    return LinkTargets(
        open_titles(store),
        MainNamespace(Site.for_language(manifest.inputs.language).titles),
        EntityVocab.open(folder).id,
        item,
        counted_missing=options["vocab_targets"] == "linked",
        counted_disambiguation=options["keep_disambiguation"],
    )


def _parts(store: Store, manifest: Manifest) -> Iterator[Path]:
    """The articles whose links were counted: without what --leave-out lists."""
    used_paths = {Path(path).name: path for path in store.list(_USED)}
    parts = [path for path in store.list("articles") if path.endswith(".parquet")]
    used_counts = manifest.counts_of("used_articles")
    if not used_paths and any(n for key, n in used_counts.items() if ".left_out" in key):
        raise WikiprepError(
            f"{store.url}: {_USED} is gone: which links --leave-out took away is not known",
            "build it again in a new folder",
        )
    for path in parts:
        yield store.fetch(used_paths.get(Path(path).name, path))


def _format_outcomes(outcomes: Counter[str]) -> str:
    lost = ", ".join(
        f"{reason.replace('_', ' ')} {n:,}" for reason, n in sorted(outcomes.items()) if reason != "covered"
    )
    return f"covered by an entity {outcomes['covered']:,}" + (f", lost: {lost}" if lost else "")


def _differences(outcomes: Counter[str], manifest: Manifest) -> str:
    links, vocabulary = manifest.counts["links"], manifest.counts["vocabulary"]
    expected = {
        "links in all": (outcomes.total(), links[READ]),
        "covered": (outcomes["covered"], vocabulary[COVERED]),
        "from disambiguation pages": (outcomes["from_disambiguation"], links[FROM_DISAMBIGUATION]),
        "other namespaces": (outcomes["other_namespace"], links[TO_OTHER_NAMESPACE]),
    }
    return ", ".join(f"{what} {theirs:,}, not {mine:,}" for what, (mine, theirs) in expected.items() if mine != theirs)


@contextmanager
def _parquet(path: Path) -> Iterator[Callable[[pa.Table], None]]:
    repeated = ["title", "page_kind", "section.list.element", "target", "final_title", "leads_to", "qid", "lost"]
    writer = pq.ParquetWriter(path, link_schema(), version="2.6", compression="zstd", use_dictionary=repeated)
    with writer:
        yield writer.write_table


@contextmanager
def _jsonl(path: Path) -> Iterator[Callable[[pa.Table], None]]:
    with path.open("wb") as file:
        yield lambda rows: file.writelines(
            orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows.to_pylist()
        )


@contextmanager
def _tsv(path: Path) -> Iterator[Callable[[pa.Table], None]]:
    """White space in text becomes a space, null nothing; headings of a section stand with " / " between."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\t".join(link_schema().names) + "\n")

        def write(rows: pa.Table) -> None:
            for row in rows.to_pylist():
                row["section"] = " / ".join(row["section"])
                row["by_redirect"] = int(row["by_redirect"])
                cells = ("" if value is None else " ".join(str(value).split()) for value in row.values())
                file.write("\t".join(cells) + "\n")

        yield write


_FORMS = {".parquet": _parquet, ".jsonl": _jsonl, ".tsv": _tsv}
