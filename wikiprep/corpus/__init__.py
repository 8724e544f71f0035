"""Articles on disk, sentences, tokenizers, packing, records and relations between mentions."""
