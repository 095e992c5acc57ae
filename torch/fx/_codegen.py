"""The Python code of a graph."""

from __future__ import annotations

import re
import sys
import types
import typing
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch.fx._naming import _get_qualified_name, _type_repr
from torch.utils import _pytree as pytree

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch.fx.node import Argument


# Functions of the module operator as Python writes them.
magic_methods = {
    "eq": "{} == {}",
    "ne": "{} != {}",
    "lt": "{} < {}",
    "gt": "{} > {}",
    "le": "{} <= {}",
    "ge": "{} >= {}",
    "pos": "+{}",
    "neg": "-{}",
    "invert": "~{}",
    "getitem": "{}[{}]",
    "add": "{} + {}",
    "sub": "{} - {}",
    "mul": "{} * {}",
    "floordiv": "{} // {}",
    "truediv": "{} / {}",
    "div": "{} / {}",
    "mod": "{} % {}",
    "pow": "{} ** {}",
    "lshift": "{} << {}",
    "rshift": "{} >> {}",
    "and_": "{} & {}",
    "or_": "{} | {}",
    "xor": "{} ^ {}",
    "matmul": "{} @ {}",
}
reflectable_magic_methods = {
    name: magic_methods[name]
    for name in "add sub mul floordiv truediv div mod pow lshift rshift and_ or_ xor getitem matmul".split()
}
inplace_methods = {
    "iadd": "{} += {}",
    "iand": "{} &= {}",
    "ifloordiv": "{} //= {}",
    "ilshift": "{} <<= {}",
    "imod": "{} %= {}",
    "imul": "{} *= {}",
    "imatmul": "{} @= {}",
    "ior": "{} |= {}",
    "ipow": "{} **= {}",
    "irshift": "{} >>= {}",
    "isub": "{} -= {}",
    "itruediv": "{} /= {}",
    "ixor": "{} ^= {}",
    "setitem": "{}[{}] = {}",
}

# Annotations of module typing, by the class behind them.
_TYPING = {list: typing.List, dict: typing.Dict, set: typing.Set, frozenset: typing.FrozenSet, tuple: typing.Tuple}  # noqa: UP006

_DIM, _BLUE, _RESET = "\033[2m", "\033[34m", "\033[0m"


@dataclass
class PythonCode:
    """A graph as source code, and the global variables that it names."""

    src: str
    globals: dict[str, Any]
    _lineno_map: dict | None = None  # line of the function's body: the node's number
    _prologue_start: int = 0


@dataclass(frozen=True)
class _ParsedStackTrace:
    file: str
    lineno: str
    name: str
    code: str

    def get_summary_str(self):
        return f"File: {self.file}:{self.lineno} in {self.name}, code: {self.code}"


_FRAME = re.compile(r'^File "(.+)", line (\d+), in (.+)$')


def _parse_stack_trace(stack_trace, filter_fn=None):
    """The innermost frame of a stack trace that `filter_fn(file, function, code)` wants; None if there is none."""
    lines = stack_trace.strip().split("\n")
    for i in range(len(lines) - 2, -1, -1):
        match = _FRAME.match(lines[i].strip())
        if match:
            file, lineno, name = match.groups()
            code = lines[i + 1].strip()
            if filter_fn is None or filter_fn(file, name, code):
                return _ParsedStackTrace(file, lineno, name, code)
    return None


def _is_from_torch(obj):
    """Whether torch has it, by the name that _get_qualified_name gives."""
    module = getattr(obj, "__module__", None)
    if module is None:
        owner = getattr(obj, "__objclass__", None)
        module = getattr(owner, "__module__", "torch" if isinstance(obj, types.BuiltinFunctionType) else "")
    if module.partition(".")[0] != "torch":
        return False
    try:
        path = _get_qualified_name(obj)
    except RuntimeError:
        return False
    return _found_at(path) is obj


