import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.runtime.output_folder import output_lock

HOLDER = """
import sys, time
from wikiprep.files import Store
from wikiprep.runtime.output_folder import output_lock
with output_lock(Store(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_build_is_refused_and_a_killed_one_leaves_no_lock(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(WikiprepError, match=f"process {holder.pid}"), output_lock(store):
            pass
        os.kill(holder.pid, signal.SIGKILL)
    with output_lock(store):
        pass
