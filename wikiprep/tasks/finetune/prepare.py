"""From a command to all that a fine-tuning run needs: task, encoder, examples as sequences, and the family to train."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge.folder import Knowledge, open_knowledge
from wikiprep.options.option_fields import fill_options
from wikiprep.pretrain.config import PretrainConfig
from wikiprep.pretrain.data.source import TrainingSource
from wikiprep.pretrain.log import Note
from wikiprep.pretrain.ranks import Ranks
from wikiprep.records.held_out import Split as HeldOut
from wikiprep.tables.entity_vocab import SPECIALS
from wikiprep.tables.title_source import open_title_source
from wikiprep.tables.titles_to_vocabulary import Carrier, ways_in_words
from wikiprep.tasks.examples import unseen_in_words, unseen_labels
from wikiprep.tasks.features import FeatureReader
from wikiprep.tasks.finetune.about_folder import About, read_about, write_about
from wikiprep.tasks.finetune.encoder import MASK, PAD, Rows, Start, open_start, start_digest, task_config
from wikiprep.tasks.finetune.family import TaskFamily
from wikiprep.tasks.finetune.knowledge.layers import KnowledgeSizes, table_name
from wikiprep.tasks.finetune.task_head import head_of
from wikiprep.tasks.finetune.validation import EncodedSplit
from wikiprep.tasks.knowledge import LinkedGraph, coverage_of, open_linked_graph
from wikiprep.tasks.options import EncoderOptions, KnowledgeOptions, TaskOptions
from wikiprep.tasks.pieces import Pieces
from wikiprep.tasks.registry import options_of, task_named
from wikiprep.tasks.task import Inputs, Split, Task


@dataclass(frozen=True)
class PreparedTask:
    """All of it but the seed. `splits`: "train", "dev", "test" as far as there are such."""

    task: Task
    about: About
    start: Start
    splits: Mapping[str, EncodedSplit]
    family: TaskFamily
    left_out: Mapping[str, Mapping[str, int]]
    coverage: Mapping[str, Mapping[str, float]]  # of a knowledge graph, by part; {} without one

    @property
    def source(self) -> TrainingSource:
        """The sequences to train on, as the trainer's items."""
        features = self.splits["train"].features
        longest = int(np.argmax([sum(one.sizes) for one in features]))
        reader = FeatureReader(features, f"{self.about.task}: train")
        return TrainingSource(reader, HeldOut(len(features), np.zeros(0, np.int64)), longest)


def prepare(
    name: str,
    data: Path,
    model: str,
    config: PretrainConfig,
    about_folder: Path | None,
    ranks: Ranks,
    note: Note,
    knowledge: str = "",
) -> PreparedTask:
    """`about_folder`: where a run goes on, its `about`: the encoder it began with may then be gone.

    `knowledge`: the folder of a graph's vectors, "" without.

    Raises WikiprepError where a file is missing or damaged, an option is unknown, or nothing is left to train on.
    """
    options: TaskOptions = fill_options(options_of(name), config.tables.get("task", {}), "task")
    encoder_options: EncoderOptions = fill_options(EncoderOptions(), config.tables.get("model", {}), "model")
    task = task_named(name, options)
    knowledge_options: KnowledgeOptions = fill_options(
        KnowledgeOptions(), config.tables.get("knowledge", {}), "knowledge"
    )
    graph = _graph(knowledge, task, knowledge_options)
    start = read_about(about_folder)[1] if about_folder else open_start(model, ranks)
    entities = _with_entities(options, start)
    rows = Rows(task.markers, (PAD, *(task.entities or (MASK,))), task.vocabulary)
    encoder = task_config(
        start,
        rows,
        entities=entities,
        entity_aware=encoder_options.entity_aware_attention,
        dropout=encoder_options.dropout,
    )
    splits = task.splits(data)
    if "train" not in splits:
        raise UsageError(f"{name}: {data} has no part to train on", 'a task\'s splits have "train"')
    labels = tuple(task.labels(splits["train"].examples))
    inputs = Inputs(
        Pieces(start.tokenizer, tuple(task.markers), start.what),
        {label: number for number, label in enumerate(labels)},
        min(options.max_words, encoder.max_words),
        options.max_mention,
        entities,
        start.entities if task.vocabulary else {},
        _carrier(options, task, start),
        lookup=graph.lookup if graph else None,
    )
    sizes = _knowledge_sizes(graph.graph, knowledge_options, encoder.hidden_size) if graph else None
    for part, split in splits.items():
        for line in split.notes:
            note(f"{part}: {line}")
    for part in (part for part in splits if part != "train"):
        message = unseen_in_words(unseen_labels(labels, splits[part].examples, task.labels), part)
        if message:
            note(message)
    encoded_splits = {
        part: encode_split(task, split, replace(inputs, carried=Counter())) for part, split in splits.items()
    }
    for part, encoded_split in encoded_splits.items():
        if encoded_split.carried:
            note(f"{part}: {ways_in_words(encoded_split.carried)}")
    if not encoded_splits["train"].features:
        raise WikiprepError(
            f"{data}: nothing to train on is left of {name}", _reasons(splits["train"], encoded_splits["train"])
        )
    left_out = {part: {**splits[part].left_out, **encoded_splits[part].left_out} for part in splits}
    for part, reasons in left_out.items():
        for reason, count in reasons.items():
            if count:
                note(f"{part}: {count:,} {reason}")
    if graph:
        note(f"words are looked up by: {graph.by}")
    coverages = {part: coverage_of(encoded_splits[part].features) for part in (splits if graph else ())}
    for part, coverage in coverages.items():
        note(coverage.in_words(part))
    about = About(name, options, labels, encoder, sizes)
    write = partial(write_about, about=about, start=replace(start, tensors={}), looks_up=task.vocabulary)
    family = TaskFamily(
        encoder,
        head_of(
            task, labels, encoder, None if encoder_options.head_dropout < 0 else encoder_options.head_dropout, sizes
        ),
        rows,
        inputs.pieces.words.pad,
        partial(_open_start, model, ranks),
        write,
        {
            "encoder to start from (--model)": "" if about_folder else start_digest(start),
            **({"knowledge graph (--knowledge)": graph.digest} if graph else {}),
        },
        sizes,
        partial(open_knowledge, Path(knowledge)) if graph else None,
    )
    # Its tensors are read again where the model is built: held here, they would cost their size until the run's end.
    coverage_json = {part: coverage.as_json() for part, coverage in coverages.items()}
    return PreparedTask(task, about, replace(start, tensors={}), encoded_splits, family, left_out, coverage_json)


