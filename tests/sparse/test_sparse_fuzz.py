"""Programs of random operators on sparse tensors of mixed layouts, and the same programs on dense ones.

    python tests/sparse/test_sparse_fuzz.py COUNT [FIRST]                 # many more, every difference, by what it is of
    python tests/sparse/test_sparse_fuzz.py gradients COUNT [FIRST]

An operator may be refused of sparse tensors, as long as it says so and changes nothing; what it answers is what it answers of
dense tensors, of that dtype, and a valid tensor. After each step the dense program goes on with what the sparse one holds, so
that roundings do not add up, and what jumps (floor, eq) is asked of the same numbers."""

import collections
import random
import sys
import traceback
import warnings

import fuzz_steps
import pytest
import torch
from fuzz_gradients import check_gradients
from fuzz_inputs import DTYPES, Difference, dense_tensor, is_sparse, shapes, sparse_tensor, to_dense

PROGRAMS, GRADIENTS, BATCH, LENGTH = 400, 150, 50, 6
REFUSALS = (RuntimeError, TypeError, IndexError, ValueError, ZeroDivisionError, AttributeError)
EPSILON = {torch.float16: 4e-3, torch.bfloat16: 3e-2, torch.float32: 2e-6, torch.complex64: 2e-6}
# 0 divided by 0 is nan, and 0 of 0 integers an error, of dense tensors. Elements that are not there are not divided, and entries
# of one place may be before they are added up.
DIVISIONS = ("div", "floor_divide", "remainder", "fmod", "mod", "floor", "trunc", "addcdiv", "div_", "floor_divide_")
# Results of sparse tensors are made before they are written, so that an operand may be `out`; and copy_ of a sparse tensor gives
# a sparse one its size, too, as in PyTorch. A tensor with dense dimensions keeps them in another layout.
FREER = ("out=", "copy_", "to torch.sparse")
LARGEST = 200


def differing(step, got, want):
    """In what way a result differs from the dense one; an empty text where it does not."""
    if got.dtype != want.dtype:
        return f"dtype {got.dtype}, not {want.dtype}"
    if got.shape != want.shape:
        return f"shape {tuple(got.shape)}, not {tuple(want.shape)}"
    got, want = to_dense(got), to_dense(want)
    if got.dtype in (torch.bool, torch.int64, torch.int32, torch.uint8, torch.int8):
        return "" if torch.equal(got, want) else "values"
    if step.split()[0] in DIVISIONS:
        want = torch.where(want.isfinite(), want, got)
    elif step.split()[0] == "prod":  # of what is there, it may be too large to be a number
        want = torch.where(got.isfinite(), want, got)
    epsilon = EPSILON.get(got.dtype, 1e-12)
    exact = torch.complex128 if got.dtype.is_complex else torch.float64
    got, want = got.to(exact), want.to(exact)
    finite = want.abs()[want.isfinite()]
    size = max(1.0, float(finite.max())) if finite.numel() else 1.0
    return "" if torch.allclose(got, want, rtol=epsilon, atol=8 * epsilon * size, equal_nan=True) else "values"


def attempt(function, operands):
    try:
        return function(*operands), None
    except REFUSALS as error:
        return None, error


