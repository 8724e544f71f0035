"""Where pages come from: files and ranges of them, XML to `Page`, titles and namespaces, SQL tables."""
