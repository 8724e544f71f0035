"""SPOT (Li et al.): entities as spans of tokens, relations as pairs of spans; nothing is looked up in a table."""