def _found_at(path):
    found = torch
    parts = path.split(".")
    if parts[0] != "torch":
        return None
    for i, part in enumerate(parts[1:], 1):
        found = getattr(found, part, None) or sys.modules.get(".".join(parts[: i + 1]))
        if found is None:
            return None
    return found


def _format_target(base, target):
    """base.a.b of the dotted name, by getattr() where a part is no identifier."""
    text = base
    for part in target.split("."):
        text = f"{text}.{part}" if part.isidentifier() else f'getattr({text}, "{part}")'
    return text


class _Globals:
    """The global variables of a piece of code."""

    def __init__(self, namespace):
        self.namespace = namespace
        self.values = {}
        self.wrapped = []  # names of functions that a tracer of the code must record

    def add(self, name_hint, obj):
        """How the code calls `obj`."""
        if obj is not torch.device and _is_from_torch(obj):
            return _get_qualified_name(obj)
        name = self.namespace.create_name(name_hint.replace(".", "_"), obj)
        if name in self.values and self.values[name] is not obj:
            raise AssertionError(f"two objects are called {name}: {self.values[name]!r} and {obj!r}")
        self.values[name] = obj
        return name

    def type_text(self, o):
        """An annotation."""
        if o == ():
            return "()"
        if o is Ellipsis:
            return "..."
        if isinstance(o, (list, tuple)):
            return f"[{','.join(map(self.type_text, o))}]"
        if isinstance(o, (str, int, bool)) or o is None:
            return repr(o)
        if isinstance(o, typing.ForwardRef):
            return repr(o.__forward_arg__)
        origin = typing.get_origin(o)
        if origin is None:
            return self.add(_type_repr(o), o)
        arguments = typing.get_args(o)
        if isinstance(o, types.UnionType):
            return "|".join(map(self.type_text, arguments))
        if origin in _TYPING and not isinstance(o, types.GenericAlias):
            origin = _TYPING[origin]
        base = self.add(_type_repr(origin), origin)
        if origin is typing.Literal:
            return f"{base}[{','.join(map(repr, arguments))}]"
        inside = ",".join(map(self.type_text, arguments))
        return f"{base}[{inside}]" if inside else base


class CodeGen:
    """Writes a graph as a function. Subclasses change how its arguments come in and its results go out."""

    def __init__(self) -> None:
        self._body_transformer = None
        self._func_name = "forward"

    # ---- what subclasses change ----------------------------------------------------------------------------
    def gen_fn_def(self, free_vars: list[str], maybe_return_annotation: str, *, expanded_def: bool = False) -> str:
        """The function's head, given its parameters."""
        if not free_vars or free_vars[0] != "self":
            free_vars.insert(0, "self")
        if expanded_def:
            inside = "".join(f"    {name},\n" for name in free_vars)
            return f"def {self._func_name}(\n{inside}){maybe_return_annotation}:"
        return f"def {self._func_name}({', '.join(free_vars)}){maybe_return_annotation}:"

    def generate_output(
        self,
        output_args: Argument,
        *,
        descs: Sequence[str] | None = None,
        repr_fn: Callable[[object], str] | None = None,
    ) -> str:
        """The statement that returns."""
        return f"return {(repr_fn or repr)(output_args)}"

    def process_inputs(self, *args: Any) -> Any:
        """The caller's arguments as the placeholders take them."""
        return args

    def process_outputs(self, outputs: Any) -> Any:
        """What the graph returns as the caller expects it."""
        return outputs

    def additional_globals(self) -> list[tuple[str, Any]]:
        """[(name, object)] of what the head and the return need."""
        return []

    # ---- the code ------------------------------------------------------------------------------------------
    def _gen_python_code(
        self,
        nodes,
        root_module,
        namespace,
        *,
        verbose=False,
        include_stride=False,
        include_device=False,
        colored=False,
        expanded_def=False,
        record_func=False,
        additional_meta=None,
    ):
        from torch.fx._emit import Emitter

        emitter = Emitter(self, root_module, _Globals(namespace))
        emitter.verbose, emitter.colored, emitter.record_func = verbose, colored, record_func
        emitter.include_stride, emitter.include_device = include_stride, include_device
        emitter.additional_meta = additional_meta or ()
        return emitter.code(list(nodes), expanded_def)


