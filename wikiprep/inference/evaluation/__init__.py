"""How good a model is on pages that it was not trained on, beside what can be had without a model."""
