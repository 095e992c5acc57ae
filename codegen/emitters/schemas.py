"""Schemas as PyTorch's dispatcher has them, of our declarations: by rules, and by tables of what no rule says."""

import re

# How PyTorch's schemas spell our types.
TYPES = {
    "IndexTensor": "Tensor",
    "int32": "int",
    "char": "str",
    "Sizes": "int[]",
    "Dims": "int[]",
    "Dtype": "ScalarType",
    "PyBool": "bool",
}
# Integers that count elements or places in a tensor, which may be symbols there, by the arguments' names.
SYMBOLIC = frozenset(
    """
    HxW batch_size bias_sizes diagonal dilation groups high ignore_index index input_size input_sizes k
    last_dim_size length low m max_k max_lengths max_q max_seqlen_batch_k max_seqlen_batch_q max_seqlen_k
    max_seqlen_q minlength normalized_shape num_samples num_weights output_padding output_size pad padding
    proj_size repeats s self_sizes shifts size sizes split_size split_sizes start storage_offset stride sum_S
    total_L window_size_left window_size_right
    """.split()
)
# Those of one operator besides; and operators of which no others are.
ALSO_SYMBOLIC = {
    "embedding": ("padding_idx",),
    "embedding_dense_backward": ("padding_idx",),
    "eye": ("n", "m"),
    "linalg_vander": ("N",),
    "native_group_norm": ("N", "C"),
    "randperm": ("n",),
    "reshape": ("shape",),
    "slice": ("end", "step"),
    "slice_copy": ("end", "step"),
    "slice_scatter": ("end", "step"),
    "tensor_split": ("sections", "indices"),
    "tile": ("dims",),
}
ONLY_SYMBOLIC = {"col2im": ("output_size",), "max_unpool3d": ("output_size",)} | dict.fromkeys(
    """
    adaptive_avg_pool1d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d avg_pool1d avg_pool2d avg_pool3d
    conv_tbc diag fractional_max_pool2d fractional_max_pool3d im2col istft max_pool1d max_pool1d_with_indices max_pool2d
    max_pool2d_with_indices max_pool3d max_pool3d_with_indices rot90 unfold unfold_copy
    """.split(),
    (),
)
# Whose first argument, our `self`, is called so there.
FIRST = {
    "x": re.compile(r"special_(airy_ai|.*_polynomial_..?|scaled_modified_bessel_k.|spherical_bessel_j0)\b"),
    "input": re.compile(
        r"(feature_)?(alpha_)?dropout$|native_dropout$|native_(batch|group)_norm_backward|linear(\.out)?$|poisson_nll_loss"
        r"|linalg_(householder_product|matrix_rank\.(atol_rtol|tol|out_tol)_tensor)|.*\.vec$"
    ),
}
# Whose result may be the argument itself, or share its memory.
MAY_ALIAS = frozenset(
    """
    _indices _values adjoint ccol_indices coalesce col_indices conj contiguous crow_indices flatten indices positive ravel
    reshape_as resolve_conj row_indices values
    """.split()
)
# Whose numbers, our `float`, may be of any kind there.
SCALARS = frozenset(
    """
    celu elu elu_backward hardshrink hardshrink_backward hardtanh hardtanh_backward histc leaky_relu leaky_relu_backward
    multi_margin_loss multi_margin_loss_backward rrelu softplus softplus_backward softshrink softshrink_backward threshold
    threshold_backward
    """.split()
)
# Whose dtype is int64, number 4 there, unless it is given.
LONG = ("randint", "randperm", "tril_indices", "triu_indices")
# A set of dimensions of which no dimension is written [].
NO_NONE = ("amax", "amin", "roll")
ALIASES = "abcdefgh"
# What a new tensor is to be: out= says so.
FACTORY = ("dtype", "layout", "device", "pin_memory")


def kind(a):
    """What has to be known of an argument to tell an overload."""
    if a.number:
        return "number"
    return "given" if a.optional or a.nullable else "one"


def schema(o, name, overload, numbers=frozenset(), form="Functional"):
    """The schema of one of its functions. `numbers`: arguments that are numbers for tensors."""
    full = name if overload == "default" else f"{name}.{overload}"
    written = "self" if form == "InPlace" or o.returns == "self" else o.written if not o.outputs else None
    parts, star = [], False
    for a in sorted(o.python, key=lambda a: a.type.name == "MemoryFormat"):  # the last
        if _is_left_out(o, a, overload, form):
            continue
        if a.kwarg_only and not star:
            parts.append("*")
            star = True
        parts.append(_argument(o, a, overload, numbers, written))
    if form == "Out":
        outs = [f"Tensor({letter}!) {n}" for letter, n in zip(ALIASES, _outputs(o))]
        parts += outs if star else ["*", *outs]
    return f"aten::{full}({', '.join(parts)}) -> {_returned(o, written, form)}"


