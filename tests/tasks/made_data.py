"""Small data sets of every task in the forms they are published in.

Made by rule, so that a small model can learn them."""

import json
from collections.abc import Callable
from pathlib import Path

NAMES = ("Anna", "Bert", "Clara", "David", "Emma", "Felix")
PLACES = ("Paris", "Rome", "Oslo", "Bern", "Lima", "Cairo")
SIZES = {"train": 120, "dev": 24, "test": 24}


def open_entity(folder: Path) -> None:
    """Whoever sings is a person, what is visited a place."""
    for number, (part, size) in enumerate(SIZES.items()):
        made = []
        for n in range(size):
            name = (NAMES + PLACES)[(n * 5 + number) % 12]
            person = n % 2 == 0
            before, behind = ("Yesterday ", " sang a song.") if person else ("They visited ", " again.")
            labels = ["person", "entity"] if person else ["location", "place"]
            if part == "dev" and n == 0:
                labels = [*labels, "time"]
            made.append(
                {
                    "sent": before + name + behind,
                    "start": len(before),
                    "end": len(before) + len(name),
                    "labels": labels,
                    "ents": [],
                }
            )
        (folder / f"{part}.json").write_text(json.dumps(made))


def figer(folder: Path) -> None:
    """Open Entity's data with types that are paths."""
    open_entity(folder)
    paths = {"person": "/person", "entity": "/person/artist", "location": "/location", "place": "/location/city"}
    for part in SIZES:
        made = json.loads((folder / f"{part}.json").read_text())
        for one in made:
            one["labels"] = [paths.get(label, "/time") for label in one["labels"]]
        (folder / f"{part}.json").write_text(json.dumps(made))


def tacred(folder: Path) -> None:
    """The verb tells the relation; the object may stand before the subject."""
    verbs = {"founded": "org:founded_by", "joined": "per:employee_of", "saw": "no_relation"}
    for number, (part, size) in enumerate(SIZES.items()):
        made = []
        for n in range(size):
            verb = list(verbs)[n % 3]
            tokens = ["In", str(1900 + n), NAMES[n % 6], verb, PLACES[(n * 5 + number) % 6], "Inc", "."]
            subject, obj = ((2, 2), (4, 5)) if verb != "founded" else ((4, 5), (2, 2))
            made.append(
                {
                    "id": f"{part}{n}",
                    "docid": "d",
                    "relation": verbs[verb],
                    "token": tokens,
                    "subj_start": subject[0],
                    "subj_end": subject[1],
                    "obj_start": obj[0],
                    "obj_end": obj[1],
                    "subj_type": "PERSON",
                    "obj_type": "ORGANIZATION",
                }
            )
        (folder / f"{part}.json").write_text(json.dumps(made))


def fewrel(folder: Path) -> None:
    """Two properties."""
    made: dict[str, list[object]] = {"P177": [], "P26": []}
    for label, verb in (("P177", "crosses"), ("P26", "married")):
        for n in range(70):
            tokens = ["Then", NAMES[n % 6], verb, PLACES[(n * 5) % 6], f"in {1900 + n}".split()[1], "."]
            made[label].append({"tokens": tokens, "h": ["a", "Q1", [[1]]], "t": ["b", "Q2", [[3]]]})
    (folder / "val_wiki.json").write_text(json.dumps(made))


def _columns(part: str, size: int, sentence: Callable[[int], list[tuple[str, str]]], mark: str, form: str) -> str:
    lines = []
    for n in range(size):
        if mark and n % 3 == 0:
            lines += [mark, ""]
        lines += [form.format(word, tag) for word, tag in sentence(n + len(part))] + [""]
    return "\n".join(lines) + "\n"


