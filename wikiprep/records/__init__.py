"""Records as training and Python read them, without torch."""
