"""`wikiprep qids`: page id, title and Wikidata item of every page of a wiki, from SQL tables alone."""

import click

from wikiprep.cli.output_types import FOLDER
from wikiprep.verbosity import tell


@click.command("qids")
@click.option("--page", required=True, type=click.Path(), help="page.sql[.gz] of the wiki.")
@click.option("--page-props", type=click.Path(), help="page_props.sql[.gz] of the wiki.")
@click.option(
    "--items-per-site", type=click.Path(), help="Or wikidatawiki's wb_items_per_site.sql[.gz], for the wiki of --page."
)
@click.option("--wiki", help="Name of the wiki, such as enwiki, where --page does not say it.")
@click.option("--redirect", type=click.Path(), help="redirect.sql[.gz] of the wiki: items for redirect pages too.")
@click.option("--allow-other-dates", is_flag=True, help="Take tables of several dates.")
@click.option("--output", "-o", required=True, type=FOLDER, help="Folder for the table and its look-ups.")
def command(
    page: str,
    page_props: str | None,
    items_per_site: str | None,
    wiki: str | None,
    redirect: str | None,
    allow_other_dates: bool,
    output: str,
) -> None:
    """Make a table of page ids, titles and Wikidata items (wikiprep docs wikidata), without articles.

    Writes OUTPUT/page_items.parquet, and look-ups beside it.
    """
    from wikiprep.download.wiki_names import require_wiki
    from wikiprep.terminal.command_progress import show_progress
    from wikiprep.wikidata.items_from_sql import PARTS, build_page_items

    if wiki is not None:
        require_wiki(wiki)
    with show_progress([part for part in PARTS if redirect or part != "redirects"]) as progress:
        counts = build_page_items(
            page,
            output,
            page_props=page_props,
            items_per_site=items_per_site,
            wiki=wiki,
            redirect=redirect,
            allow_other_dates=allow_other_dates,
            progress=progress,
        )
    page_counts = ", ".join(
        f"{key.partition('.')[2]} {n:,}" for key, n in counts.items() if key.startswith("pages.") and n
    )
    tell(f"{output}/page_items.parquet: pages {page_counts}")
    item_counts = ", ".join(
        f"{key.partition('.')[2]} {n:,}" for key, n in counts.items() if key.startswith("items.") and n
    )
    tell(f"rows that name an item: {item_counts}")
