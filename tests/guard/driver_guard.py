# A plain script without `if __name__`, as a user may write it: the guard must not run it again in its child.
# Arguments: folder for the log, then what each page does.
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from guarded_work import note, work

from wikiprep.guard.guard import Guard

log = Path(sys.argv[1])
note(log, "script")
guard = Guard(600, 1 << 30)


def go() -> None:
    note(log, f"value {guard.run(work, (log, sys.argv[3:])).value}")


if sys.argv[2] == "thread":  # as in an engine's worker
    thread = threading.Thread(target=go)
    thread.start()
    thread.join()
else:
    go()
