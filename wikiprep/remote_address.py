"""From an address (s3://, gs://, hdfs://) to pyarrow's file system and the path in it."""

from typing import TYPE_CHECKING
from urllib.parse import quote

from wikiprep.errors import WikiprepError
from wikiprep.web_addresses import refuse_web

if TYPE_CHECKING:
    from pyarrow import fs  # where a path is local, a process that only passes work on need not load it

_SAFE_CHARACTERS = ":/?@!$&'()*+,;=%"  # a ? begins pyarrow's own options, a % what was encoded before


def open_filesystem(address: str) -> "tuple[fs.FileSystem, str]":
    """The file system of an address and the path in it. Names may have spaces and letters outside ASCII as they are.

    Raises WikiprepError for what is no address, OSError where a store does not answer.
    """
    from pyarrow import fs

    refuse_web(address)
    try:
        scheme, _, rest = address.partition("://")
        host, slash, name = rest.partition("/")
        system, path = fs.FileSystem.from_uri(f"{scheme}://{host}{slash}{quote(name, safe=_SAFE_CHARACTERS)}")
    except ValueError as error:
        reason = str(error).splitlines()[0]
        raise WikiprepError(
            f"{address}: cannot be opened ({reason})", "addresses begin with s3://, gs://, hdfs:// or file://"
        ) from None
    return system, path
