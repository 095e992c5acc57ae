"""What a declaration says, as frozen dataclasses."""

import dataclasses

from .errors import Where
from .sharding import Rule
from .types import SELF_EMPTY, Type

VARIANTS = ("method", "function", "inplace", "inplace_function", "out")
# Classes of errors that declarations may name, as TH has them.
ERRORS = {"RuntimeError": "TH_ERROR_RUNTIME", "NotImplementedError": "TH_ERROR_NOT_IMPLEMENTED"}
# Lists of dtypes, by the word that TH_FUNCTION takes: TH/THDtype.h, TH_FOR_….
FLOATING = ("Half", "BFloat16", "Float", "Double")
FLOAT_DOUBLE = ("Float", "Double")
INTEGRAL = ("Byte", "Char", "Short", "Int", "Long")
COMPLEX = ("ComplexFloat", "ComplexDouble")
# By the words of the key `stored`, the dtypes that are only stored, with those whose kernels compute for them:
# TH/THDtype.h, the column `kernels` of TH_DTYPES, with which THPP compares them as it is compiled.
STORED = {
    "unsigned": {"UInt16": "Short", "UInt32": "Int", "UInt64": "Long"},
    "float8": dict.fromkeys(("Float8_e4m3fn", "Float8_e5m2", "Float8_e4m3fnuz", "Float8_e5m2fnuz"), "Float"),
    "complex32": {"ComplexHalf": "ComplexFloat"},
}
# One word more: those whose kernel is that of uint64 (TH/THTensorUnsigned.h), where the bits of signed ones would not do.
BY_UINT64 = dict.fromkeys(STORED["unsigned"], "UInt64")
SERVED = STORED | {"uint64": BY_UINT64}
# How signed integers stand in for unsigned ones in a kernel that takes its own dtype only: the key `unsigned`.
UNSIGNED = {"bits": "by the same bits", "order": "in the same order, the first bit flipped"}
DTYPES = ("Bool", *INTEGRAL, *STORED["unsigned"], *STORED["float8"], *FLOATING, "ComplexHalf", *COMPLEX)
DTYPE_LISTS = {
    "all": ("Bool", *INTEGRAL, *FLOATING),
    "number": INTEGRAL + FLOATING,
    "floating": FLOATING,
    "integral": INTEGRAL,
    "float_double": FLOAT_DOUBLE,
    "lapack": FLOAT_DOUBLE + COMPLEX,
    "bits": ("Bool", *INTEGRAL),
    "complex": COMPLEX,
    "floating_complex": FLOATING + COMPLEX,
    "number_complex": INTEGRAL + FLOATING + COMPLEX,
    "all_complex": ("Bool", *INTEGRAL, *FLOATING, *COMPLEX),
}
# Modules below torch whose functions are operators that are called so: linalg_inv is torch.linalg.inv. An alias such as
# special_expit is that function of torch.special, and no method.
NAMESPACES = ("fft", "linalg", "nn", "special")
# Where one of them is another module: what torch.nn.functional is made of is torch._nn's.
MODULES = {"nn": "_nn"}
# How an operator chooses the dtype that it computes in (T) and that of its result (R).
DTYPE_RULES = {
    "promote": "T = R = what the tensor arguments promote to",
    "promote_exact": "the same, and out= must have exactly that dtype if an operand is a number",
    "promote_real": "T the same, R = the dtype of T's parts if that is complex",
    "promote_float": "T = R = the same, and the default float dtype instead of bool or an integer",
    "bool": "T = what the tensor arguments promote to, R = bool",
    "truth": "like bool, but R = uint8 for uint8, as torch has it for any and all",
    "self": "T = R = dtype of self; out= must have it too",
    "same": "the same, and every tensor argument must have it",
    "result": "T = R = dtype of the result, which must be given",
    "keep": "T = R = argument dtype, else self's",
    "accumulate": "T = R = argument dtype, else that of a given result, else int64 for bool and integers, else self's",
}


def namespace(name):
    """`linalg` of linalg_inv; "" of names that are torch's own."""
    module, _, rest = name.partition("_")
    return module if module in NAMESPACES and rest else ""


def place(name):
    """Where a function is found, below torch: linalg_inv is torch.linalg.inv."""
    module = namespace(name)
    return f"{MODULES.get(module, module)}.{name.removeprefix(module + '_')}" if module else name


