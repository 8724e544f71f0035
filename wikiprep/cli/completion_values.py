"""What a shell may complete where click cannot know: names that are files of the package, or a list beside paths."""

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def names_or_files(names: Callable[[], Iterable[str]]) -> Completer:
    """Those of `names` that begin so, and the shell's own files: for an option that takes either."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        items = [CompletionItem(name) for name in names() if name.startswith(incomplete)]
        return [*items, CompletionItem(incomplete, type="file")]

    return complete


def pretrain_configs() -> list[str]:
    """Names of --config of pretrain."""
    from wikiprep.pretrain.config_toml import shipped_names

    return shipped_names()


def finetune_configs() -> list[str]:
    """Names of --config of finetune."""
    from wikiprep.tasks.options import shipped_names

    return shipped_names()


def tasks() -> Iterable[str]:
    """Names of public tasks."""
    from wikiprep.tasks.task_names import TASKS

    return TASKS
