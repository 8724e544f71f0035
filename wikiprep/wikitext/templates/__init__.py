"""Templates: those that carry text are rendered, the rest is dropped and counted by name."""

from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.reader import Definitions, TemplatePolicy, TemplateReader

__all__ = ["Definitions", "OwnTable", "TemplatePolicy", "TemplateReader"]
