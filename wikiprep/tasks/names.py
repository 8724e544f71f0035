"""The names of the tasks, without anything that reads or scores them: a command's help is quick."""

GLUE = ("cola", "sst2", "mrpc", "stsb", "qqp", "mnli", "qnli", "rte", "wnli")
TASKS = (
    *("open-entity", "tacred", "conll2003", "wnut17", "record", "squad", "semeval2010", "fewrel"),
    *(f"glue/{name}" for name in GLUE),
    "copa",
)
