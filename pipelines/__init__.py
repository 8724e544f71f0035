"""The engines that run the stages of `wikiprep.stages` on more than one machine.

`spark.py`, and Beam's runners in `beam.py`. Nothing else imports Spark or Beam.

The folder stands beside the core, which knows no engine; it is imported and installed as `wikiprep.pipelines`, since
users have folders called `pipelines` too.
"""
