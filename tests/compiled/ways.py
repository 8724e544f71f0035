"""The same code with its compiled modules and without them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from wikiprep.compiled import COMPILED, link_marks, notes
from wikiprep.compiled import braces as brace_pairs
from wikiprep.dump import bz2_blocks as dump_blocks
from wikiprep.dump import page_xml, pages
from wikiprep.wikitext import blocks, control_marks, extract, links, references, spans, template_calls

# Not imported by name: the tests of templates are others than those that use this file (tests/which.py).
arguments, reader = (sys.modules[f"wikiprep.wikitext.templates.{name}"] for name in ("arguments", "reader"))

# Every place that asks for compiled code, and what stands there without it: nothing, or Python code.
PLACES = [
    (dump_blocks, "_wrap_block", None),
    (template_calls, "_outermost", brace_pairs.outermost),
    (control_marks, "_has_any", None),
    (control_marks, "_single_spaces", None),
    (control_marks, "_without_any", None),
    (page_xml, "_has_control", None),
    (page_xml, "_unescape_named", None),
    (pages, "_find", bytes.find),
    (references, "_close_up", notes.close_up),
    (references, "_cut_notes", notes.cut_notes),
    (references, "_find_notes", notes.find_notes),
    (extract, "_block_reader", blocks.BlockReader),
    (extract, "_link_reader", links.LinkReader),
    (extract, "_template_reader", reader.TemplateReader),
    (reader, "_new_arguments", arguments.Arguments),
    (spans, "_split", link_marks.split_marks),
]

needs_compiled = pytest.mark.skipif(not COMPILED, reason="the fast paths are not compiled here, or left out")


@contextmanager
def pure() -> Iterator[None]:
    """Within it, Python alone."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, instead in PLACES:
            patch.setattr(module, name, instead)
        yield
