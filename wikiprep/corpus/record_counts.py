"""What becomes of paragraphs, sentences and links on their way into records: counted by our rules and the reference's.

Sentences of an equation are whole ones: parts of a sentence that was split are counted in `SENTENCE_STARTS` alone.
"""

from wikiprep.counts import Count, Equation, Reasons
from wikiprep.manifest import Manifest

_PARAGRAPHS = {
    "paragraph_kind": "In a paragraph that is neither prose, quote nor list, such as a caption.",
    "list": "In a list, with --no-lists.",
    "not_abstract": "After the first heading, with --abstract-only.",
    "page_namespace": "On a page whose title begins with image, file or category (--compat luke-2020).",
}

PARAGRAPHS_FOUND = Count("paragraphs.found", "Paragraphs of the articles that are used.")
PARAGRAPHS_KEPT = Count("paragraphs.kept", "Paragraphs whose sentences go on to records.")
PARAGRAPHS_DROPPED = Reasons("paragraphs.dropped.", "Paragraphs that the options leave out.", **_PARAGRAPHS)

SENTENCES_FOUND = Count("sentences.found", "Sentences of the paragraphs that are kept.")
SENTENCES_KEPT = Count("sentences.kept", "Sentences that stand in records.")
SENTENCES_DROPPED = Reasons(
    "sentences.dropped.",
    "Sentences that stand in no record.",
    short="Fewer tokens than --min-sentence-length.",
    long="More tokens than a record holds (--compat luke-2020; otherwise such a sentence is split).",
    record_without_entity="In a record without a mention.",
    record_without_relation="In a record without a relation, with --drop-unrelated.",
)
SENTENCES_JOINED = Count("sentences.joined", "Breaks between sentences that lay within a mention, and so are none.")
SENTENCES_SPLIT = Count("sentences.split", "Sentences longer than a record, which were split.")
SENTENCE_STARTS = Count(
    "sentence_starts", "Entries of the column `sentence_starts`: sentences and parts of split ones."
)
SENTENCES = Equation("sentences", SENTENCES_FOUND, (SENTENCES_KEPT, SENTENCES_DROPPED))

LINKS_FOUND = Count("links.found", "Links of the articles that are used.")
LINKS_ENTITY = Count("links.entity", "Links that are mentions of an entity of the vocabulary.")
LINKS_UNK = Count("links.unk", "Links that are mentions of [UNK]: their target is outside the vocabulary.")
# Why a link has no annotation in the records. The order is the order of the tests; the first that fits counts.
SPAN_REASONS = {
    **{reason: _PARAGRAPHS[reason] for reason in ("paragraph_kind", "list", "not_abstract")},
    "bad_span": "No characters, or some outside of the text.",
    "outside_vocabulary": "To what is no entity of the vocabulary, with --no-include-unk-entities.",
    "blank": "White space alone.",
    "overlap": "Over a mention before it.",
    "no_tokens": "The tokenizer makes nothing of it.",
    "mention_too_long": "More tokens than --max-mention-length.",
    "sentence_too_short": "In a sentence that is dropped as short.",
    "too_many_in_record": "Beyond --max-entity-length of its record.",
    "record_without_relation": "In a record that --drop-unrelated leaves out.",
    "before_first_link": "Before the page's first link to the same.",
}
LINKS_DROPPED = Reasons(
    "links.dropped.",
    "Links that are no mention in the records.",
    **{reason: meaning for reason, meaning in SPAN_REASONS.items() if reason != "before_first_link"},
    page_namespace=_PARAGRAPHS["page_namespace"],
    category="To a category (--compat luke-2020).",
    crosses_sentence="Over the end of a sentence (--compat luke-2020).",
    sentence_too_long="In a sentence that is dropped as long (--compat luke-2020).",
)
LINKS = Equation("links for records", LINKS_FOUND, (LINKS_ENTITY, LINKS_UNK, LINKS_DROPPED))

RECORDS_FOUND = Count("records.found", "Records that sentences were packed into.")
RECORDS_WRITTEN = Count("records.written", "Records that are in `records/`.")
RECORDS_DROPPED = Reasons(
    "records.dropped.",
    "Records that were left out.",
    no_entity="Without a mention; --include-sentences-without-entities keeps them.",
    no_relation="Without a relation, with --drop-unrelated.",
)
RECORDS = Equation("records", RECORDS_FOUND, (RECORDS_WRITTEN, RECORDS_DROPPED))


def records_in(manifest: Manifest) -> int:
    """Records of a finished corpus, by its manifest."""
    return manifest.counts_of("records").get(RECORDS_WRITTEN, 0)
