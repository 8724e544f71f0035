"""Words with parts of speech by a spaCy pipeline, named or in a folder. spaCy is imported when it is asked for."""

from collections.abc import Callable
from typing import Any

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge.words import Word, wordnet_pos


def spacy_tagger(pipeline: str) -> Callable[[str], list[Word]]:
    """A `words.Tagger`. Raises UsageError where spaCy or the pipeline is missing, WikiprepError if it tags nothing.

    The pipeline's coarse part of speech (`pos_`) is asked first, then its fine one (`tag_`).
    """
    try:
        import spacy
    except ModuleNotFoundError as error:
        raise UsageError("spaCy is not installed", 'pip install "wikiprep[tagger]"') from error
    try:
        nlp: Any = spacy.load(pipeline, exclude=["ner"])
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{pipeline}: is no spaCy pipeline ({str(error).splitlines()[0][:120]})",
            "give its folder, or install it as a package, such as en_core_web_sm",
        ) from error
    if not {"tagger", "morphologizer", "attribute_ruler"} & set(nlp.pipe_names):
        raise WikiprepError(
            f"{pipeline}: tags no parts of speech", f"its steps are {', '.join(nlp.pipe_names) or 'none'}"
        )

    def words(text: str) -> list[Word]:
        tokens = (token for token in nlp(text) if not token.is_space)
        return [
            Word(token.idx, token.idx + len(token.text), wordnet_pos(token.pos_) or wordnet_pos(token.tag_))
            for token in tokens
        ]

    return words
