"""LUKE (Yamada et al., EMNLP 2020, arXiv:2010.01057): words and entities as one sequence, both masked and predicted."""
