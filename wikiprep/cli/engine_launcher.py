"""`python -m wikiprep.pipelines.beam` and `.spark`: the command as an engine's launcher starts it."""

import sys

from wikiprep.cli.build_corpus import command
from wikiprep.cli.main import main as run_command
from wikiprep.errors import UsageError
from wikiprep.pipelines.runners import NAMES


def main(*first: str) -> None:
    """`wikiprep build-corpus` with `first` and this process's arguments, as an engine's launcher gives them.

    Launchers know flags with values only: `--dumps=A,B` stands for the dumps, `--mentions=true` for `--mentions`.
    """
    option_names = {word.partition("=")[0] for word in (*first, *sys.argv[1:])}
    if not option_names & {"--runner", "--help"}:  # the command's own runner is not one of an engine's
        error = UsageError("no runner given", f"give --runner=NAME: {', '.join(NAMES[1:])}")
        print(f"wikiprep: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    flags = {name for it in command.params if getattr(it, "is_flag", False) for name in (*it.opts, *it.secondary_opts)}
    words = list(first)
    for word in sys.argv[1:]:
        name, _, value = word.partition("=")
        if name == "--dumps":
            words += filter(None, value.split(","))
        elif name in flags and value == "true":
            words.append(name)
        elif name in flags and value == "false":
            words += {f"--no-{name[2:]}"} & flags  # one that cannot be switched off is off
        else:
            words.append(word)
    sys.argv[1:] = ["build-corpus", *words]
    run_command()
