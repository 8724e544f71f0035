"""What work is made of: stages, units and their results, jobs, sums of counts, receipts and fingerprints."""
