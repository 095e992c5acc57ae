"""One module in several processes: each has a copy and a part of the batch, and gradients become their mean."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import enum
import inspect
import warnings

import torch
from torch._absent import rest_of
from torch.distributed import ProcessGroup, is_available
from torch.nn.modules.module import Module

__all__ = ["DistributedDataParallel"]

if is_available():
    from torch import _distributed as _thd
    from torch.distributed import _collectives as _collectives
    from torch.distributed._world import default_group as _default_group, is_outside as _rank_not_in_group
    from torch.distributed.algorithms.join import Join, Joinable, JoinHook
    from torch.nn.parallel import _ddp
    from torch.nn.parallel._ddp_made import Made as _Made
else:
    from torch.distributed.distributed_c10d import _get_default_group as _default_group

    class _Made:
        pass

    Join, Joinable, JoinHook = None, object, object


class _BufferCommHookLocation(enum.Enum):
    PRE_FORWARD, POST_FORWARD = 1, 2


@dataclasses.dataclass
class _MixedPrecision:
    """In which dtypes a DistributedDataParallel computes (param_dtype), sends gradients (reduce_dtype; param_dtype where
    it is None) and keeps buffers (buffer_dtype). Parameters and their gradients stay as they are."""

    param_dtype: torch.dtype | None = None
    reduce_dtype: torch.dtype | None = None
    buffer_dtype: torch.dtype | None = None


class _DDPJoinHook(JoinHook):
    """What a rank without inputs does: the communication of the others' passes, with zeros for gradients."""

    def __init__(self, ddp, divide_by_initial_world_size):
        ddp.logger._set_uneven_input_join()
        self.ddp = ddp
        ddp._divide_by_initial_world_size = divide_by_initial_world_size

    def main_hook(self):
        """One pass of the others."""
        ddp = self.ddp
        ddp.reducer._rebuild_buckets()
        if ddp._check_sync_bufs_pre_fwd():
            ddp._sync_module_buffers(ddp._find_common_rank(ddp._distributed_rank, False))
        ddp.require_forward_param_sync = ddp._sync_backward_anywhere(False)
        if not ddp.require_forward_param_sync:
            return
        for pending in [ddp.reducer._run_comm_hook(bucket) for bucket in ddp.reducer._get_zeros_like_grad_buckets()]:
            pending.wait()
        if ddp.find_unused_parameters:
            used = torch.zeros_like(ddp.reducer._get_local_used_map())
            _collectives.all_reduce(used, group=ddp.process_group)
        ddp.reducer._push_all_rebuilt_params()

    def post_hook(self, is_last_joiner):
        """The module of who ended last, for all."""
        ddp = self.ddp
        source = ddp._find_common_rank(ddp._distributed_rank, is_last_joiner)
        _ddp.sync_module_states(
            ddp.module,
            ddp.process_group,
            ddp.broadcast_bucket_size,
            source,
            ddp.parameters_to_ignore,
            ddp.broadcast_buffers,
        )


