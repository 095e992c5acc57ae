"""Random programs of several statements over four tensors, and what becomes of all four after each statement.

Views, indices, assignments, in-place functions and `out=` of each other's memory: what a single call cannot show. All
values are such that every operator used here is exact or correctly rounded, so that PyTorch's answer has the same bits.
A program is made by its number and a seed; as a script this file prints the answers of whatever torch it is run with:

    python tests/fuzz/programs.py SEED FIRST LAST       of these programs
    python tests/fuzz/programs.py -                     of those that come in, a line of JSON each
"""

import base64
import hashlib
import json
import math
import random
import re
import sys
import warnings
from dataclasses import dataclass

import torch

NAMES = "abcd"
SCOPE = {"torch": torch, "nan": math.nan, "inf": math.inf, "slice": slice, "True": True, "False": False}
_CLASSES = (TypeError, ValueError, RuntimeError, IndexError, NotImplementedError, OverflowError)


@dataclass(frozen=True)
class Program:
    tensors: tuple  # a text for each name
    statements: tuple  # texts

    def __str__(self):
        first = [f"{name} = {text}" for name, text in zip(NAMES, self.tensors, strict=True)]
        return "; ".join([*first, *self.statements])

    def smaller(self):
        """The programs with one statement less."""
        for i in range(len(self.statements)):
            yield Program(self.tensors, self.statements[:i] + self.statements[i + 1 :])


# ---- making --------------------------------------------------------------------------------------------------
_DTYPES = "float32 float32 float32 float64 int64 int64 int64 int32 bool bool uint8 float16 bfloat16 complex64 int16"
_ODD_SHAPES = [(2,), (3,), (2, 3), (1, 3), (3, 1), (2, 2), (), (), (1,), (0,), (2, 0), (2, 3, 3), (1, 2, 3)]
_FLOATS = "0. 1. -1. 2. -2. .5 3. -0. nan inf -inf".split()
_NUMBERS = "0 1 -1 2 3 -2 2.5 1e10 True nan inf -0. 1j 300".split()

_UNARY = "neg abs sign logical_not bitwise_not round floor ceil trunc frac isnan conj_physical square positive"
_BINARY = "add sub mul maximum minimum eq ne lt le gt ge logical_and logical_or bitwise_and bitwise_or bitwise_xor"
_INPLACE_UNARY = "neg_ abs_ sign_ logical_not_ bitwise_not_ round_ floor_ trunc_ frac_ zero_ conj_physical_ square_"
_INPLACE_BINARY = "add_ add_ sub_ mul_ eq_ lt_ ge_ logical_and_ logical_xor_ bitwise_and_ bitwise_or_ copy_ copy_"


