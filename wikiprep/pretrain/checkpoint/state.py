"""The tensors of a run by name: parameters, persistent buffers, and the optimiser's moments.

Under FSDP these are this rank's shares (DTensors), which the checkpoint library puts together and cuts anew. Nothing
else has state: the learning rate is a function of the step, the order and the masks of (seed, epoch), dropout's
generator of (seed, step, rank).
"""

from torch import Tensor, nn
from torch.distributed.tensor import DTensor

from wikiprep.pretrain.optimizer import AdamW

MODEL, OPTIMIZER = "model.", "optimizer."


def model_state(model: nn.Module) -> dict[str, Tensor]:
    """Parameters and persistent buffers; one that has two names comes once."""
    parameters = {name: parameter.detach() for name, parameter in model.named_parameters()}
    persistent = model.state_dict(keep_vars=True)
    buffers = {name: buffer for name, buffer in model.named_buffers() if name in persistent}
    return {MODEL + name: tensor for name, tensor in (parameters | buffers).items()}


def optimizer_state(model: nn.Module, optimizer: AdamW) -> dict[str, Tensor]:
    """The moments of all that is trained, by the name of the parameter."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    return {
        f"{OPTIMIZER}{names[id(parameter)]}.{moment}": tensor
        for parameter, moments in optimizer.moments()
        for moment, tensor in moments.items()
    }


def part_of_rank(state: dict[str, Tensor], rank: int, world: int) -> dict[str, Tensor]:
    """What rank `rank` is to write of a state that all ranks have: its shares, and of what is whole on each a part of
    about equal size, so that nobody copies all of it."""
    own_state: dict[str, Tensor] = {}
    sizes = [0] * world
    for name, tensor in sorted(state.items(), key=lambda item: (-item[1].numel(), item[0])):
        owner = rank
        if not isinstance(tensor, DTensor):
            owner = sizes.index(min(sizes))
            sizes[owner] += tensor.numel()
        if owner == rank:
            own_state[name] = tensor
    return own_state
