"""Which record comes when, and reading it: pure functions of (seed, epoch), and memory-mapped shards."""
