"""The XML files of WebNLG 1.5: in the archive as it is published, or unpacked, by split."""

import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.textlines import read_whole

ARCHIVES = ("*.tar.xz", "*.tar.gz", "*.tgz", "*.tar")
_LARGEST = 1 << 28  # bytes of a file of an archive


def is_archive(path: Path) -> bool:
    """Whether it is a file with the name of one."""
    return path.is_file() and any(path.match(pattern) for pattern in ARCHIVES)


def is_unpacked(folder: Path, split: str) -> bool:
    """Whether the folder has the split's XML files."""
    return bool(_unpacked_files(folder, split))


def has_archive(folder: Path) -> bool:
    """Whether the folder has an archive, or several."""
    return bool(_archives(folder))


def xml_files(path: Path, split: str) -> Iterator[tuple[str, bytes, str]]:
    """Of a split of a folder, or of an archive: its name there ("1triples/Airport.xml"), content, and what errors say.

    In the order of the names. Raises WikiprepError for several archives, a damaged one, or one without the split.
    """
    if path.is_file():
        yield from _archive_files(path, split)
        return
    unpacked_files = _unpacked_files(path, split)
    if unpacked_files:
        for file in unpacked_files:
            yield _name(PurePosixPath(file.as_posix()), split), read_whole(file), str(file)
        return
    archives = _archives(path)
    if len(archives) != 1:
        names = ", ".join(archive.name for archive in archives) or "none"
        raise WikiprepError(f"{path}: one archive of WebNLG is needed, there: {names}", "give the one: --data FILE")
    yield from _archive_files(archives[0], split)


def _archives(folder: Path) -> list[Path]:
    return sorted(path for pattern in ARCHIVES for path in folder.glob(pattern)) if folder.is_dir() else []


def _unpacked_files(folder: Path, split: str) -> list[Path]:
    tops = (folder / split, folder / "en" / split)
    return next((files for top in tops if (files := sorted(top.glob("**/*.xml")))), [])


def _archive_files(archive: Path, split: str) -> Iterator[tuple[str, bytes, str]]:
    hint = "get the archive again, or unpack it and give the folder"
    contents = {}
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                path = PurePosixPath(member.name)
                if member.isfile() and path.suffix == ".xml" and split in path.parts[:-1]:
                    if member.size > _LARGEST:
                        raise WikiprepError(f"{archive}: {member.name} has {member.size:,} bytes", hint)
                    data = tar.extractfile(member)
                    assert data is not None
                    contents[member.name] = data.read()
    except FileNotFoundError as error:
        raise UsageError(f"{archive}: no such file", "check the path") from error
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise WikiprepError(f"{archive}: cannot be read ({error})", hint) from error
    except Exception as error:
        if type(error).__name__ == "LZMAError":
            raise WikiprepError(f"{archive}: cannot be read ({error})", hint) from error
        raise
    if not contents:
        raise WikiprepError(f"{archive}: has no XML file of {split}", "it has folders train, dev and test")
    for name in sorted(contents):
        yield _name(PurePosixPath(name), split), contents[name], f"{archive}: {name}"


def _name(path: PurePosixPath, split: str) -> str:
    parts = path.parts
    last = len(parts) - 1 - parts[::-1].index(split)
    return "/".join(parts[last + 1 :])
