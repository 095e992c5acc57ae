"""How a module's parameters, inputs and outputs lie on a mesh."""

from __future__ import annotations

import abc

import torch
from torch import nn
from torch._absent import rest_of
from torch.distributed.tensor._api import DTensor, distribute_module, distribute_tensor
from torch.distributed.tensor.placement_types import Replicate, Shard


class ParallelStyle(abc.ABC):
    """What parallelize_module() does to one module."""

    src_data_rank: int | None = 0

    @abc.abstractmethod
    def _apply(self, module, device_mesh):
        """The module, spread over the mesh."""

    def _spread(self, module, name, mesh, placements):
        parameter = getattr(module, name)
        if parameter is not None and not isinstance(parameter, DTensor):
            made = distribute_tensor(parameter.data, mesh, placements, src_data_rank=self.src_data_rank)
            module.register_parameter(name, nn.Parameter(made, parameter.requires_grad))


def _as_dtensor(value, mesh, layout, wanted=None):
    if layout is None or not isinstance(value, torch.Tensor):
        return value
    if not isinstance(value, DTensor):
        value = DTensor.from_local(value, mesh, (layout,), run_check=False)
    return value if wanted is None or value.placements == (wanted,) else value.redistribute(mesh, (wanted,))


class _OfInputsAndOutputs(ParallelStyle):
    def __init__(self, *, input_layouts, desired, output_layouts, use_local_output):
        self.input_layouts, self.desired_input_layouts = (input_layouts,), (desired,)
        self.output_layouts, self.use_local_output = (output_layouts,), use_local_output

    def _input(self, module, inputs, mesh):
        return (_as_dtensor(inputs[0], mesh, self.input_layouts[0], self.desired_input_layouts[0]), *inputs[1:])

    def _output(self, module, outputs, mesh):
        if outputs.placements != self.output_layouts:
            outputs = outputs.redistribute(mesh, self.output_layouts)
        return outputs.to_local() if self.use_local_output else outputs

    def _apply(self, module, device_mesh):
        return distribute_module(module, device_mesh, self._partition, self._input, self._output)


class ColwiseParallel(_OfInputsAndOutputs):
    """Linear and Embedding by their output features: the input is whole, the output Shard(-1) unless told otherwise."""

    def __init__(self, *, input_layouts=None, output_layouts=None, use_local_output=True):
        super().__init__(
            input_layouts=input_layouts or Replicate(),
            desired=Replicate(),
            output_layouts=output_layouts or Shard(-1),
            use_local_output=use_local_output,
        )

    def _output(self, module, outputs, mesh):
        wanted = tuple(Shard(p.dim % outputs.dim()) if p.is_shard() else p for p in self.output_layouts)
        if outputs.placements != wanted:
            outputs = outputs.redistribute(mesh, wanted)
        return outputs.to_local() if self.use_local_output else outputs

    def _partition(self, name, module, mesh):
        if isinstance(module, nn.Linear):
            self._spread(module, "weight", mesh, [Shard(0)])
            self._spread(module, "bias", mesh, [Shard(0)])
        elif isinstance(module, nn.Embedding):
            self._spread(module, "weight", mesh, [Shard(1)])
        else:
            raise NotImplementedError(f"ColwiseParallel spreads Linear and Embedding, not {type(module).__name__}")


class RowwiseParallel(_OfInputsAndOutputs):
    """Linear by its input features, which the input is split by, and Embedding by its rows; the output is whole unless told
    otherwise."""

    def __init__(self, *, input_layouts=None, output_layouts=None, use_local_output=True):
        super().__init__(
            input_layouts=input_layouts or Shard(-1),
            desired=Shard(-1),
            output_layouts=output_layouts or Replicate(),
            use_local_output=use_local_output,
        )

    def _input(self, module, inputs, mesh):
        rows = isinstance(module, nn.Embedding)
        last = Shard(inputs[0].dim() - 1)
        layout = self.input_layouts[0]
        layout = Shard(layout.dim % inputs[0].dim()) if layout.is_shard() else layout
        return (_as_dtensor(inputs[0], mesh, layout, Replicate() if rows else last), *inputs[1:])

    def _partition(self, name, module, mesh):
        if isinstance(module, nn.Linear):
            self._spread(module, "weight", mesh, [Shard(1)])
            self._spread(module, "bias", mesh, [Replicate()])
        elif isinstance(module, nn.Embedding):
            self._spread(module, "weight", mesh, [Shard(0)])
        else:
            raise NotImplementedError(f"RowwiseParallel spreads Linear and Embedding, not {type(module).__name__}")


class SequenceParallel(ParallelStyle):
    """Modules that compute each place of a sequence alone (LayerNorm, Dropout, RMSNorm): whole parameters, an input that is
    split along `sequence_dim`."""

    def __init__(self, *, sequence_dim=1, use_local_output=False):
        self.sequence_sharding, self.use_local_output = (Shard(sequence_dim),), use_local_output

    def _apply(self, module, device_mesh):
        layout = self.sequence_sharding[0]

        def partition(name, part, mesh):
            for key in part._parameters:
                self._spread(part, key, mesh, [Replicate()])

        def before(module, inputs, mesh):
            return (_as_dtensor(inputs[0], mesh, layout, layout), *inputs[1:])

        def after(module, outputs, mesh):
            return outputs.to_local() if self.use_local_output else outputs

        return distribute_module(module, device_mesh, partition, before, after)


