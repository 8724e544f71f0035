"""How fast names are found in running text, against a trie look-up at every token in the same run.

    python benchmarks/find_names.py ARTICLES… [--names 1000000] [--simple-mb 0.5] [--rounds 3] [--folded]

ARTICLES are dumps (extracted first, untimed) or article parts. Links are blocked, as in counting mentions. The names
are a made-up table: all anchors and targets of the links, and from one to six words drawn as often as they stand in
the text (Zipf-like), some of them phrases of it, until there are enough; so most common words are names, as in a real
table. Each round has a new finder, since one that has seen a text is quicker on it. The simple reference
(tests/tables/mentions/simple_finder.py) runs on the first paragraphs; its spans must be the same.
In MB of text (UTF-8) per core-second, CPU time of one process, rounds alternating.
"""

import argparse
import random
import re
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.records import article_rows_of, articles_of
from tests.tables.mentions.simple_finder import SimpleFinder
from wikiprep.storage.memory_maps import open_trie
from wikiprep.tables.mentions.finder import NameFinder
from wikiprep.tables.mentions.name_table import NameTable, build_names, name_files
from wikiprep.tables.mentions.normalize import folded_name, is_name, normal_name

SHARES = (0.2, 0.4, 0.22, 0.1, 0.05, 0.03)  # of names of one word, two, …
PHRASES = 0.05  # names that stand in the text, beside those of its links


def made_up_names(texts: list[str], known: set[str], size: int, form: Callable[[str], str]) -> set[str]:
    """`known` and n-grams, half of them phrases of the text, the others words put together, `size` in all."""
    rng = random.Random(1)
    words = [word for text in texts for word in re.findall(r"\w+", text)]
    names = {name for name in map(form, known) if is_name(name)}
    lengths = list(accumulate(SHARES))
    for _ in range(20 * size):
        if len(names) >= size:
            break
        length = rng.choices(range(1, 7), cum_weights=lengths)[0]
        at = rng.randrange(len(words) - 6)
        phrase = words[at : at + length] if rng.random() < PHRASES else rng.choices(words, k=length)
        names.add(form(" ".join(phrase)))
    return names


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("articles", nargs="+")
    parser.add_argument("--names", type=int, default=1_000_000)
    parser.add_argument("--simple-mb", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folded", action="store_true")
    options = parser.parse_args()
    form = folded_name if options.folded else normal_name
    texts, blocked, known_names = [], [], set()
    for path in options.articles:
        for batch in articles_of(path):
            for row in article_rows_of(batch):
                for paragraph in row.paragraphs:
                    texts.append(paragraph.text)
                    blocked.append([(link.start, link.end) for link in paragraph.links])
                    for link in paragraph.links:
                        known_names |= {link.target, paragraph.text[link.start : link.end]}
    size = sum(len(text.encode()) for text in texts) / 1e6
    with tempfile.TemporaryDirectory() as folder:
        build_seconds = cpu(
            lambda: build_names(folder, made_up_names(texts, known_names, options.names, form), folded=options.folded)
        )
        files = [Path(folder) / file for file in name_files(folded=options.folded)]
        table = NameTable.open(folder, folded=options.folded)
        disk = " + ".join(f"{file.stat().st_size / len(table):.1f}" for file in files)
        print(
            f"{len(table)} names ({len(known_names)} from links), made up and built in {build_seconds:.1f} s, "
            f"{disk} bytes a name"
        )
        simple = SimpleFinder(open_trie(files[0]), form)
        part, part_bytes = 0, 0
        while part < len(texts) and part_bytes < options.simple_mb * 1e6:
            part_bytes += len(texts[part].encode())
            part += 1
        fast, slow, slow_spans = [], [], []
        NameFinder(table).find(texts[:10], blocked[:10])  # tables of characters are made
        for _ in range(options.rounds):
            fast.append(size / cpu(lambda: NameFinder(table).find(texts, blocked)))
            slow_spans.clear()
            seconds = cpu(lambda: slow_spans.extend(map(simple.find, texts[:part], blocked[:part])))
            slow.append(part_bytes / 1e6 / seconds)
        occurrences = NameFinder(table).find(texts, blocked)
    count = int(np.searchsorted(occurrences.text_index, part))
    columns = [
        a[:count].tolist() for a in (occurrences.text_index, occurrences.start, occurrences.end, occurrences.name_id)
    ]
    same = list(zip(*columns, strict=True)) == [(i, *spans) for i, some in enumerate(slow_spans) for spans in some]
    words = sum(len(name.split()) for name in table.names(occurrences.name_id.tolist()))
    print(f"{size:.2f} MB of text, {len(texts)} paragraphs")
    kinds = len(np.unique(occurrences.name_id))
    print(f"{len(occurrences)} occurrences of {kinds} names, {words / len(occurrences):.2f} words each")
    for name, speeds in (("fast", fast), ("simple", slow)):
        print(f"{name:6} {statistics.median(speeds):6.2f} MB/s   ({', '.join(f'{s:.2f}' for s in speeds)})")
    ratio = statistics.median(fast) / statistics.median(slow)
    print(f"fast is {ratio:.1f} times simple; same spans in the first {part_bytes / 1e6:.2f} MB ({count}): {same}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, texts and names included")


if __name__ == "__main__":
    main()
