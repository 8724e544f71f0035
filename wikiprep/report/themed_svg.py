"""What matplotlib draws, made part of a page: colours of its theme, ids of its own, text as the page's text.

Charts are drawn in the colours of `Ink`, which no real picture has; here each becomes a CSS variable, so that one
picture is right in light and in dark. A file of its own has no page around it: there they are plain colours.
"""

import re
from xml.sax.saxutils import quoteattr

from wikiprep.report.blocks import make_visible

TEXT, GRID = "#010200", "#010201"
SERIES = ("#010210", "#010211", "#010212", "#010213", "#010214", "#010215")
_VARIABLES = {TEXT: "--text", GRID: "--grid"} | {colour: f"--series-{i}" for i, colour in enumerate(SERIES)}
# Okabe and Ito's colours, told apart with colour blindness too (Nature Methods 8, 441, 2011), the yellow left out.
PLAIN = {TEXT: "#222222", GRID: "#dddddd"} | dict(
    zip(SERIES, ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"), strict=True)
)
_FONT = re.compile(r"'DejaVu Sans'[^;\"]*sans-serif")
_REFERENCE = re.compile(r'(\bid="|url\(#|href="#)')
_HEAD = re.compile(r"<svg [^>]*?viewBox=\"([^\"]*)\"[^>]*>", re.DOTALL)
_COLOUR = re.compile("|".join(_VARIABLES))


def inline(svg: str, key: str, label: str) -> str:
    """The `<svg>` element alone. `key` is unique on the page, `label` what a screen reader says of the picture."""
    svg = _strip_frame(svg)
    aria_label = quoteattr(make_visible(label))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-label={aria_label} viewBox="'
    svg = _HEAD.sub(lambda match: f'{head}{match[1]}">', svg, count=1)
    svg = svg.replace("xlink:href", "href")
    svg = _REFERENCE.sub(rf"\g<1>{key}-", svg)
    return _COLOUR.sub(lambda match: f"var({_VARIABLES[match[0]]})", svg)


def standalone(svg: str) -> str:
    """A whole file, dark on white."""
    head, tag, body = svg.partition("<defs>")
    white = '<rect width="100%" height="100%" fill="white"/>\n  '
    return _COLOUR.sub(lambda match: PLAIN[match[0]], _FONT.sub("sans-serif", f"{head}{white}{tag}{body}"))


def _strip_frame(svg: str) -> str:
    svg = svg[svg.index("<svg ") :]
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)  # of all elements of the page it would be
    return _FONT.sub("var(--sans)", svg)
