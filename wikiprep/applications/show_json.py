"""A page of a corpus as one JSON object: what `show.py` prints for people, with places and ids."""

from collections.abc import Mapping
from typing import Any

import orjson
from tokenizers import Tokenizer

from wikiprep.api.articles import Article
from wikiprep.api.corpus import Corpus
from wikiprep.applications.show import ItemOf
from wikiprep.corpus.spans import DENSIFIED, LINK, SUBJECT
from wikiprep.wikitext.article import Paragraph

_SOURCES = {LINK: "link", DENSIFIED: "densified", SUBJECT: "subject"}


def page_as_json(corpus: Corpus, page: str, with_records: bool) -> bytes:
    """The object.

    "records" is left out where none were asked for, or the corpus has none. Raises WikiprepError for a page that the
    corpus lacks.
    """
    article = corpus.article(page)
    qid: ItemOf = corpus.items.qid if corpus.has("redirects") else lambda title: None
    data = _article(article, qid)
    if with_records and corpus.has("records"):
        data["records"] = [_record(corpus, record, corpus.tokenizer, qid) for record in corpus.records_of(article)]
    return orjson.dumps(data, option=orjson.OPT_INDENT_2)


def _article(article: Article, qid: ItemOf) -> dict[str, Any]:
    names = ("page_id", "revision_id", "timestamp", "title", "qid", "kind", "redirected_from", "categories", "flags")
    data: dict[str, Any] = {name: getattr(article, name) for name in names}
    data["interlanguage"] = [{"lang": lang, "title": title} for lang, title in article.interlanguage]
    data["paragraphs"] = [_paragraph(paragraph, qid) for paragraph in article.paragraphs]
    return data


def _paragraph(paragraph: Paragraph, qid: ItemOf) -> dict[str, Any]:
    links = [
        {
            "start": link.start,
            "end": link.end,
            "text": paragraph.text[link.start : link.end],
            "target": link.target,
            "fragment": link.fragment,
            "qid": qid(link.target),
        }
        for link in paragraph.links
    ]
    data = {"section": list(paragraph.section), "kind": paragraph.kind, "depth": paragraph.depth}
    return {**data, "text": paragraph.text, "links": links}


def _record(corpus: Corpus, record: Mapping[str, Any], tokenizer: Tokenizer, qid: ItemOf) -> dict[str, Any]:
    """Places of mentions are of tokens; `text` is of a record that was built without its own, too."""
    ids = record["word_ids"]
    columns = (record[name] for name in ("entity_starts", "entity_ends", "entity_ids", "entity_sources"))
    mentions = []
    for place, (start, end, entity, source) in enumerate(zip(*columns, strict=True)):
        title = corpus.vocabulary.title(entity)
        items = record.get("entity_qids")
        item = f"Q{items[place]}" if items and items[place] >= 0 else None if title == "[UNK]" else qid(title)
        text = tokenizer.decode(ids[start:end], skip_special_tokens=False).strip()
        mentions.append(
            {
                "start": start,
                "end": end,
                "text": text,
                "entity_id": entity,
                "title": title,
                "qid": item,
                "source": _SOURCES[source],
            }
        )
    data: dict[str, Any] = {
        "ordinal": record["ordinal"],
        "text": tokenizer.decode(ids, skip_special_tokens=False),
        "tokens": len(ids),
        "sentence_starts": record["sentence_starts"],
        "mentions": mentions,
    }
    if "relations" in record:
        data["relations"] = [_relation(corpus, relation) for relation in record["relations"] or ()]
    return data


def _relation(corpus: Corpus, relation: Mapping[str, Any]) -> dict[str, Any]:
    """`head` and `tail` are places among the record's mentions."""
    name = f"P{relation['property']}"
    data = {"head": relation["head"], "tail": relation["tail"], "property": name}
    data["label"] = corpus.relations.label(name)
    return {**data, "preferred": bool(relation["rank"]), "source": _SOURCES[relation["source"]]}
