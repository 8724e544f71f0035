"""wikiprep: a Wikipedia dump becomes an entity-annotated pretraining corpus."""

__version__ = "0.1.0"
