import subprocess
import sys

import pytest

pytest.importorskip("pandas", reason="pandas is not installed, which nothing then keeps out")

IN_A_COMMAND = """
import sys
from wikiprep.process import leave_pandas_out, let_pandas_in
leave_pandas_out()
import pyarrow as pa
assert pa.array(["a", "b"]).to_pylist() == ["a", "b"]
assert "pandas" not in sys.modules
try:
    import pandas
except ModuleNotFoundError as error:
    assert error.name == "pandas"
else:
    raise AssertionError("pandas came in")
"""
LET_IN = """
let_pandas_in()
import pandas
import pandas.api.types
assert pandas.Series([1, 2]).sum() == 3
assert pa.table({"a": [1, 2]}).to_pandas()["a"].tolist() == [1, 2]
assert pa.array(pandas.Series([1.0, None])).null_count == 1  # once a table was made, pyarrow knows it too
"""


def run(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def test_pyarrow_works_without_and_does_not_import_it() -> None:
    run(IN_A_COMMAND)


def test_it_can_be_let_in_for_code_of_the_users_own() -> None:
    run(IN_A_COMMAND + LET_IN)


def test_letting_it_in_where_it_was_never_left_out_changes_nothing() -> None:
    run("import sys; from wikiprep.process import let_pandas_in as f; a = list(sys.meta_path); f(); "
        "assert sys.meta_path == a; import pandas")  # fmt: skip
