"""A slow, straight-line statement of the published record rules, to compare the batched builder with.

One paragraph, one sentence, one piece at a time; mentions as lists of token positions, as the published features hold
them. It shares nothing with the builder but ICU and the tokenizer's model.
"""

import re
from collections.abc import Callable
from typing import Any

from icu4py.breakers import SentenceBreaker
from tokenizers import Tokenizer, pre_tokenizers

SPECIAL = re.compile(r"(\s*<mask>|<s>|</s>|<pad>|<unk>)")


def slow_tokens(tokenizer: Tokenizer) -> Callable[[str, bool], list[int]]:
    """(text, leading space) -> ids, special tokens of the text read as such."""
    bare = Tokenizer(tokenizer.model)
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)

    def tokens(text: str, space: bool) -> list[int]:
        text = " ".join(re.split(r"\s+", text)).rstrip()
        if not text:
            return []
        if space and text[0] != " ":
            text = f" {text}"
        ids: list[int] = []
        for part in SPECIAL.split(text):
            if SPECIAL.fullmatch(part):
                ids.append(bare.token_to_id(part.strip()))
            elif part:
                ids += bare.encode(part).ids
        return ids

    return tokens


def page_records(
    paragraphs: list[dict[str, Any]],
    tokens: Callable[[str, bool], list[int]],
    language: str,
    vocabulary: dict[str, int],
    redirects: dict[str, str],
    options: Any,
) -> list[tuple[list[int], list[tuple[int, list[int]]]]]:
    """Records of one page as (word ids, [(entity id, positions)])."""
    kept: list[tuple[list[int], list[tuple[int, list[int]]]]] = []
    for paragraph in paragraphs:
        if options.abstract_only and not paragraph["abstract"]:
            continue
        for ids, mentions in sentences(paragraph, tokens, language, vocabulary, redirects, options):
            if options.min_sentence_length <= len(ids) <= options.max_seq_length - 2:
                kept.append((ids, mentions))
    records = []
    while kept:
        ids, mentions = list(kept[0][0]), list(kept[0][1])
        used = 1
        while used < len(kept) and len(ids) + len(kept[used][0]) <= options.max_seq_length - 2:
            mentions += [(e, [p + len(ids) for p in positions]) for e, positions in kept[used][1]]
            ids += kept[used][0]
            used += 1
        kept = kept[used:]
        if mentions or options.include_sentences_without_entities:
            short = [(e, positions[: options.max_mention_length]) for e, positions in mentions]
            records.append((ids, short[: options.max_entity_length]))
    return records


def sentences(
    paragraph: dict[str, Any],
    tokens: Callable[[str, bool], list[int]],
    language: str,
    vocabulary: dict[str, int],
    redirects: dict[str, str],
    options: Any,
) -> list[tuple[list[int], list[tuple[int, list[int]]]]]:
    """Every sentence of a paragraph with its mentions, nothing dropped."""
    text = list(paragraph["text"])
    links = []
    for link in paragraph["links"]:
        start, end = link["start"], link["end"]
        title = redirects.get(link["target"], link["target"])
        if title[:9] == "Category:" and paragraph["text"][start:end][:9].lower() == "category:":
            text[start:end] = " " * (end - start)
        elif title in vocabulary:
            links.append((vocabulary[title], start, end))
        elif options.include_unk_entities:
            links.append((1, start, end))
    joined = "".join(text)
    visible = "".join(" " if ord(c) > 0xFFFF else c for c in joined.rstrip())
    locale = language + ("@ss=standard" if language in ("en", "de", "es", "it", "pt") else "")
    result = []
    for start, end in SentenceBreaker(visible, locale).segments():
        ids: list[int] = []
        mentions = []
        at = start
        for entity, first, last in links:
            if first < start or first >= end or last > end:
                continue
            ids += tokens(joined[at:first], at == 0 or joined[at - 1] == " ")
            mention = tokens(joined[first:last], at >= first or joined[first - 1] == " ")
            mentions.append((entity, list(range(len(ids), len(ids) + len(mention)))))
            ids += mention
            at = last
        ids += tokens(joined[at:end], at == 0 or joined[at - 1] == " ")
        result.append((ids, mentions))
    return result
