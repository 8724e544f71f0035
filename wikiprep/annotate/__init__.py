"""Entity spans for any text: JSON lines, SQuAD; addresses and QIDs of pages."""
