"""Does LUKE learn what it is for? The wiki of synthetic_names.py, a run on it, and runs with a broken part beside it.

    python benchmarks/disambiguation.py names                     # minutes on two cores; see --help

What a name meant most often is right half the time. A run of which 95 % of the ambiguous names are right, over all
entities, has entity embeddings, positions, attention and heads that work together; one without the loss of entities, or
with shuffled targets (broken_luke.py), stays at the guess among a name's two entities. Prints a table, and ends with 1
where the whole does not come to 95 % or a broken one passes 60 % among the candidates. What the folder holds already is
not done again.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import synthetic_names
from broken_luke import PARTS

from wikiprep.inference.evaluation.accuracy import EstimatedShare
from wikiprep.inference.evaluation.disambiguation import AMBIGUOUS, RARE_ROW, UNSEEN, NameRow
from wikiprep.inference.evaluation.run import evaluate_checkpoint
from wikiprep.pretrain.start_training import Command, pretrain

HERE = Path(__file__).parent
WHOLE = "whole"
REACHED, GUESSED = 0.95, 0.6
BUILD = ("--tokenizer", "train:900", "--max-seq-length", "64", "--sentence-records", "--templates", "render")


def corpus_of(folder: Path, sentences: int, seed: int) -> None:
    """Write the wiki, unless it is there, and build FOLDER/corpus of it."""
    dump = folder / synthetic_names.DUMP
    if not dump.exists():
        synthetic_names.write(folder, sentences, seed)
    words = ["build-corpus", str(dump), *BUILD, "--output", str(folder / "corpus"), "--quiet"]
    subprocess.run([sys.executable, "-m", "wikiprep", *words], check=True)


def rows_of(folder: Path, part: str, settings: Sequence[str] = (), *, quiet: bool = False) -> dict[str, NameRow]:
    """Train on FOLDER/corpus with `part` broken (WHOLE: none); what `evaluate --all` says of the names."""
    text = (HERE / "luke_names.toml").read_text(encoding="utf-8")
    if part != WHOLE:
        text = text.replace('family = "luke"', 'family = "broken_luke"') + f'\n[task]\npart = "{part}"\n'
    config, run, corpus = folder / f"{part}.toml", str(folder / part), str(folder / "corpus")
    config.write_text(text, encoding="utf-8")
    pretrain(Command(corpora=(corpus,), config=str(config), output=run, settings=tuple(settings), quiet=quiet))
    return {row.kind: row for row in evaluate_checkpoint(run, [corpus], 0, None).names}


def table(found: dict[str, dict[str, NameRow]]) -> str:
    """Markdown, shares in per cent with their standard errors."""
    heads = ("run", "names", "targets", "over all", "among candidates", "mention prior", "prior, or title")
    lines = ["| " + " | ".join(heads) + " |", "| --- | --- |" + " ---: |" * 5]
    for part, rows in found.items():
        for kind in (AMBIGUOUS, UNSEEN, RARE_ROW):
            row = rows[kind]
            shares = (row.visible_top1, row.visible_among, row.mention_prior, row.prior_or_title)
            lines.append(f"| {part} | {kind} | {row.targets:,} | " + " | ".join(map(_words, shares)) + " |")
    return "\n".join(lines)


def _words(share: EstimatedShare | None) -> str:
    if share is None:
        return ""
    return f"{100 * share.value:.1f}" + ("" if share.error is None else f" ± {100 * share.error:.1f}")


def find_problems(found: dict[str, dict[str, NameRow]]) -> list[str]:
    """What is not as it should be, for people."""
    problems = []
    for part, rows in found.items():
        over_all, among = rows[AMBIGUOUS].visible_top1, rows[AMBIGUOUS].visible_among
        assert over_all is not None and among is not None
        if part == WHOLE and over_all.value < REACHED:
            problems.append(f"whole: {over_all.value:.1%} of ambiguous names are right, not {REACHED:.0%}")
        if part != WHOLE and among.value > GUESSED:
            problems.append(f"{part}: {among.value:.1%} of ambiguous names are right among their candidates")
    return problems


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="to write")
    parser.add_argument("--sentences", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", default=",".join((WHOLE, *PARTS)))
    parser.add_argument("--set", dest="settings", action="append", default=[], help="as of `wikiprep pretrain`")
    options = parser.parse_args()
    corpus_of(options.folder, options.sentences, options.seed)
    rows_by_part = {}
    for part in options.parts.split(","):
        print(part, flush=True)
        start = time.process_time()
        rows_by_part[part] = rows_of(options.folder, part, options.settings)
        print(f"{part}: {time.process_time() - start:,.0f} seconds of CPU time", flush=True)
    print(table(rows_by_part))
    if problems := find_problems(rows_by_part):
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