@dataclasses.dataclass(frozen=True)
class Argument:
    """One argument, in the order of the C call."""

    name: str
    type: Type
    output: bool = False  # a result: allocated unless the caller gives it as out=
    default: str | None = None  # as Python writes it
    python_default: str = ""  # of the function in Python, where it is another one
    kwarg_only: bool = False
    nullable: bool = False  # None is a value
    number: bool = False  # a Python number will do for the tensor
    long_args: bool = False  # the list's elements may stand one by one
    wrap_dim: bool = False  # a dimension of self; may be negative
    assert_ndim: int | None = None
    broadcast: tuple[str, ...] | None = None  # ("mat1.0", "mat2.1"): expanded to these sizes
    left_out: bool = False  # the C call does not get it
    made: str = ""  # an output's C++ expression: what a kernel is handed, where it is not an empty tensor
    constant: bool = False  # `name` is a C++ expression that only the C call sees
    call: str = ""  # C++ expression for the C call; plugins refine it

    def __str__(self):
        """Type and name as signatures have them."""
        word = self.type.name.removesuffix("[]") + "..." if self.long_args else self.type.name
        return f"{word}{'|Number' * self.number}{'?' * self.nullable} {self.name}"

    @property
    def optional(self):
        return self.default is not None

    @property
    def shown_default(self):
        """The default of the function in Python, as Python writes it."""
        return self.python_default or self.default

    @property
    def empty_by_std(self):
        """Whether "left out" needs std::optional."""
        return self.nullable and self.type.name not in SELF_EMPTY

    @property
    def is_tensor(self):
        """Whether it takes part in the choice of the dtype."""
        return not self.constant and self.type.name == "Tensor"


@dataclasses.dataclass(frozen=True)
class Derivative:
    """What the key `derivative` says."""

    kind: str  # formula, composite, fallback, none, inner
    reason: str = ""  # of `none`
    formulas: tuple[tuple[tuple[str, ...], str], ...] = ()  # (inputs, formula); empty in nix/, which cuts them off
    node: str = ""  # the node's name, where the rule does not give it; or a choice: formulas.py
    inplace: str = ""  # the formula of the form that writes self, where it is another one


@dataclasses.dataclass(frozen=True)
class OverloadNames:
    """What the key `overload` says."""

    name: str = "default"  # where none of `where` fits
    out: str | None = None  # of the form with out=; None: by the rule
    where: tuple[
        tuple[str, str], ...
    ] = ()  # (argument that is a number or given, name), in the order in which they are tried
    also: tuple[str, ...] = ()  # what PyTorch has besides

    def __post_init__(self):
        if self.out is None:
            object.__setattr__(self, "out", "out" if self.name == "default" else f"{self.name}_out")

    @property
    def all(self):
        """All names of functions without out=, each once."""
        return tuple(dict.fromkeys((self.name, *(name for _, name in self.where), *self.also)))


