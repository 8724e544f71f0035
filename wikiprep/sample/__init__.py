"""A small wiki that ships with the package, for `build-corpus --sample`: its dump and a tokenizer trained on it."""

from pathlib import Path

HERE = Path(__file__).parent


def dump_path() -> Path:
    """The sample's MediaWiki export, plain XML."""
    return HERE / "samplewiki-20260901-pages-articles.xml"


def tokenizer_path() -> Path:
    """The folder of the sample's tokenizer; it holds `tokenizer.json`."""
    return HERE / "tokenizer"
