"""Templates: those that carry text are rendered, the rest is dropped and counted by name."""

from wikiprep.wikitext.templates.reader import TemplatePolicy, TemplateReader

__all__ = ["TemplatePolicy", "TemplateReader"]
