"""What each column of a corpus is, in a line: for dataset cards and Croissant. docs/formats.md says more."""

ARTICLES = {
    "page_id": "MediaWiki's id of the page",
    "revision_id": "MediaWiki's id of the revision that the text is of",
    "timestamp": "when the revision was written, in UTC",
    "title": "title of the page, with spaces",
    "qid": "Wikidata item of the page, such as Q42; null where none is known",
    "kind": "article or disambiguation",
    "categories": "categories that are written in the page itself",
    "interlanguage": "links to other languages that are written in the page itself: lang, title",
    "flags": "what the extractor met, such as table, math, ref",
    "paragraphs": "section (headings above it), kind, depth, text, and links: text[start:end] is a mention of target, "
    "start and end in code points, target before redirects",
}
RECORDS = {
    "page_id": ARTICLES["page_id"],
    "revision_id": ARTICLES["revision_id"],
    "title": ARTICLES["title"],
    "qid": ARTICLES["qid"],
    "ordinal": "number of the record among those of its page, from 0",
    "word_ids": "token ids of tokenizer/tokenizer.json, without special tokens",
    "entity_ids": "ids of the entities that are mentioned, a mention each, in order of text",
    "entity_starts": "first token of each mention",
    "entity_ends": "the token behind each mention",
    "entity_sources": "of each mention: 0 a link, 1 added by what the page links, 2 the page's own subject",
    "sentence_starts": "first token of each sentence",
    "text": "the text of the record",
    "sentence_char_starts": "first character of each sentence in text",
    "entity_char_starts": "first character of each mention in text",
    "entity_char_ends": "the character behind each mention in text",
    "entity_qids": "Wikidata item of each mention as a number, 42 for Q42; -1 for none",
    "relations": "what holds between mentions: head and tail are places in entity_ids, property 36 is P36, rank 0 "
    "normal or 1 preferred, source as in entity_sources",
}
ENTITIES = {
    "id": "id of the entity, as in entity_ids of records",
    "title": "title of its page",
    "page_id": ARTICLES["page_id"],
    "count": "links to it",
    "qid": ARTICLES["qid"],
}
REDIRECTS = {
    "page_id": "MediaWiki's id of the redirect page",
    "title": "title of the redirect page",
    "target": "title that it names; null if that is no page of this wiki",
    "final": "title where the chain of redirects ends; null if nowhere",
    "fragment": "what stands after # in the target",
    "hops": "steps from title to final",
    "status": "resolved, missing, or why it leads nowhere",
}
MENTIONS = {
    "name": "a name as text has it",
    "target": "title of a page that it can mean",
    "page_id": ARTICLES["page_id"],
    "link_count": "links on the name that lead to the page",
    "link_page_count": "pages with such a link",
    "name_link_count": "links on the name, wherever they lead",
    "name_link_page_count": "pages where the name is linked",
    "text_count": "occurrences of the name in text, linked or not",
    "text_page_count": "pages where it occurs",
    "is_title": "the name is the title of the page",
    "is_redirect_title": "the name is the title of a redirect to it",
    "is_disambiguation_title": "the name is the title of a disambiguation page that lists it",
}
