"""Reads a user's own template table (`--template-table FILE`), and says where it cannot be understood."""

from wikiprep.errors import WikiprepError
from wikiprep.textlines import read_lines
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.template_table import Table

HINT = (
    "a line is `name, name = pattern`, such as `lang, Lang = {2}`: "
    "`wikiprep docs templates`, `wikiprep templates --functions`"
)


def read_own_table(path: str) -> OwnTable:
    """The table in the UTF-8 file at `path` (local, or a pyarrow.fs address). Raises WikiprepError with the line."""
    lines: list[str] = []
    for number, raw in read_lines(path):
        try:
            line = raw.decode()
            if "\0" in line:
                raise ValueError("a NUL character: is this a text file?")
            Table([line])
        except UnicodeDecodeError as error:
            raise WikiprepError(f"{path}, line {number}: not UTF-8 ({error.reason})", "save it as UTF-8") from error
        except ValueError as error:
            raise WikiprepError(f"{path}, line {number}: {error}", HINT) from error
        lines.append(line)
    return OwnTable(tuple(lines))
