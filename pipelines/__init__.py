"""The other drivers of the stages in `wikiprep.stages`: Beam and Spark will stand here, and nothing else does."""
