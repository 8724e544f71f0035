# A plain script without `if __name__`: two workers, each with a guarded unit. Arguments: folder, what the units do.
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from pool_work import Seen, run, units

from wikiprep.config import RunOptions
from wikiprep.local.pool import Pool

with Pool(RunOptions(workers=2, page_timeout=600)) as pool:
    pool.run_units(units(Path(sys.argv[1]), *sys.argv[2:]), run, Seen())
