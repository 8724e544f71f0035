"""A corpus of own text with own entities: as many records as asked for, each of as many sentences as asked for."""

import json
from collections.abc import Sequence
from pathlib import Path

from inline import job_of, run_stages

PUMPS, SENSORS = 7, 5
_PARTS = (("Valve of ward feeds the ", "pump", PUMPS), (" and is seen by a ", "sensor", SENSORS))


def own_corpus(folder: Path, sentences: Sequence[int], tokenizer: str = "train:400") -> Path:
    """Record i has `sentences[i]` sentences, of 20 to 30 tokens each, and page id i. Nothing of Wikipedia is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"asset:pump/{i}" for i in range(PUMPS)] + [f"asset:sensor/{i}" for i in range(SENSORS)]
    ids = [("[PAD]", 0), ("[UNK]", 1), ("[MASK]", 2), *((name, 3 + i) for i, name in enumerate(names))]
    with (folder / "vocab.jsonl").open("w") as file:
        file.writelines(json.dumps({"id": number, "title": title}) + "\n" for title, number in ids)
    with (folder / "own.jsonl").open("w") as file:
        file.writelines(json.dumps(_line(number, count)) + "\n" for number, count in enumerate(sentences))
    output = folder / "corpus"
    sections = {"input": {"language": "en"}, "tokenizer": {"tokenizer": tokenizer}}
    run_stages(
        job_of(output, annotated=str(folder / "own.jsonl"), vocab=str(folder / "vocab.jsonl"), sections=sections)
    )
    return output


def _line(number: int, sentences: int) -> dict[str, object]:
    text, links = "", []
    for i in range(number, number + sentences):
        for before, kind, count in _PARTS:
            name = f"{kind} {i % count}"
            start = len(text) + len(before)
            links.append({"target": f"asset:{name.replace(' ', '/')}", "start": start, "end": start + len(name)})
            text += before + name
        text += ". "
    return {"title": f"asset:valve/{number}", "text": text.strip(), "links": links, "page_id": number}
