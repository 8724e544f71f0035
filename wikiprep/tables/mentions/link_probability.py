"""The quantities that mention statistics are read for, from raw counts. Each is in [0, 1] and of like units.

Counts are of one corpus: documents without disambiguation pages (unless these are kept), every paragraph of them.
"""

import math
from collections.abc import Iterable


def link_probability(name_link_page_count: int, text_page_count: int) -> float:
    """How likely a page that has the name in its text links it: pages where it is linked / pages where it occurs.

    Mihalcea and Csomai, Wikify! (CIKM 2007): "keyphraseness", the number of documents where the term was selected as a
    keyword over those where it appears; Milne and Witten, Learning to link with Wikipedia (CIKM 2008).
    Pages over pages: wikipedia2vec divides link occurrences by pages, which mixes units and can pass 1.
    0 for a name that no page has in its text (0/0): nothing speaks for a link.
    """
    return _ratio(name_link_page_count, text_page_count)


def prior(link_count: int, name_link_count: int) -> float:
    """p(target | name): the share of the name's links that lead to the target; over all targets it sums to 1.

    Links over links. `commonness` in Milne and Witten 2008 and Medelyan, Witten and Milne, Topic indexing with
    Wikipedia (WikiAI 2008); p(e|m) in REL; prior_prob in wikipedia2vec. Redirects are followed before.
    0 for a name that is never linked (0/0): its targets are known by titles alone.
    """
    return _ratio(link_count, name_link_count)


commonness = prior  # the older word for the same ratio


def entropy(link_counts: Iterable[int]) -> float:
    """How evenly a name's links are spread over its targets: 0 for one target, 1 for equally common ones.

    Shannon's entropy of the prior, divided by its greatest value, the logarithm of the number of targets that are
    linked (Pielou, J. theor. Biol. 13, 1966: "evenness"), so that it is a share and not a number of bits.
    0 where fewer than two targets are linked (0/0): there is nothing to tell apart.
    """
    counts = [count for count in link_counts if count]
    total = sum(counts)
    if len(counts) < 2:
        return 0.0
    bits = math.fsum(count / total * math.log(total / count) for count in counts)
    return min(1.0, bits / math.log(len(counts)))


def _ratio(part: int, whole: int) -> float:
    """part / whole, 0 where whole is 0. Raises ValueError for counts that cannot be of one corpus."""
    if not 0 <= part <= whole:
        raise ValueError(f"{part} of {whole}: not a part of a whole")
    return part / whole if whole else 0.0
