"""Cores that a process may use, on systems that tell and on those that do not."""

import os

from wikiprep.process import usable_cores


def test_a_process_tied_to_one_core_may_use_one(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3}, raising=False)
    assert usable_cores() == 1


def test_macos_tells_no_ties(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert usable_cores() == 8
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_cores() == 1
