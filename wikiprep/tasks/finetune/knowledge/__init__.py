"""Attention over what stands in a relation to a word: layers between an encoder and a task's head (ILKA)."""
