"""`kg-weights`: neighbours by hand, the table of a small corpus, and what masking makes of it."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from toy_wordnet import real_wordnet, write_wordnet

from wikiprep.cli.main import cli
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import UsageError
from wikiprep.knowledge.wordnet import neighbour_counts, open_wordnet, word_neighbours
from wikiprep.pretrain.luke.word_table import read_word_table
from wikiprep.pretrain.luke.words import word_starts, words_of


def test_neighbours_of_toy_words(tmp_path: Path) -> None:
    wordnet = open_wordnet(write_wordnet(tmp_path))
    counts = neighbour_counts(wordnet)
    assert counts == {("n", 200): 1, ("n", 300): 1, ("v", 100): 1}
    # "broke": the verb "break" by the exception list, and the adjective "broke": no neighbour of either.
    found = {
        word: word_neighbours(wordnet, counts, word) for word in ("car", "Cars", "CAR", "broke", "overheated", "x")
    }
    assert found == {"car": 1, "Cars": 1, "CAR": None, "broke": 0, "overheated": 0, "x": None}
    assert word_neighbours(wordnet, neighbour_counts(wordnet, ["~"]), "car") == 0
    with pytest.raises(UsageError, match="WordNet has no Q"):
        neighbour_counts(wordnet, ["@", "Q"])


def test_neighbours_of_car_and_break_by_hand() -> None:
    """Counted in the files of WordNet 3.0 with grep and awk, as different targets of a synset's line."""
    wordnet = real_wordnet()
    counts = neighbour_counts(wordnet)
    lines = (wordnet.folder / "index.noun").read_text().splitlines()
    (car,) = [line.split() for line in lines if line.startswith("car ")]
    offsets = car[-int(car[2]) :]
    by_hand = []
    for line in (wordnet.folder / "data.noun").read_text().splitlines():
        if line[:8] in offsets:
            fields = line.split(" | ")[0].split()
            at = 5 + 2 * int(fields[3], 16)
            by_hand.append(len({tuple(fields[i + 1 : i + 3]) for i in range(at, len(fields) - 3, 4)}))
    assert len(by_hand) == 5 and max(by_hand) > 60  # cars of a road: 31 kinds, 29 parts and more
    assert word_neighbours(wordnet, counts, "car") == sum(by_hand) / 5
    assert word_neighbours(wordnet, counts, "car", total=True) == sum(by_hand)
    # A word of two parts of speech counts both, an inflected one its lemma.
    both, verb = (
        word_neighbours(wordnet, counts, "run", total=True),
        word_neighbours(wordnet, counts, "ran", total=True),
    )
    assert both is not None and verb is not None and both > verb > 0
    assert word_neighbours(wordnet, counts, "overheated", total=True) >= word_neighbours(wordnet, counts, "overheat")


def weights(*words: object) -> str:
    done = CliRunner().invoke(cli, ["kg-weights", *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_table_of_a_corpus(sample_corpus: Path, tmp_path: Path) -> None:
    from wikiprep.records.reader import RecordReader
    from wikiprep.records.training_corpus import open_corpus

    net, file = write_wordnet(tmp_path / "net"), tmp_path / "words.arrow"
    said = weights(sample_corpus, "-o", file, "--wordnet", net, "--exponent", 1)
    assert "known" in said and "highest" in said
    table = pa.ipc.open_file(file).read_all()
    rows = table.to_pylist()
    named = {row["word"]: row for row in rows}
    assert named["be"]["neighbours"] == 1 and named["be"]["weight"] == 2
    assert named["was"]["neighbours"] == 0.5  # "be" with its neighbour by the list, "Wa" without by a rule
    # Every row is a word of the records, as often as it says.
    path = sample_corpus / "tokenizer" / "tokenizer.json"
    words = words_of(load_tokenizer(path), "")
    reader = RecordReader(open_corpus(str(sample_corpus), 0))
    counts: dict[tuple[int, ...], int] = {}
    for record in map(reader.read, range(len(reader))):
        starts = word_starts(record, words)
        for piece in np.split(record.word_ids, starts[1:]):
            counts[tuple(piece.tolist())] = counts.get(tuple(piece.tolist()), 0) + 1
    assert all(counts[tuple(row["tokens"])] == row["count"] for row in rows)
    # The look-up gives each word of a record the weight of its row, and all others the weight that the file names.
    read = read_word_table(str(file), path)
    unknown = float(table.schema.metadata[b"wikiprep.unknown"])
    assert unknown == pytest.approx(np.average(table["weight"], weights=table["count"]))
    highest = max(*(row["weight"] for row in rows), unknown)
    of = {tuple(row["tokens"]): row["weight"] / highest for row in rows}
    record = reader.read(0)
    starts = word_starts(record, words)
    lengths = np.diff(starts, append=len(record.word_ids))
    expected = [of.get(tuple(p.tolist()), unknown / highest) for p in np.split(record.word_ids, starts[1:])]
    assert read.of_words(record.word_ids, starts, lengths).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-o", "words.npy"), "call it words.arrow"),
        (("-o", "w.arrow", "--wordnet", "nowhere"), "no WordNet"),
        (("-o", "w.arrow", "--pointers", "hypernym"), "WordNet has no hypernym"),
    ],
)
def test_bad_input(sample_corpus: Path, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    net = write_wordnet(tmp_path / "net")
    given = words if "--wordnet" in words else (*words, "--wordnet", str(net))
    done = CliRunner().invoke(cli, ["kg-weights", str(sample_corpus), *given])
    assert done.exit_code in (1, 2) and message in str(done.exception) + done.output


def test_a_file_of_another_tokenizer_or_none(sample_corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "words.arrow"
    weights(sample_corpus, "-o", file, "--wordnet", write_wordnet(tmp_path / "net"), "--records", 3)
    other = tmp_path / "tokenizer.json"
    other.write_text("{}")
    with pytest.raises(UsageError, match="made for another tokenizer"):
        read_word_table(str(file), other)
    with pytest.raises(UsageError, match="no weights of words can be read"):
        read_word_table(str(other), other)
