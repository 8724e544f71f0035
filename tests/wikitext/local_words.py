"""Small pages that use every word a language has for wikitext, made from the shipped tables."""

import re

from wikiprep.dump.site import Site
from wikiprep.languages.language import language
from wikiprep.languages.wikitext_words import rows_of

_PAGE_WORDS = ("pagename", "namespace", "talkpagename", "pagenamee", "fullpagename", "contentlanguage")
_BEHIND = "aéßяёіїґّةкתァ한ーʼ'’-·"
_BEFORE = "aéßяلךअ'’-ー"


def page_of_language(site: Site) -> list[str]:
    """Pieces of wikitext, one a use."""
    own = site.language
    rows = rows_of(own)
    names = site.titles.names
    out: list[str] = []
    options = [w.replace("$1", "12") for row in rows for forms in row.get("image", {}).values() for w in forms]
    for start in range(0, len(options), 6):
        out.append(f"A\n[[{names[6]}:X.jpg|thumb|{'|'.join(options[start : start + 6])}]]\nB")
    out += [f"A\n\nB [[{names[6]}:X.jpg|{word}]] C" for word in options]  # a block, or in the line
    for name in (names[6], *_aliases(own.code, 6)):
        out.append(f"A\n[[{name}:X.jpg|thumb|cap [[in]] x]]\nB")
    for name in (names[14], *_aliases(own.code, 14)):
        out.append(f"A [[{name}:Some cat|k]] B [[:{name}:Other]]")
    switches = [w for row in rows for name, ws in row.get("switches", {}).items() if name != "toc" for w in ws]
    out.append("x\n" + " ".join(f"a{i} {word} b{i}" for i, word in enumerate(switches)))
    out += [f"[[{names[space]}:Xyz]] [[:{names[space]}:Xyz|l]]" for space in (1, 2, 10, 12, -1)]
    letters = sorted(set(re.findall(r"\w", own.link_trail)))[:20]
    out.append(" ".join(f"[[p]]{letter}q" for letter in [*letters, *_BEHIND]))
    out.append(" ".join(f"{letter}[[p]]q" for letter in _BEFORE))
    known = [(name, w) for row in rows for name, ws in row.get("variables", {}).items() for w in ws]
    out += [f"x{{{{{word}}}}}y" for name, word in known if name in _PAGE_WORDS]
    out.append("{{formatnum:-1234567.891}} {{formatnum:1234}} {{formatnum:12345}} {{formatnum:99|R}}")
    words = {name: w for row in reversed(rows) for name, ws in row.get("functions", {}).items() for w in ws}
    f = words.__getitem__
    out.append(f"{{{{{f('if')}:a|b|c}}}} {{{{{f('switch')}:a|a=1|2}}}} {{{{{f('lc')}:AB}}}} {{{{{f('ns')}:6}}}}")
    out.append(f"x{{{{{f('defaultsort')}:z}}}}y {{{{{f('formatnum')}:12345.6}}}} {{{{{f('urlencode')}:a b}}}}")
    out.append("a-{b}-c")
    return out


def _aliases(code: str, space: int) -> list[str]:
    return [name for name, number in language(code).aliases.items() if number == space][:6]
