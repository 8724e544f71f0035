"""What extraction can do with templates, formulas, links without label, as options name it.

Apart, for processes that only pass it on.
"""

from typing import Literal

MathPolicy = Literal["text", "tex", "drop"]
TemplatePolicy = Literal["render", "drop"]
LinkNumberPolicy = Literal["keep", "drop"]
