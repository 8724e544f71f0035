"""WordNet 3.0 from its own files (wndb(5WN)): lemmas with their synsets in order of sense, exceptions, pointers.

Also lemmas of word forms by its rules (morphy(7WN)), and how many neighbours a word has, for informed masking.

Read here and not by a library: NLTK's reader needs files that Debian's package lacks (lexnames, index.sense), `wn`
needs a download, and neither knows of the offsets below.

Debian's `wordnet-base` has corrected glosses, so that many of its synsets stand at other bytes than Princeton's, and
the offset is what WN18 calls an entity by. Offsets are put right as they are read: a synset here is (part of speech,
offset in Princeton's files).
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge.text_words import ADJECTIVE, ADVERB, NOUN, PARTS_OF_SPEECH, VERB

Synset = tuple[str, int]  # part of speech (n, v, a, r; satellites are a), offset

FILES = {NOUN: "noun", VERB: "verb", ADJECTIVE: "adj", ADVERB: "adv"}
_HINT = (
    "WordNet 3.0 is Debian's package wordnet-base (apt-get install wordnet-base), or Princeton's WordNet-3.0.tar.gz: "
    "name its folder dict/ (--wordnet; of finetune --set knowledge.wordnet=FOLDER)"
)
# By symbol, what WN18 calls the pointers: wninput(5WN) and the names of Bordes et al. 2013.
POINTERS = {
    "@": "_hypernym", "~": "_hyponym", "@i": "_instance_hypernym", "~i": "_instance_hyponym",
    "#m": "_member_holonym", "%m": "_member_meronym", "#p": "_part_of", "%p": "_has_part",
    "+": "_derivationally_related_form", "&": "_similar_to", "^": "_also_see", "$": "_verb_group",
    ";c": "_synset_domain_topic_of", "-c": "_member_of_domain_topic",
    ";r": "_synset_domain_region_of", "-r": "_member_of_domain_region",
    ";u": "_synset_domain_usage_of", "-u": "_member_of_domain_usage",
}  # fmt: skip
_RULES = {
    NOUN: (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
           ("ies", "y")),
    VERB: (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    ADVERB: (),
}  # fmt: skip
# wninput(5WN) has these beside those that WN18 names: antonym, participle, pertainym, entailment, cause, attribute,
# and of what a thing is made.
_OTHERS = {"!", "<", "\\", "*", ">", "=", "#s", "%s"}
SYMBOLS = frozenset(POINTERS) | _OTHERS


def _princeton_offset(pos: str, offset: int) -> int:
    """Of an offset of Debian's wordnet-base (measured over all synsets of WN18)."""
    if pos == VERB and 612_841 < offset <= 2_422_681:
        return offset - 18
    return offset - 1 if pos == ADJECTIVE and offset > 1_681_028 else offset


@dataclass(frozen=True)
class WordNet:
    """`senses[pos][lemma]`: synsets' offsets, the first sense first; lemmas in lower case with underscores.

    `exceptions[pos][form]`: lemmas of irregular forms. `debian`: the files' own offsets are Debian's.
    """

    folder: Path
    debian: bool
    senses: Mapping[str, Mapping[str, tuple[int, ...]]]
    exceptions: Mapping[str, Mapping[str, tuple[str, ...]]]

    def pointers(self) -> Iterator[tuple[Synset, str, Synset]]:
        """All pointers, of synsets and of words in them, as (synset, symbol, synset); some repeat."""
        for pos in PARTS_OF_SPEECH:
            for line in _read_lines(self.folder / f"data.{FILES[pos]}"):
                fields = line.split(" | ", 1)[0].split()
                count_index = 4 + 2 * int(fields[3], 16)
                source = pos, self._offset(pos, int(fields[0]))
                for i in range(count_index + 1, count_index + 1 + 4 * int(fields[count_index]), 4):
                    target = "a" if fields[i + 2] == "s" else fields[i + 2]
                    yield source, fields[i], (target, self._offset(target, int(fields[i + 1])))

    @cached_property
    def links(self) -> frozenset[tuple[Synset, str, Synset]]:
        """The pointers that WN18 has names for (POINTERS), by these names."""
        return frozenset((a, POINTERS[symbol], b) for a, symbol, b in self.pointers() if symbol in POINTERS)

    def _offset(self, pos: str, offset: int) -> int:
        return _princeton_offset(pos, offset) if self.debian else offset


def open_wordnet(folder: str | Path | None = None) -> WordNet:
    """Read WordNet of a folder with index.noun and its like, or of where it is installed (`places`).

    Raises WikiprepError where it is missing, another version, or damaged.
    """
    path = _find_folder(folder)
    raw = {pos: _read_senses(path / f"index.{FILES[pos]}") for pos in PARTS_OF_SPEECH}
    walk = raw[VERB].get("walk", (0,))[0]  # a verb in the shifted region tells whose files these are
    if walk not in (1_904_930, 1_904_948):
        raise WikiprepError(f"{path}: is not WordNet 3.0, whose offsets the graphs use", _HINT)
    debian = walk == 1_904_948
    if debian:
        for pos in (VERB, ADJECTIVE):
            raw[pos] = {lemma: tuple(_princeton_offset(pos, o) for o in offsets) for lemma, offsets in raw[pos].items()}
    return WordNet(path, debian, raw, {pos: _read_exceptions(path / f"{FILES[pos]}.exc") for pos in PARTS_OF_SPEECH})


