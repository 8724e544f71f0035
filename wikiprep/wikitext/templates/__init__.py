"""Templates: those that carry text are rendered, the rest is dropped and counted by name."""
