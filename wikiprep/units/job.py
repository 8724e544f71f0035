"""What is to be built: inputs, content options, and where. Known in full before the first unit runs."""

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from wikiprep.config import Config
from wikiprep.dump.dump_files import Part
from wikiprep.dump.source import is_file, is_remote, open_bytes
from wikiprep.dump.whole_dump import WholeDump, find_dump
from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.parsoid.names import folder_files, is_html_source
from wikiprep.wikitext.templates.own_table import OwnTable

_EDGE = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Job:
    """One build. Either `dumps` (files, folders, globs) or `annotated` text with a vocabulary `vocab`."""

    output: str
    config: Config
    dumps: tuple[str, ...] = ()
    annotated: str | None = None
    vocab: str | None = None
    titles_from: str | None = None  # of which dump the link titles of `annotated` are
    until: str | None = None  # the last stage wanted, or "tables"; None: all

    @cached_property
    def dump(self) -> WholeDump:
        """The dump. Raises WikiprepError for what is none, or of which parts are absent without leave."""
        if self.is_html:
            if self.config.extract.template_table:
                raise UsageError(
                    "--template-table has no say where pages are HTML",
                    "leave it out: templates are shown as the wiki shows them",
                )
            if self.config.extract.variant:
                raise UsageError(
                    "--variant has no say where pages are HTML", "leave it out: the text is as the HTML has it"
                )
            from wikiprep.parsoid.sources import find_html

            return WholeDump(find_html(self.dumps, self.config.input.language), [], [], [])
        return find_dump(self.dumps, self.config.input.allow_missing_parts)

    @cached_property
    def is_html(self) -> bool:
        """Whether the pages are HTML, by the names of the inputs. Raises UsageError for dumps and HTML together."""
        return not self.annotated and is_html_source(self.dumps)

    @property
    def parts(self) -> list[Part]:
        """The dump's files in order of their first page; raises as `dump` does."""
        return self.dump.parts

    @property
    def passed_over(self) -> list[str]:
        """Lines for the user: files among the dump's that hold no pages."""
        return self.dump.passed_over

    @cached_property
    def own_templates(self) -> OwnTable | None:
        """The user's template table, read once and before any work. Raises WikiprepError with the line."""
        path = self.config.extract.template_table
        if not path:
            return None
        from wikiprep.wikitext.templates.template_table import read_own_table  # brings all renderers along

        return read_own_table(path)

    @cached_property
    def language(self) -> str:
        """The language whose rules hold: the option's, else the dump's."""
        if self.config.input.language:
            return self.config.input.language
        if self.annotated:
            raise UsageError("annotated text has no language of its own", "give --language, such as --language en")
        return self.parts[0].siteinfo.language


def file_identity(path: str | Path) -> dict[str, str | int]:
    """Name, size, and a hash of the first and last MiB: enough to notice another file, cheap at any size.

    Of a folder of HTML: of the names, sizes and edges of its files.
    """
    digest = hashlib.sha256()
    if not is_remote(str(path)) and Path(path).is_dir():
        files = folder_files(path)
        identities = [(file.relative_to(path).as_posix(), file_identity(file)) for file in files]
        digest.update(
            repr([(name, identity["size"], identity["edges_sha256"]) for name, identity in identities]).encode()
        )
        size = sum(file.stat().st_size for file in files)
        return {"name": Path(path).absolute().name, "size": size, "edges_sha256": digest.hexdigest()}
    with open_bytes(str(path)) as f:
        digest.update(f.read(_EDGE))
        size = f.seek(0, 2)
        f.seek(max(0, size - _EDGE))
        digest.update(f.read(_EDGE))
    return {"name": PurePosixPath(path).name, "size": size, "edges_sha256": digest.hexdigest()}


def path_identity(path: str) -> object:
    """Identity of what a path option names: a file, every file of a folder, or the string itself if it is no path."""
    if is_remote(path):
        if is_file(path):
            return file_identity(path)
        return [file_identity(f"{path}/{name}") for name in Store(path).list() if "/" not in name] or path
    local_path = Path(path)
    if local_path.is_dir():
        return [file_identity(p) for p in sorted(local_path.iterdir()) if p.is_file()]
    return file_identity(local_path) if local_path.exists() else path


def options_of(section: object) -> dict[str, object]:
    """A section's options for a fingerprint: paths by what they hold, not by where they lie."""
    values = {f.name: getattr(section, f.name) for f in fields(section)}  # type: ignore[arg-type]
    return {
        f.name: _value_identity(values[f.name]) if f.metadata.get("path") and values[f.name] else values[f.name]
        for f in fields(section)  # type: ignore[arg-type]
    }


def _value_identity(value: Any) -> object:
    """Of one path, or of each."""
    return [path_identity(path) for path in value] if isinstance(value, tuple) else path_identity(value)
