"""Reads shares with two workers; ends itself at a step of their start. Arguments: corpus, HOW, STEP (-1: none)."""

import os
import signal
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "guard")]
    from start_stepped import stepped
    from toy_family import make

    from wikiprep.pretrain.data.loader import GlobalBatches, shares
    from wikiprep.pretrain.data.micro_batches import Cut
    from wikiprep.pretrain.data.share import ShareMaker
    from wikiprep.pretrain.data.stream import Stream
    from wikiprep.records.reader import RecordReader
    from wikiprep.records.training_corpus import open_corpus

    folder, how, at = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    corpus = open_corpus(str(folder), 0.1)
    maker = ShareMaker(make({}, folder), (RecordReader(corpus),), 0, 0, 1, Cut(600))
    batches = GlobalBatches(maker, Stream.of(0, [corpus.split], 0.7), 0, 10)

    def act() -> None:
        os.kill(os.getpid(), signal.SIGKILL) if how == "KILL" else os.killpg(0, signal.Signals[f"SIG{how}"])

    if at >= 0:
        sys.excepthook = lambda *_: None  # what this process says of its own end is not looked at
    files = ("data/fork_server.py", "multiprocessing/popen_forkserver.py", "multiprocessing/forkserver.py")
    count = stepped(files, at, act)
    made = list(shares(batches, 3, 2, pin=False))
    sys.settrace(None)
    if at < 0:
        print(count[0], file=sys.stderr)
