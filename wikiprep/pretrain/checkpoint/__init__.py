"""States of a run on disk: whole or absent, checksummed, read by any number of ranks, without pickle."""
