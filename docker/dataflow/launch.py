"""Started by Dataflow's template launcher, which gives the template's parameters and Beam's options as --name=value."""

from wikiprep.cli.engine_launcher import main

if __name__ == "__main__":
    main("--runner=DataflowRunner")
