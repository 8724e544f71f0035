"""A page on the terminal: paragraphs with their links, records with their entities and relations, in colour."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text
from tokenizers import Tokenizer

from wikiprep.api.articles import Article
from wikiprep.api.corpus import Corpus
from wikiprep.api.vocabulary import Vocabulary
from wikiprep.corpus.spans import DENSIFIED, SUBJECT
from wikiprep.terminal.console import Terminal

ItemOf = Callable[[str], str | None]  # of a title

LINK = "bold cyan"
TARGET = "dim"
UNKNOWN = "yellow"
_SOURCES = {DENSIFIED: "densified", SUBJECT: "the page's subject"}


def show_page(corpus: Corpus, page: str, show_records: bool) -> None:
    """Print the article and, where there are any, its records. Without colour, spans stand in [brackets]."""
    console = Terminal()
    article = corpus.article(page)
    # Without a table of titles (articles alone, own text) nothing is known of where links lead.
    qid: ItemOf = corpus.items.qid if corpus.has("redirects") else lambda title: None
    _show_article(console, article, qid)
    if show_records and corpus.has("records"):
        records = corpus.records_of(article)
        label = corpus.relations.label if any(record.get("relations") for record in records) else None
        for record in records:
            _show_record(console, record, corpus.tokenizer, corpus.vocabulary, qid)
            for head, prop, tail, remark in relation_lines(record, corpus.vocabulary.title, label):
                remark_text = f"  [{remark}]" if remark else ""
                console.print(Text.assemble("  ", head, (f" -- {prop} -> ", LINK), tail, (remark_text, TARGET)))
        if not records:
            console.print(Text("No records were made of this page.", style=UNKNOWN))


def _show_article(console: Console, row: Article, qid: ItemOf) -> None:
    heading = f"{row.title}  (page {row.page_id}, revision {row.revision_id}, {row.kind}"
    console.print(Text(heading + (f", {row.qid})" if row.qid else ")"), style="bold"))
    if row.categories:
        console.print(Text("Categories: " + ", ".join(row.categories), style=TARGET))
    if row.flags:
        console.print(Text("Flags: " + ", ".join(row.flags), style=TARGET))
    section: tuple[str, ...] = ()
    for paragraph in row.paragraphs:
        if paragraph.section != section:
            section = paragraph.section
            console.print(Text("\n" + " > ".join(section), style="bold"))
        marker = {"list_item": "- ", "term": "; ", "definition": ": ", "quote": "> "}.get(paragraph.kind, "")
        text = Text("  " * max(0, paragraph.depth - 1) + marker)
        at = 0
        for link in paragraph.links:
            text.append(paragraph.text[at : link.start])
            mention = paragraph.text[link.start : link.end]
            _append_mention(console, text, mention, _format_meaning(mention, link.target, qid(link.target)), LINK)
            at = link.end
        text.append(paragraph.text[at:])
        console.print(text)


def _show_record(
    console: Console, record: dict[str, Any], tokenizer: Tokenizer, vocabulary: Vocabulary, qid: ItemOf
) -> None:
    ids = record["word_ids"]
    console.print(
        Text(
            f"\nRecord {record['ordinal']}: {len(ids)} tokens, {len(record['sentence_starts'])} sentences, "
            f"{len(record['entity_ids'])} mentions",
            style="bold",
        )
    )
    text, at = Text(), 0
    spans = zip(record["entity_starts"], record["entity_ends"], record["entity_ids"], strict=True)
    for start, end, entity in sorted(spans):
        between = tokenizer.decode(ids[at:start], skip_special_tokens=False)
        text.append(between if at else between.lstrip(" "))
        mention = tokenizer.decode(ids[start:end], skip_special_tokens=False)
        if mention.startswith(" ") and start:
            text.append(" ")
        title, mention = vocabulary.title(entity), mention.strip()
        if title == "[UNK]":
            _append_mention(console, text, mention, "not in the vocabulary", UNKNOWN)
        else:
            _append_mention(console, text, mention, _format_meaning(mention, title, qid(title)), LINK)
        at = max(at, end)
    text.append(tokenizer.decode(ids[at:], skip_special_tokens=False))
    console.print(text)


def _format_meaning(mention: str, title: str, qid: str | None) -> str:
    """What stands behind a mention: the title where it is another, the item where it is known."""
    return ", ".join(([] if title == mention else [title]) + ([qid] if qid else []))


def _append_mention(console: Console, text: Text, mention: str, target: str, style: str) -> None:
    plain = console.color_system is None or console.no_color
    text.append(f"[{mention}]" if plain else mention, style=style)
    if target:
        text.append(f"({target})", style=TARGET)


def relation_lines(
    record: Mapping[str, Any], title: Callable[[int], str], label: Callable[[str], str | None] | None
) -> Iterator[tuple[str, str, str, str]]:
    """Head, property, tail and a remark of each relation; none for a record without the column."""
    items = record.get("entity_qids")

    def name(mention: int) -> str:
        entity = title(record["entity_ids"][mention])
        return f"{entity} Q{items[mention]}" if items and entity == "[UNK]" else entity

    for relation in record.get("relations") or ():
        prop = f"P{relation['property']}"
        label_text = label(prop) if label is not None else None
        remarks = ["preferred"] if relation["rank"] else []
        remarks += [_SOURCES[relation["source"]]] if relation["source"] in _SOURCES else []
        property_text = f"{label_text} ({prop})" if label_text else prop
        yield name(relation["head"]), property_text, name(relation["tail"]), ", ".join(remarks)
