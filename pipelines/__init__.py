"""The engines that run the stages of `wikiprep.stages` on more than one machine: `spark.py`, and Beam's runners in
`beam.py`. Nothing else imports Spark or Beam."""
