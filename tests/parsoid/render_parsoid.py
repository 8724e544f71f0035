"""Wikitext as Parsoid's HTML, by the MediaWiki of ../shared/oracle: for tests marked `oracle` and for benchmarks."""

import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from wikitext.oracle_support import home, oracle

SCRIPT = Path(__file__).with_name("render_parsoid.php")


def rendered(
    rows: Iterable[dict[str, str]], language: str, templates: dict[str, str] | None = None
) -> Iterator[dict[str, Any]]:
    """{"title", "html", "redirect", "error"} for each row of {"title", "text"}, in order; `html` is the body's inside.

    `templates`: pages that may be transcluded, by title; every other template is nothing.
    """
    wiki = home() / "root" / "usr" / "share" / "mediawiki"
    env = dict(
        os.environ,
        MW_CONFIG_FILE=str(home() / "LocalSettings.php"),
        WIKIPREP_ORACLE_WIKI=str(wiki),
        ORACLE_LANG=oracle().LANGUAGE.get(language, language),
    )
    command = ["php", "-d", "memory_limit=4G", "-d", "pcre.backtrack_limit=10000000", str(SCRIPT)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True, encoding="utf-8"
    ) as php:
        assert php.stdin and php.stdout
        if templates is not None:
            php.stdin.write(json.dumps({"templates": templates}) + "\n")
        for row in rows:
            php.stdin.write(json.dumps(row) + "\n")
            php.stdin.flush()
            line = php.stdout.readline()
            while line and not line.startswith("{"):
                line = php.stdout.readline()
            if not line:
                raise RuntimeError(f"Parsoid stopped at {row['title']!r}")
            yield json.loads(line)
        php.stdin.close()