class Program:
    """What a seed makes: operands, sparse and dense, and what has been done with them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        dtypes = [self.random.choice(DTYPES)] * 4
        if self.random.random() < 0.15:
            dtypes[1] = self.random.choice(DTYPES)
        self.dense = [dense_tensor(self.random, shape, dtype) for shape, dtype in zip(shapes(self.random), dtypes)]
        self.sparse = [sparse_tensor(self.random, t) for t in self.dense]
        self.history = [f"seed {seed}: " + ", ".join(self.described(t) for t in self.sparse)]

    @staticmethod
    def described(t):
        name = str(t.layout).removeprefix("torch.")
        hybrid = f"+{t.dense_dim()} dense" if is_sparse(t) and t.dense_dim() else ""
        loose = " uncoalesced" if t.layout == torch.sparse_coo and not t.is_coalesced() else ""
        return f"{name}{loose} {tuple(t.shape)}{hybrid} {str(t.dtype).removeprefix('torch.')}"

    def differ(self, kind, step, *details):
        raise Difference(kind, step, "\n  ".join([*self.history, *(str(item) for item in details)]))

    def check_valid(self, name, t):
        if not is_sparse(t):
            return
        try:
            torch._validate_sparse_tensor(t)
        except RuntimeError as error:
            self.differ("invalid result", name, error)

    def step(self):
        """Whether both answered."""
        kind = self.random.choice(fuzz_steps.KINDS)
        name, function = kind(self.random)
        which = [self.random.randrange(len(self.dense)) for _ in range(2 if kind in fuzz_steps.OF_TWO else 1)]
        mine, copies = [self.sparse[i] for i in which], {i: self.dense[i].clone() for i in which}
        layouts = ", ".join(self.described(t) for t in mine)
        self.history.append(f"{name} of {which}: {layouts}")
        if not any(is_sparse(t) for t in mine):
            return False
        step = f"{name} | {', '.join(str(t.layout).removeprefix('torch.') for t in mine)}"
        want, refused = attempt(function, [copies[i] for i in which])
        got, error = attempt(function, mine)
        changed = kind in fuzz_steps.CHANGING and not error
        for i in which[changed:]:
            if not changed or i != which[0]:
                self.check_unchanged(step, i)
        if not isinstance(got if error is None else want if refused is None else None, torch.Tensor) or error:
            return False
        if refused:
            if not self.may_answer(name, refused):
                self.differ("answered", step, f"dense: {type(refused).__name__}: {refused}", got)
            if changed:
                self.dense[which[0]] = to_dense(self.sparse[which[0]]).clone()
            return False
        self.check_valid(step, got)
        if name == "copy_" and is_sparse(got):  # converted entry by entry
            want = fuzz_steps.coalesced(mine[1]).to_dense() if mine[1].dtype == got.dtype else to_dense(got)
        if how := differing(name, got, want):
            self.differ(how.split(",")[0].split()[0], step, how, "sparse:", got, "dense:", want)
        if changed:
            self.dense[which[0]] = to_dense(got).clone()
        elif got.numel() <= 2000 and got.dim() < 6:
            self.go_on_with(got)
        return True

    def check_unchanged(self, step, i):
        self.check_valid(step, self.sparse[i])
        if not torch.equal(to_dense(self.sparse[i]).nan_to_num(), self.dense[i].nan_to_num()):
            self.differ("changed", step, f"operand {i}", self.sparse[i], self.dense[i])

    @staticmethod
    def may_answer(name, refused):
        by_zero = name.split()[0] in DIVISIONS and "ero" in str(refused)
        return by_zero or isinstance(refused, ZeroDivisionError) or any(word in name for word in FREER)

    def go_on_with(self, got):
        dense = to_dense(got)
        sizes = dense.double().abs() if not dense.dtype.is_complex else dense.abs()
        if bool((sizes < LARGEST).all()):  # nan and inf are 0 where nothing is
            self.sparse.append(got.clone())
            self.dense.append(dense.clone())


def check_program(seed):
    """How many steps of a program both have answered; Difference where they differ."""
    program = Program(seed)
    return sum(program.step() for _ in range(LENGTH))


@pytest.fixture(autouse=True)
def debug_mode():
    """Every tensor that is made is looked at, results of operators too."""
    with torch.sparse.check_sparse_tensor_invariants():
        yield


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("batch", range(PROGRAMS // BATCH))
def test_programs_of_random_operators(batch):
    answered = sum(check_program(batch * BATCH + i) for i in range(BATCH))
    assert answered > BATCH, "most steps are refused: such programs prove nothing"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("batch", range(GRADIENTS // BATCH))
def test_gradients_of_random_programs(batch):
    compared = sum(check_gradients(batch * BATCH + i) for i in range(BATCH))
    assert compared > BATCH, "most gradients are none: such programs prove nothing"


def collect(check, count, first):
    """Runs programs, and prints by kind and operator how many differ, with one of each."""
    found, answered = collections.defaultdict(list), 0
    for seed in range(first, first + count):
        try:
            answered += check(seed)
        except Difference as difference:
            found[difference.kind, difference.step].append((seed, str(difference)))
        except Exception as error:
            line = traceback.extract_tb(error.__traceback__)[-1].name
            found["error", f"{type(error).__name__} in {line}"].append((seed, traceback.format_exc()))
    for (kind, step), all_of_it in sorted(found.items(), key=lambda item: -len(item[1])):
        print(f"{len(all_of_it):6} {kind:15} {step}   seeds {[seed for seed, _ in all_of_it[:8]]}")
    for all_of_it in found.values():
        print("\n" + all_of_it[0][1])
    print(f"{count} programs, {answered} steps answered, {sum(map(len, found.values()))} differ")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    torch.sparse.check_sparse_tensor_invariants.enable()
    kind, *numbers = sys.argv[1:] if sys.argv[1] == "gradients" else ["programs", *sys.argv[1:]]
    collect(check_gradients if kind == "gradients" else check_program, int(numbers[0]), int((numbers[1:] or [0])[0]))
