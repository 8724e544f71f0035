"""Writes a corpus's triples as a knowledge graph with parts to train and to test on, and says what is in it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow.parquet as pq

from wikiprep.counts import Count, Equation, declare_counts, in_json
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store, whole_file
from wikiprep.leave_out.lists import FACT_KINDS, fact_entries, listed_facts, read_lists
from wikiprep.leave_out.pages import LEFT_OUT, with_current_items
from wikiprep.manifest import read_manifest
from wikiprep.runtime.output_folder import must_be_outside, must_be_there
from wikiprep.stages.wikidata_merged import folder_in, open_merged
from wikiprep.storage.parquet_files import read_parquet
from wikiprep.tables.entity_vocab import VOCAB_PARQUET
from wikiprep.terminal.command_progress import show_progress
from wikiprep.terminal.wording import plural
from wikiprep.units.count_equations import must_close
from wikiprep.units.job import path_identity
from wikiprep.verbosity import tell
from wikiprep.version import wikiprep_version
from wikiprep.wikidata.graph.graph import WikidataGraph
from wikiprep.wikidata.graph.select import DROPPED, READ, Selected, Selection, select
from wikiprep.wikidata.graph.split import PARTS, TripleSplit, split
from wikiprep.wikidata.graph.write import triple_file, write_entities, write_relations, write_triples
from wikiprep.wikidata.items_table import ITEMS
from wikiprep.wikidata.left_out_facts import LeftOutFacts
from wikiprep.wikidata.lookups import Triples
from wikiprep.wikidata.merge_runs import PROPERTIES
from wikiprep.wikidata.triples_table import OUTSIDE, TRIPLE_ARRAYS, TRIPLES

REPORT = "export.json"
_STEPS = ("selection", "split", "triples", "entities")
OF_PART = declare_counts(
    "triples.", train="Triples to train on.", valid="Triples to choose by.", test="Triples to test on."
)
EQUATION = Equation("triples of the export", READ, (*OF_PART.values(), DROPPED))
ENTITIES = Count("entities", "Entities of the triples.")
RELATIONS = Count("relations", "Properties of the triples.")


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """Shares of the triples, 0 to 1, and the seed."""

    valid: float = 0.05
    test: float = 0.05
    seed: int = 0


def export_triples(
    corpus: str,
    target: str,
    selection: Selection,
    parts: SplitOptions,
    *,
    only_vocabulary: bool = False,
    leave_out: Sequence[str] = (),
    outside: bool = False,
) -> None:
    """Write the graph into the folder `target`; REPORT last. `leave_out`: lists of facts, beside those of the corpus.
    `outside`: with the triples to items without a page in the wiki.

    Raises UsageError for shares that leave nothing to train on, WikiprepError for a corpus without triples, and where
    none are left or a part that was asked for is empty.
    """
    if not parts.valid + parts.test < 1:  # NaN is refused too
        raise UsageError("--valid and --test leave nothing to train on", "give shares whose sum is under 1")
    must_be_there(corpus)
    must_be_outside(target, corpus)
    store, folder = Store(corpus), Path(target)
    if folder.is_file():
        raise UsageError(f"{target}: is a file", "name a folder as --output")
    left_out_facts = _left_out_facts(store, leave_out)
    if outside and only_vocabulary:
        raise UsageError("--outside and --vocabulary exclude each other", "what has no page is in no vocabulary")
    graph, entity_ids = _graph(store, outside), _entity_ids(store, needed=only_vocabulary)
    counts: Counter[Count] = Counter()
    vocabulary = np.array(sorted(entity_ids), np.int64) if only_vocabulary else None
    with show_progress(_STEPS) as progress:
        with progress.part(_STEPS[0], len(graph), "triple"):
            selected = select(graph, selection, counts, vocabulary, left_out_facts)
        with progress.part(_STEPS[1], len(selected.graph), "triple"):
            triple_split = _split_graph(selected, counts, parts, corpus)
        counts.update({OF_PART[part]: n for part, n in zip(PARTS, triple_split.sizes(), strict=True)})
        must_close("export-triples", counts, (EQUATION,))
        with progress.part(_STEPS[2], len(selected.graph), "triple") as advance:
            names = write_triples(selected.graph, triple_split, folder, advance)
        for part in PARTS:
            if triple_file(part) not in names:
                (folder / triple_file(part)).unlink(missing_ok=True)  # of an earlier export into the same folder
        items = store.fetch(f"tables/{ITEMS}")
        with progress.part(_STEPS[3], pq.read_metadata(items).num_rows, "item") as advance:
            counts[ENTITIES] = write_entities(selected.graph, items, entity_ids, folder, advance)
    properties = {row["pid"]: row for row in read_parquet(store, f"tables/{PROPERTIES}").to_pylist()}
    counts[RELATIONS] = write_relations(selected, triple_split, properties, folder)
    lists = [path_identity(path) for path in leave_out]
    options = {"only_vocabulary": only_vocabulary, "outside": outside, "leave_out": lists}
    options |= {**asdict(selection), **asdict(parts)}
    _write_report(store, folder, options, counts)
    part_sizes = ", ".join(f"{part} {counts[OF_PART[part]]:,}" for part in PARTS)
    size = f"{plural(counts[ENTITIES], 'entity').replace('entitys', 'entities')}, {counts[RELATIONS]:,} relations"
    tell(f"{target}: {plural(sum(triple_split.sizes()), 'triple')} ({part_sizes}), {size}")
    for reason, n in sorted(DROPPED.within(counts).items()):
        if n:
            tell(f"  left out: {n:,} {reason}")
    _tell_short(triple_split, parts)


def _graph(store: Store, outside: bool) -> WikidataGraph:
    if store.size(f"tables/{TRIPLE_ARRAYS}") is None:
        raise UsageError(
            f"{store.url}: no relations of Wikidata in it (tables/{TRIPLES})",
            "give a corpus that was built with --wikidata",
        )
    triples = Triples.open(store.fetch(f"tables/{TRIPLE_ARRAYS}").parent)
    heads, tails, properties, _ = triples.rows(0, len(triples))
    if outside:
        if store.size(f"tables/{OUTSIDE}") is None:
            raise UsageError(
                f"{store.url}: holds no triples to items without a page (tables/{OUTSIDE})",
                "give the build's command again with --wikidata-outside --update",
            )
        outside_triples = read_parquet(store, f"tables/{OUTSIDE}", ["head", "property", "tail"])
        heads, properties, tails = (
            np.concatenate([one, outside_triples[name].to_numpy()])
            for one, name in ((heads, "head"), (properties, "property"), (tails, "tail"))
        )
        order = np.lexsort((properties, tails, heads))
        heads, properties, tails = heads[order], properties[order], tails[order]
    return WikidataGraph.of(heads, properties, tails)


def _left_out_facts(store: Store, lists: Sequence[str]) -> LeftOutFacts:
    """The facts of the corpus's own lists and of `lists`."""
    merged_items = open_merged(store, folder_in(store))
    entries = [with_current_items(entry, merged_items) for entry in read_lists(lists) if entry.kind in FACT_KINDS]
    if lists and not entries:
        raise UsageError(
            f"{lists[0]}: lists no fact",
            'of triples, {"pair": ["Q1", "Q2"]} and {"triple": ["Q1", "P36", "Q2"]} are left out',
        )
    if store.size(f"tables/{LEFT_OUT}") is not None:
        entries += fact_entries(store.fetch(f"tables/{LEFT_OUT}"))
    return listed_facts(entries)


