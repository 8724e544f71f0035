"""A WordNet of a few words in WordNet's own format, and the real one where it is installed."""

from pathlib import Path

import pytest

from wikiprep.knowledge.wordnet import FILES, WordNet, open_wordnet, places

# part of speech -> synsets: offset, lemmas, pointers (symbol, offset, part of speech)
Synsets = dict[str, list[tuple[int, tuple[str, ...], tuple[tuple[str, int, str], ...]]]]
SYNSETS: Synsets = {
    "n": [
        (100, ("breach", "break"), ()),
        (200, ("car", "machine"), (("@", 300, "n"),)),
        (300, ("vehicle",), (("~", 200, "n"),)),
        (400, ("ice_cream",), ()),
        (500, ("Wa",), ()),
        (600, ("saw",), ()),
    ],
    "v": [
        (1_904_930, ("walk",), ()),
        (100, ("be",), (("+", 100, "n"),)),
        (700, ("break",), ()),
        (800, ("overheat",), ()),
        (900, ("give_up",), ()),
        (950, ("give",), ()),
        (980, ("see",), ()),
    ],
    "a": [(1000, ("broke",), ()), (2_000_000, ("able",), ())],
    "r": [],
}
EXCEPTIONS = {"v": "broke break\nwas be\ngave give\nsaw see\n", "n": "", "a": "", "r": ""}


def write_wordnet(folder: Path, *, debian: bool = False) -> Path:
    """With `debian` at the offsets of wordnet-base: verbs and adjectives of the middle stand a little higher."""
    for pos, synsets in SYNSETS.items():
        index: dict[str, list[int]] = {}
        data = []
        for offset, lemmas, pointers in synsets:
            shift = (18 if pos == "v" and offset > 612_841 else 0) + (pos == "a" and offset > 1_681_028)
            at = offset + debian * shift
            words = " ".join(f"{lemma} 0" for lemma in lemmas)
            to = "".join(f" {symbol} {target:08} {other} 0000" for symbol, target, other in pointers)
            data.append(f"{at:08} 00 {pos} {len(lemmas):02x} {words} {len(pointers):03}{to} | a gloss \n")
            for lemma in lemmas:
                index.setdefault(lemma.lower(), []).append(at)
        folder.mkdir(parents=True, exist_ok=True)
        lines = [
            f"{lemma} {pos} {len(at)} 0 {len(at)} 0 {' '.join(f'{o:08}' for o in at)}  \n"
            for lemma, at in index.items()
        ]
        (folder / f"index.{FILES[pos]}").write_text("  1 a licence  \n" + "".join(lines))
        (folder / f"data.{FILES[pos]}").write_text("  1 a licence  \n" + "".join(data))
        (folder / f"{FILES[pos]}.exc").write_text(EXCEPTIONS[pos])
    return folder


def real_wordnet() -> WordNet:
    """The test is skipped where WordNet 3.0 is not installed."""
    if not any((path / "index.noun").is_file() for path in places()):
        pytest.skip("WordNet 3.0 is not installed: apt-get install wordnet-base")
    return open_wordnet()
