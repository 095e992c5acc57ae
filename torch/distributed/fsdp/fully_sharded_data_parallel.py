"""FullyShardedDataParallel: a module around another one, whose parameters are in parts on all ranks.

It stands on the same groups of parameters as fully_shard(): parameters are DTensors by names of their own, whatever
use_orig_params says, and nothing is made flat.
"""

from __future__ import annotations

import contextlib
from enum import Enum, auto

import torch
from torch import nn
from torch._absent import rest_of
from torch.distributed.fsdp import _optim, _state, _wrapping
from torch.distributed.fsdp._fully_shard import MixedPrecisionPolicy, cast, managed, placed, through
from torch.distributed.fsdp._group import groups_of, order_of
from torch.distributed.fsdp.api import (
    BackwardPrefetch,
    CPUOffload,
    FullOptimStateDictConfig,
    FullStateDictConfig,
    LocalOptimStateDictConfig,
    LocalStateDictConfig,
    MixedPrecision,
    OptimStateDictConfig,
    ShardedOptimStateDictConfig,
    ShardedStateDictConfig,
    ShardingStrategy,
    StateDictConfig,
    StateDictSettings,
    StateDictType,
)

__all__ = ["FullyShardedDataParallel", "OptimStateKeyType"]

FSDP_WRAPPED_MODULE = "_fsdp_wrapped_module"


class OptimStateKeyType(Enum):
    """What parameters are called in an optimiser's state dict."""

    PARAM_NAME = auto()
    PARAM_ID = auto()


