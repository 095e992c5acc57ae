"""How a DistributedDataParallel is made: what is given is judged, and the reducer and its buckets come about."""

from __future__ import annotations

import contextlib
import functools
import sys
import warnings

import torch
from torch import _distributed as _thd
from torch.distributed import _collectives
from torch.nn.parallel import _ddp


class Made:
    """The part of DistributedDataParallel that __init__() calls."""

    # ---- what is given ---------------------------------------------------------------------------------------
    def _choose_parameters(self, module, delayed):
        self.parameters_to_ignore = set(getattr(module, "_ddp_params_and_buffers_to_ignore", ()))
        self._delay_all_reduce_params = [parameter for _, parameter in delayed or ()]
        self._delayed_names = {name for name, _ in delayed or ()}
        self.parameters_to_ignore |= self._delayed_names
        self._module_parameters = [p for n, p in module.named_parameters() if n not in self.parameters_to_ignore]
        if not any(p.requires_grad for p in self._module_parameters) and not self._delay_all_reduce_params:
            raise RuntimeError(
                "DistributedDataParallel needs a module with a parameter that requires grad, and this has none"
            )
        for parameter in self._module_parameters:
            if isinstance(parameter, torch.nn.parameter.UninitializedParameter):
                raise RuntimeError(
                    "DistributedDataParallel cannot take uninitialized parameters: call the module once before"
                )

    def _choose_device(self, device_ids, output_device):
        if device_ids is not None and len(device_ids) > 1:
            raise ValueError(f"device_ids must be None or have one element, not {device_ids}")
        parameters = self._module_parameters or self._delay_all_reduce_params
        kinds = sorted({p.device.type for p in parameters})
        if len(kinds) != 1:
            raise ValueError(
                f"DistributedDataParallel needs all parameters on one kind of device, not {', '.join(kinds)}"
            )
        self.device_type, self.device = kinds[0], parameters[0].device
        self.is_multi_device_module = len({p.device for p in parameters}) > 1
        if self.device_type == "cpu" or self.is_multi_device_module:
            if device_ids or output_device:
                raise ValueError(
                    f"device_ids and output_device are for modules on one GPU: {device_ids} and {output_device} are given for "
                    f"one on {', '.join(sorted({str(p.device) for p in parameters}))}"
                )
            device_ids = None
        self.device_ids = [torch.device(self.device_type, i).index for i in device_ids] if device_ids else None
        self.output_device = (device_ids[0] if output_device is None else output_device) if device_ids else None

    def _choose_buffers(self, broadcast, sync):
        if broadcast is not None:
            warnings.warn(
                "broadcast_buffers is an older name of forward_sync_buffers"
                + (", which counts" if sync is not None else ""),
                FutureWarning,
                stacklevel=3,
            )
        first = True if broadcast is None else broadcast
        self.forward_sync_buffers = first if sync is None else sync
        self._init_sync_buffers = first if sync is None else True

    @property
    def broadcast_buffers(self):
        """Whether forward() begins with rank 0's buffers."""
        return self.forward_sync_buffers

    @broadcast_buffers.setter
    def broadcast_buffers(self, value):
        self.forward_sync_buffers = value

    def _choose_buckets(self, cap, caps):
        mib = 1 << 20
        self.bucket_bytes_cap_default = cap is None and not caps
        self.bucket_bytes_cap_list = [int(each * mib) for each in caps or ()]
        if caps:
            cap = max(caps)
        self.bucket_bytes_cap = int((_ddp.DEFAULT_BUCKET_MB if cap is None else cap) * mib)
        self._first_bytes = _ddp.FIRST_BUCKET_BYTES if self.bucket_bytes_cap_default else self.bucket_bytes_cap

    # ---- the reducer -----------------------------------------------------------------------------------------
    def _make_reducer(self, names, static_graph):
        parameters = [p for p in self._module_parameters if p.requires_grad]
        sparse_owners = [
            m for m in self.module.modules() if isinstance(m, (torch.nn.Embedding, torch.nn.EmbeddingBag)) and m.sparse
        ]
        sparse = [any(p is m.weight for m in sparse_owners) for p in parameters]
        # Without an order that has been seen all wait for the last one, but where some may never come.
        if self.bucket_bytes_cap_list:
            limits = self.bucket_bytes_cap_list
        elif static_graph or not self.find_unused_parameters:
            limits = [sys.maxsize]
        else:
            limits = [self._first_bytes, self.bucket_bytes_cap]
        buckets = _thd.assign_buckets(parameters, limits, sparse)
        group = self.process_group
        engine = _ddp.engine_of(group, self.device)
        total = functools.partial(_collectives.all_reduce, group=group)

        def total_of_sparse(gradient):
            gradient = gradient.detach().clone()
            total(gradient)
            return gradient

        self.reducer = _thd.Reducer(
            parameters=parameters,
            names=names,
            buckets=buckets[::-1],
            group=engine,
            rank=group.rank(),
            size=group.size(),
            sparse=sparse,
            bucket_bytes=self.bucket_bytes_cap,
            first_bucket_bytes=self._first_bytes,
            bucket_bytes_list=self.bucket_bytes_cap_list,
            find_unused=self.find_unused_parameters,
            as_bucket_view=self.gradient_as_bucket_view,
            all_reduce=None if engine is not None else _ddp.begin_all_reduce(group, self.device),
            reduce_sparse=total_of_sparse,
        )
        self._assign_modules_buffers()
        self.logger = _ddp.Logger(self.reducer)
        self.logger.set_construction_data_and_log(
            type(self.module).__name__,
            self.device_ids or [],
            -1 if self.output_device is None else self.output_device,
            self.forward_sync_buffers,
            any(isinstance(m, torch.nn.SyncBatchNorm) for m in self.module.modules()),
            static_graph,
        )
        self.logger._note(
            world_size=group.size(),
            rank=group.rank(),
            backend_name=group.name(),
            bucket_cap_bytes=self.bucket_bytes_cap,
            find_unused_parameters=int(self.find_unused_parameters),
            gradient_as_bucket_view=int(self.gradient_as_bucket_view),
            num_parameter_tensors=len(parameters),
            total_parameter_size_bytes=sum(p.numel() * p.element_size() for p in parameters),
            dtypes=", ".join(sorted({str(p.dtype).removeprefix("torch.") for p in parameters})),
        )

    def _assign_modules_buffers(self):
        self.named_module_buffers = {
            name: buffer for name, buffer in self.module.named_buffers() if name not in self.parameters_to_ignore
        }
        self.modules_buffers = list(self.named_module_buffers.values())

    def _delay(self, trigger):
        """Gradients of some parameters lie in one tensor, which is reduced when the trigger's gradient comes."""
        parameters = self._delay_all_reduce_params
        self._delay_grad_buffer = torch.zeros(sum(p.numel() for p in parameters), device=self.device)
        parts = self._delay_grad_buffer.split([p.numel() for p in parameters])
        self._delay_grad_views = [part.view(p.shape) for part, p in zip(parts, parameters, strict=True)]

        def reduce_all(gradient):
            self._delay_grad_buffer.div_(self.process_group.size())
            _collectives.all_reduce(self._delay_grad_buffer, group=self.process_group)
            return gradient

        trigger.register_hook(reduce_all)

    def _clear_grad_buffer(self):
        for parameter, view in zip(self._delay_all_reduce_params, self._delay_grad_views, strict=True):
            if parameter.grad is None:
                parameter.grad = view.zero_()

    # ---- mixed precision -------------------------------------------------------------------------------------
    def _begin_mixed_precision(self):
        chosen = self.mixed_precision
        if chosen.buffer_dtype is not None:
            for name, buffer in self.named_module_buffers.items():
                if buffer.is_floating_point():
                    owner, _, short = name.rpartition(".")
                    self.module.get_submodule(owner)._buffers[short] = buffer.to(chosen.buffer_dtype)
            self._assign_modules_buffers()
        sent = chosen.reduce_dtype or chosen.param_dtype
        if sent is not None:
            from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import _compress_hook

            group = self.process_group
            self.reducer._set_hook(group, lambda state, bucket: _compress_hook(sent, state, bucket))

    @contextlib.contextmanager
    def _low_precision(self):
        """Modules see copies of their parameters in param_dtype, whose gradients go to the parameters."""
        dtype = self.mixed_precision.param_dtype
        made, places = {}, []
        try:
            for owner in self.module.modules():
                for name, parameter in owner._parameters.items():
                    if parameter is None or not parameter.is_floating_point() or hasattr(parameter, "_ddp_ignored"):
                        continue
                    if parameter not in made:
                        made[parameter] = parameter.to(dtype)
                    places.append((owner._parameters, name, parameter))
                    owner._parameters[name] = made[parameter]
            yield
        finally:
            for parameters, name, parameter in places:
                parameters[name] = parameter