class DistributedDataParallel(_Made, Module, Joinable):
    """A module of which each process of a group has a copy; after backward() all have the mean of their gradients.

    Each rank gives its own part of a batch. The module's state is rank 0's at first, and its buffers are again before each
    forward() (forward_sync_buffers). Names in state_dict() begin with ``module.``.

    Args:
        module: with at least one parameter that requires grad, the same on all ranks.
        device_ids, output_device: of a module on one GPU, [its number]; None on the CPU.
        dim: along which inputs are divided; of no meaning with one device.
        broadcast_buffers: an older name of forward_sync_buffers; False also leaves buffers as they are at first.
        init_sync: whether ranks compare their modules and take rank 0's state at first.
        process_group, device_mesh: whose ranks; the default group.
        bucket_cap_mb, bucket_cap_mb_list: how many MiB of gradients are reduced together; 25, the first bucket less.
        find_unused_parameters: some passes may leave parameters without gradients.
        gradient_as_bucket_view: gradients are parts of the buckets, which saves a copy.
        static_graph: every pass has the same graph as the first.
        delay_all_reduce_named_params, param_to_hook_all_reduce: [(name, parameter)] that are reduced together when the
            gradient of another parameter has come.
        mixed_precision: a _MixedPrecision.
        skip_all_reduce_unused_params, check_reduction, batched_grad_copy: taken for compatibility; nothing depends on them.
        forward_sync_buffers: whether forward() begins with rank 0's buffers; True.

    ValueError: there is no process group, device_ids are wrong, or devices are mixed. RuntimeError: nothing requires grad,
    parameters are uninitialized, or ranks have different modules.
    """

    _active_ddp_module = None

    def __init__(
        self,
        module,
        device_ids=None,
        output_device=None,
        dim=0,
        broadcast_buffers=None,
        init_sync=True,
        process_group=None,
        bucket_cap_mb=None,
        find_unused_parameters=False,
        check_reduction=False,
        gradient_as_bucket_view=False,
        static_graph=False,
        delay_all_reduce_named_params=None,
        param_to_hook_all_reduce=None,
        mixed_precision=None,
        device_mesh=None,
        skip_all_reduce_unused_params=False,
        bucket_cap_mb_list=None,
        batched_grad_copy=False,
        forward_sync_buffers=None,
    ):
        super().__init__()
        self.logger = None
        if (delay_all_reduce_named_params is None) != (param_to_hook_all_reduce is None):
            raise ValueError(
                "delay_all_reduce_named_params and param_to_hook_all_reduce are given together, or not at all"
            )
        if process_group is not None and device_mesh is not None:
            raise RuntimeError("process_group and device_mesh both say whose ranks: give one of them")
        if device_mesh is not None:
            if device_mesh.ndim != 1:
                raise RuntimeError(f"a device_mesh must have one dimension, not {device_mesh.ndim}")
            self.device_mesh, process_group = device_mesh, device_mesh.get_group(mesh_dim=0)
        self.process_group = _default_group() if process_group is None else process_group
        if not isinstance(self.process_group, ProcessGroup):
            raise TypeError(f"process_group is a torch.distributed.ProcessGroup or None, not {process_group!r}")
        Joinable.__init__(self)
        self._choose_parameters(module, delay_all_reduce_named_params)
        self._choose_device(device_ids, output_device)
        self.module, self.dim, self.static_graph = module, dim, False
        self._choose_buffers(broadcast_buffers, forward_sync_buffers)
        if check_reduction:
            warnings.warn("check_reduction has no effect any more", FutureWarning, stacklevel=2)
        self.find_unused_parameters = find_unused_parameters
        self.require_backward_grad_sync = self.require_forward_param_sync = True
        self.gradient_as_bucket_view = gradient_as_bucket_view
        self.mixed_precision = mixed_precision
        self.skip_all_reduce_unused_params = skip_all_reduce_unused_params
        self.broadcast_bucket_size = _ddp.BROADCAST_BYTES
        self._choose_buckets(bucket_cap_mb, bucket_cap_mb_list)
        self._comm_hooks = []
        self._has_rebuilt_buckets = False
        self._delay_grad_views, self._delay_grad_buffer = [], None
        names = [
            name for name, p in module.named_parameters() if p.requires_grad and name not in self.parameters_to_ignore
        ]
        if init_sync:
            kept = [p for p in self._module_parameters if p.requires_grad]
            _ddp.verify_parameters(self.process_group, kept, names)
            _ddp.sync_module_states(
                module,
                self.process_group,
                self.broadcast_bucket_size,
                0,
                self.parameters_to_ignore - self._delayed_names,
                self._init_sync_buffers,
            )
        if self._delay_all_reduce_params:
            self._delay(param_to_hook_all_reduce)
        self._delay_all_reduce_all_params = not names
        if names:
            self._make_reducer(names, static_graph)
            if mixed_precision is not None:
                self._begin_mixed_precision()
            if static_graph:
                self._set_static_graph()

    # ---- forward ---------------------------------------------------------------------------------------------
    def forward(self, *inputs, **kwargs):
        """The module's forward() of this rank's inputs."""
        if self._delay_all_reduce_all_params:
            self._clear_grad_buffer()
            return self.module(*inputs, **kwargs)
        inputs, kwargs = self._pre_forward(*inputs, **kwargs)
        before = DistributedDataParallel._active_ddp_module
        DistributedDataParallel._active_ddp_module = self
        try:
            if self.mixed_precision is not None and self.mixed_precision.param_dtype is not None:
                with self._low_precision():
                    output = self.module(*inputs, **kwargs)
            else:
                output = self.module(*inputs, **kwargs)
        finally:
            DistributedDataParallel._active_ddp_module = before
        return self._post_forward(output)

    def _pre_forward(self, *inputs, **kwargs):
        recording = torch.is_grad_enabled()
        if recording and self.require_backward_grad_sync:
            self.reducer.prepare_for_forward()
        if self._join_config.enable:
            work = Join.notify_join_context(self)
            if work is not None:
                self._note_join(work)
        if recording and not self._has_rebuilt_buckets and self.reducer._rebuild_buckets():
            self._has_rebuilt_buckets = True
        if self._check_sync_bufs_pre_fwd():
            self._sync_buffers()
        if self._join_config.enable:
            self._sync_backward_anywhere(self.require_backward_grad_sync)
        if self.device_ids:
            device = torch.device(self.device_type, self.device_ids[0])
            inputs, kwargs = _mapped(lambda t: t.to(device), (inputs, kwargs))
        if self.mixed_precision is not None and self.mixed_precision.param_dtype is not None:
            dtype = self.mixed_precision.param_dtype
            inputs, kwargs = _mapped(lambda t: t.to(dtype) if t.is_floating_point() else t, (inputs, kwargs))
        return inputs, kwargs

    def _note_join(self, work):
        """How many ranks still have inputs: what the next pass's gradients are divided by, if it is not all of them."""
        static, size = self._divide_by_initial_world_size, self.process_group.size()

        def divisor():
            work.wait()
            return size if static else float(work.result()[0].item())

        self.reducer._set_divisor(divisor)

    def _post_forward(self, output):
        if self._check_sync_bufs_post_fwd():
            self._sync_buffers()
        if torch.is_grad_enabled() and self.require_backward_grad_sync:
            self.require_forward_param_sync = True
            looks = self.find_unused_parameters and not self.static_graph
            self.reducer.prepare_for_backward(_ddp.find_tensors(output) if looks else [])
        else:
            self.require_forward_param_sync = False
        if self._delay_all_reduce_params:
            self._clear_grad_buffer()
        return output

    @contextlib.contextmanager
    def no_sync(self):
        """Within it backward() adds up gradients of this rank alone; the first pass after it reduces the sum."""
        before = self.require_backward_grad_sync
        self.require_backward_grad_sync = False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    @classmethod
    def _get_active_ddp_module(cls):
        return cls._active_ddp_module

    # ---- buffers ---------------------------------------------------------------------------------------------
    def will_sync_module_buffers(self):
        """Whether the next forward() begins with rank 0's buffers."""
        return self.require_forward_param_sync and self.forward_sync_buffers and len(self.modules_buffers) > 0

    def _check_sync_bufs_pre_fwd(self):
        return self.will_sync_module_buffers() and self._buffer_hook_at(_BufferCommHookLocation.PRE_FORWARD, True)

    def _check_sync_bufs_post_fwd(self):
        return self.will_sync_module_buffers() and self._buffer_hook_at(_BufferCommHookLocation.POST_FORWARD, False)

    def _buffer_hook_at(self, place, without):
        hook = self.__dict__.get("buffer_hook")
        return without if hook is None else hook[2] is place

    def _sync_buffers(self):
        source = self._find_common_rank(self._distributed_rank, True) if self._join_config.enable else 0
        self._assign_modules_buffers()
        self._sync_module_buffers(source)

    def _sync_module_buffers(self, source):
        hook = self.__dict__.get("buffer_hook")
        if hook is None:
            _ddp.broadcast_coalesced(self.process_group, self.modules_buffers, self.broadcast_bucket_size, source)
            return
        for future in hook[1](hook[0], self.named_module_buffers) or ():
            self.reducer._at_end(future.wait)

    def _register_buffer_comm_hook(self, state, hook, comm_hook_location=_BufferCommHookLocation.POST_FORWARD):
        """hook(state, {name: buffer}) in the place of a broadcast; the futures that it returns are waited for after backward."""
        if not callable(hook):
            raise TypeError(f"a buffer hook must be callable, not {type(hook).__name__}")
        self.buffer_hook = (state, hook, comm_hook_location)

    # ---- hooks -----------------------------------------------------------------------------------------------
    def register_comm_hook(self, state, hook):
        """hook(state, bucket), a Future of a tensor, in the place of the mean of a bucket (torch.distributed.GradBucket).

        It is called for each bucket, on all ranks in the same order, and divides by the number of ranks itself. It can be
        registered once. TypeError, ValueError: its annotations say that it is none."""
        if not callable(hook):
            raise TypeError(f"a communication hook must be callable, not {type(hook).__name__}")
        signature = inspect.signature(hook, eval_str=False)
        if "bucket" not in signature.parameters:
            raise ValueError(f"a communication hook has a parameter named bucket, and {hook} has none")
        wanted = signature.parameters["bucket"].annotation
        if wanted is not inspect.Parameter.empty and wanted is not _thd.GradBucket and "GradBucket" not in str(wanted):
            raise ValueError(f"a communication hook's bucket is a torch.distributed.GradBucket, not {wanted}")
        given = signature.return_annotation
        if given is not inspect.Signature.empty and "Future[torch.Tensor]" not in str(given).replace(
            "torch._tensor.", "torch."
        ):
            raise ValueError(f"a communication hook returns a torch.futures.Future[torch.Tensor], not {given}")
        self.reducer._set_hook(state, hook)
        self._comm_hooks.append((hook, state))
        self.logger._set_comm_hook_name(getattr(hook, "__qualname__", type(hook).__name__))

    def _register_builtin_comm_hook(self, comm_hook_type):
        from torch.distributed.algorithms.ddp_comm_hooks import default_hooks

        name = getattr(comm_hook_type, "name", str(comm_hook_type))
        hooks = {"ALLREDUCE": default_hooks.allreduce_hook, "FP16_COMPRESS": default_hooks.fp16_compress_hook}
        if name not in hooks:
            raise ValueError(f"{comm_hook_type} is no built-in communication hook; these are {', '.join(hooks)}")
        self.reducer._set_hook(self.process_group, hooks[name])
        self.logger._set_comm_hook_name(name)

    def _set_static_graph(self):
        """Every pass has the first one's graph: unused parameters are found by it, and parameters may be used more often."""
        if self.static_graph:
            warnings.warn("static_graph is set already", stacklevel=2)
            return
        self.reducer._set_static_graph()
        self.static_graph = True
        self.logger._set_static_graph()
        if self.find_unused_parameters:
            warnings.warn("with static_graph find_unused_parameters is not needed", stacklevel=2)

    # ---- join ------------------------------------------------------------------------------------------------
    def join(self, divide_by_initial_world_size=True, enable=True, throw_on_early_termination=False):
        """A context for ranks with different numbers of inputs: who is out of them goes along with the others' passes.

        divide_by_initial_world_size: gradients are divided by the number of all ranks, not of those that have inputs left.
        throw_on_early_termination: RuntimeError on all ranks when one is out of inputs."""
        return Join(
            [self], enable, throw_on_early_termination, divide_by_initial_world_size=divide_by_initial_world_size
        )

    def join_hook(self, **kwargs):
        """What torch.distributed.algorithms.Join calls when this rank is out of inputs."""
        return _DDPJoinHook(self, kwargs.get("divide_by_initial_world_size", True))

    @property
    def join_device(self):
        """Where tensors of Join's own communication lie."""
        return self.device

    @property
    def join_process_group(self):
        """In which group Join communicates."""
        return self.process_group

    def _sync_backward_anywhere(self, wanted):
        """Whether a rank that has inputs reduces its gradients in this pass."""
        flag = torch.tensor([float(wanted)], device=self.device)
        _collectives.all_reduce(flag, group=self.process_group)
        return bool(flag.item())

    def _find_common_rank(self, rank, candidate):
        found = _ddp.max_over_ranks(self.process_group, rank if candidate else -1, self.device)
        if found < 0:
            raise ValueError("no rank has inputs left, and none is the last one")
        return found

    @property
    def _distributed_rank(self):
        return self.process_group.rank()

    # ---- the rest --------------------------------------------------------------------------------------------
    def train(self, mode=True):
        """As Module.train()."""
        super().train(mode)
        return self

    def __getstate__(self):
        if self.process_group is not _default_group():
            raise RuntimeError("a DistributedDataParallel can be pickled if its group is the default one")
        state = copy.copy(self.__dict__)
        for name in ("process_group", "reducer", "logger"):
            state.pop(name, None)
        return state

    def __setstate__(self, state):
        self.process_group = _default_group()
        super().__setstate__(state)
        names = [n for n, p in self.module.named_parameters() if p.requires_grad and n not in self.parameters_to_ignore]
        static, self._has_rebuilt_buckets = self.static_graph, False
        self._make_reducer(names, static)
        if static:
            self.reducer._set_static_graph()

    @staticmethod
    def _set_params_and_buffers_to_ignore_for_model(module, params_and_buffers_to_ignore):
        """Names of the module's parameters and buffers that ranks keep for themselves."""
        module._ddp_params_and_buffers_to_ignore = params_and_buffers_to_ignore
        for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
            if name in params_and_buffers_to_ignore:
                tensor._ddp_ignored = True

    @staticmethod
    def _get_data_parallel_params(module, named_params=False):
        for name, parameter in module.named_parameters():
            if not hasattr(parameter, "_ddp_ignored"):
                yield (name, parameter) if named_params else parameter

    def _get_ddp_logging_data(self):
        return self.logger._data()

    def _set_ddp_runtime_logging_sample_rate(self, sample_rate):
        if sample_rate < 1:
            raise ValueError(f"a sample rate is at least 1, not {sample_rate}")
        self.logger._note(sample_rate=sample_rate)

    def _remove_autograd_hooks(self):
        self.reducer._remove_autograd_hooks()

    def _check_reducer_finalized(self):
        self.reducer._check_reducer_finalized()

    def _update_process_group(self, new_process_group):
        self._has_rebuilt_buckets = False
        self.reducer._reset_state()
        if not _rank_not_in_group(new_process_group):
            self.process_group = new_process_group
            engine = _ddp.engine_of(new_process_group, self.device)
            self.reducer._set_group(engine, new_process_group.rank(), new_process_group.size())


def _mapped(function, obj):
    """obj with function(tensor) in the place of each tensor of its tuples, lists and dicts."""
    if isinstance(obj, torch.Tensor):
        return function(obj)
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*(_mapped(function, item) for item in obj))
    if isinstance(obj, (tuple, list)):
        return type(obj)(_mapped(function, item) for item in obj)
    if isinstance(obj, dict):
        return {key: _mapped(function, item) for key, item in obj.items()}
    return obj


__getattr__, __dir__ = rest_of(__name__)