def _is_left_out(o, a, overload, form):
    """Whether the overload has not this argument."""
    if a.type.name == "RequiresGrad" or (form == "Out" and o.factory and a.name in FACTORY):
        return True
    if a.type.name == "Generator" and o.name.startswith("rand") and "self" != o.written:  # an overload has it
        return True
    if form == "Out":
        return False
    without = [n for n, other in o.overload.where if other != overload]
    given = {n for n in without if kind(next(a for a in o.python if a.name == n)) == "given"}
    return a.name in given or (a.name == "keepdim" and "dim" in given)


def _outputs(o):
    if len(o.outputs) == 1:
        return ["out"]
    return [a.name if o.named_results else f"out{i}" for i, a in enumerate(o.outputs)]


def _argument(o, a, overload, numbers, written):
    word = TYPES.get(a.type.name, a.type.name)
    if a.type.name == "Tensor[]" and o.aten_name.startswith("index"):
        word = "Tensor?[]"
    if word in ("float", "int") and o.aten_name in SCALARS and a.name not in ("bins", "reduction"):
        word = "Scalar"
    if a.name in numbers and a.number:
        word = "Scalar"
    elif a.name in numbers and kind(a) == "one":
        word = "int"
    nullable = (
        a.type.name == "PyBool" or (a.nullable or word == "MemoryFormat") and a.default != "torch.contiguous_format"
    )
    count = o.sizes_of(a)
    if a.type.name == "Dims" and a.default is not None:
        word, nullable = "int[1]", a.default == "None" and o.name not in NO_NONE
    if word.startswith("int") and _is_symbolic(o, a):
        word = word.replace("int", "SymInt")
    if word.endswith("[]") and count:
        word = word.replace("[]", f"[{count}]")
        nullable = nullable and _is_symbolic(o, a)
    if a.name == written:
        word = word.replace("Tensor", "Tensor(a!)", 1)
    elif a.name == (o.view or ("self" if o.aten_name in MAY_ALIAS else None)):
        word = word.replace("Tensor", "Tensor(a -> *)" if o.returns == "Tensor[]" else "Tensor(a)", 1)
    required = (
        a.name,
        overload,
    ) in o.overload.where and not a.number  # an overload without it has no other way to be told
    required = required or a.name == overload == "periodic" or a.type.name == "Tensor[]"
    default = f"={_default(o, a, count)}" if a.optional and not required else ""
    return f"{word}{'?' * nullable} {_name(o, a, overload, written)}{default}"


def _name(o, a, overload, written):
    full = f"{o.aten_name}.{overload}".removesuffix(".default")
    if a.name != "self" or written == "self":
        return a.name
    return next((name for name, of in FIRST.items() if of.match(full)), "self")


def _is_symbolic(o, a):
    if o.aten_name in ONLY_SYMBOLIC:
        return a.name in ONLY_SYMBOLIC[o.aten_name]
    return a.name in SYMBOLIC or (a.name == "n" and a.nullable) or (a.name in ALSO_SYMBOLIC.get(o.aten_name, ()))


def _default(o, a, count):
    if a.type.name == "PyBool":
        return "None"
    if a.type.name == "Dtype" and o.name in LONG:
        return "4"
    if a.default == "torch.contiguous_format":
        return "0"
    if a.type.name in ("str", "char"):
        return '"' + a.default.strip("'\"") + '"' if a.default != "None" else "None"
    if a.type.name == "float" and a.default != "None":
        value = float(a.default)
        point = "" if o.aten_name in SCALARS and o.aten_name != "celu" else "."
        return f"{int(value)}{point}" if value == int(value) else f"{value:.17g}"
    if a.default == "None" and (count and not _is_symbolic(o, a) or a.type.name == "Dims" and o.name in NO_NONE):
        return "[]"
    if a.default.lstrip("-").isdigit() and (count == 1 or count and _is_symbolic(o, a)):
        return "[" + ", ".join([a.default] * count) + "]"
    if a.default.startswith("("):
        return "[" + a.default.strip("(),") + "]"
    return a.default.replace("torch.", "")


def _returned(o, written, form):
    if form == "InPlace" or (written and o.returns == "self"):
        return "Tensor(a!)"
    if form == "Out":
        names = [f" {a.name}" if o.named_results and len(o.outputs) > 1 else "" for a in o.outputs]
        parts = [f"Tensor({letter}!){name}" for letter, name in zip(ALIASES, names)]
    elif o.outputs:
        parts = [f"Tensor {a.name}" if o.named_results and len(o.outputs) > 1 else "Tensor" for a in o.outputs]
    elif o.returns == "void":
        return "()"
    else:
        view = "(a)" if o.view or o.aten_name in MAY_ALIAS else ""
        returns = "(Tensor, Tensor, Tensor)" if "|" in o.returns else o.returns  # of what is not asked for, empty
        return returns.replace("Tensor", "Tensor" + view, 1)
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
