"""DTensor: a tensor that lies on several processes, and what makes one.

The object is this rank's part as far as memory and gradients go, so that recording, hooks and accumulated gradients are those
of any tensor; what it says of itself (shape, stride…) is the whole tensor's. Functions of it come to _dispatch.run(). A
gradient lies as its tensor does, and whole where that has terms (DTensorSpec.gradient).
"""

from __future__ import annotations

import copy

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import _mesh_resources
from torch.distributed.tensor import _redistribute, _sparse
from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta, checked, in_order, local_shape_and_offset
from torch.distributed.tensor.placement_types import Replicate

__all__ = ["DTensor", "distribute_module", "distribute_tensor"]


def plain(tensor):
    """The tensor itself, with its past, as what it is on this rank."""
    return tensor.as_subclass(torch.Tensor) if type(tensor) is not torch.Tensor else tensor


def _contiguous_strides(shape):
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def _mesh_or_current(mesh):
    return mesh or _mesh_resources.get_current_mesh()


class DTensor(torch.Tensor):
    """A tensor whose parts are on the ranks of a DeviceMesh: DTensor.from_local(), distribute_tensor() make it."""

    _prints_as_tensor = False

    def __new__(cls, local_tensor, spec, *, requires_grad=False):
        made = cls._made(local_tensor.detach(), spec)
        return made.requires_grad_() if requires_grad else made

    @classmethod
    def _made(cls, local, spec):
        with torch._C.DisableTorchFunctionSubclass():
            made = local.as_subclass(DTensor)
        made._spec = spec
        return made

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        from torch.distributed.tensor._dispatch import run

        return run(func, types, args, kwargs or {})

    # ---- what it is ------------------------------------------------------------------------------------------------
    @property
    def device_mesh(self):
        """The mesh that its parts are on."""
        return self._spec.mesh

    @property
    def placements(self):
        """How it lies along each dimension of the mesh."""
        return self._spec.placements

    @property
    def _local_tensor(self):
        with torch._C.DisableTorchFunctionSubclass():
            return self.as_subclass(torch.Tensor)

    @property
    def shape(self):
        """The whole tensor's sizes."""
        return self._spec.tensor_meta.shape

    def size(self, dim=None):
        """The whole tensor's sizes, or one of them."""
        return self.shape if dim is None else self.shape[dim]

    def stride(self, dim=None):
        """The whole tensor's strides, or one of them."""
        return self._spec.tensor_meta.stride if dim is None else self._spec.tensor_meta.stride[dim]

    def dim(self):
        """How many dimensions it has."""
        return len(self._spec.tensor_meta.shape)

    ndimension = dim
    ndim = property(dim)

    def numel(self):
        """How many elements the whole tensor has."""
        return self.shape.numel()

    nelement = numel

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __repr__(self, *, tensor_contents=None):
        return (
            f"DTensor(local_tensor={self._local_tensor}, device_mesh={self.device_mesh}, placements={self.placements})"
        )

    def __hash__(self):
        return id(self)

    @property
    def grad(self):
        """The gradient, a DTensor that lies as this one does."""
        with torch._C.DisableTorchFunctionSubclass():
            found = torch.Tensor.grad.__get__(self)
        if found is None:
            return None
        kept = self.__dict__.get("_grad_object")
        if kept is None or kept[0] is not found:
            kept = self.__dict__["_grad_object"] = found, DTensor._made(found, self._spec.gradient())
        return kept[1]

    @grad.setter
    def grad(self, value):
        self.__dict__.pop("_grad_object", None)
        if isinstance(value, DTensor):
            value = redistribute(value, self._spec.gradient().placements)._local_tensor.detach()
        with torch._C.DisableTorchFunctionSubclass():
            torch.Tensor.grad.__set__(self, value)

    @grad.deleter
    def grad(self):
        self.grad = None

    # ---- made of parts, and taken apart -----------------------------------------------------------------------------
    @staticmethod
    def from_local(
        local_tensor,
        device_mesh=None,
        placements=None,
        *,
        run_check=False,
        shape=None,
        stride=None,
        grad_placements=None,
    ):
        """The tensor of which each rank gives its part; gradients reach `local_tensor`.

        `shape` and `stride`, given together, are the whole tensor's: needed where parts differ in size. `run_check`: what is
        whole on all ranks is made the same, that of the first one.
        """
        mesh = _mesh_or_current(device_mesh)
        if isinstance(local_tensor, DTensor):
            raise RuntimeError("from_local() takes this rank's part, not a DTensor")
        placements = checked(placements, mesh, local_tensor.dim())
        if (shape is None) != (stride is None):
            raise RuntimeError(f"shape and stride are given together: {shape}, {stride}")
        if shape is None:
            shape = list(local_tensor.shape)
            for i, placement in enumerate(placements):
                if placement.is_shard():
                    shape[placement.dim] *= mesh.size(i)
            strided = local_tensor.layout is torch.strided
            stride = _scaled_strides(local_tensor, shape) if strided else _contiguous_strides(shape)
        if run_check:
            for i, placement in enumerate(placements):
                if placement.is_replicate():
                    with torch.no_grad():
                        dist.broadcast(local_tensor, group=mesh.get_group(i), group_src=0)
        meta = TensorMeta(torch.Size(shape), tuple(stride), local_tensor.dtype)
        own = local_tensor.view_as(local_tensor) if local_tensor.layout is torch.strided else local_tensor.clone()
        return DTensor._made(own, DTensorSpec(mesh, placements, meta))

    def to_local(self, *, grad_placements=None):
        """This rank's part. `grad_placements`: how its gradients lie where they are not as the tensor is: as Partial() where
        each rank computes a term."""
        local = self._local_tensor
        if grad_placements is not None:
            given = checked(grad_placements, self.device_mesh, self.dim())
            return _GradientsAs.apply(local, self._spec._replace(placements=given), self._spec.gradient().placements)
        return local.view_as(local) if local.requires_grad and local.grad_fn is None else local

    def redistribute(
        self, device_mesh=None, placements=None, *, async_op=False, forward_dtype=None, backward_dtype=None
    ):
        """The same tensor lying otherwise, with gradients."""
        if placements is None:
            raise RuntimeError("redistribute() needs placements")
        if device_mesh is not None and device_mesh != self.device_mesh:
            raise NotImplementedError(f"redistribute() from one mesh to another: {self.device_mesh}, {device_mesh}")
        placements = checked(placements, self.device_mesh, self.dim())
        for old, new in zip(self.placements, placements):
            if new.is_partial() and new != old:
                raise RuntimeError(f"a tensor is not made Partial by redistribute(): {self.placements} to {placements}")
        made = self if forward_dtype is None else self.to(forward_dtype)
        return redistribute(made, placements)

    def full_tensor(self, *, grad_placements=None):
        """The whole tensor, on each rank."""
        whole = redistribute(self, (Replicate(),) * self.device_mesh.ndim)
        return whole.to_local(grad_placements=grad_placements)

    # ---- what asks for values ---------------------------------------------------------------------------------------
    def item(self):
        """The one element."""
        return self.full_tensor().item()

    def tolist(self):
        """All elements."""
        return self.full_tensor().tolist()

    def __format__(self, text):
        return format(self.full_tensor(), text) if text else repr(self)

    def __bool__(self):
        return bool(self.full_tensor())

    def __float__(self):
        return float(self.full_tensor())

    def __int__(self):
        return int(self.full_tensor())

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        """As torch.Tensor.backward(); `gradient` is a DTensor."""
        torch.autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # ---- copied and stored ------------------------------------------------------------------------------------------
    def __deepcopy__(self, memo):
        if id(self) not in memo:
            made = DTensor(self._local_tensor.detach().clone(), self._spec, requires_grad=self.requires_grad)
            memo[id(self)] = made
            if getattr(self, "_is_param", False):
                made._is_param = True
            if self.grad is not None:
                made.grad = copy.deepcopy(self.grad, memo)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        return _rebuilt, (
            self._local_tensor.detach(),
            self._spec,
            self.requires_grad,
            getattr(self, "_is_param", False),
        )


