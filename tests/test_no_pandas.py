import subprocess
import sys

IN_A_COMMAND = """
import sys
from wikiprep.no_pandas import leave_pandas_out
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


def test_pyarrow_works_without_and_does_not_import_it() -> None:
    subprocess.run([sys.executable, "-c", IN_A_COMMAND], check=True)
