"""Keeps a page from killing the build: work in a child process, watched and limited."""
