"""Tasks that a pretrained model is tried on: reading their data, scoring, the published rows (and, with torch, tuning)."""
