"""What `wikiprep` alone says: what to do first."""

FIRST_STEPS = """\
wikiprep turns a Wikipedia dump into an entity-annotated pretraining corpus, and trains models on it.

A corpus without a dump, in a minute, and a page of it:
  wikiprep build-corpus --sample --output corpus
  wikiprep inspect corpus --page "Galileo Galilei"

A real one, of a small wiki: what it would take, then download and build.
  wikiprep download simplewiki --dry-run
  wikiprep build-corpus simplewiki --output simple --tokenizer train:30000

All commands:        wikiprep --help      Options of one:  wikiprep build-corpus --help
Completion by Tab:   eval "$(wikiprep completion bash)"    (or zsh, fish)
Documentation:       wikiprep docs
"""
