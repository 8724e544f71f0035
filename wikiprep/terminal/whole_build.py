"""How long a whole build will still take: a rough guess, from what its stages usually take beside each other.

The shares are those of builds on two cores with all options (`seconds` in run.json): English excerpts with and without
`--mentions`, and the whole Latgalian wiki. How much text, how many links and which templates a wiki has moves them.
"""

from collections.abc import Mapping, Sequence

# Of the time of extraction, which is 1.
SHARES = {
    "snapshot": 0.3,
    "copies": 0.02,
    "inputs": 0.05,
    "template_pages": 0.25,
    "definitions": 0.05,
    "extract": 1.0,
    "pages": 0.1,
    "used_articles": 0.1,
    "links": 0.1,
    "vocabulary": 0.05,
    "mention_links": 0.3,
    "mention_names": 0.02,
    "name_table": 0.03,
    "mention_texts": 0.15,
    "mentions": 0.03,
    "tokenizer": 0.1,
    "records": 1.0,
    "dense_records": 1.8,
    "import": 0.5,
}
# Wikidata's stages depend on Wikidata's dump, and others on options: nothing is guessed while they are to come.
UNKNOWN = ("wikidata_read", "wikidata", "wikidata_merged")


def seconds_left(
    stages: Sequence[str], stage: str, left: float | None, elapsed: float | None, took: Mapping[str, float]
) -> float | None:
    """Of the stage at hand and of those after it; None while nothing is known.

    `left`: seconds of the stage at hand; `elapsed`: since it began, None where an earlier run did a part of it;
    `took`: seconds of stages that this run did whole.
    """
    if stage not in stages or left is None:
        return None
    later_stages = stages[list(stages).index(stage) + 1 :]
    if not later_stages or any(name in UNKNOWN for name in later_stages):
        return left if not later_stages else None
    stage_seconds = {name: seconds for name, seconds in took.items() if name in SHARES}
    if elapsed is not None and stage in SHARES:
        stage_seconds[stage] = elapsed + left
    share = sum(SHARES.get(name, 0.0) for name in stage_seconds)
    if share < SHARES["template_pages"]:
        return None  # too little has been seen
    return left + sum(stage_seconds.values()) / share * sum(SHARES.get(name, 0.0) for name in later_stages)