def _listed(layouts):
    return layouts if layouts is None or isinstance(layouts, (tuple, list)) else (layouts,)


class PrepareModuleInput(ParallelStyle):
    """Inputs become DTensors that lie by `input_layouts`, and then by `desired_input_layouts`; None leaves one as it is."""

    def __init__(
        self, *, input_layouts=None, desired_input_layouts=None, input_kwarg_layouts=None,
        desired_input_kwarg_layouts=None, use_local_output=False,
    ):  # fmt: skip
        self.input_layouts, self.desired_input_layouts = _listed(input_layouts), _listed(desired_input_layouts)
        self.input_kwarg_layouts = input_kwarg_layouts or {}
        self.desired_input_kwarg_layouts = desired_input_kwarg_layouts or {}
        self.use_local_output = use_local_output
        if self.input_layouts is not None:
            if self.desired_input_layouts is None:
                raise AssertionError("input_layouts are given without desired_input_layouts")
            if len(self.input_layouts) != len(self.desired_input_layouts):
                raise AssertionError(
                    f"{len(self.input_layouts)} input_layouts, and {len(self.desired_input_layouts)} desired_input_layouts"
                )
        if self.input_kwarg_layouts.keys() != self.desired_input_kwarg_layouts.keys():
            raise AssertionError("input_kwarg_layouts and desired_input_kwarg_layouts name the same arguments")

    def _one(self, value, mesh, layout, wanted):
        made = _as_dtensor(value, mesh, layout, wanted)
        return made.to_local() if self.use_local_output and isinstance(made, DTensor) and layout is not None else made

    def _apply(self, module, device_mesh):
        def before(module, args, kwargs):
            if self.input_layouts is not None:
                if len(args) != len(self.input_layouts):
                    raise ValueError(f"{len(args)} inputs are given, and layouts of {len(self.input_layouts)}")
                args = tuple(
                    self._one(a, device_mesh, layout, wanted)
                    for a, layout, wanted in zip(args, self.input_layouts, self.desired_input_layouts)
                )
            kwargs = kwargs | {
                key: self._one(kwargs[key], device_mesh, layout, self.desired_input_kwarg_layouts[key])
                for key, layout in self.input_kwarg_layouts.items()
                if key in kwargs
            }
            return args, kwargs

        module.register_forward_pre_hook(before, with_kwargs=True)
        return module


class PrepareModuleOutput(ParallelStyle):
    """Outputs become DTensors that lie by `output_layouts`, and then by `desired_output_layouts`; None leaves one as it is."""

    def __init__(self, *, output_layouts, desired_output_layouts, use_local_output=True):
        self.output_layouts, self.desired_output_layouts = _listed(output_layouts), _listed(desired_output_layouts)
        self.use_local_output = use_local_output
        if len(self.output_layouts) != len(self.desired_output_layouts):
            raise AssertionError(
                f"{len(self.output_layouts)} output_layouts, and {len(self.desired_output_layouts)} desired_output_layouts"
            )

    def _apply(self, module, device_mesh):
        def after(module, inputs, outputs):
            single = not isinstance(outputs, (tuple, list))
            outputs = (outputs,) if single else outputs
            if len(outputs) != len(self.output_layouts):
                raise ValueError(f"{len(outputs)} outputs are given, and layouts of {len(self.output_layouts)}")
            made = []
            for value, layout, wanted in zip(outputs, self.output_layouts, self.desired_output_layouts):
                one = _as_dtensor(value, device_mesh, layout, wanted)
                made.append(one.to_local() if self.use_local_output and isinstance(one, DTensor) else one)
            return made[0] if single else tuple(made)

        module.register_forward_hook(after)
        return module


class PrepareModuleInputOutput(ParallelStyle):
    """PrepareModuleInput and PrepareModuleOutput in one."""

    def __init__(
        self, *, input_layouts=None, desired_input_layouts=None, input_kwarg_layouts=None,
        desired_input_kwarg_layouts=None, use_local_input=False, output_layouts, desired_output_layouts,
        use_local_output=True,
    ):  # fmt: skip
        self.prepare_module_input = PrepareModuleInput(
            input_layouts=input_layouts,
            desired_input_layouts=desired_input_layouts,
            input_kwarg_layouts=input_kwarg_layouts,
            desired_input_kwarg_layouts=desired_input_kwarg_layouts,
            use_local_output=use_local_input,
        )
        self.prepare_module_output = PrepareModuleOutput(
            output_layouts=output_layouts,
            desired_output_layouts=desired_output_layouts,
            use_local_output=use_local_output,
        )

    def _apply(self, module, device_mesh):
        self.prepare_module_input._apply(module, device_mesh)
        return self.prepare_module_output._apply(module, device_mesh)


__getattr__, __dir__ = rest_of(__name__)
