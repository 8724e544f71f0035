"""Options of `wikiprep kg-embed`, said once for the command and for Python; PyKEEN and torch are not imported here."""

from dataclasses import dataclass

from wikiprep.knowledge.phi import FORMS, form_of
from wikiprep.options.option_fields import check_all, option

TABLE = "kg-embed"  # what messages call the options


def _name_models() -> str:
    *names, last = (form.name for form in FORMS.values())
    return f"{', '.join(names)} or {last}."


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What decides the vectors, with the graph and the versions. `learning_rate` None: PyTorch's default of Adam.

    Raises UsageError for what an option does not take, and for a model without phi; a model has its paper's spelling.
    """

    model: str = option("TransE", _name_models())
    dim: int = option(50, "Numbers of a vector; of a complex one pairs.", minimum=1)
    epochs: int = option(1000, "Passes over the triples.", minimum=1)
    batch_size: int = option(128, "Triples of a step.", minimum=1)
    learning_rate: float | None = option(None, "Of Adam. [PyTorch's default, 0.001]", minimum=1e-12)
    seed: int = option(0, "Of first vectors, order, negatives.", minimum=0, maximum=2**32 - 1)

    def __post_init__(self) -> None:
        check_all(self, TABLE)
        object.__setattr__(self, "model", form_of(self.model).name)


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """How it is trained, which decides nothing of the vectors. A checkpoint after 0 minutes: after each epoch."""

    checkpoint_minutes: int = option(5, "Between checkpoints.", minimum=0)
    device: str = option("cpu", "PyTorch's name of the device, such as cuda.")

    def __post_init__(self) -> None:
        check_all(self, TABLE)