def places() -> list[Path]:
    """Where WordNet is looked for: its own variables, Debian's folder, NLTK's data."""
    variables = [os.environ.get("WNSEARCHDIR", ""), os.environ.get("WNHOME", "")]
    homes = [Path(variables[0])] if variables[0] else []
    homes += [Path(variables[1], "dict")] if variables[1] else []
    nltk = [Path(part) for part in os.environ.get("NLTK_DATA", "").split(os.pathsep) if part]
    nltk += [Path.home() / "nltk_data", Path("/usr/share/nltk_data")]
    return [*homes, Path("/usr/share/wordnet"), *(path / "corpora" / "wordnet" for path in nltk)]


def _find_folder(folder: str | Path | None) -> Path:
    if folder is not None:
        for path in (Path(folder), Path(folder, "dict")):
            if (path / "index.noun").is_file():
                return path
        raise UsageError(f"{folder}: no WordNet (no index.noun in it)", _HINT)
    for path in places():
        if (path / "index.noun").is_file():
            return path
    raise UsageError("WordNet is not installed, and its words are what the graph's entities are found by", _HINT)


def _read_lines(path: Path) -> Iterator[str]:
    """Without the licence, whose lines begin with two blanks."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            yield from (line for line in file if not line.startswith("  "))
    except FileNotFoundError as error:
        raise WikiprepError(f"{path}: is missing", _HINT) from error


def _read_senses(path: Path) -> dict[str, tuple[int, ...]]:
    senses = {}
    for number, line in enumerate(_read_lines(path), 1):
        fields = line.split()
        try:
            count = int(fields[2])
            senses[fields[0]] = tuple(int(field) for field in fields[-count:])
        except (IndexError, ValueError) as error:
            raise WikiprepError(
                f"{path}: entry {number} is not one of WordNet's index: {line[:60]!r}", _HINT
            ) from error
    return senses


def _read_exceptions(path: Path) -> dict[str, tuple[str, ...]]:
    return {fields[0]: tuple(fields[1:]) for line in _read_lines(path) if (fields := line.split())}


def listed_lemmas(wordnet: WordNet, form: str, pos: str) -> Iterator[str]:
    """The lemmas of `form` (lower case, underscores) without a rule: those of the exception list, then itself."""
    known_lemmas = wordnet.senses[pos]
    yield from (lemma for lemma in wordnet.exceptions[pos].get(form, ()) if lemma in known_lemmas)
    if form in known_lemmas:
        yield form


def lemmas_by_rule(wordnet: WordNet, form: str, pos: str) -> Iterator[str]:
    """Those that a rule gives.

    Of nouns in -ful the part before it is bent ("boxesful"); short nouns and those in -ss are not plural.
    """
    known_lemmas = wordnet.senses[pos]
    end = "ful" if pos == NOUN and form.endswith("ful") else ""
    if pos == NOUN and (len(form) <= 2 or form.endswith("ss")):
        return
    bare = form.removesuffix(end)
    for suffix, replacement in _RULES[pos]:
        if bare.endswith(suffix):
            lemma = bare.removesuffix(suffix) + replacement + end
            if lemma in known_lemmas:
                yield lemma
    # Of several words, one that is not the last may be bent: "gave up", "attorneys general".
    first, _, rest = form.partition("_")
    if rest:
        for first_lemma in (*listed_lemmas(wordnet, first, pos), *lemmas_by_rule(wordnet, first, pos)):
            if first_lemma != first and f"{first_lemma}_{rest}" in known_lemmas:
                yield f"{first_lemma}_{rest}"


def lemmas(wordnet: WordNet, form: str, pos: str) -> list[str]:
    """All lemmas of `form` as this part of speech, the likeliest first, without repeats."""
    return list(dict.fromkeys((*listed_lemmas(wordnet, form, pos), *lemmas_by_rule(wordnet, form, pos))))


def neighbour_counts(wordnet: WordNet, symbols: Iterable[str] | None = None) -> dict[Synset, int]:
    """Of each synset the number of different synsets that a pointer of it, or of a word in it, leads to; not itself.

    `symbols`: pointers that count (wninput(5WN): `@` hypernym, `~` hyponym, `#m` member holonym …); None: all.
    Raises UsageError for a symbol that WordNet has not.
    """
    chosen_symbols = SYMBOLS if symbols is None else frozenset(symbols)
    if unknown := sorted(chosen_symbols - SYMBOLS):
        raise UsageError(f"pointers: WordNet has no {' '.join(unknown)}", f"it has {' '.join(sorted(SYMBOLS))}")
    neighbours: defaultdict[Synset, set[Synset]] = defaultdict(set)
    for source, symbol, target in wordnet.pointers():
        if symbol in chosen_symbols and target != source:
            neighbours[source].add(target)
    return {synset: len(targets) for synset, targets in neighbours.items()}


def word_synsets(wordnet: WordNet, word: str) -> list[Synset]:
    """All synsets of all lemmas of `word` in every part of speech, each once.

    One upper-case letter in front is a sentence's; a word with others ("NASA", "iPod") is looked up in no other case,
    and since WordNet's index is in lower case, not found.
    """
    form = word[:1].lower() + word[1:]
    synsets = [
        (pos, offset)
        for pos in PARTS_OF_SPEECH
        for lemma in lemmas(wordnet, form, pos)
        for offset in wordnet.senses[pos][lemma]
    ]
    return list(dict.fromkeys(synsets))


def word_neighbours(wordnet: WordNet, counts: Mapping[Synset, int], word: str, *, total: bool = False) -> float | None:
    """Neighbours of a word: the mean over its synsets, so that many senses alone do not prefer it; or their sum.

    None for a word that WordNet lacks.
    """
    synsets = word_synsets(wordnet, word)
    if not synsets:
        return None
    neighbour_count = sum(counts.get(synset, 0) for synset in synsets)
    return float(neighbour_count) if total else neighbour_count / len(synsets)
