"""`wikiprep completion`: the script by which a shell completes commands, options, names and files."""

import click

SHELLS = ("bash", "zsh", "fish")
COMPLETE_VAR = "_WIKIPREP_COMPLETE"  # what the script sets when it asks for completions


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the script that completes wikiprep's commands and options in SHELL: bash (4.4 or later), zsh or fish.

    \b
    bash   echo 'eval "$(wikiprep completion bash)"' >> ~/.bashrc
    zsh    echo 'eval "$(wikiprep completion zsh)"' >> ~/.zshrc
    fish   wikiprep completion fish > ~/.config/fish/completions/wikiprep.fish
    """
    from click.shell_completion import get_completion_class

    from wikiprep.cli.main import cli

    kind = get_completion_class(shell)
    assert kind is not None  # click has all three
    click.echo(kind(cli, {}, "wikiprep", COMPLETE_VAR).source())
