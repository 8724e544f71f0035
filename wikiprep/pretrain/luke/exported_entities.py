"""What an export changes of the entity table, kept beside it: so that the folder opens as the model that was trained.

`[MASK2]`, which transformers wants, is a copy of `[MASK]`: as a new row behind the table, or in the place of a row of
the corpus's that no link ever meant. Either way one more entity takes part in the softmax over entities.
"""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from wikiprep.files import apply_umask

AS_TRAINED = "as_trained.safetensors"
ENTITY_TABLE, ENTITY_BIAS = "entities.entity.weight", "entity_head.bias"
_ROWS, _CHANGED = "entity_rows", "changed_row"


def write_as_trained(folder: Path, tensors: Mapping[str, Tensor], mask2: int) -> None:
    """`tensors`: as trained; `mask2`: the row that the export fills."""
    rows = len(tensors[ENTITY_TABLE])
    original_rows = {name: tensors[name][mask2 : mask2 + 1].float().clone() for name in (ENTITY_TABLE, ENTITY_BIAS)}
    save_file(original_rows, folder / AS_TRAINED, {_ROWS: str(rows), _CHANGED: str(mask2)})
    apply_umask(folder / AS_TRAINED)


def restore(folder: Path, tensors: dict[str, Tensor]) -> int | None:
    """Undo it in the tables of `tensors` (our names). Returns how many rows there were; None for another's folder."""
    path = folder / AS_TRAINED
    if not path.is_file():
        return None
    with safe_open(path, "pt") as file:
        metadata = file.metadata()
        rows, changed_row = int(metadata[_ROWS]), int(metadata[_CHANGED])
        for name in (ENTITY_TABLE, ENTITY_BIAS):
            if name in tensors:
                row = file.get_tensor(name)
                parts = [tensors[name][:changed_row], row.to(tensors[name].dtype), tensors[name][changed_row + 1 :]]
                tensors[name] = torch.cat(parts)[:rows]
    return rows
