"""`wikiprep docs`: the pages of the documentation, which messages name."""

import click
from click.shell_completion import CompletionItem


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from wikiprep.documentation import pages

    return [CompletionItem(name) for name in pages() if name.startswith(incomplete)]


@click.command("docs")
@click.argument("page", required=False, shell_complete=_complete)
@click.option("--path", "only_path", is_flag=True, help="Print where the file of PAGE is, for a viewer of your own.")
def command(page: str | None, only_path: bool) -> None:
    """Show PAGE of the documentation, as `wikiprep docs templates`; without PAGE, list them.

    On a terminal it goes through $PAGER; elsewhere it is printed, as Markdown.
    """
    from wikiprep.documentation import page as file_of
    from wikiprep.documentation import pages, title_of
    from wikiprep.errors import UsageError

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
