"""Scores as the benchmarks' own scorers compute them, one file a metric: pure functions of lists."""
