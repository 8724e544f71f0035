"""A trained model at work: entities of mentions, vectors, figures on held-out pages, folders for transformers."""