def _rebuilt(local, spec, requires_grad, is_parameter):
    made = DTensor(local, spec, requires_grad=requires_grad)
    if is_parameter:
        made._is_param = True
    return made


def _scaled_strides(local, shape):
    """Strides of a tensor of `shape` whose dimensions are ordered in memory as those of the part."""
    order = sorted(range(local.dim()), key=lambda d: (local.stride(d), local.size(d)))
    if local.is_contiguous():
        return _contiguous_strides(shape)
    strides, step = [0] * local.dim(), 1
    for d in order:
        strides[d] = step
        step *= max(shape[d], 1)
    return tuple(strides)


class _GradientsAs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, local, spec, wanted):
        ctx.what = spec, wanted
        return local.view_as(local)

    @staticmethod
    def backward(ctx, grad):
        spec, wanted = ctx.what
        return _redistribute.redistributed(grad, spec, wanted), None, None


def redistribute(tensor, placements):
    """The DTensor lying so, whichever way it lies; itself where it does already."""
    if tensor.placements == tuple(placements):
        return tensor
    with torch._C.DisableTorchFunctionSubclass():
        local = _redistribute.redistributed(tensor._local_tensor, tensor._spec, tuple(placements))
    return DTensor._made(local, tensor._spec._replace(placements=tuple(placements)))


