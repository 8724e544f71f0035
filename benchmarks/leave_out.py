"""How many MB of text a core-second are searched for listed sentences?

`python benchmarks/leave_out.py CORPUS`: the paragraphs of a corpus, and sentences made of twelve of its words
(`--sentences 10 1000 100000`). The baseline looks for each sentence in each text with `in`, for the fewest and the most
sentences, on as many texts as a few seconds allow.
"""

import argparse
import random
import time

from wikiprep.corpus.articles import read_articles
from wikiprep.files import Store
from wikiprep.leave_out.lists import words_of
from wikiprep.leave_out.sentences import SentenceFinder

SECONDS = 5.0


def texts_of(corpus: str) -> list[str]:
    store = Store(corpus)
    return [
        paragraph["text"]
        for path in store.list("articles")
        for batch in read_articles(store.fetch(path), ["paragraphs.list.element.text"])
        for row in batch.to_pylist()
        for paragraph in row["paragraphs"]
    ]


def rate(texts: list[str], search: object) -> float:
    """MB a second of CPU time, over as many texts as SECONDS allow."""
    assert callable(search)
    start, byte_count = time.process_time(), 0
    for text in texts:
        search(text)
        byte_count += len(text.encode())
        if time.process_time() - start > SECONDS:
            break
    return byte_count / 1e6 / (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("--sentences", type=int, nargs="+", default=[10, 1000, 100_000])
    options = parser.parse_args()
    texts = texts_of(options.corpus)
    rng = random.Random(1)
    words = [word for text in texts for word in words_of(text)]
    for count in sorted(options.sentences):
        sentences = [" ".join(rng.choice(words) for _ in range(12)) for _ in range(count)]
        finder = SentenceFinder(sentences)
        line = f"{count:>9,} sentences: {rate(texts, finder.may_have):.1f} MB/s"
        if count == min(options.sentences):
            plain = rate(texts, lambda text, listed_sentences=sentences: any(s in text for s in listed_sentences))
            line += f"; each looked for in each text: {plain:.1f} MB/s"
        if count == max(options.sentences):
            plain = rate(texts[:200], lambda text, listed_sentences=sentences: any(s in text for s in listed_sentences))
            line += f"; each looked for in each text: {plain:.4f} MB/s"
        print(line)


if __name__ == "__main__":
    main()
