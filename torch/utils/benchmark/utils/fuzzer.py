"""Fuzzer: draws sizes, layouts and elements of tensors, as a seed says."""

from __future__ import annotations

import functools
import itertools
import operator

import numpy as np
import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


__all__ = ["FuzzedParameter", "FuzzedTensor", "Fuzzer", "ParameterAlias"]

_DISTRIBUTIONS = ("loguniform", "uniform")


def dtype_size(dtype):
    """Bytes of an element."""
    return torch.empty((), dtype=dtype).element_size()


def prod(values, base=1):
    """The product; of sizes and numbers of NumPy's, too."""
    return functools.reduce(operator.mul, (int(value) for value in values), base)


class ParameterAlias:
    """Stands in a distribution for another parameter's value."""

    def __init__(self, alias_to) -> None:
        self.alias_to = alias_to

    def __repr__(self) -> str:
        return f"ParameterAlias[alias_to: {self.alias_to}]"


class FuzzedParameter:
    """A number to be drawn.

    `distribution`: "uniform" or "loguniform" from `minval` to `maxval`, or {value: probability}, in which a value may be a
    ParameterAlias. `strict`: kept for the reader.
    """

    def __init__(
        self,
        name: str,
        minval: int | float | None = None,
        maxval: int | float | None = None,
        distribution: str | dict[Any, float] | None = None,
        strict: bool = False,
    ) -> None:
        self._name = name
        self._minval, self._maxval = minval, maxval
        self._distribution = self._check_distribution(distribution)
        self.strict = strict

    @property
    def name(self):
        """By which sizes mean it."""
        return self._name

    def sample(self, state):
        """A value, drawn from a numpy.random.RandomState."""
        if self._distribution == "loguniform":
            return self._loguniform(state)
        if self._distribution == "uniform":
            return self._uniform(state)
        return self._custom_distribution(state)

    def _check_distribution(self, distribution):
        if not isinstance(distribution, dict):
            if distribution not in _DISTRIBUTIONS:
                raise AssertionError(f"Unknown distribution: {distribution}")
            if self._minval is None or self._maxval is None:
                raise AssertionError(f"{self._name}: a {distribution} distribution needs minval and maxval")
            return distribution
        if any(probability < 0 for probability in distribution.values()):
            raise AssertionError("Probabilities cannot be negative")
        if abs(sum(distribution.values()) - 1) > 1e-5:  # noqa: PLR2004
            raise AssertionError("Distribution is not normalized")
        if self._minval is not None or self._maxval is not None:
            raise AssertionError("minval and maxval are of the distributions by name")
        return distribution

    def _loguniform(self, state):
        low, high = np.log2(self._minval), np.log2(self._maxval)
        drawn = 2 ** state.uniform(low=low, high=high)
        is_int = isinstance(self._minval, int) and isinstance(self._maxval, int)
        return int(drawn) if is_int else float(drawn)

    def _uniform(self, state):
        if isinstance(self._minval, int) and isinstance(self._maxval, int):
            return int(state.randint(low=self._minval, high=self._maxval + 1, dtype=np.int64))
        return state.uniform(low=self._minval, high=self._maxval)

    def _custom_distribution(self, state):
        values = list(self._distribution)
        chances = np.array(list(self._distribution.values()))
        return values[int(state.choice(len(values), p=chances / chances.sum()))]


