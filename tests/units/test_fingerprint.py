"""Every content option changes the fingerprints of exactly the stages whose output it can touch."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from building import DATA, TOKENIZER
from inline import job_of

from wikiprep.config import Config, apply
from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.stages.build import FROM_DUMP, FROM_TEXT, MENTIONS, stage_by_name, stages_of
from wikiprep.stages.mention_links import MentionLinks
from wikiprep.units.fingerprint import load_plan, plans_of, save_plan
from wikiprep.units.job import Job

ALL = {"extract", "pages", "links", "vocabulary", "tokenizer", "records"}
TABLES = {"vocabulary", "records"}
RECORDS = {"records"}
WIKIDATA = {"wikidata", "relations"}
DEFINITIONS = {"template_pages", "definitions"}

# option -> (another value, the stages it touches when the tokenizer is a file)
# None: refused
TOUCHED: dict[tuple[str, str], tuple[Any, set[str] | None]] = {
    ("input", "language"): ("de", ALL | DEFINITIONS),
    ("input", "range_mb"): (0.5, ALL | DEFINITIONS),
    ("input", "keep_damaged"): (True, set()),  # nothing of a whole dump; `commit` looks at it
    ("input", "allow_missing_parts"): (True, set()),  # decides whether there is a build
    ("input", "allow_other_dates"): (True, set()),
    ("input", "page_props"): ("FILE", ALL | {"properties"}),
    ("wikidata", "wikidata"): ("JSON", ALL | {"wikidata_read", "wikidata", "relations"}),
    ("wikidata", "wikidata_redirect"): ("FILE", set()),  # without --wikidata; see below
    ("wikidata", "wikidata_page"): ("FILE", set()),
    ("wikidata", "wikidata_outside"): (True, set()),
    ("extract", "captions"): (True, ALL),
    ("extract", "math"): ("tex", ALL),
    ("extract", "link_numbers"): ("drop", ALL),
    ("extract", "superscripts"): ("unicode", ALL),
    ("extract", "variant"): ("zh-hans", ALL),
    ("extract", "max_page_mb"): (2.0, ALL),
    ("extract", "templates"): ("render", ALL | DEFINITIONS),
    ("extract", "template_table"): ("FILE", ALL),
    ("leave_out", "leave_out"): (["FILE"], ALL - {"extract", "pages"} | {"listed", "used_articles"}),
    ("vocabulary", "vocab_size"): (1000, TABLES),
    ("vocabulary", "vocab_targets"): ("linked", TABLES),
    ("vocabulary", "min_count"): (2, TABLES),
    ("vocabulary", "white_list"): ("FILE", TABLES),
    ("vocabulary", "entity_vocab"): ("FILE", TABLES),
    ("vocabulary", "keep_disambiguation"): (True, TABLES | {"links"}),
    ("mentions", "mentions"): (True, {*MENTIONS}),
    ("tokenizer", "tokenizer"): ("train:1000", {"tokenizer", "records"}),
    ("tokenizer", "train_mb"): (1.0, set()),
    ("records", "densify"): (True, {*MENTIONS, "records"}),
    **{
        ("records", name): (value, RECORDS)
        for name, value in {
            "max_seq_length": 256, "max_entity_length": 64, "max_mention_length": 20, "min_sentence_length": 4,
            "abstract_only": True, "include_sentences_without_entities": True, "include_unk_entities": False,
            "lists": False, "text": True, "compat": "luke-2020", "sentence_records": True,
        }.items()
    },
    ("relations", "relations"): ("none", set()),  # without --wikidata; see below
    ("relations", "subject_relations"): (False, None),
    ("relations", "unk_relations"): (True, None),
    ("relations", "drop_unrelated"): (True, None),
}  # fmt: skip
OPTIONS = [(section.name, f.name) for section in fields(Config) for f in fields(getattr(Config(), section.name))]


def fingerprints(job: Job) -> dict[str, str]:
    return {name: plan.fingerprint for name, plan in plans_of(stages_of(job), job).items()}


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def dump_job(output: Path, **parameters: Any) -> Job:
    return job_of(output, DATA / "genre56.xml", **parameters)


def test_the_table_names_every_option() -> None:
    assert set(TOUCHED) == set(OPTIONS)


@pytest.mark.parametrize("option", OPTIONS, ids=".".join)
def test_an_option_touches_exactly_its_stages(tmp_path: Path, option: tuple[str, str]) -> None:
    value, touched = TOUCHED[option]
    if value in ("FILE", "JSON"):
        content = "Some = thing\n" if value == "FILE" else "[\n]\n"
        value = str(tmp_path / "file")
        Path(value).write_text(content)
    elif value == ["FILE"]:
        (tmp_path / "list").write_text("Oslo\n")
        value = [str(tmp_path / "list")]
    before = dump_job(tmp_path)
    after = replace(before, config=apply(before.config, {option[0]: {option[1]: value}}))
    if touched is None:
        with pytest.raises(UsageError, match=option[1].replace("_", "-")):
            stages_of(after)
        return
    assert changed(fingerprints(before), fingerprints(after)) == touched


@pytest.mark.parametrize(
    ("section", "option", "value", "touched"),
    [
        ("vocabulary", "keep_disambiguation", True, TABLES | {"links", *MENTIONS}),
        ("vocabulary", "vocab_targets", "linked", TABLES | {*MENTIONS}),
        ("vocabulary", "vocab_size", 1000, TABLES),
        ("extract", "captions", True, ALL | {*MENTIONS}),
        ("records", "text", True, RECORDS),
        ("records", "densify", True, RECORDS),
    ],
)
def test_what_mention_statistics_depend_on(
    tmp_path: Path, section: str, option: str, value: object, touched: set[str]
) -> None:
    before = dump_job(tmp_path, sections={"mentions": {"mentions": True}})
    after = replace(before, config=apply(before.config, {section: {option: value}}))
    assert changed(fingerprints(before), fingerprints(after)) == touched


@pytest.mark.parametrize(
    ("section", "options", "touched"),
    [
        ("wikidata", {"wikidata_redirect": "b", "wikidata_page": "c"}, ALL | WIKIDATA | {"wikidata_merged"}),
        ("wikidata", {"wikidata_outside": True}, ALL | WIKIDATA),
        ("wikidata", {"wikidata": "b"}, ALL | WIKIDATA | {"wikidata_read"}),
        ("input", {"language": "de"}, ALL | DEFINITIONS | WIKIDATA | {"wikidata_read"}),
        ("input", {"range_mb": 0.5}, ALL | DEFINITIONS | WIKIDATA | {"wikidata_read"}),
        ("extract", {"captions": True}, ALL | {"relations"}),
        ("vocabulary", {"vocab_size": 1000}, TABLES | {"relations"}),
        ("relations", {"relations": "record"}, {"records", "relations"}),
        ("relations", {"relations": "none"}, {"records", "relations"}),
        ("relations", {"subject_relations": False}, {"records", "relations"}),
        ("relations", {"unk_relations": True}, {"records", "relations"}),
        ("relations", {"drop_unrelated": True}, {"records", "relations"}),
    ],
)
def test_what_wikidata_depends_on(tmp_path: Path, section: str, options: dict[str, Any], touched: set[str]) -> None:
    for name, content in (("a", "[\n]\n"), ("b", "[\n\n]\n"), ("c", "[\n\n\n]\n")):
        (tmp_path / name).write_text(content)
    given = {key: str(tmp_path / v) if v in ("b", "c") else v for key, v in options.items()}
    before = dump_job(tmp_path, sections={"wikidata": {"wikidata": str(tmp_path / "a")}})
    after = replace(before, config=apply(before.config, {section: given}))
    assert changed(fingerprints(before), fingerprints(after)) == touched


def test_records_with_added_spans_depend_on_mention_statistics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = dump_job(tmp_path, sections={"records": {"densify": True}})
    before = fingerprints(job)
    monkeypatch.setattr(MentionLinks, "content", lambda self, job: {"counted": "otherwise"})
    assert changed(before, fingerprints(job)) == {*MENTIONS, "records"}


def test_the_text_to_train_on_touches_the_tokenizer_that_is_trained(tmp_path: Path) -> None:
    made = [
        fingerprints(dump_job(tmp_path, sections={"tokenizer": {"tokenizer": "train:1000", "train_mb": mb}}))
        for mb in (1.0, 2.0)
    ]
    assert changed(*made) == {"tokenizer", "records"}


@pytest.mark.parametrize(
    "option", [("input", "page_props"), ("vocabulary", "white_list"), ("extract", "template_table")], ids=".".join
)
def test_a_file_counts_by_its_content_not_by_its_folder(tmp_path: Path, option: tuple[str, str]) -> None:
    made = []
    for folder, content in (("a", "X = x"), ("b", "X = x"), ("c", "X = y")):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "file"
        path.write_text(content)
        made.append(fingerprints(dump_job(tmp_path, sections={option[0]: {option[1]: str(path)}})))
    assert made[0] == made[1]
    assert changed(made[0], made[2]) == TOUCHED[option][1] - ({"properties"} - made[0].keys())


def test_a_template_table_counts_by_its_lines_not_by_its_name(tmp_path: Path) -> None:
    made = []
    for name, content in (("a.txt", "X = {1}\n"), ("b.txt", "\nX = {1}\r\n"), ("c.txt", "X = {2}\n")):
        (tmp_path / name).write_text(content, newline="")
        made.append(fingerprints(dump_job(tmp_path, sections={"extract": {"template_table": str(tmp_path / name)}})))
    assert made[0] == made[1] != made[2]


def test_the_tokenizer_counts_by_its_content(tmp_path: Path) -> None:
    copy = tmp_path / "tokenizer"
    copy.mkdir()
    for file in TOKENIZER.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    there = {"tokenizer": {"tokenizer": str(copy)}}
    assert fingerprints(dump_job(tmp_path, sections=there)) == fingerprints(dump_job(tmp_path))
    (copy / "tokenizer.json").write_bytes((copy / "tokenizer.json").read_bytes() + b" ")
    assert changed(fingerprints(dump_job(tmp_path, sections=there)), fingerprints(dump_job(tmp_path))) == {
        "tokenizer",
        "records",
    }


def test_output_folder_and_place_of_the_dump_do_not_count_but_its_bytes_do(tmp_path: Path) -> None:
    moved = tmp_path / "genre56.xml"
    moved.write_bytes((DATA / "genre56.xml").read_bytes())
    before = fingerprints(dump_job(tmp_path / "one"))
    assert fingerprints(job_of(tmp_path / "two", moved)) == before
    moved.write_bytes(moved.read_bytes().replace(b"lightest", b"heaviest"))
    assert changed(before, fingerprints(job_of(tmp_path / "two", moved))) == ALL | DEFINITIONS | {"inputs"}


def text_job(folder: Path, **records: Any) -> Job:
    (folder / "text.jsonl").write_text('{"title": "A", "text": "B"}\n')
    (folder / "vocab.tsv").write_text("[PAD]\t0\n[UNK]\t0\n[MASK]\t0\nB\t1\n")
    return job_of(
        folder / "out",
        annotated=str(folder / "text.jsonl"),
        vocab=str(folder / "vocab.tsv"),
        sections={"input": {"language": "en"}, "records": records},
    )


def test_options_of_annotated_text(tmp_path: Path) -> None:
    before = fingerprints(text_job(tmp_path))
    assert changed(before, fingerprints(text_job(tmp_path, text=True))) == {"records"}
    assert changed(before, fingerprints(text_job(tmp_path, compat="luke-2020"))) == {"import", "tokenizer", "records"}
    job = text_job(tmp_path)
    german = replace(job, config=apply(job.config, {"input": {"language": "de"}}))
    assert changed(before, fingerprints(german)) == {"imported_vocabulary", "records"}
    (tmp_path / "vocab.tsv").write_text("[PAD]\t0\n[UNK]\t0\n[MASK]\t0\nB\t1\nC\t1\n")
    assert changed(before, fingerprints(replace(job))) == {"imported_vocabulary", "records"}


def test_a_plan_comes_back_as_it_was(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    for plan in plans_of(stages_of(dump_job(tmp_path)), dump_job(tmp_path)).values():
        assert load_plan(store, plan.stage) is None
        save_plan(store, plan)
        assert load_plan(store, plan.stage) == plan


# The list of stages.


def names(job: Job) -> list[str]:
    return [stage.name for stage in stages_of(job)]


def test_the_stages_of_a_dump_and_of_text(tmp_path: Path) -> None:
    first = ["inputs", "template_pages", "definitions", "extract"]
    assert names(dump_job(tmp_path)) == [*first, "pages", "links", "vocabulary", "tokenizer", "records"]
    by_tables = dump_job(tmp_path, sections={"extract": {"templates": "render"}})
    assert names(by_tables)[:3] == ["inputs", "extract", "pages"]
    with_properties = dump_job(tmp_path, sections={"input": {"page_props": "x.sql"}})
    assert names(with_properties)[:3] == ["inputs", "properties", "template_pages"]
    assert names(text_job(tmp_path)) == ["inputs", "import", "imported_vocabulary", "tokenizer", "records"]
    with_mentions = dump_job(tmp_path, sections={"mentions": {"mentions": True}})
    assert names(with_mentions) == [
        *first,
        *("pages", "links", "vocabulary"),
        *("mention_links", "mention_names", "name_table", "mention_texts", "mentions"),
        *("tokenizer", "records"),
    ]
    assert names(replace(with_mentions, until="tables")) == names(with_mentions)[:-2]
    assert names(dump_job(tmp_path, until="tables")) == [*first, "pages", "links", "vocabulary"]


def test_a_build_may_end_early(tmp_path: Path) -> None:
    assert names(dump_job(tmp_path, until="extract")) == ["inputs", "template_pages", "definitions", "extract"]
    assert names(dump_job(tmp_path, until="inputs")) == ["inputs"]
    with pytest.raises(UsageError, match=r"no stage 'import'.*\n.*inputs, template_pages"):
        stages_of(dump_job(tmp_path, until="import"))
    with pytest.raises(UsageError, match="no stage 'properties'"):
        stages_of(dump_job(tmp_path, until="properties"))


@pytest.mark.parametrize("order", [FROM_DUMP, FROM_TEXT])
def test_a_stage_needs_only_stages_before_it(order: tuple[str, ...]) -> None:
    for place, name in enumerate(order):
        stage = stage_by_name(name)
        assert stage.name == name
        assert set(stage.needs) <= {*FROM_DUMP, *FROM_TEXT}
        assert not set(stage.needs) & set(order[place:])
        assert stage_by_name(name) is stage


def test_an_early_end_gives_the_stages_the_same_fingerprints(tmp_path: Path) -> None:
    whole = fingerprints(dump_job(tmp_path))
    part = fingerprints(dump_job(tmp_path, until="vocabulary"))
    assert part == {name: whole[name] for name in part}
