"""The caption of a file: its last part that is no option of the image."""

import re

from wikiprep.wikitext.marks import END, LINK

_OPTION = re.compile(
    r"\s*(?:thumb(?:nail)?|frame(?:d|less)?|border|left|right|center|centre|none|upright|baseline|middle|sub|super|top"
    r"|text-top|bottom|text-bottom|mini|miniatur|hochkant|links|rechts|zentriert|vignette|gauche|droite|centré|redresse"
    r"|miniatura|miniaturadeimagen|izquierda|derecha|centro|мини|слева|справа|центр|サムネイル|左|右|中央|缩略图|縮圖|thumb=.*"
    r"|(?:upright|alt|link|lang|page|class|start|end|thumbtime|verweis|lien|enlace)\s*=.*|\d*(?:x\d+)?\s*(?:px|пкс|ピクセル|像素)"
    r"|upright\s[\d.]+|)\s*",
    re.I | re.S,
)
_LINKS = re.compile(rf"{LINK}[^{LINK}{END}]*{END}")


def caption_of(inside: str) -> str:
    """The caption in what stands between `[[` and `]]` of a file, links in it marked; "" if there is none.

    A file without caption whose last part is an option of a language that is not listed above gives that word:
    MediaWiki's own lists of option names are not shipped.
    """
    covered = _LINKS.sub(lambda match: match[0].replace("|", " "), inside)
    end = len(covered)
    while (bar := covered.rfind("|", 0, end)) >= 0:
        part = inside[bar + 1 : end]
        if not _OPTION.fullmatch(part):
            return part
        end = bar
    return ""
