"""Fixtures of this folder."""

from conftest_download import no_environment, other, server

__all__ = ["no_environment", "other", "server"]
