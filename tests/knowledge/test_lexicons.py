import sys
from pathlib import Path

from wikiprep.knowledge.lexicons import TitleLexicon
from wikiprep.knowledge.linker import NONE
from wikiprep.tables.mentions.mention_table import MentionTable

sys.path.insert(0, str(Path(__file__).parents[1] / "tables" / "mentions"))
from make_mentions import mentions_of
from test_mention_table import ARTICLES, PAGES


def test_by_title_exactly_then_without_case() -> None:
    titles = [
        "Mercury_(planet)",
        "Mercury_(element)",
        "MERCURY",
        "Princeton,_New_Jersey",
        "Apple",
        "Apple_(fruit)",
        "(I)",
    ]
    lexicon = TitleLexicon(titles, [2, 5, 1, 1, 1, 9, 1])
    assert lexicon.find("Mercury", None) == 1  # of two with brackets the one with more triples
    assert lexicon.find("MERCURY", None) == 2
    assert lexicon.find("mercury", None) == 2  # without brackets first
    assert lexicon.find("princeton, new jersey", "n") == 3
    assert lexicon.find("apple", None) == 4
    assert lexicon.find("(i)", None) == 6  # nothing but brackets is a title
    assert lexicon.find("pear", None) == NONE


def test_by_the_mention_table_of_a_corpus(tmp_path: Path) -> None:
    mentions_of(tmp_path, PAGES, ARTICLES)
    table = MentionTable.open(tmp_path)
    titles = ["Washington,_D.C.", "George_Washington", "Seattle"]
    assert TitleLexicon(titles, [1, 1, 1]).find("Washington", None) == NONE
    assert TitleLexicon(titles, [1, 1, 1], table).find("Washington", None) == 0  # the page that it links to most
    assert TitleLexicon(titles[1:], [1, 1], table).find("Washington", None) == 0
    assert TitleLexicon(titles, [1, 1, 1], table).find("nothing", None) == NONE
