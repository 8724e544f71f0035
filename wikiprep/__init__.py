"""wikiprep: a Wikipedia dump becomes an entity-annotated pretraining corpus."""


def __getattr__(name: str) -> str:
    """`__version__`, found when it is asked for: in a checkout git is."""
    if name == "__version__":
        from wikiprep.version import wikiprep_version

        return wikiprep_version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
