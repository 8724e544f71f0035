"""Knowledge graphs beside words: triples, their vectors, which entity a word means (docs/knowledge.md)."""
