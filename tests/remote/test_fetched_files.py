"""What a unit fetches of a remote output is checked by the hash that its stage left there, whichever file it is."""

import json
import pickle
import re
from pathlib import Path
from typing import Any

from entity_dumps import item, statement
from inline import job_of
from local_s3 import S3
from tiny_wiki import PAGES, tiny_dump, tiny_props

from wikiprep.config import RunOptions, Sections
from wikiprep.files import Store
from wikiprep.runtime.stage_flow import commit_stage, execute, units_of
from wikiprep.stages.build import stages_of
from wikiprep.units.fingerprint import plans_of
from wikiprep.units.stage import Commit
from wikiprep.units.unit import NoReport


def everything(folder: Path) -> Sections:
    """Options that bring every stage that reads another one's files."""
    items = [item(1000 + n, statement("P31", "Q1001"), title=title) for n, title in enumerate(PAGES, 1)]
    wikidata = folder / "items.json"
    wikidata.write_text("[\n" + ",\n".join(map(json.dumps, items)) + "\n]\n", encoding="utf-8")
    (folder / "list.txt").write_text("AC/DC\n")
    return {
        "input": {"page_props": str(tiny_props(folder)), "range_mb": 0.002},
        "wikidata": {"wikidata": str(wikidata)},
        "leave_out": {"leave_out": (str(folder / "list.txt"),)},
        "extract": {"templates": "expand"},
        "mentions": {"mentions": True},
        "records": {"densify": True, "min_sentence_length": 1},
    }


def test_every_file_is_checked_by_its_hash(s3: S3, tmp_path: Path) -> None:
    """A build, stage by stage, each on a machine of its own, as far as its disk goes."""
    job: Any = job_of(tmp_path, tiny_dump(tmp_path), sections=everything(tmp_path))
    object.__setattr__(job, "output", f"{s3.url}/out")
    stages, commits = stages_of(job), dict[str, Commit]()
    plans, fetched = plans_of(stages, job), dict[str, list[str]]()
    for stage in stages:
        scratch = tmp_path / "machines" / stage.name
        units = units_of(stage, plans[stage.name], job, Store(job.output, str(scratch)), commits)
        sent = pickle.loads(pickle.dumps(units))
        results = [execute(unit, NoReport(), RunOptions(scratch=str(scratch))) for unit in sent]
        for stamp in sorted(scratch.glob("wikiprep-cache-*/tables/*/**/*.stamp")):
            known = re.fullmatch("[0-9a-f]{64}", stamp.read_text()) is not None
            fetched.setdefault(stage.name, []).append(f"{'' if known else 'unchecked: '}{stamp.stem}")
        commits[stage.name] = commit_stage(stage, job, Store(job.output, str(scratch)), results, commits)
    assert {name: [f for f in files if f.startswith("unchecked")] for name, files in fetched.items()} == {
        name: [] for name in fetched
    }
    assert {"by_name.arrow", "names.marisa", "titles.marisa"} <= set(fetched["records"])
    assert {"extract", "pages", "links", "mention_texts", "mentions", "relations"} <= fetched.keys()
