"""What names mean: counts of names in links and text, look-ups of them, and names found in text."""
