"""The names of tasks and ablations, without anything that reads, scores or trains: a command's help is quick."""

GLUE = ("cola", "sst2", "mrpc", "stsb", "qqp", "mnli", "qnli", "rte", "wnli")
TASKS = (
    *("open-entity", "figer", "tacred", "conll2003", "wnut17", "record", "squad", "semeval2010", "fewrel"),
    *("webnlg", "nyt24"),
    *(f"glue/{name}" for name in GLUE),
    "copa",
)
JOINT = ("webnlg", "nyt24")  # joint extraction of entities and relations
NO_CONFUSION = ("record", "squad", "glue/stsb", *JOINT)  # answers, numbers and triples are taken for no other one
# What `--ablation` sets, by the names of the paper's tables.
ABLATIONS = {
    "no-entities": ("task.entities=no",),
    "plain-attention": ("model.entity_aware_attention=false",),
    "no-span-attention": ("task.span_attention=false",),
}


def tasks_in_words() -> str:
    """All of them for a help text: those of GLUE behind the first one."""
    first, *others = GLUE
    names = [name for name in TASKS if not name.startswith("glue/")]
    return f"{', '.join(names)}, glue/{first} ({', '.join(others)})"
