"""Whether the shards that are mixed at a time fit the cache, said before a run begins."""

from collections.abc import Iterable, Sequence

from wikiprep.errors import UsageError
from wikiprep.records.shard_cache import RemoteShard, ShardCache


def check_room(caches: Iterable[tuple[ShardCache | None, Sequence[RemoteShard]]], shuffle_shards: int) -> None:
    """Raises UsageError where what is mixed at a time does not fit the cache: each step would fetch shards anew."""
    remote = [(cache, shards) for cache, shards in caches if cache is not None and shards]
    if not remote or not remote[0][0].limit:
        return
    limit, total = remote[0][0].limit, sum(shard.size for _, shards in remote for shard in shards)
    if total <= limit:
        return
    largest = sum(max(shard.size for shard in shards) for _, shards in remote)
    fits = limit // (2 * largest)  # the shards of now, and those that come next
    if not fits:
        raise UsageError(
            f"data.cache_gb = {limit / 1e9:g} is less than two shards of each corpus, {2 * largest / 1e9:.3g} GB",
            "give a larger data.cache_gb",
        )
    if not 0 < shuffle_shards <= fits:
        setting = f"data.shuffle_shards = {shuffle_shards}" if shuffle_shards else "all shards are mixed at a time"
        raise UsageError(
            f"the records are {total / 1e9:.3g} GB, data.cache_gb = {limit / 1e9:g}, and {setting}: each step would "
            "fetch shards anew",
            f"give data.shuffle_shards = {fits} or less, or a larger data.cache_gb",
        )
