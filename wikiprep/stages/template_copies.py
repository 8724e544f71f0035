"""Where `template_pages` leaves what it unpacked, so that `extract` need not unpack the dump once more."""

COPIES = "_state/template_pages/unpacked"


def copy_of(part: str) -> str:
    """Where a range's unpacked bytes wait for `extract`, which takes them away; relative to an output on local disk.

    No receipt knows them: where they are gone the dump is read again.
    """
    return f"{COPIES}/{part}.zst"