class _BoxedCodeGen(CodeGen):
    """The function takes one list, which it empties, so that nobody but it holds the arguments."""

    def gen_fn_def(self, free_vars, maybe_return_annotation, *, expanded_def=False):
        head = f"def {self._func_name}(self, args_list){maybe_return_annotation}:"
        if not free_vars:
            return f"{head}\n    args_list.clear()"
        names = [name.partition(":")[0].partition("=")[0].strip() for name in free_vars if name != "self"]
        return f"{head}\n    {', '.join(names)}, = args_list\n    args_list.clear()"


class _PyTreeInfo(NamedTuple):
    """How arguments and results are taken apart: names of the arguments, and TreeSpecs."""

    orig_args: list[str]
    in_spec: pytree.TreeSpec
    out_spec: pytree.TreeSpec | None


class _PyTreeCodeGen(CodeGen):
    """The function takes and returns trees of containers; placeholders are their leaves."""

    def __init__(self, pytree_info):
        super().__init__()
        self.pytree_info = pytree_info

    def process_inputs(self, *inputs):
        return tuple(pytree.tree_leaves(inputs))

    def process_outputs(self, out):
        if self.pytree_info is None or self.pytree_info.out_spec is None:
            return out
        if not isinstance(out, (list, tuple)):
            out = [out]
        return pytree.tree_unflatten(list(out), self.pytree_info.out_spec)

    def gen_fn_def(self, free_vars, maybe_return_annotation, *, expanded_def=False):
        info = self.pytree_info
        names = list(info.orig_args)
        if names and names[0] == "self":
            names.remove("self")
        shown = self._with_defaults(names, [name for name in free_vars if name != "self"])
        head = super().gen_fn_def(shown, maybe_return_annotation, expanded_def=expanded_def)
        if not free_vars:
            return head
        plain = [name.partition(":")[0].partition("=")[0].strip() for name in free_vars if name != "self"]
        return f"{head}\n    {self.gen_var_bindings(names, plain, expanded_def)}"

    def _with_defaults(self, names, leaves):
        """The parameters; those at the end that are no containers with their defaults, if they have some."""
        children = self.pytree_info.in_spec.children_specs
        if len(children) != len(names):
            return list(names)
        shown, at = [], len(leaves)
        for name, child in zip(reversed(names), reversed(children)):
            at -= child.num_leaves
            _, sign, default = (
                leaves[at].partition(" = ") if child.is_leaf() and 0 <= at < len(leaves) else ("", "", "")
            )
            if not sign:
                break
            shown.insert(0, f"{name} = {default}")
        return [*names[: len(names) - len(shown)], *shown]

    def gen_var_bindings(self, fn_args, free_vars, expanded_def):
        """The statement that takes the arguments apart."""
        given = f"[{', '.join(name.partition('=')[0].strip() for name in fn_args)}]"
        return f"{', '.join(free_vars)}, = fx_pytree.tree_flatten_spec({given}, self._in_spec)"

    def generate_output(self, output_args, *, descs=None, repr_fn=None):
        form = repr_fn or repr
        if self.pytree_info is None or self.pytree_info.out_spec is None:
            return f"return {form(output_args)}"
        if isinstance(output_args, (list, tuple)):
            inside = ", ".join(form(x) for x in output_args)
            return f"return pytree.tree_unflatten([{inside}], self._out_spec)"
        return f"return pytree.tree_unflatten([{form(output_args)}], self._out_spec)"


for _class in (PythonCode, _ParsedStackTrace, CodeGen, _BoxedCodeGen, _PyTreeInfo, _PyTreeCodeGen):
    _class.__module__ = "torch.fx.graph"  # by this name pickles know them
