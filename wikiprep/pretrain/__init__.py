"""Pretraining on the records of a corpus: needs torch (`pip install ".[train]"`).

Data order, trainer, checkpoints and logging know no model; a model family is a folder here that keeps to `family.py`.
"""
