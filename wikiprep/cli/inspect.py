"""`wikiprep inspect`: a page's paragraphs and records as a person reads them."""

import click


@click.command("inspect")
@click.argument("corpus", type=click.Path())
@click.option("--page", required=True, help="Title of the page, or its page id.")
@click.option("--records/--no-records", "show_records", default=True, help="Show the records made of it too. [shown]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: paragraphs, links, records, mentions, items.")
def command(corpus: str, page: str, show_records: bool, as_json: bool) -> None:
    """Show the text and the records of a page of CORPUS: mentions in colour, with the entities they stand for."""
    from wikiprep.api.corpus import open_corpus

    if as_json:
        from wikiprep.applications.show_json import page_as_json

        click.echo(page_as_json(open_corpus(corpus), page, show_records))
        return
    from wikiprep.applications.show import show_page

    show_page(open_corpus(corpus), page, show_records)
