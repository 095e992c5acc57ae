"""Copies of a module, one for each device."""

from torch.nn.parallel import comm
from torch.nn.parallel._functions import Broadcast, indices_of

__all__ = ["replicate"]


def _copies(tensors, devices, detach):
    """For each device the copies of all tensors."""
    if not tensors:
        return [[] for _ in devices]
    if detach:
        # For the first device they are the tensors themselves, and a parameter would become the replica's.
        return [[t.detach() for t in row] for row in comm.broadcast_coalesced(tensors, devices)]
    flat = Broadcast.apply(devices, *tensors)
    return [flat[i : i + len(tensors)] for i in range(0, len(flat), len(tensors))]


def replicate(network, devices, detach=False):
    """A list of copies of a module, one for each device. Their parameters are copies that gradients flow back through, no
    leaves, unless detach; buffers are copies, those of the first device the module's own."""
    devices = indices_of(devices)
    parameters, buffers = list(network.parameters()), list(network.buffers())
    differentiable = [b for b in buffers if b.requires_grad and not detach]
    constant = [b for b in buffers if not b.requires_grad or detach]
    moved = parameters + differentiable
    of_device = [
        dict(zip(map(id, [*moved, *constant]), [*with_gradient, *without]))
        for with_gradient, without in zip(_copies(moved, devices, detach), _copies(constant, devices, True))
    ]
    return [_replica(network, copies, {}) for copies in of_device]


def _replica(module, copies, done):
    """The copy of a module, and of all below, with the tensors of `copies`, by the originals' ids."""
    if id(module) in done:
        return done[id(module)]
    replica = done[id(module)] = module._replicate_for_data_parallel()
    replica._former_parameters = {}
    for name, child in module._modules.items():
        replica._modules[name] = None if child is None else _replica(child, copies, done)
    for name, parameter in module._parameters.items():
        if parameter is None:
            replica._parameters[name] = None
            continue
        # An attribute and no parameter: it is no leaf, and what replicas hold is nobody's to optimise.
        copy = copies[id(parameter)]
        setattr(replica, name, copy)
        replica._former_parameters[name] = copy
    for name, buffer in module._buffers.items():
        if buffer is not None:
            replica._buffers[name] = copies[id(buffer)]
    return replica
