"""Writes FewRel's sentences as a wiki with its Wikidata items: real aligned English sentences that SPOT can learn from.

    python benchmarks/fewrel_facts.py fewrel fewrel-facts         # every second of the 16 relations; see --help
    wikiprep build-corpus fewrel-facts/fewrelwiki-pages-articles.xml \\
      --wikidata fewrel-facts/fewrelwiki-wikidata.json \\
      --preset spot --tokenizer MINILM/tokenizer.json --output fewrel-facts/corpus
    wikiprep pretrain --corpus fewrel-facts/corpus --config benchmarks/spot_fewrel.toml --set model.start=MINILM \\
      --output fewrel-facts/run
    wikiprep evaluate fewrel-facts/run --corpus fewrel-facts/corpus --all

The relations that are left out are printed for `wikiprep cluster relations fewrel --labels`: no sentence of theirs is
in the corpus. A sentence is a paragraph with two links, to head and tail, by FewRel's words and their QIDs. Sentences
whose head and tail share words are left out and counted, as are those whose pair of items stands in a relation of the
other part too.
"""

import argparse
import hashlib
import html
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from made_wiki import add_statement, item, wikidata_property, write_wiki

from wikiprep.sample.make_dump import SamplePage

SITE = {"sitename": "FewRel", "dbname": "fewrelwiki", "base": "https://fewrel.invalid/wiki/Main_Page",
        "generator": "MediaWiki 1.45.0"}  # fmt: skip
PAGE_SENTENCES = 20


@dataclass(frozen=True)
class Mention:
    """`name` as FewRel has it, in small letters; `[start, end)` in tokens."""

    name: str
    item: str
    start: int
    end: int


@dataclass(frozen=True)
class Sentence:
    """`head` stands in `relation` to `tail`."""

    tokens: tuple[str, ...]
    relation: str
    head: Mention
    tail: Mention


def read(path: Path) -> list[Sentence]:
    """In the order of the file; of a mention that comes several times the first."""
    sentences = []
    for relation, examples in json.loads(path.read_text(encoding="utf-8")).items():
        for example in examples:
            sides = [Mention(name, number, places[0][0], places[0][-1] + 1)
                     for name, number, places in (example["h"], example["t"])]  # fmt: skip
            sentences.append(Sentence(tuple(example["tokens"]), relation, *sides))
    return sentences


def split(sentences: list[Sentence]) -> tuple[set[str], set[str]]:
    """Every second relation by its number, and the others."""
    names = sorted({one.relation for one in sentences}, key=lambda name: int(name[1:]))
    return set(names[::2]), set(names[1::2])


def usable(sentences: list[Sentence], relations: set[str], left_out: Counter[str]) -> Iterator[Sentence]:
    """Those of `relations`; counts why others of them are not."""
    other_pairs = {
        frozenset((sentence.head.item, sentence.tail.item))
        for sentence in sentences
        if sentence.relation not in relations
    }
    for sentence in sentences:
        if sentence.relation not in relations:
            continue
        if sentence.head.start < sentence.tail.end and sentence.tail.start < sentence.head.end:
            left_out["head and tail share words"] += 1
        elif frozenset((sentence.head.item, sentence.tail.item)) in other_pairs:
            left_out["the pair is of a relation that is left out too"] += 1
        else:
            yield sentence


def titles_of(sentences: list[Sentence]) -> dict[str, str]:
    """Of each item a title of its own: its first name, with the item where another one has that name."""
    titles: dict[str, str] = {}
    used_titles: set[str] = set()
    for mention in (side for one in sentences for side in (one.head, one.tail)):
        if mention.item not in titles:
            name = " ".join(re.sub(r"[\[\]{}|#<>_:/&%+?]", " ", mention.name).split()) or "unnamed"
            name = name[:1].upper() + name[1:]
            titles[mention.item] = title = name if name not in used_titles else f"{name} ({mention.item})"
            used_titles.add(title)
    return titles


def wikitext(sentence: Sentence, titles: dict[str, str]) -> str:
    """A paragraph; words are no markup, whatever they are."""
    text, position = "", 0
    for mention in sorted((sentence.head, sentence.tail), key=lambda side: side.start):
        label = _plain(sentence.tokens[mention.start : mention.end])
        text += f"{_plain(sentence.tokens[position : mention.start])} [[{titles[mention.item]}|{label}]] "
        position = mention.end
    return (text + _plain(sentence.tokens[position:])).strip()


def _plain(tokens: tuple[str, ...]) -> str:
    words = html.escape(" ".join(tokens), quote=False)
    return f"<nowiki>{words}</nowiki>" if words else ""


def pages_of(sentences: list[Sentence], titles: dict[str, str]) -> Iterator[SamplePage]:
    """A page an item, without a link; then the sentences, one a paragraph."""
    for number, (name, title) in enumerate(titles.items(), 1):
        yield SamplePage(number, 0, title, None, f"An item, {name}.")
    for number, start in enumerate(range(0, len(sentences), PAGE_SENTENCES), 1):
        text = "\n\n".join(wikitext(one, titles) for one in sentences[start : start + PAGE_SENTENCES])
        yield SamplePage(len(titles) + number, 0, f"Sentences {number}", None, text)


def items_of(sentences: list[Sentence], titles: dict[str, str], labels: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Each with what the sentences say of it, once."""
    facts: dict[str, dict[tuple[str, str], None]] = {}
    for sentence in sentences:
        facts.setdefault(sentence.head.item, {})[sentence.relation, sentence.tail.item] = None
    for name, title in titles.items():
        wikidata_item = item(name, title, SITE["dbname"], title)
        for relation, target in facts.get(name, ()):
            add_statement(wikidata_item, relation, target)
        yield wikidata_item
    for relation in sorted({sentence.relation for sentence in sentences}):
        yield wikidata_property(relation, labels[relation])


def write(data: Path, folder: Path) -> None:
    """The dump and the items of one half of the relations."""
    all_sentences = read(data / "val_wiki.json")
    names = json.loads((data / "pid2name.json").read_text(encoding="utf-8"))
    kept_relations, other_relations = split(all_sentences)
    left_out: Counter[str] = Counter()
    sentences = list(usable(all_sentences, kept_relations, left_out))
    # So that a page, and a batch, has sentences of all relations.
    sentences.sort(key=hash_of)
    titles = titles_of(sentences)
    labels = {name: names[name][0] for name in kept_relations}
    write_wiki(folder, SITE, pages_of(sentences, titles), items_of(sentences, titles, labels))
    print(f"{folder}: {len(sentences):,} sentences, {len(titles):,} items, {len(kept_relations)} relations; left out: "
          f"{dict(left_out)}")  # fmt: skip
    print(f"the other relations: {','.join(sorted(other_relations, key=lambda name: int(name[1:])))}")


def hash_of(sentence: Sentence) -> str:
    """An order that has nothing to do with the relation, the same everywhere."""
    return hashlib.sha256(json.dumps([sentence.tokens, sentence.head.item]).encode()).hexdigest()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="FewRel's folder: val_wiki.json, pid2name.json")
    parser.add_argument("folder", type=Path, help="to write")
    options = parser.parse_args()
    write(options.data, options.folder)


if __name__ == "__main__":
    main()
