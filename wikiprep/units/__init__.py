"""What work is made of: stages, units and their results, jobs, accounts, receipts and fingerprints."""
