"""What the tables are made of: the partial page file, the kinds of pages, the ends of redirects, and the schemas.

Codes are written into memory-mapped arrays, so their order is part of the file format: append, never reorder.
"""

from collections.abc import Callable

import pyarrow as pa

# Says whether a full normalised title ("Category:X", "2001: A Space Odyssey") lies in namespace 0.
IsMain = Callable[[str], bool]

KINDS = ("article", "disambiguation", "redirect", "other_namespace", "reject")
ARTICLE, DISAMBIGUATION, REDIRECT, OTHER_NAMESPACE, REJECT = range(5)
MISSING = 5  # only in titles.arrow: a title that redirects name and no page of the dump has

# How a redirect ends. The first two keep their row as a redirect; the others make the page a reject.
STATUSES = ("resolved", "missing", "other_namespace", "loop", "self", "interwiki", "special", "invalid")
RESOLVED, ENDS_MISSING, ENDS_ELSEWHERE, LOOP, SELF, INTERWIKI, SPECIAL, INVALID = range(8)

REASONS = {
    ENDS_ELSEWHERE: "redirect to another namespace",
    LOOP: "redirect loop",
    SELF: "redirect to itself",
    INTERWIKI: "redirect to another wiki",
    SPECIAL: "redirect to a special page",
    INVALID: "redirect to an invalid title",
}
DUPLICATE = "duplicate title"

# What the extract stage may write as `redirect_problem`; any other word counts as invalid.
PROBLEMS = {"interwiki": INTERWIKI, "special": SPECIAL, "invalid": INVALID, "section": SELF}


def partial_page_schema() -> pa.Schema:
    """The page file of one extract unit (Arrow IPC file): one row a page of any kind.

    `title` is the full normalised title. `kind` is one of KINDS. `redirect_target` is set for redirects that name
    a page of this wiki, `redirect_problem` for those that do not. A reject may lack id and title.
    """
    return pa.schema(
        [
            ("page_id", pa.int64()),
            ("revision_id", pa.int64()),
            ("namespace", pa.int32()),
            ("title", pa.string()),
            ("kind", pa.string()),
            ("redirect_target", pa.string()),
            ("redirect_fragment", pa.string()),
            ("redirect_problem", pa.string()),
            ("qid", pa.string()),
        ],
        metadata={b"wikiprep.schema": b"page-partial/1"},
    )


def page_schema() -> pa.Schema:
    """tables/pages.parquet: every page of the dump, by page id; pages without an id last."""
    return pa.schema(
        [
            ("page_id", pa.int64()),
            ("revision_id", pa.int64()),
            ("title", pa.string()),
            ("kind", pa.string()),
            ("qid", pa.string()),
        ],
        metadata={b"wikiprep.schema": b"pages/1"},
    )


def redirect_schema() -> pa.Schema:
    """tables/redirects.parquet: every redirect of namespace 0 by page id, resolved or not.

    `target` is what the page names (null: no page of this wiki), `final` where the chain ends (null: nowhere),
    `hops` the steps to it. `qid` is the redirect page's own and never its target's.
    """
    return pa.schema(
        [
            ("page_id", pa.int64()),
            ("title", pa.string()),
            ("target", pa.string()),
            ("final", pa.string()),
            ("fragment", pa.string()),
            ("hops", pa.int32()),
            ("status", pa.string()),
            ("qid", pa.string()),
        ],
        metadata={b"wikiprep.schema": b"redirects/1"},
    )


def vocabulary_schema(qids: bool = False) -> pa.Schema:
    """tables/entity_vocab.parquet: row i is entity i, special tokens included.

    `page_id` is null for special tokens and for targets that the dump lacks. `cumulative_share` is the share of all
    links of text to namespace 0 that the entities up to this one cover. `qids` adds the Wikidata item.
    """
    return pa.schema(
        [
            ("id", pa.int32()),
            ("title", pa.string()),
            ("page_id", pa.int64()),
            ("count", pa.int64()),
            ("cumulative_share", pa.float64()),
            *([("qid", pa.string())] if qids else []),
        ],
        metadata={b"wikiprep.schema": b"entity-vocab/1"},
    )
