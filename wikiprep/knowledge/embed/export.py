"""A trained model's vectors, so that `knowledge.phi` needs no PyKEEN."""

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from pykeen.models import ERModel
from pykeen.nn.modules import NormBasedInteraction

from wikiprep.knowledge.folder import ENTITY_VECTORS
from wikiprep.knowledge.phi import VECTOR, Form

Floats = npt.NDArray[np.float32]


def vectors_of(model: ERModel[Any, Any, Any], form: Form) -> dict[str, Floats]:
    """As the model's scores use them (normalised where it normalises); complex ones as real parts, imaginary parts."""
    names = [VECTOR] + ([form.second] if form.second else [])
    (entities,), relations = model.entity_representations, model.relation_representations
    with torch.no_grad():
        tensors = {ENTITY_VECTORS: entities(indices=None)}
        tensors |= {name: one(indices=None) for name, one in zip(names, relations, strict=True)}
    return {name: _real(tensor.detach().cpu()) for name, tensor in tensors.items()}


def norm_of(model: ERModel[Any, Any, Any]) -> dict[str, int | bool]:
    """What `phi.score` has to know of the interaction: norm and power; of a product they do not matter."""
    interaction = model.interaction
    if isinstance(interaction, NormBasedInteraction):
        return {"norm": int(interaction.p), "power": bool(interaction.power_norm)}
    return {"norm": 2, "power": False}


def _real(tensor: torch.Tensor) -> Floats:
    if tensor.is_complex():
        tensor = torch.cat([tensor.real, tensor.imag], dim=-1)
    return np.ascontiguousarray(tensor.to(torch.float32).numpy())
