import subprocess
import sys

# What `wikiprep --help` may not pull in: engines and torch ever, the rest because it costs start-up time.
NEVER = ("torch", "apache_beam", "pyspark", "transformers", "tensorflow")
SLOW = ("pyarrow", "numpy", "tokenizers", "icu4py", "mwparserfromhell")

HELP = """
import sys
from click.testing import CliRunner
from wikiprep.cli.main import cli
result = CliRunner().invoke(cli, ["--help"])
assert result.exit_code == 0, result.output
print(" ".join(sorted(sys.modules)))
"""

PASSING_ON = """
import sys
import wikiprep.local.driver, wikiprep.local.pool
from wikiprep.stages.build import stage_by_name
stage_by_name("inputs"), stage_by_name("extract")
print(" ".join(sorted(sys.modules)))
"""

ALL = """
import importlib, pkgutil, sys
import wikiprep
for module in pkgutil.walk_packages(wikiprep.__path__, "wikiprep."):
    parts = ("inference.", "pretrain.", "pipelines.", "tasks.finetune.", "tasks.frozen.trained", "knowledge.embed.")
    core = not module.name.startswith(tuple(f"wikiprep.{part}" for part in parts))
    if core and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(" ".join(sorted(sys.modules)))
"""


def modules_after(code: str) -> set[str]:
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return {name.split(".")[0] for name in output.split()}


def test_help_imports_no_engine_and_nothing_slow() -> None:
    loaded = modules_after(HELP)
    assert not loaded & {*NEVER, *SLOW}


def test_the_core_imports_no_engine() -> None:
    assert not modules_after(ALL) & set(NEVER)


def test_driver_and_workers_of_extract_import_nothing_slow() -> None:
    assert not modules_after(PASSING_ON) & {*NEVER, "pyarrow", "numpy", "tokenizers", "rich"}
