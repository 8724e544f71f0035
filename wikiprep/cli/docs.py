"""`wikiprep docs`: the pages of the documentation, Markdown, where this wikiprep has them.

In the package, or beside a checkout's.

Messages name them as `wikiprep docs PAGE`, which also works where there is no network and no checkout.
"""

from collections.abc import Mapping
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from wikiprep.errors import UsageError
from wikiprep.suggestions import names_hint

_PACKAGE = Path(__file__).parents[1]
# The first of a wheel (hatch_build.py puts it there), the second of a checkout or an editable installation.
_PLACES = (_PACKAGE / "documentation", _PACKAGE.parent / "docs")


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in pages() if name.startswith(incomplete)]


@click.command("docs")
@click.argument("page", required=False, shell_complete=_complete)
@click.option("--path", "only_path", is_flag=True, help="Print where the file of PAGE is, for a viewer of your own.")
def command(page: str | None, only_path: bool) -> None:
    """Show PAGE of the documentation, as `wikiprep docs templates`; without PAGE, list them.

    On a terminal it goes through $PAGER; elsewhere it is printed, as Markdown.
    """
    if page is None:
        if only_path:
            raise UsageError("--path of which page?", "name it: wikiprep docs templates --path")
        width = max(map(len, pages()), default=0)
        for name, path in pages().items():
            click.echo(f"{name:<{width}}  {title_of(path)}")
        return
    path = file_of(page)
    if only_path:
        click.echo(path)
    else:
        click.echo_via_pager(path.read_text(encoding="utf-8").rstrip("\n"))


def pages() -> Mapping[str, Path]:
    """Name of a page, as "templates", and its file; none where the pages were left out of a package."""
    folder = next((place for place in _PLACES if (place / "index.md").is_file()), None)
    return {} if folder is None else {path.stem: path for path in sorted(folder.glob("*.md"))}


def file_of(name: str) -> Path:
    """The file of a page; "templates", "templates.md" and "docs/templates.md" are the same one.

    Raises UsageError, with those that there are, for another name.
    """
    page_name, known_pages = Path(name).name.removesuffix(".md"), pages()
    if page_name not in known_pages:
        raise UsageError(
            f"no page {name!r}", names_hint("pages", page_name, known_pages) or "this package has no pages"
        )
    return known_pages[page_name]


def title_of(path: Path) -> str:
    """The heading of a page's file."""
    with path.open(encoding="utf-8") as file:
        heading = next((line for line in file if line.startswith("# ")), "")
    return heading.removeprefix("# ").strip()
