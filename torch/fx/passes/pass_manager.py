"""Passes in an order: functions of one argument, whatever it is."""

import logging
from functools import wraps
from inspect import unwrap

__all__ = [
    "PassManager",
    "inplace_wrapper",
    "log_hook",
    "loop_pass",
    "these_before_those_pass_constraint",
    "this_before_that_pass_constraint",
]

logger = logging.getLogger(__name__)


def inplace_wrapper(fn):
    """A pass that changes its argument, as one that returns it."""

    @wraps(fn)
    def wrapped(gm):
        fn(gm)
        return gm

    return wrapped


def log_hook(fn, level=logging.INFO):
    """The pass, whose result is logged."""

    @wraps(fn)
    def wrapped(gm):
        result = fn(gm)
        logger.log(level, "Ran pass %s\t Return value: %s", fn, result)
        return result

    return wrapped


def loop_pass(base_pass, n_iter=None, predicate=None):
    """The pass `n_iter` times, or while `predicate` of the result is true."""
    if (n_iter is None) == (predicate is None):
        raise AssertionError("Exactly one of `n_iter`or `predicate` must be specified.")

    @wraps(base_pass)
    def looping(source):
        if n_iter is not None:
            for _ in range(n_iter):
                source = base_pass(source)
            return source
        while predicate(source):
            source = base_pass(source)
        return source

    return looping


def this_before_that_pass_constraint(this, that):
    """A constraint: where both are there, `this` comes first."""
    return lambda a, b: a != that or b != this


def these_before_those_pass_constraint(these, those):
    """The same of passes that have been wrapped."""
    return lambda a, b: unwrap(a) != those or unwrap(b) != these


def _validate_pass_schedule_constraint(constraint, passes):
    for i, a in enumerate(passes):
        for j, b in enumerate(passes[i + 1 :], i + 1):
            if not constraint(a, b):
                raise RuntimeError(
                    f"pass schedule constraint violated. Expected {a} before {b} but found {a} at index {i} and {b} at "
                    f"index {j} in pass list."
                )


class PassManager:
    """Runs passes one after the other. RuntimeError where their order breaks a constraint."""

    passes: list
    constraints: list
    _validated = False

    def __init__(self, passes=None, constraints=None):
        self.passes = passes or []
        self.constraints = constraints or []

    @classmethod
    def build_from_passlist(cls, passes):
        """A manager of these passes."""
        return cls(passes)

    def add_pass(self, _pass):
        """Adds a pass."""
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint):
        """Adds a function (a, b) -> whether pass a may come before b."""
        self.constraints.append(constraint)
        self._validated = False

    def remove_pass(self, _passes):
        """Takes out the passes of these names."""
        self.passes = [p for p in self.passes if getattr(p, "__name__", None) not in _passes]
        self._validated = False

    def replace_pass(self, _target, _replacement):
        """Exchanges a pass."""
        self.passes = [_replacement if getattr(p, "__name__", None) == _target.__name__ else p for p in self.passes]
        self._validated = False

    def validate(self):
        """Checks the order."""
        if self._validated:
            return
        for constraint in self.constraints:
            _validate_pass_schedule_constraint(constraint, self.passes)
        self._validated = True

    def __call__(self, source):
        self.validate()
        for fn in self.passes:
            source = fn(source)
        return source
