"""Weights for informed masking: of entities by links to them or by degree in the knowledge graph, or from a file."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from wikiprep.corpus.spans import UNK
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.luke.word_table import SUFFIX, WordTable, read_word_table
from wikiprep.tables.entity_vocab import VOCAB_PARQUET

Weights = npt.NDArray[np.float32]

TRIPLES = "wikidata_triples.parquet"
DEGREE = "degree"


def entity_weights(kind: str, exponent: float, corpus: Path, size: int) -> Weights | None:
    """One weight an entity id: None for "uniform"; (1 + links)^exponent; (1 + degree)^exponent; or the file's.

    `[UNK]` has neither links nor a degree: its weight is the mean of those of all mentions (links), so that it is drawn
    as often as without weights, and not as if it were the rarest entity of all.

    Raises UsageError for "degree" of a corpus without relations or QIDs, and for a file that does not fit.
    """
    if kind == "uniform":
        return None
    if kind not in ("links", DEGREE):
        return weights_file(kind, size, "entity id")
    links = _link_counts(corpus, size)
    weights = _power(links if kind == "links" else _degrees(corpus, size), exponent)
    if links.any():
        weights[UNK] = np.average(weights, weights=links)
    return weights


def weights_file(path: str, size: int, unit: str) -> Weights:
    """The numbers of a `.npy` file, one a `unit`. Raises UsageError where it is not there or does not fit."""
    try:
        weights = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: no weights can be read ({error})", "numpy.save writes such a file") from error
    if (
        not isinstance(weights, np.ndarray)
        or weights.ndim != 1
        or weights.dtype.kind not in "fiu"
        or len(weights) < size
    ):
        shape = getattr(weights, "shape", ())
        raise UsageError(f"{path}: an array of shape {shape}", f"one number a {unit} is needed: {size}")
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise UsageError(f"{path}: weights under 0 or not finite", "a weight is 0 (never masked) or more")
    return weights[:size].astype(np.float32)


def word_weights(path: str, size: int, tokenizer: Path) -> Weights | WordTable | None:
    """Weights from `path`: None for no path, the words of a file of `kg-weights` (.arrow), else numbers of token ids.

    The tokenizer of such a file must be this. Raises UsageError as `read_word_table` and `weights_file` do.
    """
    if not path:
        return None
    return read_word_table(path, tokenizer) if path.endswith(SUFFIX) else weights_file(path, size, "token id")


def _power(counts: npt.NDArray[np.int64], exponent: float) -> Weights:
    return ((1.0 + counts) ** exponent).astype(np.float32)


def _link_counts(corpus: Path, size: int) -> npt.NDArray[np.int64]:
    table = pq.read_table(corpus / "tables" / VOCAB_PARQUET, columns=["id", "count"])
    counts = np.zeros(size, np.int64)
    counts[table["id"].to_numpy()] = table["count"].to_numpy()
    return counts


def _degrees(corpus: Path, size: int) -> npt.NDArray[np.int64]:
    """Different items that an entity has a triple with, as head or as tail, in the vocabulary or not; itself aside."""
    vocabulary, triples = corpus / "tables" / VOCAB_PARQUET, corpus / "tables" / TRIPLES
    if not triples.is_file() or "qid" not in pq.read_schema(vocabulary).names:
        raise UsageError(
            f"{corpus}: has no relations between entities", "entity_weights = degree needs a corpus with --wikidata"
        )
    table = pq.read_table(vocabulary, columns=["id", "qid"]).drop_null()
    qids = np.array([int(qid[1:]) for qid in table["qid"].to_pylist()], np.int64)
    ids = table["id"].to_numpy()[np.argsort(qids, kind="stable")]
    qids = np.sort(qids, kind="stable")
    if not len(qids):
        raise WikiprepError(f"{vocabulary}: no entity has a QID", "was it built with --wikidata?")
    pairs = np.zeros(0, np.int64)  # (place in `qids`) * 2^36 + the other's QID, each once
    for batch in pq.ParquetFile(triples).iter_batches(columns=["head", "tail"]):
        ends = [batch[column].to_numpy() for column in ("head", "tail")]
        parts = [pairs]
        for one, other in (ends, ends[::-1]):
            place = np.minimum(np.searchsorted(qids, one), len(qids) - 1)
            is_known = (qids[place] == one) & (one != other)
            parts.append((place[is_known].astype(np.int64) << 36) + other[is_known])
        pairs = np.unique(np.concatenate(parts))
    counts = np.zeros(size, np.int64)
    np.add.at(counts, ids[pairs >> 36], 1)
    return counts