def distribute_tensor(tensor, device_mesh=None, placements=None, *, src_data_rank: int | None = 0):
    """The tensor, which all ranks have, lying by `placements`: a leaf that asks for gradients as `tensor` does.

    `src_data_rank`: whose elements count, a place along each dimension of the mesh; None: each rank takes its own.
    """
    mesh = _mesh_or_current(device_mesh)
    placements = checked(placements, mesh, tensor.dim())
    if isinstance(tensor, DTensor):
        if tensor.device_mesh != mesh or tensor.placements != placements:
            raise ValueError(
                f"the tensor lies on {tensor.device_mesh} by {tensor.placements} already: redistribute() it"
            )
        return tensor
    if not tensor.is_leaf:
        raise RuntimeError(
            "distribute_tensor() takes a leaf: gradients do not pass it; DTensor.from_local() passes them"
        )
    if any(p.is_partial() for p in placements):
        raise RuntimeError(f"a tensor is given out whole or in parts, not as {placements}")
    strided = tensor.layout is torch.strided
    meta = TensorMeta(
        tensor.shape, tuple(tensor.stride()) if strided else _contiguous_strides(tensor.shape), tensor.dtype
    )
    local = tensor.detach()
    if mesh.get_coordinate() is None:
        local = local.new_empty(0)
    else:
        if src_data_rank is not None:
            local = _sparse.copied(local)
            for i in range(mesh.ndim):
                if strided:
                    dist.broadcast(local, group=mesh.get_group(i), group_src=src_data_rank)
                else:
                    local = _sparse.gathered(local, mesh, i)[src_data_rank]
        for i in in_order(placements):
            if placements[i].is_shard():
                local = _redistribute.own_part(local, mesh, i, placements[i].dim)
        local = _sparse.copied(local)
    made = DTensor(local, DTensorSpec(mesh, placements, meta), requires_grad=tensor.requires_grad)
    if isinstance(tensor, torch.nn.Parameter):
        return torch.nn.Parameter(made, requires_grad=tensor.requires_grad)
    return made


