"""Wikitext to paragraphs of text with links as spans."""
