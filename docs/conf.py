"""The documentation as a site: `sphinx-build -W -b html docs site`, with `pip install ".[docs]"`.

Sphinx, since it reads the pages as they stand for GitHub, notebooks, and docstrings, and takes each link that leads
nowhere for an error (-W). Notebooks are shown with the outputs that they were saved with; docs/run_notebooks.py runs
them anew.
"""

import re
import sys
from importlib.util import find_spec
from pathlib import Path

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parents[1]))

from wikiprep.version import wikiprep_version

project = "wikiprep"
author = "wikiprep's authors"
copyright = "wikiprep's authors, Apache License 2.0"
release = version = wikiprep_version()

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
exclude_patterns = ["_build", "site"]
nb_execution_mode = "off"
myst_heading_anchors = 4  # as GitHub makes them
suppress_warnings = ["misc.highlighting_failure", "mystnb.unknown_mime_type"]  # JSON with an ellipsis in it

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_mock_imports = [name for name in ("torch", "safetensors") if find_spec(name) is None]
default_role = "code"  # docstrings write `name`, as Markdown has it

html_theme = "furo"
html_title = "wikiprep"
html_copy_source = False
html_show_sphinx = False

# README.md and benchmarks/README.md are no pages of the site: what links there stands as plain text.
_OUTSIDE = re.compile(r"\[([^\]\n]+)\]\(\.\./[^)\s]+\.md(?:#[^)\s]*)?\)")


def _without_links_outside(app: Sphinx, page: str, source: list[str]) -> None:
    if "/" not in page:  # for notebooks, which are a folder further down, ../ is a page
        source[0] = _OUTSIDE.sub(r"\1", source[0])


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _without_links_outside)