def _entity_ids(store: Store, *, needed: bool) -> dict[int, int]:
    """Item -> id in the entity vocabulary; a corpus may have none."""
    path = f"tables/{VOCAB_PARQUET}"
    if store.size(path) is None:
        if needed:
            raise UsageError(f"{store.url}/{path}: no such table", "finish the build, or leave --vocabulary out")
        return {}
    if "qid" not in pq.read_schema(store.fetch(path)).names:
        raise UsageError(f"{store.url}/{path}: has no QIDs", "build the corpus with --wikidata")
    table = read_parquet(store, path, ["id", "qid"])
    pairs = zip(table["id"].to_pylist(), table["qid"].to_pylist(), strict=True)
    ids: dict[int, int] = {}
    for entity, qid in pairs:
        if qid is not None:
            ids.setdefault(int(qid[1:]), entity)  # of two pages of one item the more frequent
    return ids


def _split_graph(selected: Selected, counts: Counter[Count], parts: SplitOptions, corpus: str) -> TripleSplit:
    if not len(selected.graph):
        reasons = ", ".join(f"{n:,} {reason}" for reason, n in DROPPED.within(counts).items() if n)
        raise WikiprepError(
            f"{corpus}: no triple is left of {counts[READ]:,}" + (f" ({reasons})" if reasons else ""),
            "lower --min-degree and --min-relation, or leave --vocabulary out",
        )
    triple_split = split(selected.graph, parts.valid, parts.test, parts.seed)
    for part, size, share in zip(PARTS[1:], triple_split.sizes()[1:], (parts.valid, parts.test), strict=True):
        if share and not size:
            raise WikiprepError(
                f"{corpus}: --{part} {share:g} of {plural(len(selected.graph), 'triple')} is none that train can spare",
                f"raise the share, give --min-degree 2, or --{part} 0",
            )
    return triple_split


def _tell_short(triple_split: TripleSplit, parts: SplitOptions) -> None:
    for part, size, wanted_size in zip(PARTS[1:], triple_split.sizes()[1:], triple_split.requested[1:], strict=True):
        if size < min(
            wanted_size * 0.9, wanted_size - 10
        ):  # all triples between two entities go together: a few are chance
            tell(
                f"  {part} is smaller than asked ({size:,} of {wanted_size:,}): train keeps what has each entity and "
                "relation; --min-degree 2 leaves more"
            )


def _write_report(store: Store, folder: Path, options: dict[str, Any], counts: Counter[Count]) -> None:
    """Write REPORT: sources of the files, options, and the counts with their equation."""
    source = None
    if store.size("manifest.json") is not None:
        digests = {file.path: file.sha256 for file in read_manifest(store).files}
        source = {name: digests.get(f"tables/{name}") for name in (TRIPLES, ITEMS, PROPERTIES, VOCAB_PARQUET)}
    data = {
        "schema": "triples-export/1",
        "wikiprep": wikiprep_version(),
        "source": source,
        "options": options,
        "counts": in_json(dict(sorted(counts.items()))),
        "equations": [EQUATION.of(counts).in_json()],
    }
    with whole_file(folder / REPORT) as file:
        file.write(orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n")
