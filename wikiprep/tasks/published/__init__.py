"""Published figures: a TOML file a task, its rows in the order of the papers' tables."""
