"""What frozen vectors show without training: clusters of entities and relations, and pictures of them."""
