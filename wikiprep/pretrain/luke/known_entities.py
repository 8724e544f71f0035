"""The entity of a trained model that a link means: by QID, title or redirect, as rows of a start are matched."""

from collections.abc import Callable, Mapping
from functools import cached_property

from wikiprep.pretrain.luke.corpus_entities import Entities
from wikiprep.pretrain.trained import BY_QID, BY_REDIRECT, BY_TITLE, Known


class KnownEntities:
    """`redirects` is asked for at the first title that is no entity: title -> title at the end of its chain."""

    def __init__(self, entities: Entities, redirects: Callable[[], Mapping[str, str]]) -> None:
        self._entities, self._read = entities, redirects

    def find(self, title: str | None, qid: str | None) -> Known | None:
        """See `Trained.find_entity`. Where both sides know an item and it is another's, an equal title is no match."""
        if qid is not None and (same := self._title_of_qid.get(qid)) is not None:
            return Known(same, BY_QID)
        if title is None:
            return None
        names = dict.fromkeys((title, title.replace("_", " ")))
        for name in names:
            if name in self._entities.ids:
                return Known(name, BY_TITLE) if self._may_be(name, qid) else None
        for name in names:
            end = self._redirects.get(name)
            if end in self._entities.ids:
                return Known(end, BY_REDIRECT) if self._may_be(end, qid) else None
        return None

    def _may_be(self, name: str, qid: str | None) -> bool:
        return qid is None or self._entities.qids.get(name, qid) == qid

    @cached_property
    def _title_of_qid(self) -> dict[str, str]:
        return {qid: title for title, qid in self._entities.qids.items()}

    @cached_property
    def _redirects(self) -> Mapping[str, str]:
        return self._read()
