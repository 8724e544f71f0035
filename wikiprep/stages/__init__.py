"""The stages of a build, one a file: plan, run, commit; `build.py` is the one list."""