@dataclasses.dataclass(frozen=True)
class Overload:
    """One signature of an operator with everything that emitters need."""

    name: str
    where: Where = dataclasses.field(compare=False)
    cname: str
    arguments: tuple[Argument, ...]  # in the order of the C call
    returns: str  # "" where there are outputs
    aliases: tuple[str, ...] = ()
    variants: tuple[str, ...] = ("method", "function")
    types: tuple[str, ...] = ()  # dtypes that a kernel exists for; () if cname is not a kernel
    stored: tuple[str, ...] | None = None  # words of SERVED that it serves; None: of kernels none, of others all
    unsigned: str | None = None  # how signed integers stand in for unsigned ones, a word of UNSIGNED; None: not at all
    dtype: str | None = None
    check: str | None = None  # C++ function (lib/THPP/src/kit/checks.cpp) called with the dtype and all arguments
    no_complex: tuple[str, str] | None = None  # class and text of the error where complex numbers make no sense
    message: str | None = None  # what the error for a dtype without a kernel calls it; None: name and device
    fallback: str | None = None  # C++ function of operators (thpp::fallback) for what has no kernel
    fallback_types: tuple[str, ...] = ()  # dtypes that it serves besides `types`
    sparse: str | None = None  # what it is of sparse tensors: cwrap.py
    sparse_inplace: str | None = None  # its form in place, where that is a function of its own
    body: str | None = None  # the body, where it is a call of another operator
    factory: bool = False  # makes a tensor from nothing: takes layout, device, …
    with_gil: bool = False  # too quick to give up the interpreter's lock
    any_device: bool = False  # its tensors may be on several devices
    out_with: str | None = None  # an optional argument that Python must give, be it None, where it gives out=
    positional_out: str | None = None  # the argument before which the function's out may be given by place
    inspect: tuple[str, ...] = ()  # what inspect.signature says of function and method; () where PyTorch's says nothing
    view: str | None = None  # the argument that the result is a view of
    writes: str | None = None  # the argument that is written, where the form does not tell; "none": cwrap.py
    derivative: Derivative | None = None
    deprecated: tuple[str, ...] = ()  # older orders of Python's arguments, by their names: "self alpha other"
    overload: OverloadNames = OverloadNames()  # its names in PyTorch's dispatcher
    aten: str | None = None  # the operator's name there; None: by aten_name's rule; "": there is no such operator
    autocast: tuple[str | None, ...] = (None, None)  # policies on each of autocast.DEVICES
    sharding: Rule | None = None  # how it runs on parts; None: sharding.py's `derived`
    doc: str = ""
    python: tuple[Argument, ...] = ()  # in Python's order, without outputs
    statements: tuple[str, ...] = ()  # C++ lines before the call; plugins add to them

    def given(self, method):
        """The arguments that a call of the function or the method gives. Numbers of a list may stand one by one where it
        is the first of them: x.flip(0, 1) and torch.zeros(2, 3), but torch.flip(x, (0, 1))."""
        all = self.python[1:] if method else self.python
        closed = (dataclasses.replace(a, long_args=a.long_args and a.type.python != "IntList") for a in all[1:])
        return (*all[:1], *closed)

    def sizes_of(self, a):
        """How many sizes an argument of an operator of images has, of which one number stands for all: 2 of conv2d. 0: it
        is no such argument."""
        dimensions = next((int(n) for n in "123" if f"{n}d" in self.name), 2)  # im2col, col2im
        if a.type.name != "Sizes":
            return 0
        if a.name == "padding" and "_pad" in self.name:  # at both ends
            return 2 * dimensions
        return dimensions + 2 * (a.name == "input_size")  # batch and channels

    @property
    def composite(self):
        """Whether its C++ body is made of other operators: written by hand, or the key `body`."""
        return self.cname.startswith("thpp::")

    @property
    def by_hand(self):
        """Whether its C++ body is written by hand."""
        return self.composite and self.body is None

    @property
    def in_place(self):
        """Whether it has a form that writes self."""
        return "inplace" in self.variants or "inplace_function" in self.variants

    @property
    def in_python(self):
        """Whether its body is a Python function, which cname names: torch.functional.einsum."""
        return self.cname.startswith("torch.")

    @property
    def module(self):
        """SoftMax of `cname: THNN SoftMax`, which is SoftMax_updateOutput; or the function, as in `THNN SoftMax_updateGradInput`."""
        return self.cname.removeprefix("THNN ") if self.cname.startswith("THNN ") else None

    @property
    def of_sparse(self):
        """Whether its C function is one of THS, which takes sparse tensors; it has one for each device."""
        return self.cname.startswith(("THS ", "THSTensor_"))

    @property
    def kernel(self):
        """Whether there is one C function per dtype."""
        if self.module or self.cname.startswith("THS "):
            return True
        return not (self.composite or self.in_python or self.cname.startswith("TH"))

    @property
    def computed_as(self):
        """{dtype: that of the kernel that serves it}"""
        more = [pair for word in self.stored or () if self.kernel for pair in SERVED[word].items()]
        return {d: d for d in self.types} | {d: as_ for d, as_ in more if as_ in (*self.types, "UInt64")}

    @property
    def row(self):
        """A kernel's name in THPP/Kernels.h."""
        if self.module:
            return self.module if "_" in self.module else f"{self.module}_updateOutput"
        return self.cname.replace("THS ", "THS_")

    @property
    def symbol(self):
        """What stands before and after the dtype in the names of a kernel's C functions."""
        if self.module:
            return "THNN_", self.row
        return ("THS" if self.of_sparse else "TH"), f"Tensor_{self.cname.removeprefix('THS ')}"

    @property
    def integral(self):
        """Whether no result can be a floating or complex tensor."""
        if self.outputs:
            return self.dtype in ("bool", "truth") or all(
                a.type.name == "IndexTensor" or not set(self.types or DTYPES) - {"Bool", *INTEGRAL}
                for a in self.outputs
            )
        return self.returns in ("bool", "int", "void")

    @property
    def says_derivative(self):
        """Whether the declaration says how it is differentiated."""
        return self.derivative is not None or self.body is not None

    @property
    def derivative_kind(self):
        """
        formula, composite, fallback, none or inner. Where nothing is said: composite of a `body`; none without a floating
        result or a tensor to start from.
        """
        if self.derivative:
            return self.derivative.kind
        if self.body is not None:
            return "composite"
        return "formula" if not self.integral and any("Tensor" in a.type.name for a in self.inputs) else "none"

    @property
    def aten_name(self):
        """The operator's name in PyTorch's dispatcher: ours without nn_. "" if it is not there, as parts of others are not."""
        if self.aten is None:
            return "" if self.derivative_kind == "inner" else self.name.removeprefix("nn_")
        return self.aten

    @property
    def cpp_name(self):
        return self.cname.removeprefix("thpp::") if self.composite else self.name

    @property
    def outputs(self):
        return tuple(a for a in self.arguments if a.output)

    @property
    def named_results(self):
        """Whether several results are a named tuple; result0, result1, … are a plain one."""
        return [a.name for a in self.outputs] != [f"result{i}" for i in range(len(self.outputs))]

    @property
    def written(self):
        """The argument that the function without outputs writes, or None."""
        return self.writes if not self.outputs and self.writes != "none" else None

    @property
    def inputs(self):
        return tuple(a for a in self.arguments if not a.output and not a.constant)

    @property
    def cpp_parameters(self):
        """Python's arguments less those that C++ never sees."""
        return tuple(a for a in self.python if a.type.cpp)

    @property
    def named(self):
        """
        (name, the overload as that name has it) of each of its names. In a namespace there are functions, no methods, and
        of those that write self those of nn alone.
        """
        for name in (self.name, *self.aliases):
            module = namespace(name)
            forms = ("function", "out", *(["inplace_function"] if module == "nn" else []))
            yield name, self.replace(variants=tuple(v for v in self.variants if v in forms)) if module else self

    def replace(self, **changes):
        return dataclasses.replace(self, **changes)
