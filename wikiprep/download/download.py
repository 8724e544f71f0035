"""All files that were found: room asked, two fetched at a time, each under its name when its sums are right.

Threads wait for the network; this one draws, and takes Ctrl-C. They are daemons: where one hangs in a read, the end of
the process ends it, and what it has written stays for the next run.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wikiprep.download.cache import lock_folder
from wikiprep.download.client import Client, DownloadStopped, Manners
from wikiprep.download.disk_space import require_room
from wikiprep.download.fetch import Fetch
from wikiprep.download.host_pauses import CONNECTIONS, Hosts
from wikiprep.download.meter import Meter, MeterState
from wikiprep.download.partial_file import PartialFile, bytes_there, is_there
from wikiprep.download.remote_file import FileSet, RemoteFile, TargetFolder
from wikiprep.download.server import Server
from wikiprep.errors import WikiprepError
from wikiprep.files import whole_file
from wikiprep.terminal.screen import Screen
from wikiprep.terminal.wording import amount

_DRAW = 0.1  # seconds
_PATIENCE = 1.0  # seconds for threads that end by themselves


@dataclass(frozen=True)
class PlannedFile:
    """A file of the plan. `size` in bytes as far as it can be known, `there` those that need not be fetched."""

    file: RemoteFile
    path: Path
    servers: tuple[str, ...]
    size: int | None
    there: int
    whole: bool

    @property
    def left(self) -> int:
        """Bytes to fetch."""
        return 0 if self.whole else max(0, (self.size or 0) - self.there)


class Downloader:
    """One command's: its client, its threads, its display.

    `wait` and `clock` are for tests: how to sleep, and what time it is then.
    """

    def __init__(
        self,
        manners: Manners,
        display: Screen,
        wait: Callable[[float], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.display = display
        self._stop = threading.Event()
        self._wait = wait
        self.client = Client(manners, Hosts(self._sleep, clock), display.note)

    def close(self) -> None:
        """Close the connections; it can be used again."""
        self.client.close()

    def servers(self, addresses: Sequence[str]) -> list[Server]:
        """The servers at these addresses."""
        return [Server(address, self.client) for address in addresses]

    def plan(self, file_sets: Sequence[FileSet], folder: TargetFolder) -> list[PlannedFile]:
        """The files with what is there of them, and sizes of those whose status file does not say it."""
        items = []
        for group in file_sets:
            for file in group.files:
                path = folder.place(file)
                is_whole = is_there(file, path, self._raise_if_stopped)
                present_bytes = path.stat().st_size if is_whole else bytes_there(path)
                size = present_bytes if is_whole else file.size
                if size is None:
                    size = self.client.size(f"{group.servers[0]}/{file.path}")
                items.append(PlannedFile(file, path, group.servers, size, present_bytes, is_whole))
        return items

    def run(self, file_sets: Sequence[FileSet], folder: TargetFolder) -> list[Path]:
        """Fetch what is not there; the files' paths, in order. Raises WikiprepError, with what is done kept."""
        if not self._is_complete(file_sets, folder):
            with lock_folder(folder.path):
                items = self.plan(file_sets, folder)
                require_room(folder.path, sum(item.left for item in items))
                if missing_items := [item for item in items if not item.whole]:
                    self._fetch(items, missing_items)
        for group in file_sets:
            for name, text in group.texts.items():
                path = folder.of(group.files[0].group) / name
                if not path.is_file() or path.read_bytes() != text:
                    with whole_file(path) as file:
                        file.write(text)
        return [folder.place(file) for group in file_sets for file in group.files]

    def _is_complete(self, dumps: Sequence[FileSet], folder: TargetFolder) -> bool:
        return all(
            is_there(file, folder.place(file), self._raise_if_stopped) for group in dumps for file in group.files
        )

    def _fetch(self, items: Sequence[PlannedFile], missing_items: Sequence[PlannedFile]) -> None:
        meter = Meter({item.file.name: item.size for item in items}, {item.file.name: item.there for item in items})
        for item in items:
            if item.whole:
                meter.whole(item.file.name, item.there)
        waiting: queue.SimpleQueue[PlannedFile] = queue.SimpleQueue()
        for item in missing_items:
            waiting.put(item)
        errors: list[BaseException] = []
        threads = [
            threading.Thread(target=self._work, args=(waiting, meter, errors), daemon=True)
            for _ in range(min(CONNECTIONS, len(missing_items)))
        ]
        state = MeterState(meter)
        self.display.begin(state)
        try:
            for thread in threads:
                thread.start()
            while any(thread.is_alive() for thread in threads):
                self.display.tick(state)
                threads[0].join(_DRAW) if threads[0].is_alive() else threads[-1].join(_DRAW)
        except BaseException:
            self._stop.set()
            for thread in threads:
                thread.join(_PATIENCE)
            raise
        finally:
            self.display.clear()
        if errors:
            raise _first_of(errors, len(missing_items))
        self.display.note(meter.last_line())

    def _work(self, waiting: "queue.SimpleQueue[PlannedFile]", meter: Meter, errors: list[BaseException]) -> None:
        while not self._stop.is_set():
            try:
                item = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                self._fetch_item(item, meter)
            except DownloadStopped:
                return
            except BaseException as error:
                errors.append(error)
                if not isinstance(error, WikiprepError) or isinstance(error.__cause__, OSError):
                    self._stop.set()  # the disk, or a fault of ours: nothing else will do better

    def _fetch_item(self, item: PlannedFile, meter: Meter) -> None:
        name = item.file.name

        def on_bytes(count: int) -> None:
            self._raise_if_stopped()
            meter.at(name, count)

        if item.there:
            self.display.note(f"{name}: {amount(item.there)} are there; it is gone on with")
        if item.path.is_file():
            self.display.note(f"{name}: what is there is not as {item.file.source} says; it is fetched anew")
        with PartialFile(item.file, item.path, self._raise_if_stopped) as part:
            meter.at(name, part.size)
            Fetch(item.file, part, self.client, on_bytes, self.display.note).run(item.servers)
            meter.whole(name, part.size)

    def _raise_if_stopped(self) -> None:
        if self._stop.is_set():
            raise DownloadStopped

    def _sleep(self, seconds: float) -> None:
        if self._wait is not None:
            self._wait(seconds)
        else:
            self._stop.wait(seconds)
        self._raise_if_stopped()


def _first_of(errors: Sequence[BaseException], files: int) -> BaseException:
    """What the user reads: an error of the disk or a fault first, else the first file's, with how many there are."""
    other_errors = [error for error in errors if not isinstance(error, WikiprepError)]
    first = (other_errors or list(errors))[0]
    if isinstance(first, WikiprepError) and len(errors) > 1:
        more = len(errors) - 1
        return WikiprepError(f"{first.what}\n  and {more} more of {files} files failed", first.hint)
    return first
