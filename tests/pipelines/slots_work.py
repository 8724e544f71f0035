"""64 units that only say which Python process of Spark's did them: `slots_work.py OUTPUT --master=…`, for
test_spark_cluster.py."""

import json
import os
import sys
import time

from wikiprep.config import RunOptions
from wikiprep.units.unit import Report, Result, Unit


def run(unit: Unit, report: Report, options: RunOptions) -> Result:
    """Takes a while, as real units do; a slot of Spark's is a Python process of its own."""
    time.sleep(0.5)
    return Result(unit.name, facts={"slot": os.getpid()})


if __name__ == "__main__":
    import slots_work

    from wikiprep.pipelines.spark import SparkEngine
    from wikiprep.terminal.build_display import BuildDisplay
    from wikiprep.terminal.screen import Screen

    output, *words = sys.argv[1:]
    units = [Unit("slots", f"unit-{i}", "f", output, None) for i in range(64)]
    with SparkEngine(words, RunOptions()) as engine:
        results = engine.run_units(units, slots_work.run, BuildDisplay(Screen()))
    print(json.dumps([result.facts["slot"] for result in results]))
