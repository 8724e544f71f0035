"""The local driver and its pool of processes."""
