"""`wikiprep report`: a corpus, and runs on it, as one HTML file that opens offline."""
