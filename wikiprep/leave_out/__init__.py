"""Evaluation sets: pages, sentences and facts that a corpus must not hold. docs/evaluation-sets.md is the way in."""
