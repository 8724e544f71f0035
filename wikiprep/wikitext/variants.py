"""Language variants: `-{zh-hans:…;zh-hant:…}-` shows one of its forms, and rules alone show nothing."""

import re

from wikiprep.wikitext.marks import END, LINK

_VARIANT = re.compile(r"-\{([^{}]*)\}-")
_RULE = re.compile(rf"\s*([a-z]{{2,3}}(?:-[a-z]+)*)\s*:([^;{LINK}{END}]*)(?:;|\Z)")
_FLAGS = re.compile(r"\s*([A-Z+\-](?:;[A-Z])*|[a-z]{2,3}(?:-[a-z]+)*(?:;[a-z-]+)*)\s*\|")
# The variant a reader of the wiki gets where no other is chosen, and what stands in for it.
_ORDER = {
    "zh": ("zh", "zh-hans", "zh-cn", "zh-sg", "zh-my", "zh-hant", "zh-tw", "zh-hk", "zh-mo"),
    "sr": ("sr", "sr-ec", "sr-cyrl", "sr-el"),
    "kk": ("kk", "kk-cyrl", "kk-kz"),
    "gan": ("gan", "gan-hans", "gan-hant"),
    "iu": ("iu", "ike-cans", "ike-latn"),
    "ku": ("ku", "ku-latn"),
    "shi": ("shi", "shi-tfng", "shi-latn"),
    "tg": ("tg", "tg-latn"),
    "uz": ("uz", "uz-latn", "uz-cyrl"),
    "crh": ("crh", "crh-latn", "crh-cyrl"),
    "en": (),
}


def strip_variants(text: str, code: str) -> str:
    """The text with variant markup resolved for the wiki's default reader; as it is where there are none."""
    if "-{" not in text or not (order := _ORDER.get(code)):
        return text

    def choose(match: re.Match[str]) -> str:
        inside = match[1]
        flags = _FLAGS.match(inside)
        if flags:
            if flags[1][0] in "AHT-" and flags[1][0] != "A":
                return ""
            inside = str(inside[flags.end() :])
            if flags[1][0] in "RD":
                return inside
        rules: dict[str, str] = dict(_RULE.findall(inside))
        if not rules:
            return inside
        return next((rules[name].strip() for name in order if name in rules), next(iter(rules.values())).strip())

    for _ in range(3):
        text, changed = _VARIANT.subn(choose, text)
        if not changed:
            break
    return text
