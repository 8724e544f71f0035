"""A run's `about` folder: what makes its weights usable without the corpus: configuration, tokenizer, entities."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import WikiprepError
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.corpus_entities import (
    Entities,
    read_entities,
    vocabulary_path,
    write_entity_redirects,
)
from wikiprep.pretrain.luke.languages import (
    OfCorpus,
    merged_entities,
    merged_redirects,
    write_entities,
    write_redirects,
)
from wikiprep.tables.entity_vocab import VOCAB_PARQUET
from wikiprep.tables.vocabulary_entities import ENTITY_REDIRECTS, read_redirects

_CONFIG = "luke.json"
_SCHEMA = "luke/1"
_TOKENIZER = "tokenizer.json"


@dataclass(frozen=True)
class About:
    """What the folder says."""

    config: LukeConfig
    tokenizer: Tokenizer
    entities: Entities
    folder: Path  # for what is asked for later: redirects to the entities
    new_word_head: bool = False  # the checkpoint that training started from has no head for masked words
    languages: tuple[str, ...] = ()  # of the titles, where there are several: see `languages.py`

    def redirects(self) -> dict[str, str]:
        """Title -> title of an entity; empty where the folder has none."""
        return read_redirects(self.folder / ENTITY_REDIRECTS)


def write_about(
    folder: Path,
    config: LukeConfig,
    corpus: Path,
    new_word_head: bool = False,
    languages: Sequence[OfCorpus] = (),
) -> None:
    """Make the folder, copying the corpus's tokenizer and vocabulary, or that of all corpora in several languages."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(corpus / "tokenizer" / _TOKENIZER, folder / _TOKENIZER)
    if languages:
        entities = merged_entities(languages)
        write_entities(entities, folder / VOCAB_PARQUET)
        write_redirects(merged_redirects(languages), entities, folder / ENTITY_REDIRECTS)
    else:
        shutil.copyfile(vocabulary_path(corpus), folder / VOCAB_PARQUET)
        write_entity_redirects(corpus, folder / ENTITY_REDIRECTS)
    content: dict[str, Any] = {"schema": _SCHEMA, "model": asdict(config), "new_word_head": new_word_head}
    if languages:
        content["languages"] = [language for language, _ in languages]
    text = json.dumps(content, indent=1) + "\n"
    (folder / _CONFIG).write_text(text, encoding="utf-8")


def read_about(folder: Path) -> About:
    """Raises WikiprepError for a folder that is damaged or of another version."""
    path = folder / _CONFIG
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["schema"] != _SCHEMA:
            raise WikiprepError(f"{path}: holds {content['schema']}, not {_SCHEMA}", "use the wikiprep that wrote it")
        config = LukeConfig(**content["model"])
        new_word_head = bool(content.get("new_word_head"))
        languages = tuple(map(str, content.get("languages", ())))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WikiprepError(f"{path}: cannot be read ({error})", "take it from another copy of the run") from error
    entities = read_entities(folder / VOCAB_PARQUET)
    return About(config, load_tokenizer(folder / _TOKENIZER), entities, folder, new_word_head, languages)
