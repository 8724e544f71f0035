"""The tasks by name; each file is imported when it is asked for.

One of your own is a `.py` file (or a module) with a function `make`.
"""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from wikiprep.errors import UsageError
from wikiprep.suggestions import names_hint
from wikiprep.tasks.options import TaskOptions
from wikiprep.tasks.task import Task
from wikiprep.tasks.task_names import GLUE

# name -> module with a function make(name, options) -> Task
TASKS = {
    "open-entity": "wikiprep.tasks.entity_typing",
    "figer": "wikiprep.tasks.entity_typing",
    "tacred": "wikiprep.tasks.relation_classification",
    "semeval2010": "wikiprep.tasks.relation_classification",
    "fewrel": "wikiprep.tasks.relation_classification",
    "conll2003": "wikiprep.tasks.span_ner",
    "wnut17": "wikiprep.tasks.span_ner",
    "webnlg": "wikiprep.tasks.joint_extraction",
    "nyt24": "wikiprep.tasks.joint_extraction",
    "record": "wikiprep.tasks.cloze",
    "squad": "wikiprep.tasks.question_answering",
    **{f"glue/{name}": "wikiprep.tasks.sentence_classification" for name in GLUE},
    "copa": "wikiprep.tasks.multiple_choice",
}


def task_named(name: str, options: TaskOptions) -> Task:
    """A task of ours, or of a module or file of yours. Raises UsageError where there is none."""
    make = getattr(_module(name), "make", None)
    if not callable(make):
        raise UsageError(f"{name}: has no function make(name, options)", "`wikiprep docs finetune` shows one")
    task: Task = make(name, options)
    return task


def options_of(name: str) -> TaskOptions:
    """The options `[task]` that a task takes, at their defaults: its module's `OPTIONS`, else those of all tasks."""
    options: TaskOptions = getattr(_module(name), "OPTIONS", TaskOptions)()
    return options


def _module(name: str) -> ModuleType:
    if name in TASKS:
        return importlib.import_module(TASKS[name])
    hint = f"{names_hint('tasks', name, TASKS)}; or give a .py file (or a module) with a function make"
    if name.endswith(".py"):
        path = Path(name)
        spec = importlib.util.spec_from_file_location(f"wikiprep_task_{path.stem}", path)
        if not path.is_file() or spec is None or spec.loader is None:
            raise UsageError(f"{name}: no such file", hint)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses and pickle look there
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise UsageError(f"{name}: cannot be run ({type(error).__name__}: {error})", "mend the file") from error
        return module
    try:
        return importlib.import_module(name)
    except (ImportError, ValueError, TypeError) as error:
        raise UsageError(f"no task {name!r} ({error})", hint) from error
