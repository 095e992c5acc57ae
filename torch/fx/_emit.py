"""Statements of generated code, node by node."""

import enum
from collections import defaultdict

import torch
from torch.fx._codegen import (
    _BLUE,
    _DIM,
    _RESET,
    PythonCode,
    _format_target,
    _parse_stack_trace,
    inplace_methods,
    magic_methods,
)
from torch.fx._naming import _get_qualified_name, dtype_abbrs
from torch.fx.node import Node


class Emitter:
    """Writes the body of a function."""

    verbose = colored = record_func = include_stride = include_device = False
    additional_meta = ()

    def __init__(self, codegen, root_module, variables):
        self.codegen, self.root_module, self.variables = codegen, root_module, variables
        self.free_vars = []
        self.returned = ""
        self.body = []
        self.lines = []  # for each piece of the body the node that it is of
        self.last_trace = None

    # ---- the whole -----------------------------------------------------------------------------------------
    def code(self, nodes, expanded_def):
        """The PythonCode of these nodes."""
        from torch.fx._namespace import _custom_builtins

        variables = self.variables
        for name, (_, obj) in _custom_builtins.items():
            variables.values[name] = obj
            variables.namespace._rename_object(obj, name)
        for name, obj in self.codegen.additional_globals():
            variables.add(name, obj)
        last_uses = self._last_uses(nodes)
        for number, node in enumerate(nodes):
            start = len(self.body)
            if self.verbose:
                self._note_origin(node)
            self._emit(node)
            self._release(node, last_uses.get(node, ()))
            self.lines += [number] * (len(self.body) - start)
        return self._assembled(expanded_def)

    def _assembled(self, expanded_def):
        body = self.body or ["pass\n"]
        lineno_map = self._lineno_map(body)
        if self.codegen._body_transformer:
            body = self.codegen._body_transformer(list(body))
        wrapped = "\n".join(
            f'torch.fx._symbolic_trace.wrap("{name}")' for name in dict.fromkeys(self.variables.wrapped)
        )
        head = self.codegen.gen_fn_def(list(self.free_vars), self.returned, expanded_def=expanded_def)
        text = "".join(body)
        indented = "\n".join(f"    {line}" if line.strip() or not self.verbose else line for line in text.split("\n"))
        source = f"\n{wrapped}\n\n{head}\n{indented}"
        prologue = source[: len(source) - len(indented)].count("\n") + 1
        return PythonCode(source, self.variables.values, lineno_map, prologue)

    def _lineno_map(self, body):
        """{line of the body: number of its node}"""
        result, line = {}, 1
        for piece, number in zip(body, self.lines):
            for _ in range(piece.count("\n")):
                result[line] = number
                line += 1
        return result

    @staticmethod
    def _last_uses(nodes):
        """{node: the nodes that nobody needs after it}"""
        result, seen = defaultdict(list), set()
        for node in reversed(nodes):
            for used in node._input_nodes:
                if used not in seen:
                    seen.add(used)
                    result[node].append(used)
        return result

    def _release(self, node, nodes):
        """A variable that nobody needs any more lets its tensor go."""
        if node.op == "placeholder":
            return
        if node.op == "output":
            self.body.append("\n")
            return
        names = [repr(n) for n in nodes]
        if not node.users:
            names.append(repr(node))
        if names:
            text = f"{' = '.join(names)} = None"
            self.body.append(f";  {self._dim(text)}\n")
        else:
            self.body.append("\n")

    def _dim(self, text):
        return f"{_DIM}{text}{_RESET}" if self.colored else text

    # ---- verbose -------------------------------------------------------------------------------------------
    def _note_origin(self, node):
        """A comment that says where in the program the node was recorded."""
        if node.op in ("placeholder", "output"):
            return
        trace = node.stack_trace
        parsed = _parse_stack_trace(trace) if trace else None
        summary = parsed.get_summary_str() if parsed else "No stacktrace found for following nodes"
        if summary == self.last_trace:
            return
        self.last_trace = summary
        blank = "\n" if self.body else ""
        self.body.append(f"{blank}{self._dim(f'# {summary}')}\n")

    def _annotation(self, node):
        """: type, or in verbose code what is known of the tensor."""
        if self.verbose:
            text = self._tensor_text(node)
            if text:
                return f': "{text}"'
        if node.type is None:
            return ""
        return f" : {self.variables.type_text(node.type)}"

    def _tensor_text(self, node):
        known = next((node.meta[key] for key in ("val", "example_value", "tensor_meta") if key in node.meta), None)
        shape, dtype = getattr(known, "shape", None), getattr(known, "dtype", None)
        if shape is None or dtype is None:
            return ""
        text = f"{dtype_abbrs.get(dtype, dtype)}[{', '.join(map(str, shape))}]"
        stride = known.stride if not callable(getattr(known, "stride", None)) else known.stride()
        if self.include_stride and stride is not None:
            text += f"[{', '.join(map(str, stride))}]"
        if self.include_device and hasattr(known, "device"):
            text += str(known.device)
        for key in self.additional_meta:
            if key in node.meta:
                text += f" {key}: {node.meta[key]}"
        return text

    # ---- arguments -----------------------------------------------------------------------------------------
    def _text(self, arg):
        """An argument as the code writes it."""
        kind = type(arg)
        if isinstance(arg, Node):
            return repr(arg)
        if isinstance(arg, tuple):
            if hasattr(arg, "_fields"):
                name = self.variables.add(f"{kind.__module__}.{kind.__qualname__}", kind)
                return f"{name}({', '.join(map(self._text, arg))})"
            return f"({', '.join(map(self._text, arg))}{',' if len(arg) == 1 else ''})"
        if isinstance(arg, list):
            return f"[{', '.join(map(self._text, arg))}]"
        if isinstance(arg, dict):
            inside = ", ".join(f"{self._text(k)}: {self._text(v)}" for k, v in arg.items())
            return f"{{{inside}}}"
        if isinstance(arg, slice):
            return f"slice({self._text(arg.start)}, {self._text(arg.stop)}, {self._text(arg.step)})"
        if isinstance(arg, enum.Enum):
            return f"{self.variables.add(f'{kind.__module__}.{kind.__qualname__}', kind)}.{arg.name}"
        if isinstance(arg, type):
            return self.variables.type_text(arg)
        if isinstance(arg, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
            return self.variables.add(_get_qualified_name(arg), arg)
        if isinstance(arg, torch.device):
            return f"device(type={arg.type!r}{f', index={arg.index}' if arg.index is not None else ''})"
        if isinstance(arg, (int, float)) and self.colored:
            return f"{_BLUE}{arg!r}{_RESET}"
        return repr(arg)

    def _arguments(self, args, kwargs):
        parts = [self._text(arg) for arg in args]
        parts += [f"{name} = {self._text(value)}" for name, value in kwargs.items()]
        return ", ".join(parts)

    # ---- nodes ---------------------------------------------------------------------------------------------
    def _emit(self, node):
        name = repr(node)  # before other names are made
        if self.record_func and node.op.startswith("call"):
            label = f"## {node.name} ##"
            self.body.append(
                f"_rf_{name} = torch.autograd.profiler.record_function({label!r}); _rf_{name}.__enter__()\n"
            )
        getattr(self, f"_emit_{node.op}")(node, name)
        if self.record_func and node.op.startswith("call"):
            self.body.append(f"\n_rf_{name}.__exit__(None, None, None)")

    def _emit_placeholder(self, node, name):
        default = f" = {self._text(node.args[0])}" if node.args else ""
        self.free_vars.append(f"{node.target}{self._annotation(node)}{default}")
        raw = node.target.replace("*", "")
        if raw != name:
            self.body.append(f"{name} = {raw}\n")

    def _assign(self, node, name, value):
        self.body.append(f"{name}{self._annotation(node)} = {value}")

    def _emit_get_attr(self, node, name):
        self._assign(node, name, _format_target(self.root_module, node.target))

    def _emit_call_module(self, node, name):
        callee = _format_target(self.root_module, node.target)
        self._assign(node, name, f"{callee}({self._arguments(node.args, node.kwargs)})")

    def _emit_call_method(self, node, name):
        callee = _format_target(self._text(node.args[0]), node.target)
        self._assign(node, name, f"{callee}({self._arguments(node.args[1:], node.kwargs)})")

    def _emit_call_function(self, node, name):
        target, args = node.target, node.args
        short = getattr(target, "__name__", None)
        if getattr(target, "__module__", None) == "_operator" and not node.kwargs:
            if short in magic_methods and len(args) == magic_methods[short].count("{}"):
                self._assign(node, name, magic_methods[short].format(*map(self._text, args)))
                return
            if short in inplace_methods and len(args) == inplace_methods[short].count("{}"):
                texts = [self._text(arg) for arg in args]
                self.body.append(
                    f"{inplace_methods[short].format(*texts)};  {name}{self._annotation(node)} = {texts[0]}"
                )
                return
        if target is getattr and not node.kwargs and len(args) == 2 and _plain(args[1]):
            if isinstance(args[0], Node):
                self._assign(node, name, f"{self._text(args[0])}.{args[1]}")
                return
        qualified = _get_qualified_name(target)
        callee = self.variables.add(qualified, target)
        if node.meta.get("is_wrapped") and callee.isidentifier():
            self.variables.wrapped.append(callee)
        self._assign(node, name, f"{callee}({self._arguments(args, node.kwargs)})")

    def _emit_output(self, node, name):
        if node.type is not None:
            self.returned = f" -> {self.variables.type_text(node.type)}"
        self.body.append(self.codegen.generate_output(node.args[0], repr_fn=self._text))


def _plain(name):
    return isinstance(name, str) and name.isidentifier()
