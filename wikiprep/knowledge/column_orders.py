"""In which order tab-separated triples may stand: apart from what reads them, so that a command's help is quick."""

HRT, HTR = COLUMNS = ("head-relation-tail", "head-tail-relation")
