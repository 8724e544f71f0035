"""Pages, redirects, link counts and the entity vocabulary, with memory-mapped look-ups."""
