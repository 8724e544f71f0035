"""Knowledge graphs beside words: triples, their vectors, and which entity a word of a text means (docs/knowledge.md)."""