def encode_split(task: Task, split: Split, inputs: Inputs) -> EncodedSplit:
    """The examples of a split as sequences."""
    left_out: Counter[str] = Counter()
    features = [
        one for number, example in enumerate(split.examples) for one in task.features(example, number, inputs, left_out)
    ]
    return EncodedSplit(split.examples, features, +left_out, +inputs.carried)


def data_identity(data: Path, prepared: PreparedTask) -> dict[str, str]:
    """As `run_identity` compares corpora: what is trained on, and what its ids mean."""
    digest = FeatureReader(prepared.splits["train"].features, "").digest().hex()
    words = hashlib.sha256(prepared.start.tokenizer.to_str().encode()).hexdigest()
    return {"url": str(data), "records": digest, "tokenizer files": words, "entity ids": ""}


def _with_entities(options: TaskOptions, start: Start) -> bool:
    if options.entities == "yes" and not start.entities:
        raise UsageError(
            f"{start.what}: has no entities, and task.entities = yes",
            "give a LUKE (a run of `wikiprep pretrain`, or its export), or task.entities=no for words alone",
        )
    return options.entities != "no" and bool(start.entities)


def _carrier(options: TaskOptions, task: Task, start: Start) -> Carrier | None:
    """What finds the encoder's entities, of a task that looks them up. Raises UsageError for an option too many."""
    if not task.vocabulary:
        if options.titles_from:
            raise UsageError(f"--titles-from: {task.name} looks no entities up", "leave the option out")
        return None
    source = open_title_source(options.titles_from) if options.titles_from else None
    ids = {title: row for title, row in start.entities.items() if title not in SPECIALS}
    return Carrier(ids, start.qids, start.redirects, source)


def _graph(folder: str, task: Task, options: KnowledgeOptions) -> LinkedGraph | None:
    if not folder:
        return None
    if not getattr(task, "knowledge", False):
        raise UsageError(
            f"--knowledge with {task.name}: the task does not say which words its tokens are of",
            "open-entity, tacred, semeval2010, fewrel, glue/* and copa do",
        )
    return open_linked_graph(Path(folder), options)


def _knowledge_sizes(graph: Knowledge, options: KnowledgeOptions, hidden: int) -> KnowledgeSizes:
    shapes = {table_name(name): tuple(table.shape) for name, table in graph.relations.items()}
    count, size = graph.entities.shape
    sizes = KnowledgeSizes(options, graph.form.name.lower(), count, size, shapes)
    sizes.width(hidden)  # refuses heads that do not fit, before anything is trained
    return sizes


def _open_start(model: str, ranks: Ranks) -> Start:
    return open_start(model, ranks)


def _reasons(split: Split, encoded_split: EncodedSplit) -> str:
    counts = Counter(split.left_out) + encoded_split.left_out
    return ", ".join(f"{count:,} {reason}" for reason, count in counts.items()) or "is the file empty?"
