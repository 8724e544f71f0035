"""Readers of public task data, one file a form. `sets.py` is the registry: a task's files, splits and terms."""
