"""Where a benchmark comes from, under which terms, and how its files are called: what a user needs who lacks it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wikiprep.errors import WikiprepError


@dataclass(frozen=True, slots=True)
class Source:
    """`files`: a split's possible file names, the first that is there is read."""

    name: str
    where: str
    terms: str
    files: Mapping[str, tuple[str, ...]]

    def find(self, folder: Path, split: str) -> Path:
        """The split's file. Raises WikiprepError that says where to get it."""
        names = self.files[split]
        for name in names:
            if (folder / name).is_file():
                return folder / name
        what = f"{folder}: no such folder" if not folder.is_dir() else f"{folder}: has no {split} file of {self.name}"
        others = ", ".join(dict.fromkeys(" or ".join(files) for files in self.files.values() if files != names))
        others_text = f" (and {others})" if others else ""
        raise WikiprepError(
            what,
            f"expected: {' or '.join(names)}{others_text}; get {self.name} from {self.where} (terms: {self.terms})",
        )