class FullyShardedDataParallel(nn.Module):
    """A module whose parameters are divided among ranks, and whole while forward() and backward() use them.

    Args:
        module: the module. process_group: the ranks; of hybrid strategies (ranks that divide, ranks that repeat).
        sharding_strategy: ShardingStrategy, FULL_SHARD without. cpu_offload: accepted, as parts are on the CPU.
        auto_wrap_policy: which parts are wrapped by themselves: torch.distributed.fsdp.wrap has policies.
        backward_prefetch, forward_prefetch: whether the next one's parameters are gathered while one computes.
        mixed_precision: MixedPrecision. ignored_modules, ignored_states: what stays as it is.
        param_init_fn: fills a module of the device meta; its reset_parameters() does otherwise.
        sync_module_states: all get rank 0's parameters and buffers. device_mesh: instead of process_group.
        device_id, limit_all_gathers, use_orig_params: accepted; parameters are DTensors of their own names always.

    ValueError: parameters have several dtypes, or no dimension; strategy and ranks do not fit.
    """

    def __init__(
        self,
        module: nn.Module,
        process_group=None,
        sharding_strategy: ShardingStrategy | None = None,
        cpu_offload: CPUOffload | None = None,
        auto_wrap_policy=None,
        backward_prefetch: BackwardPrefetch | None = BackwardPrefetch.BACKWARD_PRE,
        mixed_precision: MixedPrecision | None = None,
        ignored_modules=None,
        param_init_fn=None,
        device_id=None,
        sync_module_states: bool = False,
        forward_prefetch: bool = False,
        limit_all_gathers: bool = True,
        use_orig_params: bool = False,
        ignored_states=None,
        device_mesh=None,
    ):
        super().__init__()
        strategy = sharding_strategy or ShardingStrategy.FULL_SHARD
        if ignored_modules is not None and ignored_states is not None:
            raise ValueError("ignored_states has modules, too: give it alone, without ignored_modules")
        left, ignored = _wrapping.ignored(ignored_modules, ignored_states)
        mesh = _wrapping.mesh_of(strategy, process_group, device_mesh)
        if auto_wrap_policy is not None:
            inner = {
                "device_mesh": mesh,
                "sharding_strategy": strategy,
                "cpu_offload": cpu_offload,
                "backward_prefetch": backward_prefetch,
                "mixed_precision": mixed_precision,
                "param_init_fn": param_init_fn,
                "sync_module_states": sync_module_states,
                "forward_prefetch": forward_prefetch,
                "use_orig_params": use_orig_params,
                "ignored_states": ignored_states if ignored_modules is None else ignored_modules,
            }
            _wrapping.wrap(module, auto_wrap_policy, FullyShardedDataParallel, left, ignored, inner)
        found = managed([module], ignored, left)
        _wrapping.filled(found, param_init_fn)
        found = managed([module], ignored, left)
        if sync_module_states:
            _wrapping.synchronize(module, found, mesh, left)
        precision = mixed_precision or MixedPrecision()
        policy = MixedPrecisionPolicy(
            precision.param_dtype, precision.reduce_dtype or precision.param_dtype, None, cast_forward_inputs=False
        )
        whole_later = strategy in (ShardingStrategy.FULL_SHARD, ShardingStrategy.HYBRID_SHARD)
        self._fsdp_group = placed(found, mesh, policy, whole_later)
        self._fsdp_group.modules = (self,)
        self._fsdp_wrapped_module = module
        self.mixed_precision, self.sharding_strategy, self.cpu_offload = precision, strategy, cpu_offload
        self.backward_prefetch, self.forward_prefetch = backward_prefetch, forward_prefetch
        self.process_group = self._fsdp_group.shard_group
        self.rank, self.world_size = self.process_group.rank(), self.process_group.size()
        self._device_mesh, self._use_orig_params = mesh, use_orig_params
        self._settings = StateDictSettings(
            StateDictType.FULL_STATE_DICT, FullStateDictConfig(), FullOptimStateDictConfig()
        )
        self._summoned = False
        self._buffer_dtypes = _wrapping.buffers_as(module, precision.buffer_dtype, left)
        _state.hook(self)

    # ---- as a module ---------------------------------------------------------------------------------------
    @property
    def module(self):
        """The module inside."""
        return self._fsdp_wrapped_module

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__(FSDP_WRAPPED_MODULE), name)

    def __getitem__(self, key):
        return self.module[key]

    def forward(self, *args, **kwargs):
        """The module's own forward(), with whole parameters."""
        precision = self.mixed_precision
        order = order_of(self)
        if order.root is self:
            order.ahead, order.ahead_backward = self.forward_prefetch, self.backward_prefetch is not None
            # Whole parameters of the outermost are needed in backward at once.
            self._fsdp_group.reshard_after_forward = False
        if precision.param_dtype is not None and (
            precision.cast_forward_inputs or (precision.cast_root_forward_inputs and order.root is self)
        ):
            args, kwargs = cast(args, precision.param_dtype), cast(kwargs, precision.param_dtype)
        return through(self, self._fsdp_wrapped_module, args, kwargs)

    def named_parameters(self, *args, **kwargs):
        """As of any module; within summon_full_params() names are those of the module inside."""
        for name, parameter in super().named_parameters(*args, **kwargs):
            yield name.replace(f"{FSDP_WRAPPED_MODULE}.", "") if self._summoned else name, parameter

    def named_buffers(self, *args, **kwargs):
        """As named_parameters()."""
        for name, buffer in super().named_buffers(*args, **kwargs):
            yield name.replace(f"{FSDP_WRAPPED_MODULE}.", "") if self._summoned else name, buffer

    def apply(self, fn):
        """Calls fn(module) for all modules inside with whole parameters, which it may change."""
        with FullyShardedDataParallel.summon_full_params(self):
            return super().apply(fn)

    def extra_repr(self):
        return f"sharding_strategy={self.sharding_strategy.name}"

    def check_is_root(self) -> bool:
        """Whether it is in no other one."""
        return order_of(self).root is self

    @staticmethod
    def fsdp_modules(module: nn.Module, root_only: bool = False) -> list:
        """All FullyShardedDataParallel in a module, or those that are in no other."""
        found = [each for each in module.modules() if isinstance(each, FullyShardedDataParallel)]
        if not root_only:
            return found
        inside = {inner for each in found for inner in each.modules() if inner is not each}
        return [each for each in found if each not in inside]

    # ---- gradients -----------------------------------------------------------------------------------------
    @contextlib.contextmanager
    def no_sync(self):
        """A context whose backward() adds up whole gradients on this rank; they are reduced by the first one after it.

        RuntimeError: the module is not the outermost.
        """
        if not self.check_is_root():
            raise RuntimeError("no_sync() is for the outermost FullyShardedDataParallel")
        groups = groups_of(self)
        before = [group.sync for group in groups]
        try:
            for group in groups:
                group.sync = False
            yield
        finally:
            for group, sync in zip(groups, before):
                group.sync = sync

    @torch.no_grad()
    def clip_grad_norm_(self, max_norm: float, norm_type: float = 2.0):
        """Scales all gradients so that their norm, over all ranks' parts, is at most `max_norm`; returns the norm that it was.

        RuntimeError: the module is not the outermost.
        """
        if not self.check_is_root():
            raise RuntimeError("clip_grad_norm_() is for the outermost FullyShardedDataParallel")
        return _state.clipped(self, float(max_norm), float(norm_type))

    def register_comm_hook(self, state: object, hook) -> None:
        """hook(state, gradients, part): fills this rank's part of all ranks' gradients, a row each, in place of reduction.

        Of NO_SHARD: hook(state, gradients) reduces in place. RuntimeError: not the outermost, or there is one.
        """
        if not callable(hook):
            raise TypeError(f"a communication hook is called, which {type(hook).__name__} cannot be")
        if not self.check_is_root():
            raise RuntimeError("register_comm_hook() is for the outermost FullyShardedDataParallel")
        groups = groups_of(self)
        if any(group.hook is not None for group in groups):
            raise RuntimeError("there is a communication hook already")
        for each in FullyShardedDataParallel.fsdp_modules(self):
            if each.sharding_strategy in (ShardingStrategy.HYBRID_SHARD, ShardingStrategy._HYBRID_SHARD_ZERO2):
                raise AssertionError("communication hooks are not for hybrid strategies")
            alone = each.sharding_strategy is ShardingStrategy.NO_SHARD
            each._fsdp_group.hook = (
                (lambda rows, mine: _in_place(hook, state, mine, rows))
                if alone
                else (lambda rows, mine: hook(state, rows, mine))
            )

    # ---- whole parameters ----------------------------------------------------------------------------------
    @staticmethod
    @contextlib.contextmanager
    def summon_full_params(
        module: nn.Module,
        recurse: bool = True,
        writeback: bool = True,
        rank0_only: bool = False,
        offload_to_cpu: bool = False,
        with_grads: bool = False,
    ):
        """A context with whole parameters, plain tensors, in the modules inside; all ranks enter it.

        writeback: what is changed in them is kept, each rank its part; rank0_only: the others' stay in parts.
        with_grads: whole gradients, too. NotImplementedError: rank0_only with writeback.
        """
        if writeback and rank0_only:
            raise NotImplementedError("with rank0_only nothing can be written back: writeback=False")
        modules = FullyShardedDataParallel.fsdp_modules(module)
        if not recurse:
            modules = [each for each in modules if each is module]
        with contextlib.ExitStack() as stack:
            for each in modules:
                stack.enter_context(_state.summoned(each, writeback, rank0_only, with_grads))
            yield

    # ---- state dicts ---------------------------------------------------------------------------------------
    @staticmethod
    def set_state_dict_type(
        module: nn.Module,
        state_dict_type: StateDictType,
        state_dict_config: StateDictConfig | None = None,
        optim_state_dict_config: OptimStateDictConfig | None = None,
    ) -> StateDictSettings:
        """What state dicts of all FullyShardedDataParallel in a module hold from now on; returns what they held.

        RuntimeError: a configuration is of another type.
        """
        kinds = {
            StateDictType.FULL_STATE_DICT: (FullStateDictConfig, FullOptimStateDictConfig),
            StateDictType.LOCAL_STATE_DICT: (LocalStateDictConfig, LocalOptimStateDictConfig),
            StateDictType.SHARDED_STATE_DICT: (ShardedStateDictConfig, ShardedOptimStateDictConfig),
        }[state_dict_type]
        config = kinds[0]() if state_dict_config is None else state_dict_config
        optim_config = kinds[1]() if optim_state_dict_config is None else optim_state_dict_config
        for given, kind in ((config, kinds[0]), (optim_config, kinds[1])):
            if type(given) is not kind:
                raise RuntimeError(f"{state_dict_type} takes {kind.__name__}, not {type(given).__name__}")
        before = FullyShardedDataParallel.get_state_dict_type(module)
        for each in FullyShardedDataParallel.fsdp_modules(module):
            each._settings = StateDictSettings(state_dict_type, config, optim_config)
        return before

    @staticmethod
    def get_state_dict_type(module: nn.Module) -> StateDictSettings:
        """What state dicts of all FullyShardedDataParallel in a module hold. RuntimeError: not all the same."""
        found = [each._settings for each in FullyShardedDataParallel.fsdp_modules(module)]
        if any(each != found[0] for each in found):
            raise RuntimeError(f"state dicts differ: {found}")
        return found[0] if found else None

    @staticmethod
    @contextlib.contextmanager
    def state_dict_type(
        module: nn.Module,
        state_dict_type: StateDictType,
        state_dict_config: StateDictConfig | None = None,
        optim_state_dict_config: OptimStateDictConfig | None = None,
    ):
        """set_state_dict_type() for a context."""
        before = FullyShardedDataParallel.set_state_dict_type(
            module, state_dict_type, state_dict_config, optim_state_dict_config
        )
        try:
            yield
        finally:
            if before is not None:
                FullyShardedDataParallel.set_state_dict_type(
                    module, before.state_dict_type, before.state_dict_config, before.optim_state_dict_config
                )

    @staticmethod
    def full_optim_state_dict(model, optim, optim_input=None, rank0_only: bool = True, group=None) -> dict:
        """An optimiser's state dict by names, with whole tensors; the other ranks' are empty with rank0_only."""
        return _optim.full(model, optim, rank0_only, True)

    @staticmethod
    def sharded_optim_state_dict(model, optim, group=None) -> dict:
        """An optimiser's state dict by names, with DTensors."""
        return _optim.named(model, optim)

    @staticmethod
    def optim_state_dict(model, optim, optim_state_dict=None, group=None) -> dict:
        """An optimiser's state dict, or the given one of its, by names, as set_state_dict_type() says."""
        settings = FullyShardedDataParallel.get_state_dict_type(model)
        kind = StateDictType.FULL_STATE_DICT if settings is None else settings.state_dict_type
        if kind is StateDictType.FULL_STATE_DICT:
            first = settings is not None and getattr(settings.optim_state_dict_config, "rank0_only", False)
            return _optim.full(model, optim, first, True, optim_state_dict)
        found = _optim.named(model, optim, optim_state_dict)
        return _optim.local(found) if kind is StateDictType.LOCAL_STATE_DICT else found

    @staticmethod
    def optim_state_dict_to_load(
        model, optim, optim_state_dict, is_named_optimizer: bool = False, load_directly: bool = False, group=None
    ) -> dict:
        """What optim.load_state_dict() takes, of what optim_state_dict() gave for any division; rank 0's if it alone has it."""
        settings = FullyShardedDataParallel.get_state_dict_type(model)
        first = settings is not None and getattr(settings.optim_state_dict_config, "rank0_only", False)
        made = (_optim.scattered if first else _optim.raw_of)(model, optim, optim_state_dict)
        if load_directly:
            optim.load_state_dict(made)
        return made

    @staticmethod
    def shard_full_optim_state_dict(full_optim_state_dict, model, optim_input=None, optim=None) -> dict:
        """What optim.load_state_dict() takes, of what full_optim_state_dict() gave."""
        return _optim.raw_of(model, _given(optim), full_optim_state_dict)

    @staticmethod
    def flatten_sharded_optim_state_dict(sharded_optim_state_dict, model, optim) -> dict:
        """What optim.load_state_dict() takes, of what sharded_optim_state_dict() gave."""
        return _optim.raw_of(model, optim, sharded_optim_state_dict)

    @staticmethod
    def scatter_full_optim_state_dict(full_optim_state_dict, model, optim_input=None, optim=None, group=None) -> dict:
        """As shard_full_optim_state_dict(), of what rank 0 alone has."""
        return _optim.scattered(model, _given(optim), full_optim_state_dict)

    @staticmethod
    def rekey_optim_state_dict(
        optim_state_dict, optim_state_key_type: OptimStateKeyType, model, optim_input=None, optim=None
    ) -> dict:
        """A state dict by numbers as one by names, or the reverse."""
        by_name = optim_state_key_type is OptimStateKeyType.PARAM_NAME
        return _optim.rekeyed(optim_state_dict, by_name, model, _given(optim))


def _given(optim):
    if optim is None:
        raise ValueError("optim says which parameters there are")
    return optim


def _in_place(hook, state, mine, rows):
    mine.copy_(rows)
    hook(state, mine)


__getattr__, __dir__ = rest_of(__name__)
