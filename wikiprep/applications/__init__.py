"""What commands make or show of a finished corpus: exports, annotated files, merged vocabularies, coverage."""
