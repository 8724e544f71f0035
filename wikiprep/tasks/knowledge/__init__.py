"""What a task takes of a knowledge graph: vectors, and which entity a subword is of. Nothing here imports torch."""