class Maker:
    def __init__(self, chance):
        self.chance = chance
        self.one = chance.choice
        # Most tensors of a program fit each other.
        self.side = self.one((2, 3, 3))
        self.dtype = self.one(_DTYPES.split())

    def name(self):
        return self.one(NAMES)

    def tensor(self):
        dtype = self.dtype if self.chance.random() < 0.6 else self.one(_DTYPES.split())
        shape = (self.side,) * self.one((1, 2, 2)) if self.chance.random() < 0.7 else self.one(_ODD_SHAPES)
        count = math.prod(shape)
        if dtype == "bool":
            items = [self.one(("True", "False")) for _ in range(count)]
        elif dtype == "complex64":
            items = [self.one(("1j", "0", "1-1j", "-2", "2j", "3+1j")) for _ in range(count)]
        elif dtype == "uint8":
            items = [self.one(("0", "1", "2", "3", "255")) for _ in range(count)]
        elif dtype.startswith("int"):
            items = [str(self.one((0, 1, 2, -1, 1, 0, -2, 3))) for _ in range(count)]
        else:
            items = [self.one(_FLOATS[: 8 if self.chance.random() < 0.8 else None]) for _ in range(count)]
        text = f"torch.tensor([{', '.join(items)}], dtype=torch.{dtype}).reshape({shape})"
        layout = self.chance.random()
        if layout < 0.08:
            text += f".expand(3, *{shape})"
        elif layout < 0.16 and len(shape) > 1:
            text += self.one((".t()" if len(shape) == 2 else ".transpose(0, -1)", "[:, 1:]", "[:, ::2]"))
        elif layout < 0.20 and count >= 3:
            text += self.one((".as_strided((2, 2), (1, 1))", ".as_strided((3,), (0,))", ".as_strided((2,), (1,), 1)"))
        return text

    # ---- indices
    def index_tensor(self):
        if self.chance.random() < 0.7:
            rows = self.one(
                (f"[{', '.join(str(self.chance.randrange(self.side)) for _ in range(self.side))}]", "[1, 0]")
            )
            if self.chance.random() < 0.3:
                rows = f"[{rows}, {rows}]" if self.chance.random() < 0.5 else f"[{rows}]"
            return self.one((f"torch.tensor({rows})", f"torch.tensor({rows})", rows, f"{self.name()}.long()"))
        return self.one(
            (
                "torch.tensor([1, 0], dtype=torch.int32)",
                "torch.tensor([], dtype=torch.int64)",
                "torch.tensor(1)",
                "torch.tensor([-1])",
                "torch.tensor([5])",
                "torch.tensor([0., 1.])",
                "[]",
                self.name(),
            )
        )

    def mask(self):
        if self.chance.random() < 0.75:
            name = self.name()
            return self.one((f"{name} > 0", f"{name}.bool()", f"{name} == {self.name()}", f"{name}[0] < 2"))
        return self.one(
            (
                self.name(),
                f"{self.name()}.to(torch.uint8)",
                "torch.tensor([True, False, True])",
                "torch.tensor([1, 0], dtype=torch.uint8)",
                "torch.tensor(True)",
                "[True, False]",
            )
        )

    def part(self):
        kind = self.chance.random()
        if kind < 0.2:
            return self.one(("0", "1", "-1", "1", "2"))
        if kind < 0.42:
            return self.one((":", "1:", ":-1", "::2", "0:1", "3:"))
        if kind < 0.5:
            return "None"
        if kind < 0.58:
            return "..."
        if kind < 0.64:
            return self.one(("True", "False"))
        return self.index_tensor() if kind < 0.84 else self.mask()

    def index(self):
        return ", ".join(self.part() for _ in range(self.one((1, 1, 1, 1, 1, 2, 2, 3))))

    # ---- operands
    def view(self):
        name = self.name()
        return name + self.one(
            (
                f"[{self.one(('0', '-1', '1:', ':-1', '::2', ':, 0', '..., 1:', 'None', ':, None', '...', '1', ':0'))}]",
                f"[{self.index()}]",
                ".t()",
                ".transpose(0, -1)",
                f".expand({self.side}, {self.side})",
                ".expand(2, -1, -1)",
                ".unsqueeze(0)",
                ".unsqueeze(-1)",
                ".squeeze()",
                ".squeeze(0)",
                ".view(-1)",
                ".reshape(-1)",
                ".flatten()",
                ".diagonal()",
                ".narrow(0, 0, 2)",
                ".select(-1, 0)",
                ".as_strided((2, 2), (1, 1))",
                ".as_strided((2, 2), (2, 1))",
                ".as_strided((3,), (1,))",
                ".as_strided((2, 2), (0, 1))",
                ".unfold(0, 2, 1)",
                f".view(torch.{self.one(('int32', 'uint8', 'float32', 'int16', 'int64'))})",
                f".view_as({self.name()})",
                f".expand_as({self.name()})",
                f".reshape_as({self.name()})",
                ".real",
                ".imag",
                ".detach()",
                ".contiguous()",
                f".permute(-1, *range({name}.dim() - 1))",
            )
        )

    def operand(self):
        kind = self.chance.random()
        if kind < 0.55:
            return self.name()
        return self.view() if kind < 0.85 else self.one(_NUMBERS)

    def value(self):
        kind = self.chance.random()
        if kind < 0.3:
            return self.name()
        if kind < 0.42:
            return self.view()
        if kind < 0.65:
            n = self.side
            shape = self.one(
                (f"{n}", f"1, {n}", f"{n}, {n}", f"1, {n}, {n}", f"1, 1, {n}", f"{n}, 1", "1, 1", "2", "0")
            )
            return f"torch.ones({shape}{self.one(('', '', ', dtype=torch.int64', ', dtype=torch.bool'))})"
        return self.one(_NUMBERS)

    def target(self):
        return self.name() if self.chance.random() < 0.75 else self.view()

    def call(self):
        """The text of a function of any kind and its arguments, without the closing bracket."""
        kind = self.chance.random()
        a, b = self.operand(), self.operand()
        if kind < 0.35:
            return f"torch.{self.one(_UNARY.split())}({self.target()}"
        if kind < 0.65:
            return f"torch.{self.one(_BINARY.split())}({self.target()}, {b}"
        return self.one(
            (
                f"torch.tril({self.target()}",
                f"torch.triu({self.target()}, 1",
                f"torch.diag({self.target()}",
                f"torch.cat([{self.name()}, {self.target()}]",
                f"torch.stack([{self.name()}, {self.target()}], -1",
                f"torch.index_select({self.target()}, 0, {self.index_tensor()}",
                f"torch.gather({self.target()}, 0, {self.index_tensor()}",
                f"torch.take({self.target()}, {self.index_tensor()}",
                f"torch.take_along_dim({self.target()}, {self.index_tensor()}, 0",
                f"torch.masked_select({self.target()}, {self.mask()}",
                f"torch.scatter({self.target()}, 0, {self.index_tensor()}, {self.value()}",
                f"torch.scatter_add({self.target()}, 0, {self.index_tensor()}, {self.target()}",
                f"torch.index_add({self.target()}, 0, {self.index_tensor()}, {self.target()}",
                f"torch.index_copy({self.target()}, 0, {self.index_tensor()}, {self.target()}",
                f"torch.where({self.mask()}, {a}, {b}",
                f"torch.clamp({self.target()}, {self.one(('-1', '0', self.name()))}, {self.one(('1', '2', self.name()))}",
                f"torch.nonzero({self.target()}",
                f"torch.amax({self.target()}, 0",
                f"torch.any({self.target()}, 0",
                f"torch.argmax({self.target()}, 0",
                f"torch.addcmul({self.target()}, {self.target()}, {self.target()}",
                f"torch.flip({self.target()}, [0]",
                f"torch.roll({self.target()}, 1",
                f"torch.cummax({self.target()}, 0)[0].clone(",
                "torch.arange(4",
                "torch.zeros((2, 3)",
                "torch.full((3,), 2",
            )
        )

    def change(self):
        """An in-place method with its arguments."""
        kind = self.chance.random()
        index = self.index_tensor()
        if kind < 0.35:
            return f"{self.one(_INPLACE_BINARY.split())}({self.operand()})"
        if kind < 0.5:
            return f"{self.one(_INPLACE_UNARY.split())}()"
        return self.one(
            (
                f"fill_({self.one(_NUMBERS)})",
                f"fill_({self.name()})",
                f"masked_fill_({self.mask()}, {self.value()})",
                f"masked_fill_({self.mask()}, {self.one(_NUMBERS)})",
                f"masked_scatter_({self.mask()}, {self.target()})",
                f"index_add_(0, {index}, {self.target()})",
                f"index_copy_(0, {index}, {self.target()})",
                f"index_copy_(-1, {index}, {self.target()})",
                f"index_fill_(0, {index}, {self.one(_NUMBERS)})",
                f"scatter_(0, {index}, {self.target()})",
                f"scatter_(0, {index}, {self.one(_NUMBERS)})",
                f"scatter_add_(0, {index}, {self.target()})",
                f"scatter_reduce_(0, {index}, {self.target()}, 'amax')",
                f"index_put_(({index},), {self.target()})",
                f"index_put_(({index},), {self.target()}, accumulate=True)",
                f"put_({index}, {self.target()})",
                "triu_()",
                "tril_(-1)",
                "t_()",
                "squeeze_()",
                "unsqueeze_(0)",
                "transpose_(0, -1)",
                f"clamp_({self.one(('-1', '0', self.name()))}, 2)",
                "fill_diagonal_(2)",
                f"addcmul_({self.name()}, {self.target()})",
                f"where({self.mask()}, {self.operand()})",
            )
        )

    def statement(self):
        kind = self.chance.random()
        if kind < 0.32:
            return f"{self.name()}[{self.index()}] = {self.value()}"
        if kind < 0.37:
            return f"{self.name()}[{self.index()}] {self.one(('+=', '*=', '-=', '|='))} {self.value()}"
        if kind < 0.40:
            return f"{self.name()} {self.one(('+=', '*=', '-=', '&='))} {self.operand()}"
        if kind < 0.52:
            return f"{self.name()} = {self.view()}"
        if kind < 0.75:
            return f"{self.target()}.{self.change()}"
        call = self.call()
        if call.endswith("clone(") or kind < 0.82:
            return f"{self.name()} = {call})"
        return f"{call}, out={self.target()})"


