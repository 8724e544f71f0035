"""A build around its stages, under every engine: run context, plan and commit, manifest, log."""
