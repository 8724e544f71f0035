"""First values of all parameters, from a seed: matrices normal, biases 0, norms 1, padding rows 0, as in BERT."""

import torch
from torch import Tensor, nn

ENTITY_PAD = 0


def initialise(model: nn.Module, seed: int, std: float, pad_id: int) -> None:
    """Fill `model` in the order of its names, which is the order of its definition."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
            if name.endswith("bias"):
                tensor.zero_()
            elif "norm" in name:
                tensor.fill_(1.0)
            else:
                normal_rows(tensor, std, generator)
            if name in ("words.token.weight", "words.position.weight"):
                tensor[pad_id].zero_()
            if name == "entities.entity.weight":
                tensor[ENTITY_PAD].zero_()


def normal_rows(tensor: Tensor, std: float, generator: torch.Generator) -> None:
    """Normal values of mean 0; also what a row has that a checkpoint does not know."""
    tensor.normal_(0.0, std, generator=generator)
