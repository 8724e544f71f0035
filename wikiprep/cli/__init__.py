"""The commands, one a file, imported when called, and what several of them share."""
