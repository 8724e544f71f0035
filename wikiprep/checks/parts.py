"""What `verify` reads, part by part."""

CHECKSUMS, STATE, COUNTS, POINTERS = "checksums", "checksums of _state", "counts", "pointers"
MENTIONS, TRIPLES, RELATIONS, LEFT_OUT = "mentions", "triples", "relations", "pages left out"
PARTS = (CHECKSUMS, STATE, COUNTS, POINTERS, MENTIONS, TRIPLES, RELATIONS, LEFT_OUT)
