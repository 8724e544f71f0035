"""Tasks that a model is tried on: reading their data, scoring, the published rows; and, with torch, fine-tuning."""
