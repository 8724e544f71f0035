"""A small wiki that ships with the package, for `build-corpus --sample`: dump, Wikidata's part, and a tokenizer."""

from pathlib import Path

HERE = Path(__file__).parent


def dump_path() -> Path:
    """The sample's MediaWiki export, plain XML."""
    return HERE / "samplewiki-20260901-pages-articles.xml"


def wikidata_path() -> Path:
    """What a Wikidata dump says of the sample's pages, plain JSON."""
    return HERE / "samplewiki-20260901-wikidata.json"


def tokenizer_path() -> Path:
    """The folder of the sample's tokenizer; it holds `tokenizer.json`."""
    return HERE / "tokenizer"
