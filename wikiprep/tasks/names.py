"""The names of the tasks, without anything that reads or scores them: a command's help is quick."""

TASKS = (
    *("open-entity", "figer", "tacred", "conll2003", "wnut17", "record", "squad", "semeval2010", "fewrel"),
    *("webnlg", "nyt24"),
)
JOINT = ("webnlg", "nyt24")  # joint extraction of entities and relations
NO_CONFUSION = ("record", "squad", *JOINT)  # answers and triples are taken for no other one
