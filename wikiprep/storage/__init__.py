"""How tables lie on disk, whatever is in them: memory-mapped arrays and tries, Parquet, redirect chains."""