def distribute_module(module, device_mesh=None, partition_fn=None, input_fn=None, output_fn=None):
    """The module with parameters and buffers that are DTensors: as partition_fn(name, submodule, mesh) makes them, and whole
    on all ranks where it does not. input_fn(module, inputs, mesh) and output_fn(module, outputs, mesh) are called around
    forward()."""
    mesh = _mesh_or_current(device_mesh)
    whole = [Replicate()] * mesh.ndim
    for name, part in module.named_modules():
        if partition_fn is not None:
            partition_fn(name, part, mesh)
        for key, parameter in part._parameters.items():
            if parameter is not None and not isinstance(parameter, DTensor):
                part.register_parameter(key, torch.nn.Parameter(distribute_tensor(parameter.data, mesh, whole),
                                                                parameter.requires_grad))  # fmt: skip
        for key, buffer in part._buffers.items():
            if buffer is not None and not isinstance(buffer, DTensor):
                part._buffers[key] = distribute_tensor(buffer, mesh, whole)
    if input_fn is not None:
        module.register_forward_pre_hook(lambda module, inputs: input_fn(module, inputs, mesh))
    if output_fn is not None:
        module.register_forward_hook(lambda module, inputs, outputs: output_fn(module, outputs, mesh))
    return module


# ---- made anew --------------------------------------------------------------------------------------------------------
def shared_seed(mesh):
    """A number from the generator of the mesh's first rank, the same for all."""
    seed = torch.randint(2**62, (1,))
    for i in range(mesh.ndim):
        dist.broadcast(seed, group=mesh.get_group(i), group_src=0)
    return int(seed)


def _factory(fill, size, requires_grad, dtype, layout, device_mesh, placements, random=False):
    if len(size) == 1 and not isinstance(size[0], int):
        size = size[0]
    if layout is not torch.strided:
        raise NotImplementedError(f"DTensors are strided, not {layout}")
    mesh = _mesh_or_current(device_mesh)
    placements = checked(placements, mesh, len(size))
    dtype = dtype or torch.get_default_dtype()
    spec = DTensorSpec(mesh, placements, TensorMeta(torch.Size(size), _contiguous_strides(size), dtype))
    if any(p.is_partial() for p in placements):
        raise ValueError(f"a new tensor lies whole or in parts, not as {placements}")
    if mesh.get_coordinate() is None:
        local = torch.empty(0, dtype=dtype)
    elif random:  # all draw the whole, so that it does not depend on how it lies
        whole = fill(tuple(size), dtype=dtype, generator=torch.Generator().manual_seed(shared_seed(mesh)))
        local, every = whole, spec._replace(placements=(Replicate(),) * mesh.ndim)
        local = _redistribute.redistributed(local, every, placements)
    else:
        local = fill(local_shape_and_offset(size, mesh, placements)[0], dtype=dtype)
    return DTensor(local, spec, requires_grad=requires_grad)


def zeros(*size, requires_grad=False, dtype=None, layout=torch.strided, device_mesh=None, placements=None):
    """A DTensor of zeros."""
    return _factory(torch.zeros, size, requires_grad, dtype, layout, device_mesh, placements)


def ones(*size, dtype=None, layout=torch.strided, requires_grad=False, device_mesh=None, placements=None):
    """A DTensor of ones."""
    return _factory(torch.ones, size, requires_grad, dtype, layout, device_mesh, placements)


def empty(*size, dtype=None, layout=torch.strided, requires_grad=False, device_mesh=None, placements=None):
    """A DTensor whose elements are whatever they are."""
    return _factory(torch.empty, size, requires_grad, dtype, layout, device_mesh, placements)


def full(size, fill_value, *, dtype=None, layout=torch.strided, requires_grad=False, device_mesh=None, placements=None):
    """A DTensor of one value."""
    dtype = dtype or torch.tensor(fill_value).dtype

    def fill(shape, dtype):
        return torch.full(shape, fill_value, dtype=dtype)

    return _factory(fill, (size,), requires_grad, dtype, layout, device_mesh, placements)


def rand(*size, requires_grad=False, dtype=None, layout=torch.strided, device_mesh=None, placements=None):
    """A DTensor of numbers between 0 and 1, which do not depend on how it lies."""
    return _factory(torch.rand, size, requires_grad, dtype, layout, device_mesh, placements, random=True)


def randn(*size, requires_grad=False, dtype=None, layout=torch.strided, device_mesh=None, placements=None):
    """A DTensor of normally distributed numbers, which do not depend on how it lies."""
    return _factory(torch.randn, size, requires_grad, dtype, layout, device_mesh, placements, random=True)
