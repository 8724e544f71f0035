"""The names of the tasks, without anything that reads or scores them: a command's help is quick."""

TASKS = ("open-entity", "figer", "tacred", "conll2003", "wnut17", "record", "squad", "semeval2010", "fewrel")
