"""Wikidata's triples as a knowledge graph to learn and to test on: which triples, how they are split, as files."""
