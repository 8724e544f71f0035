"""Vectors of a knowledge graph by PyKEEN: the only part of `knowledge/` that imports it, and torch."""
