"""What extraction can do with templates and formulas, as options name it; apart, for processes that only pass it on."""

from typing import Literal

MathPolicy = Literal["drop", "tex"]
TemplatePolicy = Literal["render", "drop"]
