from collections import Counter
from pathlib import Path

import pytest
from toy_wordnet import real_wordnet, write_wordnet

from wikiprep.errors import WikiprepError
from wikiprep.knowledge.lexicons import name_kind
from wikiprep.knowledge.linker import NONE
from wikiprep.knowledge.read_graph import read_graph
from wikiprep.knowledge.wordnet import WordNet, lemmas, open_wordnet
from wikiprep.knowledge.wordnet_lexicon import WordNetLexicon, find_synsets, not_pointers

REAL = Path(__file__).parents[2].parent / "shared" / "data" / "tasks"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> WordNet:
    return open_wordnet(write_wordnet(tmp_path_factory.mktemp("wordnet")))


def test_debians_offsets_are_put_right(toy: WordNet, tmp_path: Path) -> None:
    debian = open_wordnet(write_wordnet(tmp_path / "dict", debian=True))
    assert debian.debian and not toy.debian
    assert (tmp_path / "dict" / "index.verb").read_text().splitlines()[1].endswith("01904948  ")
    assert debian.senses == toy.senses and list(debian.pointers()) == list(toy.pointers())
    assert open_wordnet(tmp_path).senses == toy.senses  # dict/ is found in the folder that has it


def test_missing_or_other_wordnet_is_one_line_that_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(WikiprepError, match=r"no WordNet \(no index.noun in it\)\n.*wordnet-base"):
        open_wordnet(tmp_path)
    monkeypatch.setattr("wikiprep.knowledge.wordnet.places", lambda: [tmp_path])
    with pytest.raises(WikiprepError, match=r"is not installed.*\n.*apt-get install wordnet-base"):
        open_wordnet()
    folder = write_wordnet(tmp_path / "other")
    (folder / "index.verb").write_text("walk v 1 0 1 0 01234567  \n")
    with pytest.raises(WikiprepError, match=r"is not WordNet 3.0"):
        open_wordnet(folder)
    (folder / "index.verb").write_text("walk v\n")
    with pytest.raises(WikiprepError, match=r"index.verb: entry 1 is not one of WordNet's"):
        open_wordnet(folder)


def test_lemmas_by_exceptions_and_rules(toy: WordNet) -> None:
    assert lemmas(toy, "overheated", "v") == ["overheat"]
    assert lemmas(toy, "broke", "v") == ["break"]
    assert lemmas(toy, "gave_up", "v") == ["give_up"]
    assert lemmas(toy, "ice_creams", "n") == ["ice_cream"]
    assert lemmas(toy, "as", "n") == []  # too short for a plural


def test_first_sense_of_the_part_of_speech_that_the_graph_has(toy: WordNet) -> None:
    names = ["break.v.01", "broke.a.01", "saw.n.01", "see.v.01", "car.n.01", "be.v.01", "wa.n.01"]
    lexicon = WordNetLexicon(toy, find_synsets(toy, names, []))

    def found(word: str, pos: str | None = None) -> str:
        row = lexicon.find(word, pos)
        return "" if row == NONE else names[row]

    assert found("broke", "v") == "break.v.01"
    assert found("broke", "a") == "broke.a.01"
    assert found("broke", "n") == "break.v.01"  # none has it: another part of speech
    assert found("Saw", "v") == "see.v.01"
    assert found("saw") == "saw.n.01"  # nobody says verb: nouns come first
    assert found("Was") == "be.v.01"  # not the noun "Wa" by the rule of plurals
    assert found("machine") == "car.n.01"  # any lemma of the synset
    assert found("vehicle") == ""  # in WordNet, not in the graph
    assert found("the") == ""


def test_offsets_of_several_parts_of_speech(toy: WordNet) -> None:
    """00000100 is breach and be: what stands around tells, where something does; else the entity has both."""
    names = ["00000100", "00000200", "00000300"]
    edges = [(1, "_hypernym", 2), (2, "_hyponym", 1)]
    both = find_synsets(toy, names, edges)
    assert both.of == ((("n", 100), ("v", 100)), (("n", 200),), (("n", 300),))
    assert (both.merged(), both.missing(), both.disambiguated) == ([0], [], 0)
    assert WordNetLexicon(toy, both).find("be", None) == WordNetLexicon(toy, both).find("breach", None) == 0
    assert not_pointers(toy, both, [*edges, (0, "_hypernym", 1)]) == [(0, "_hypernym", 1)]
    verb = find_synsets(toy, ["00000100", "00000700"], [(0, "_hypernym", 1)])
    assert verb.of[0] == (("n", 100), ("v", 100))  # no pointer of WordNet says anything
    assert name_kind(names) == "WordNet offsets" and name_kind(["car.n.01"]) == "WordNet synsets"


def test_a_graph_of_another_wordnet_is_refused(toy: WordNet) -> None:
    with pytest.raises(WikiprepError, match="1 of the graph's 2 entities are no synsets there"):
        WordNetLexicon(toy, find_synsets(toy, ["00000200", "99999999"], []))
    assert find_synsets(toy, ["car.n.02", "car", "nothing.n.01"], []).missing() == [0, 1, 2]


def test_wn18_and_wn18rr_name_the_same_synsets() -> None:
    """The traps of WN18's offsets, measured: of Debian's files as they stand 14 % would be missing."""
    if not (REAL / "wn18").is_dir():
        pytest.skip("../shared/data/tasks/wn18 is not there")
    files = real_wordnet()
    graph = read_graph(REAL / "wn18")
    synsets = find_synsets(files, graph.entities, graph.edges())
    assert len(synsets.of) == 40_943 and synsets.missing() == []
    assert (len(synsets.merged()), synsets.disambiguated) == (161, 71)
    assert set(synsets.of[graph.entities.index("01364008")]) == {("n", 1_364_008), ("a", 1_364_008)}
    readings = Counter(pos for several in synsets.of for pos, _ in several)
    assert readings == {"n": 32_152, "v": 7_764, "a": 1_178, "r": 11}
    assert len(not_pointers(files, synsets, graph.edges())) == 7
    names = {name for triple in _names(REAL / "wn18rr") for name in triple}
    # WN18RR says the part of speech by name: its synsets are the readings found here, one by one.
    named = find_synsets(files, sorted(names), [])
    assert {s for several in named.of for s in several} == {s for several in synsets.of for s in several}


def _names(folder: Path) -> list[tuple[str, str]]:
    lines = [line for part in ("train", "valid", "test") for line in (folder / f"{part}.txt").read_text().splitlines()]
    return [(line.split("\t")[0], line.split("\t")[2]) for line in lines]
