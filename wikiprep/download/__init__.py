"""Dumps by the name of their wiki: found through the server's own status files, fetched politely, checked, kept.

`find.py` reads what a server says it has and makes a list of `RemoteFile`; `fetch.py` brings one of them, and
`download.py` all. Nothing of this decides a byte of a corpus: a build reads files on disk, and checks them again.
"""