def make(number, seed):
    chance = random.Random(f"{seed}:{number}")
    maker = Maker(chance)
    tensors = tuple(maker.tensor() for _ in NAMES)
    return Program(tensors, tuple(maker.statement() for _ in range(chance.randrange(3, 9))))


# ---- running -------------------------------------------------------------------------------------------------
def _described(t):
    if not isinstance(t, torch.Tensor):
        return repr(t)
    where = f"{t.dtype} {tuple(t.shape)} {t.stride()} +{t.storage_offset()}"
    if t.is_complex():
        t = t + 0  # of a complex zero the sign is nobody's business
    values = str(t.tolist()).replace("-nan", "nan")
    return f"{where} {values}"


def state(scope):
    """All that can be seen of the four tensors, as text."""
    return [_described(scope[name]) for name in NAMES]


def _memory(t):
    return t.untyped_storage().data_ptr() if isinstance(t, torch.Tensor) else None


def _execute(text, scope):
    """Runs a statement. True: `out=` got another size in memory that an operand has too, so that what is read is not
    defined; PyTorch computes something all the same."""
    call, _, target = text.partition(", out=")
    if not target:
        exec(text, scope)  # noqa: S102
        return False
    scope["_out"] = out = eval(target[:-1], scope)  # noqa: S307 - made here
    shape, operands = out.shape, {_memory(scope[name]) for name in re.findall(r"\b[abcd]\b", call)}
    shared = _memory(out) in operands
    exec(f"{call}, out=_out)", scope)  # noqa: S102
    return shared and out.shape != shape


