"""Wikidata's JSON dump: its lines, its items, and tables of both. docs/wikidata.md is the way in."""
