"""The names of the tasks, without anything that reads or scores them: a command's help is quick."""

GLUE = ("cola", "sst2", "mrpc", "stsb", "qqp", "mnli", "qnli", "rte", "wnli")
TASKS = (
    *("open-entity", "figer", "tacred", "conll2003", "wnut17", "record", "squad", "semeval2010", "fewrel"),
    *("webnlg", "nyt24"),
    *(f"glue/{name}" for name in GLUE),
    "copa",
)
JOINT = ("webnlg", "nyt24")  # joint extraction of entities and relations
NO_CONFUSION = ("record", "squad", "glue/stsb", *JOINT)  # answers, numbers and triples are taken for no other one