def run(program):
    """(None, the four tensors as text, False), and after each statement (None or the exception, the same, whether
    that is not defined)."""
    scope = dict(SCOPE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, text in zip(NAMES, program.tensors, strict=True):
            scope[name] = eval(text, scope)  # noqa: S307 - made here
        yield None, state(scope), False
        for text in program.statements:
            error, undefined = None, False
            try:
                undefined = _execute(text, scope)
            except Exception as caught:  # noqa: BLE001 - which one is the answer
                error = caught
            yield error, state(scope), undefined


def _outcome(error):
    return next((c.__name__[0] for c in _CLASSES if type(error) is c), "?") if error else "."


def _digest(text):
    return base64.b64encode(hashlib.blake2b(text.encode(), digest_size=3).digest()).decode()


def answers(program):
    """A word for each statement: the outcome's letter and a digest of the state; "R!" where what raises has changed
    something, "~" where the state is not defined, and then no more."""
    steps = run(program)
    before, words = _digest("\n".join(next(steps)[1])), []
    for error, after, undefined in steps:
        if undefined:
            return [*words, "~"]
        digest = _digest("\n".join(after))
        if error and digest != before:
            return [*words, f"{_outcome(error)}!"]
        words.append(_outcome(error) + digest)
        before = digest
    return words


def main(seed, first, last):
    torch.set_num_threads(1)
    if seed == "-":
        for line in sys.stdin:  # [tensors, statements]: what happens, in words and in full
            program = Program(*json.loads(line))
            steps = [(str(error or "")[:200], after) for error, after, _ in run(program)]
            print(json.dumps([answers(program), steps]), flush=True)
    for number in range(int(first), int(last)):
        program = make(number, seed)
        print(number, _digest(str(program)), *answers(program), flush=True)


if __name__ == "__main__":
    main(*(sys.argv[1:] if sys.argv[1:] != ["-"] else ("-", 0, 0)))
