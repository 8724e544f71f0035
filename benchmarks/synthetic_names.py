"""Writes a made-up wiki whose names mean two things each, and whose sentences say which: what a LUKE is there to learn.

    python benchmarks/synthetic_names.py names                    # 50,000 sentences; see --help
    wikiprep build-corpus names/nameswiki-pages-articles.xml --tokenizer train:1200 --max-seq-length 40 \\
      --output names/corpus
    wikiprep pretrain --corpus names/corpus --config benchmarks/luke_names.toml --output names/run
    wikiprep evaluate names/run --corpus names/corpus --all

`disambiguation.py` does all of it, with broken parts beside. Two entities of unlike subjects (a river, a singer, …)
have each name, are spoken of equally often and never otherwise: what a name meant most often is right half the time.
A sentence has two clauses about two mentions, and in each one word of its subject, before or behind the mention: so it
matters where a mention stands, and what another clause says is of no use. Some entities are rare (one to nine
sentences); they are called by their whole title or by its first word, so that some names are in no page of training.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from made_wiki import chronicles, link, make_name, write_wiki

from wikiprep.sample.make_dump import SamplePage

SITE = {"sitename": "Namespedia", "dbname": "nameswiki", "base": "https://names.invalid/wiki/Main_Page",
        "generator": "MediaWiki 1.45.0"}  # fmt: skip
DUMP = "nameswiki-pages-articles.xml"
# Of each subject: what is said with its name, one word of it at a time; no word is of two subjects.
SUBJECTS = {
    "river": ("water", "ferry", "flood", "bridge", "weir", "eel"),
    "singer": ("song", "voice", "concert", "chorus", "album", "stage"),
    "village": ("church", "mayor", "market", "farm", "inn", "school"),
    "ship": ("captain", "mast", "cargo", "deck", "sailor", "anchor"),
    "painter": ("canvas", "brush", "portrait", "studio", "gallery", "easel"),
    "mountain": ("summit", "glacier", "climber", "ridge", "cliff", "snow"),
    "battle": ("army", "general", "cannon", "retreat", "siege", "wound"),
    "novel": ("chapter", "reader", "plot", "author", "page", "heroine"),
    "moth": ("wing", "larva", "cocoon", "antenna", "insect", "night"),
    "team": ("goal", "coach", "league", "fan", "striker", "referee"),
    "star": ("telescope", "planet", "orbit", "astronomer", "spectrum", "dwarf"),
    "opera": ("aria", "tenor", "libretto", "overture", "soprano", "orchestra"),
}
# {n}: the mention; {w}: a word of its subject.
CLAUSES = (
    "the {w} of {n} is known", "one spoke of the {w} at {n}", "{n} has a {w} of old", "every {w} tells of {n}",
    "they asked {n} for a {w}", "{n} never lost the {w}", "a {w} was named for {n}", "of {n} the {w} is best",
)  # fmt: skip
JOINTS = (" and ", " while ", ", but ", "; then ")
BEGINNINGS = ("In time ", "It is said that ", "Long ago ", "As we read, ")
NAME_TIMES = 4000  # mentions of a name, half of them of each of its two entities
RARE_MOST = 9


@dataclass(frozen=True)
class Entity:
    """`names`: what it is called by, one of them at a time."""

    title: str
    subject: str
    names: tuple[str, ...]


def entities_of(count: int, rng: np.random.Generator) -> tuple[list[Entity], list[Entity]]:
    """Two entities for each of `count` names, and as many rare ones as names."""
    used_names: set[str] = set()
    subjects = tuple(SUBJECTS)
    ambiguous, rare = [], []
    for _ in range(count):
        name = make_name(rng, used_names)
        used_names.add(name)
        for subject in rng.choice(subjects, 2, replace=False).tolist():
            ambiguous.append(Entity(f"{name} ({subject})", subject, (name,)))
    for _ in range(count):
        first, last = (make_name(rng, used_names) for _ in range(2))
        used_names.update((first, last))
        title = f"{first} {last}"
        rare.append(Entity(title, subjects[rng.integers(len(subjects))], (title, first)))
    return ambiguous, rare


def mentions_of(ambiguous: list[Entity], rare: list[Entity], count: int, rng: np.random.Generator) -> list[Entity]:
    """`count` mentions, shuffled: each rare entity one to nine times, the others equally often but for one."""
    rare_mentions = [one for one in rare for _ in range(int(rng.integers(1, RARE_MOST + 1)))][:count]
    common_mentions = [ambiguous[number % len(ambiguous)] for number in range(count - len(rare_mentions))]
    mentions = rare_mentions + common_mentions
    return [mentions[number] for number in rng.permutation(count).tolist()]


def sentences_of(mentions: list[Entity], rng: np.random.Generator) -> list[str]:
    """Wikitext; each has the next two of the mentions."""
    sentences = []
    for first, second in zip(mentions[::2], mentions[1::2], strict=True):
        clauses = f"{_clause(first, rng)}{rng.choice(JOINTS)}{_clause(second, rng)}"
        sentences.append(f"{rng.choice(BEGINNINGS)}{clauses}.")
    return sentences


def _clause(entity: Entity, rng: np.random.Generator) -> str:
    mention = link(entity.title, str(rng.choice(entity.names)))
    return str(rng.choice(CLAUSES)).format(n=mention, w=rng.choice(SUBJECTS[entity.subject]))


def pages_of(entities: list[Entity], sentences: list[str]) -> Iterator[SamplePage]:
    """A page an entity, without a link; then chronicles."""
    for number, entity in enumerate(entities, 1):
        yield SamplePage(number, 0, entity.title, None, f"'''{entity.names[0]}''' is of this wiki.")
    yield from chronicles(sentences, len(entities) + 1)


def write(folder: Path, sentences: int, seed: int, names: int | None = None) -> None:
    """The dump, a function of the numbers given; `names`: ambiguous ones, one for NAME_TIMES mentions if not given."""
    rng = np.random.default_rng(seed)
    ambiguous, rare = entities_of(names or max(3, 2 * sentences // NAME_TIMES), rng)
    texts = sentences_of(mentions_of(ambiguous, rare, 2 * sentences, rng), rng)
    write_wiki(folder, SITE, pages_of(ambiguous + rare, texts), ())
    print(f"{folder}: {len(ambiguous) // 2:,} names of two entities each, {len(rare):,} rare entities, "
          f"{len(texts):,} sentences")  # fmt: skip


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="to write")
    parser.add_argument("--sentences", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write(options.folder, options.sentences, options.seed)


if __name__ == "__main__":
    main()
