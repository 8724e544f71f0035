"""Where the extractor and mwparserfromhell read a page differently, for people and as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence

import click
import orjson

from wikiprep.wikitext.why_different import KINDS, ExplainedDifference

_MAX_CHARACTERS = 300  # characters of a side that are shown


def comparison_lines(title: str, differences: Sequence[ExplainedDifference]) -> Iterator[str]:
    """Lines with ANSI colours: every difference under its kind, with the words before it."""
    count = f"{len(differences)} difference{'' if len(differences) == 1 else 's'}" if differences else "no difference"
    yield click.style(f"{title or '(no title)'}: {count} from mwparserfromhell (templates as nothing)", bold=True)
    counts = Counter(it.kind for it in differences)
    reasons = [(kind.name, f"{kind.name}: {kind.why}") for kind in KINDS]
    for name, heading in (*reasons, (None, "of no known kind: one of the two has a fault")):
        if not counts[name]:
            continue
        yield ""
        yield click.style(f"{counts[name]} {heading}", fg="yellow")
        for it in differences:
            if it.kind == name:
                d = it.difference
                yield f"  {d.what}" + (f" after {d.before!r}" if d.before else "")
                yield f"    ours:   {_format_side(d.ours)}"
                yield f"    theirs: {_format_side(d.theirs)}"


def comparison_json(title: str, differences: Sequence[ExplainedDifference]) -> bytes:
    """The differences as one line of JSON; `kind` is null where none is known."""
    rows = [
        {
            "kind": it.kind,
            "what": it.difference.what,
            "before": it.difference.before,
            "ours": it.difference.ours,
            "theirs": it.difference.theirs,
        }
        for it in differences
    ]
    return orjson.dumps({"title": title, "differences": rows})


def _format_side(text: str) -> str:
    if not text:
        return "(nothing)"
    return text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}… ({len(text):,} characters)"