class FuzzedTensor:
    """A tensor to be drawn.

    `size`: numbers and names of parameters; `dim_parameter`: the parameter that says how many of them count. `steps`: the
    same for strides: elements of a larger tensor are left out. `probability_contiguous`: else dimensions are permuted.
    Parameters with which it has fewer elements than `min_elements`, more than `max_elements`, or more bytes than
    `max_allocation_bytes`, are drawn again. `tensor_constructor(size, dtype, **parameters)` makes the elements, random ones
    if it is not given.
    """

    def __init__(
        self,
        name: str,
        size: tuple[str | int, ...],
        steps: tuple[str | int, ...] | None = None,
        probability_contiguous: float = 0.5,
        min_elements: int | None = None,
        max_elements: int | None = None,
        max_allocation_bytes: int | None = None,
        dim_parameter: str | None = None,
        roll_parameter: str | None = None,
        dtype=torch.float32,
        cuda=False,
        tensor_constructor: Callable | None = None,
    ) -> None:
        self._name, self._size, self._steps = name, size, steps
        self._probability_contiguous = probability_contiguous
        self._min_elements, self._max_elements = min_elements, max_elements
        self._max_allocation_bytes = max_allocation_bytes
        self._dim_parameter, self._roll_parameter = dim_parameter, roll_parameter
        self._dtype, self._cuda, self._tensor_constructor = dtype, cuda, tensor_constructor

    @property
    def name(self):
        """Among the tensors that Fuzzer.take gives."""
        return self._name

    @staticmethod
    def default_tensor_constructor(size, dtype, **kwargs):
        """Normal numbers, or integers up to 127."""
        if dtype.is_floating_point or dtype.is_complex:
            return torch.rand(size=size, dtype=dtype, device="cpu")
        return torch.randint(1, 127, size=size, dtype=dtype, device="cpu")

    def _make_tensor(self, params, state):
        size, steps, allocation = self._get_size_and_steps(params)
        make = self._tensor_constructor or self.default_tensor_constructor
        raw = make(size=allocation, dtype=self._dtype, **params)
        if self._cuda:
            raw = raw.cuda()
        dim = len(size)
        order = np.arange(dim)
        if state.rand() > self._probability_contiguous:
            while dim > 1 and np.all(order == np.arange(dim)):
                order = state.permutation(raw.dim())
            raw = raw.permute(tuple(int(i) for i in order)).contiguous()
            raw = raw.permute(tuple(int(i) for i in np.argsort(order)))
        tensor = raw[tuple(slice(0, n * step, step) for n, step in zip(size, steps))]
        properties = {
            "numel": int(tensor.numel()),
            "order": order,
            "steps": steps,
            "is_contiguous": tensor.is_contiguous(),
            "dtype": str(self._dtype),
        }
        return tensor, properties

    def _get_size_and_steps(self, params):
        dim = params[self._dim_parameter] if self._dim_parameter is not None else len(self._size)

        def resolved(values):
            values = tuple(int(params.get(value, value)) for value in values)
            values = values[:dim]
            return values + (1,) * (dim - len(values))

        size = resolved(self._size)
        steps = resolved(self._steps or ())
        allocation = tuple(n * step for n, step in zip(size, steps))
        return size, steps, allocation

    def satisfies_constraints(self, params) -> bool:
        """Whether the tensor is neither too small nor too large."""
        size, _, allocation = self._get_size_and_steps(params)
        count = prod(size)
        if self._max_allocation_bytes is not None:
            if prod(allocation, base=dtype_size(self._dtype)) > self._max_allocation_bytes:
                return False
        if self._max_elements is not None and count > self._max_elements:
            return False
        return self._min_elements is None or count >= self._min_elements


class Fuzzer:
    """Draws parameters, and tensors by them: `for tensors, tensor_properties, parameters in fuzzer.take(10)`.

    `constraints`: functions of the parameters that have to hold. `seed`: the same numbers for the same seed.
    """

    def __init__(
        self,
        parameters: list[FuzzedParameter | list[FuzzedParameter]],
        tensors: list[FuzzedTensor | list[FuzzedTensor]],
        constraints: list[Callable] | None = None,
        seed: int | None = None,
    ) -> None:
        self._seed = int(np.random.RandomState().randint(0, 2**32 - 1, dtype=np.int64)) if seed is None else seed
        self._parameters = self._unpack(parameters, FuzzedParameter)
        self._tensors = self._unpack(tensors, FuzzedTensor)
        self._constraints = constraints or ()
        names = {parameter.name for parameter in self._parameters} & {tensor.name for tensor in self._tensors}
        if names:
            raise ValueError(f"names of parameters and tensors: {', '.join(sorted(names))}")
        self._rejections = self._total_generated = 0

    @staticmethod
    def _unpack(values, cls):
        return tuple(itertools.chain.from_iterable([value] if isinstance(value, cls) else value for value in values))

    def take(self, n):
        """n times ({name: tensor}, {name: properties}, {name: parameter})."""
        state = np.random.RandomState(self._seed)
        torch.manual_seed(int(state.randint(low=0, high=2**63, dtype=np.int64)))
        for _ in range(n):
            params = self._generate(state)
            made = {tensor.name: tensor._make_tensor(params, state) for tensor in self._tensors}
            yield (
                {name: tensor for name, (tensor, _) in made.items()},
                {name: properties for name, (_, properties) in made.items()},
                params,
            )

    @property
    def rejection_rate(self):
        """Which part of what was drawn did not satisfy the constraints."""
        return self._rejections / self._total_generated if self._total_generated else 0.0

    def _generate(self, state):
        for _ in range(1000):
            candidate = {parameter.name: parameter.sample(state) for parameter in self._parameters}
            self._total_generated += 1
            params = self._resolve_aliases(candidate)
            if all(constraint(params) for constraint in self._constraints) and all(
                tensor.satisfies_constraints(params) for tensor in self._tensors
            ):
                return params
            self._rejections += 1
        raise ValueError("Failed to generate a set of valid parameters.")

    @staticmethod
    def _resolve_aliases(params):
        params = dict(params)
        while any(isinstance(value, ParameterAlias) for value in params.values()):
            before = dict(params)
            for name, value in params.items():
                if isinstance(value, ParameterAlias):
                    params[name] = before[value.alias_to]
            if params == before:
                raise ValueError("Alias evaluation failed to resolve: " + ", ".join(params))
        return params
