"""The commands by what they are for, in the order of work: how `wikiprep --help` shows them."""

GROUPS = {
    "Get and build": ("download", "build-corpus", "extract", "tables", "records", "merge-vocabularies", "qids"),
    "Look and check": (*("report", "inspect", "mentions", "coverage", "changes", "templates", "wikitext", "verify"),),
    "Mark entities in text": ("annotate", "annotate-squad"),
    "Write for other tools": (
        *("export-dataset", "export-hf", "export-links", "export-mentions", "export-relations", "export-spacy"),
        *("export-triples", "convert"),
    ),
    "Train and ask a model": ("pretrain", "evaluate", "predict", "embed"),
    "Tasks and figures": ("finetune", "score", "results", "cluster", "picture"),
    "Knowledge graphs": ("kg-embed", "kg-neighbours", "kg-attention", "kg-weights"),
    "wikiprep itself": ("docs", "completion", "version"),
}


def group_commands(names: list[str]) -> dict[str, list[str]]:
    """The commands `names` by section; what has no section is in the last."""
    sections = {title: [name for name in section if name in names] for title, section in GROUPS.items()}
    placed_names = {name for section in sections.values() for name in section}
    *_, last = sections
    sections[last] += [name for name in names if name not in placed_names]
    return sections
