"""A run's `about` folder: what makes its weights usable without the corpus: sizes, tokenizer, entities, relations."""

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from tokenizers import Tokenizer

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import WikiprepError
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.corpus_entities import Entities, read_entities, vocabulary_path, write_entity_redirects
from wikiprep.pretrain.spot.config import SpotConfig
from wikiprep.pretrain.spot.relation_classes import RelationClasses, read_relation_classes, relation_classes_path
from wikiprep.tables.entity_vocab import VOCAB_PARQUET
from wikiprep.tables.relation_vocab import RELATION_VOCAB
from wikiprep.tables.vocabulary_entities import ENTITY_REDIRECTS

_CONFIG = "spot.json"
_SCHEMA = "spot/1"
_TOKENIZER = "tokenizer.json"


@dataclass(frozen=True)
class About:
    """What the folder says. `new_word_head`: see `luke/about_folder.py`."""

    text: LukeConfig
    config: SpotConfig
    tokenizer: Tokenizer
    entities: Entities
    relations: RelationClasses
    folder: Path
    new_word_head: bool = False


def write_about(folder: Path, text: LukeConfig, config: SpotConfig, corpus: Path, new_word_head: bool) -> None:
    """Make the folder, copying the corpus's tokenizer and vocabularies."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(corpus / "tokenizer" / _TOKENIZER, folder / _TOKENIZER)
    shutil.copyfile(vocabulary_path(corpus), folder / VOCAB_PARQUET)
    shutil.copyfile(relation_classes_path(corpus), folder / RELATION_VOCAB)
    write_entity_redirects(corpus, folder / ENTITY_REDIRECTS)
    content = {"schema": _SCHEMA, "text": asdict(text), "model": asdict(config), "new_word_head": new_word_head}
    (folder / _CONFIG).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def read_about(folder: Path) -> About:
    """Raises WikiprepError for a folder that is damaged or of another version."""
    path = folder / _CONFIG
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["schema"] != _SCHEMA:
            raise WikiprepError(f"{path}: holds {content['schema']}, not {_SCHEMA}", "use the wikiprep that wrote it")
        text = LukeConfig(**content["text"])
        cutoffs = tuple(content["model"]["entity_cutoffs"])
        config = SpotConfig(**{**content["model"], "entity_cutoffs": cutoffs})
        new_word_head = bool(content["new_word_head"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WikiprepError(f"{path}: cannot be read ({error})", "take it from another copy of the run") from error
    return About(
        text,
        config,
        load_tokenizer(folder / _TOKENIZER),
        read_entities(folder / VOCAB_PARQUET),
        read_relation_classes(folder / RELATION_VOCAB),
        folder,
        new_word_head,
    )
