"""Shards on their way into the cache while others are read."""

import contextlib
import threading
from queue import SimpleQueue

from wikiprep.records.shard_cache import CONNECTIONS, RemoteShard, ShardCache


class ShardPrefetcher:
    """Fetches shards in the background, each asked for once in a while. What cannot be had is told by who needs it."""

    def __init__(self, cache: ShardCache) -> None:
        self._cache = cache
        self._queue: SimpleQueue[RemoteShard] = SimpleQueue()
        for _ in range(CONNECTIONS):
            threading.Thread(target=self._work, daemon=True).start()

    def want(self, shard: RemoteShard) -> None:
        """Begin to fetch it, if it is not here."""
        if not self._cache.here(shard):
            self._queue.put(shard)

    def _work(self) -> None:
        while True:
            with contextlib.suppress(Exception):
                self._cache.fetch(self._queue.get())
