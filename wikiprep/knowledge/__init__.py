"""Knowledge graphs beside words: triples, their vectors, which entity a word means (docs/knowledge.md)."""

# In which order tab-separated triples may stand; here, where a command's help finds them without numpy.
HRT, HTR = COLUMNS = ("head-relation-tail", "head-tail-relation")
