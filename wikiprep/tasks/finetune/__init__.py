"""Training and asking models of tasks: all of `tasks/` that imports torch."""
