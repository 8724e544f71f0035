"""Trains the sample's tokenizer: `python -m wikiprep.sample.make_tokenizer` writes tokenizer/tokenizer.json anew.

It is trained on the sources with their markup taken off roughly, and not on what the extractor makes of them: so the
tokenizer, and with it every id in the sample's records, stays as it is when the extractor gets better.
"""

import re
from collections.abc import Iterator

from wikiprep.corpus.tokenizers import save_tokenizer, train_tokenizer
from wikiprep.sample import tokenizer_path
from wikiprep.sample.make_dump import HERE, read_pages

SIZE = 4000

_DROPPED = re.compile(r"<!--.*?-->|<ref[^>]*/>|<ref.*?</ref>|\[\[(?:Category|File):.*?\]\]|<[^<>]*>", re.DOTALL)
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_MARKUP = re.compile(r"\{\{[^{}|]*\|?|\}\}|'{2,}|={2,}|\{\||\|\}|\|-|[\[\]|]+")


def plain(text: str) -> str:
    """The words of wikitext, near enough to learn from."""
    text = _DROPPED.sub("", text)
    return re.sub(r"[ \t]+", " ", _MARKUP.sub(" ", _LINK.sub(r"\1", text)))


def training_lines() -> Iterator[str]:
    """The lines of every article, in the order of page ids."""
    for page in read_pages(sorted((HERE / "pages").glob("*.txt"))):
        if page.namespace == 0 and page.redirect is None:
            yield from (line.strip() for line in plain(page.text).splitlines() if line.strip())


if __name__ == "__main__":
    tokenizer_path().mkdir(exist_ok=True)
    save_tokenizer(train_tokenizer(training_lines(), SIZE), tokenizer_path() / "tokenizer.json")
