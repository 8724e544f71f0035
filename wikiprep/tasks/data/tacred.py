"""TACRED (Zhang et al., EMNLP 2017): a JSON list of sentences with subject, object, relation; token ends inclusive."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from wikiprep.tasks.data.benchmark_files import Source, UniqueIds, join_tokens
from wikiprep.tasks.data.json_values import Value, read_json
from wikiprep.tasks.examples import RelationExample, Span

NO_RELATION = "no_relation"
RELATIONS = (
    *("org:alternate_names", "org:city_of_headquarters", "org:country_of_headquarters", "org:dissolved"),
    *("org:founded", "org:founded_by", "org:member_of", "org:members", "org:number_of_employees/members"),
    *("org:parents", "org:political/religious_affiliation", "org:shareholders", "org:stateorprovince_of_headquarters"),
    *("org:subsidiaries", "org:top_members/employees", "org:website", "per:age", "per:alternate_names"),
    *("per:cause_of_death", "per:charges", "per:children", "per:cities_of_residence", "per:city_of_birth"),
    *("per:city_of_death", "per:countries_of_residence", "per:country_of_birth", "per:country_of_death"),
    *("per:date_of_birth", "per:date_of_death", "per:employee_of", "per:origin", "per:other_family", "per:parents"),
    *("per:religion", "per:schools_attended", "per:siblings", "per:spouse", "per:stateorprovince_of_birth"),
    *("per:stateorprovince_of_death", "per:stateorprovinces_of_residence", "per:title"),
)
LABELS = (NO_RELATION, *RELATIONS)
SOURCE = Source(
    "TACRED",
    "the Linguistic Data Consortium, LDC2018T24, https://catalog.ldc.upenn.edu/LDC2018T24",
    "an LDC licence, paid for by those who are no members",
    {split: (f"{split}.json",) for split in ("train", "dev", "test")},
)
_FORM = (
    'it is a JSON list of {"id", "relation", "token": [], "subj_start", "subj_end", "obj_start", "obj_end"}, '
    "the ends inclusive"
)


def read(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[RelationExample], list[Path]]:
    """The examples of a split and its file."""
    path = SOURCE.find(folder, split)
    return list(read_file(path, left_out)), [path]


def read_file(path: Path, left_out: Counter[str]) -> Iterator[RelationExample]:
    """The examples of a file; nothing is left out.

    Raises WikiprepError that names the place of what is not as it must be.
    """
    ids = UniqueIds()
    for item in read_json(path, _FORM).items():
        text, words = join_tokens(item.texts("token"))
        name = ids.take(item.text("id"), item.place)
        head, tail = (_span(item, role, words) for role in ("subj", "obj"))
        label = item.text("relation")
        if label not in LABELS:
            raise item.bad(f"{label!r} is no relation of TACRED")
        tags = item.texts("stanford_pos") if item.has("stanford_pos") else ()
        if tags and len(tags) != len(words):
            raise item.bad(f"has {len(words)} tokens, and {len(tags)} tags in stanford_pos")
        tagged_words = tuple((start, end, tag) for (start, end), tag in zip(words, tags, strict=False))
        yield RelationExample(name, text, head, tail, label, tagged_words)


def _span(item: Value, role: str, words: tuple[Span, ...]) -> Span:
    first, end = item.span(item.number(f"{role}_start"), item.number(f"{role}_end") + 1, len(words), "the tokens")
    return words[first][0], words[end - 1][1]
