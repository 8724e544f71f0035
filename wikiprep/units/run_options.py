"""Options of a build that change no byte of its output: see design, "Run options"."""

from dataclasses import dataclass

from wikiprep.options.fields import option


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Table `[run]` of a configuration, and options of the command line."""

    workers: int = option(1, "Worker processes.", minimum=1, maximum=4096)
    page_timeout: float = option(60.0, "Seconds a page may take before its worker is replaced.", minimum=0.01)
    page_memory: int = option(1024, "MB of private memory a worker may reach at a page.", minimum=64, maximum=1 << 30)
    quiet: bool = option(False, "No progress and no summary.")
    scratch: str | None = option(None, "Folder on local disk for temporary files of a remote output.")
    checksums: bool = option(
        True, "Compare the dump's files with SHA256SUMS, …-sha1sums.txt or …-md5sums.txt beside them."
    )
    retries: int = option(
        2,
        "With --runner: times that the job begins again on what is missing, where processes of an engine ended that "
        "does not replace them.",
        minimum=0,
        maximum=1000,
    )
    start_timeout: float = option(
        100.0,
        "With --runner: seconds in which its first worker must have started (Dataflow tells for itself).",
        minimum=1,
    )

    @property
    def page_bytes(self) -> int:
        """`page_memory` in bytes."""
        return self.page_memory << 20
