"""Where the stages that read HTML leave their files; apart, since `extract` plans by it without loading pyarrow."""

PIECES = "_state/snapshot/pieces/"
IDS = "_state/snapshot/ids/"
OLDER = "_state/copies/older.json"