def _ner(n: int) -> list[tuple[str, str]]:
    name, place = NAMES[n % 6], PLACES[(n * 5 + n // 6) % 6]
    return [("Mr", "O"), (name, "I-PER"), ("Smith", "I-PER"), ("is", "O"), ("in", "O"), (place, "I-LOC"), (".", "O")]


def conll2003(folder: Path) -> None:
    """Four columns, IOB1, documents of three sentences; dev has a type that train lacks."""
    for part, name in (("train", "eng.train"), ("dev", "eng.testa"), ("test", "eng.testb")):
        text = _columns(part, SIZES[part], _ner, "-DOCSTART- -X- O O", "{} NN I-NP {}")
        if part == "dev":
            text += "\nOpel NNP I-NP I-ORG\ngrew VB I-VP O\n"
        (folder / name).write_text(text)


def wnut17(folder: Path) -> None:
    """Two columns with a tab, IOB2, no documents."""

    def sentence(n: int) -> list[tuple[str, str]]:
        first = {"I-PER": "B-person", "I-LOC": "B-location", "O": "O"}
        made = [(word, first[tag]) for word, tag in _ner(n)]
        made[2] = ("Smith", "I-person")
        return made

    files = {"train": "wnut17train.conll", "dev": "emerging.dev.conll", "test": "emerging.test.annotated"}
    for part, name in files.items():
        (folder / name).write_text(_columns(part, SIZES[part], sentence, "", "{}\t{}"))


def record(folder: Path) -> None:
    """Who is in the place that the question names; ends are inclusive."""
    for part in ("train", "dev"):
        data = []
        for n in range(SIZES[part]):
            people = (NAMES[n % 6], NAMES[(n + 1 + n // 6 % 4) % 6])
            place = PLACES[n % 6]
            text = f"{people[0]} is in {place} .\n{people[1]} stays home .\n@highlight\nIt rains"
            spans = [(text.index(word), text.index(word) + len(word) - 1) for word in (*people, place)]
            data.append(
                {
                    "id": f"a{n}",
                    "source": "made",
                    "passage": {"text": text, "entities": [{"start": a, "end": b} for a, b in spans]},
                    "qas": [
                        {
                            "id": f"{part}-{n}",
                            "query": f"Today @placeholder is in {place}",
                            "answers": [{"start": spans[0][0], "end": spans[0][1], "text": people[0]}],
                        }
                    ],
                }
            )
        (folder / f"{part}.json").write_text(json.dumps({"version": "1.0", "data": data}))


def squad(folder: Path) -> None:
    """Where somebody lives; passages with entities as `annotate-squad` writes them, some longer than a sequence."""
    for number, (part, name) in enumerate((("train", "train-v1.1.json"), ("dev", "dev-v1.1.json"))):
        paragraphs = []
        for n in range(SIZES[part]):
            who, place = NAMES[n % 6], PLACES[(n * 5 + n // 6 + number) % 6]
            filler = "The Sun shines and the day is long . " * (14 if n % 8 == 0 else 1)
            behind = filler if n % 16 == 0 else ""
            context = f"Mars is far . {filler}{who} lives in {place} since long . Pluto is small . {behind}"
            question = f"Where on Mars does {who} live ?"
            spans = []
            for title in ("Mars", "Sun", "Pluto"):
                at = context.index(title)
                spans.append({"start": at, "end": at + len(title), "name": title, "target": title, "qid": None})
            asked = {"id": f"{part}{n}", "question": question, "answers": []}
            asked["answers"] = [{"text": place, "answer_start": context.index(f"in {place}") + 3}] * 2
            at = question.index("Mars")
            asked["entities"] = [{"start": at, "end": at + 4, "name": "Mars", "target": "Mars", "qid": "Q111"}]
            paragraphs.append({"context": context, "entities": spans, "qas": [asked]})
        made = {"version": "1.1", "data": [{"title": "Solar_System", "paragraphs": paragraphs}]}
        (folder / name).write_text(json.dumps(made))


MAKERS = {
    "open-entity": open_entity,
    "figer": figer,
    "tacred": tacred,
    "fewrel": fewrel,
    "conll2003": conll2003,
    "wnut17": wnut17,
    "record": record,
    "squad": squad,
}
