"""Steps of an optimiser on parameters and state that are not its own."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim.optimizer import Optimizer

__all__ = ["swap_in_optimizer_params_and_state"]

_NAME = "swap_in_optimizer_params_and_state"


@contextmanager
def swap_in_optimizer_params_and_state(
    optimizer: Optimizer, swapin_parameters: dict[str, Tensor], swapin_optim_state: dict[str, Any]
):
    """Within the ``with`` block, `optimizer` has other parameters, state and options; its own come back afterwards.

    Args:
        optimizer (Optimizer): one that has stepped, so that there is state of every parameter
        swapin_parameters (dict of str to Tensor): at least as many as it has, in the same order; the names do not
            matter, nor do those after the last
        swapin_optim_state (dict): what ``state_dict()`` of a like optimiser has given

    The given tensors themselves are used, so steps change them in place; nothing else that happens in the block, a new
    entry of the state or another option, is kept. Raises RuntimeError where the optimiser has no state yet, or where
    parameters, groups or their options do not match its own; nothing is swapped then.
    """
    groups = optimizer.param_groups
    if any(param not in optimizer.state for group in groups for param in group["params"]):
        raise RuntimeError(f"{_NAME} requires initialized optimizer state.")
    state, new_groups = _matched(groups, list(swapin_parameters.values()), swapin_optim_state)
    own_groups = [dict(group) for group in groups]
    own_state = dict(optimizer.state)

    def install(contents, entries):
        for group, content in zip(groups, contents):
            group.clear()
            group.update(content)
        optimizer.state.clear()
        optimizer.state.update(entries)

    listed = list(groups)
    install(new_groups, state)
    try:
        yield
    finally:
        groups[:] = listed
        optimizer.param_groups = groups
        install(own_groups, own_state)


def _matched(groups, params, saved):
    """The state and the groups to swap in, with the given parameters in their places."""
    saved_state, saved_groups = saved.get("state"), saved.get("param_groups")
    if not isinstance(saved_state, dict):
        raise RuntimeError(
            f"{_NAME} requires swapin_optim_state['state'] to be a dict mapping packed parameter ids to per-param "
            f"state dicts, got {type(saved_state).__name__}."
        )
    if len(params) < sum(len(group["params"]) for group in groups):
        raise RuntimeError(f"{_NAME} requires the explicit parameter state to match optimizer.param_groups ordering.")
    if not isinstance(saved_groups, list) or len(saved_groups) != len(groups):
        raise RuntimeError("swapin_optim_state has a different number of parameter groups than the live optimizer.")
    rest = iter(params)
    by_number, new_groups = {}, []
    for number, (group, given) in enumerate(zip(groups, saved_groups)):
        if set(group) != set(given):
            raise RuntimeError(
                f"{_NAME} requires optimizer.state_dict()-style param group keys to exactly match the live optimizer "
                f"group keys for group {number}. Keys only in swap-in: {sorted(set(given) - set(group))}. "
                f"Keys only in live: {sorted(set(group) - set(given))}."
            )
        if len(given["params"]) != len(group["params"]):
            raise RuntimeError(
                f"swapin_optim_state param group {number} has a different number of params than the live optimizer "
                "param group."
            )
        own = [next(rest) for _ in given["params"]]
        by_number.update(zip(given["params"], own))
        new_groups.append({**given, "params": own})
    extra = [key for key in saved_state if key not in by_number]
    if extra:
        raise RuntimeError(
            f"{_NAME} requires swapin_optim_state['state'] to be keyed only by packed parameter ids from "
            f"param_groups[*]['params']; got extra keys {extra}."
        )
    return {by_number[key]: dict(entry) for key, entry in saved_state.items()}, new_groups
