"""Passes in an order."""

import inspect
import logging
from functools import wraps
from queue import Queue

from torch.fx.graph_module import GraphModule
from torch.fx.passes.infra.pass_base import PassResult
from torch.nn import Module

__all__ = ["PassManager", "pass_result_wrapper", "this_before_that_pass_constraint"]

logger = logging.getLogger(__name__)


def pass_result_wrapper(fn):
    """The pass, returning a PassResult where it returns nothing or a module."""
    if fn is None:
        return None

    @wraps(fn)
    def wrapped(gm):
        result = fn(gm)
        if result is None:
            return PassResult(gm, True)
        if isinstance(result, PassResult):
            return result
        if isinstance(result, Module):
            return PassResult(result, True)
        raise TypeError(
            f"pass {getattr(fn, '__name__', fn)} returned a {type(result).__name__}, no PassResult or module"
        )

    if not inspect.isfunction(fn):
        wrapped.__name__ = type(fn).__name__
    return wrapped


def this_before_that_pass_constraint(this, that):
    """A constraint: where both are there, `this` comes first."""

    def depends_on(a, b):
        return a != that or b != this

    return depends_on


def _validate_pass_schedule_constraint(constraint, passes):
    for i, a in enumerate(passes):
        for j, b in enumerate(passes[i + 1 :], i + 1):
            if not constraint(a, b):
                raise RuntimeError(
                    f"pass schedule constraint violated. Expected {a} before {b} but found {a} at index {i} and {b} at "
                    f"index {j} in pass list."
                )


def _topological_sort_passes(passes, constraints):
    """An order that keeps all constraints. RuntimeError if there is none."""
    if not constraints:
        return passes
    followers = {p: [] for p in passes}
    missing = dict.fromkeys(passes, 0)
    for constraint in constraints:
        for a in passes:
            for b in passes:
                if a != b and not constraint(a, b):  # b must come before a
                    followers[b].append(a)
                    missing[a] += 1
    ready = Queue()
    for p in passes:
        if not missing[p]:
            ready.put(p)
    order = []
    while not ready.empty():
        p = ready.get()
        order.append(p)
        for follower in followers[p]:
            missing[follower] -= 1
            if not missing[follower]:
                ready.put(follower)
    if len(order) != len(passes):
        raise RuntimeError(
            f"Circular dependency detected within the following passes: {[p for p in passes if missing[p]]}"
        )
    return order


class PassManager:
    """Runs passes, in an order that keeps constraints, `steps` times or until nothing changes."""

    passes: list
    constraints: list
    _validated = False
    steps = 1

    def __init__(
        self, passes=None, constraints=None, steps=None, run_checks_after_each_pass=False, suppress_check_failures=False
    ):
        self.passes = passes or []
        self.constraints = constraints or []
        if steps:
            self.steps = steps
        self.run_checks_after_each_pass = run_checks_after_each_pass
        self.suppress_check_failures = suppress_check_failures

    def add_pass(self, _pass):
        """Adds a pass."""
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint):
        """Adds a function (a, b) -> whether pass a may come before b."""
        self.constraints.append(constraint)
        self._validated = False

    def validate_constraints(self):
        """RuntimeError where the order breaks a constraint."""
        if self._validated:
            return
        for constraint in self.constraints:
            _validate_pass_schedule_constraint(constraint, self.passes)
        self._validated = True

    def solve_constraints(self):
        """Finds an order."""
        self.passes = _topological_sort_passes(self.passes, self.constraints)
        self._validated = True

    def add_checks(self, check):
        """A function that raises where a module is wrong: run before and after the passes."""
        parameters = list(inspect.signature(check).parameters.values())
        if len(parameters) != 1:
            raise TypeError("PassManager check function should only take in one variable, a module")
        self.check = check

    def check(self, module):
        pass

    def __call__(self, module):
        if not self._validated:
            self.solve_constraints()
        self.check(module)
        modified = False
        for _ in range(self.steps):
            changed = False
            for i, fn in enumerate(self.passes):
                name = fn.__name__ if inspect.isfunction(fn) else type(fn).__name__
                logger.debug("Running pass '%s'", name)
                try:
                    result = fn(module)
                    if not isinstance(result, PassResult) and not hasattr(result, "graph_module"):
                        raise TypeError(
                            f"The result of the pass {name} should be type PassResult. Please wrap it with "
                            "pass_result_wrapper()"
                        )
                    module, changed = result.graph_module, changed or result.modified
                    if isinstance(module, GraphModule):  # passes change graphs: the code is what they say
                        module.recompile()
                    if self.run_checks_after_each_pass:
                        self.check(module)
                except Exception as error:
                    before = [p.__name__ if inspect.isfunction(p) else type(p).__name__ for p in self.passes[:i]]
                    raise Exception(  # noqa: TRY002 - what its users catch
                        f"An error occurred when running the '{name}' pass after the following passes: {before}"
                    ) from error
            modified |= changed
            if not changed:
                break
        return PassResult(module, modified)
