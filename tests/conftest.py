"""Fixtures that every folder of tests uses."""

import gc
import json
import os
import signal
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import hypothesis
import pytest
from inline import build
from tiny_wiki import build_tiny

from wikiprep.config import PRESETS
from wikiprep.sample import dump_path, wikidata_path

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
SAMPLE = {
    "input": {"range_mb": 0.05},
    "wikidata": {"wikidata": str(wikidata_path())},
    "records": {"text": True},
}

# Tests run beside each other on few cores: one thread each, and each process that they start.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# How long an example takes says nothing on a machine that does other things too.
hypothesis.settings.register_profile("any time", deadline=None)
hypothesis.settings.load_profile("any time")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that starts the tests in the background has them, and all that they start, ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What `.[test]` leaves out, some of it for Python 3.14 alone, and the extra that brings it.
HEAVY = {
    "mwparserfromhell": "compare",
    "torch": "train",
    "safetensors": "train",
    "transformers": "dev",
    "pykeen": "knowledge",
}
ABSENT = {name: extra for name, extra in HEAVY.items() if find_spec(name) is None}


class LightModule(pytest.Module):
    """A file of tests, skipped with the reason where it imports what is not installed."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        try:
            return super().collect()
        except self.CollectError as error:
            for name, extra in ABSENT.items():
                if f"No module named '{name}'" in str(error):
                    pytest.skip(f"{name} is not installed: pip install '.[{extra}]'", allow_module_level=True)
            raise


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Where something is absent, its tests are not errors; where all is there, nothing is skipped."""
    return LightModule.from_parent(parent, path=module_path) if ABSENT else None


NEEDS = json.loads((Path(__file__).parent / "needs.json").read_text(encoding="utf-8"))
# What a quick test is not: one that trains or starts an engine, takes long by its own word, or stands in the list.
UNHURRIED = {"beam", "spark", "train", "knowledge", "picture", "slow", "oracle", "cluster"}
UNHURRIED_FILES = set((Path(__file__).parent / "unhurried.txt").read_text(encoding="utf-8").split())


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by -m
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Markers of the extras that a test needs (needs.py), and `quick` for those that need little."""
    here = Path(__file__).parent
    for item in items:
        file = item.path.relative_to(here).as_posix()
        entry = NEEDS.get(file, {})
        for extra in {*entry.get("", ()), *entry.get(getattr(item, "originalname", item.name), ())}:
            item.add_marker(extra)
        if file not in UNHURRIED_FILES and not UNHURRIED & {mark.name for mark in item.iter_markers()}:
            item.add_marker("quick")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The real dumps beside the project; a test that needs them is skipped, with the reason, where they are absent."""
    if not SHARED.is_dir():
        pytest.skip(f"no real data at {SHARED}")
    return SHARED


@pytest.fixture(scope="session")
def sample_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample built in seven ranges, with text. To be read only: a test that changes it copies it."""
    output = tmp_path_factory.mktemp("sample") / "corpus"
    build(output, dump_path(), sections=SAMPLE)
    return output


@pytest.fixture(scope="session")
def sample_linked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with every link target as an entity, and disambiguation pages kept. To be read only."""
    output = tmp_path_factory.mktemp("linked") / "corpus"
    build(
        output, dump_path(), sections=SAMPLE | {"vocabulary": {"vocab_targets": "linked", "keep_disambiguation": True}}
    )
    return output


@pytest.fixture(scope="session")
def sample_spot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as `--preset spot` makes it: a sentence a record, each with a relation. To be read only."""
    output = tmp_path_factory.mktemp("spot") / "corpus"
    preset = {name: {**SAMPLE.get(name, {}), **options} for name, options in PRESETS["spot"].items()}
    build(output, dump_path(), sections=SAMPLE | preset)
    return output


@pytest.fixture(scope="session")
def sample_related(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with relations of added mentions and of [UNK] too. To be read only."""
    output = tmp_path_factory.mktemp("related") / "corpus"
    sections = {
        "records": {"text": True, "densify": True},
        "mentions": {"mentions": True},
        "vocabulary": {"vocab_size": 60},
        "relations": {"unk_relations": True},
    }
    build(output, dump_path(), sections=SAMPLE | sections)
    return output


@pytest.fixture(scope="session")
def tiny_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wiki of tiny_wiki.py, with mention statistics and QIDs. To be read only."""
    folder = tmp_path_factory.mktemp("tiny")
    return build_tiny(folder / "corpus", folder)


@pytest.fixture(scope="session")
def tiny_run(tmp_path_factory: pytest.TempPathFactory, sample_corpus: Path) -> Path:
    """A run of some steps on the sample, evaluated at its end. To be read only."""
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    from wikiprep.pretrain.start_training import Command, pretrain

    folder = tmp_path_factory.mktemp("seen") / "run"
    settings = ("data.held_out=0.2", "log.evaluate_every=6", "data.global_batch=8")
    pretrain(
        Command(
            corpora=(str(sample_corpus),), config="tiny", output=str(folder), settings=settings, max_steps=6, quiet=True
        )
    )
    return folder


@pytest.fixture(scope="session")
def spot_run(tmp_path_factory: pytest.TempPathFactory, sample_spot: Path) -> Path:
    """A run of SPOT of some steps on the sample, whole facts held out, evaluated at its end. To be read only."""
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    from wikiprep.pretrain.start_training import Command, pretrain

    folder = tmp_path_factory.mktemp("spot") / "run"
    settings = ("data.held_out=0.3", "data.held_out_by=pair", "log.evaluate_every=6", "data.global_batch=8")
    pretrain(
        Command(
            corpora=(str(sample_spot),),
            config="spot-tiny",
            output=str(folder),
            settings=settings,
            max_steps=6,
            quiet=True,
        )
    )
    return folder


def pytest_collection_finish() -> None:
    """Ten thousand tests and what they import stay to the end: the garbage collector need not go through them again."""
    gc.collect()
    gc.freeze()
