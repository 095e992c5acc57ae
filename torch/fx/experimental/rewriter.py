"""Programs made traceable by changing their source."""

import ast
import copy
import functools
import inspect
import textwrap
from types import FunctionType

import torch
from torch.fx._symbolic_trace import Tracer


class AST_Rewriter(ast.NodeTransformer):  # noqa: N801 - torch's name
    """Makes torch._assert(condition, message) of `assert condition, message`, which can be recorded."""

    def rewrite(self, fn):
        """The changed function."""
        source, _ = inspect.getsourcelines(fn)
        tree = ast.fix_missing_locations(self.visit(ast.parse(textwrap.dedent("".join(source)))))
        tree.body[0].decorator_list = []
        space = dict(fn.__globals__)
        exec(compile(tree, inspect.getsourcefile(fn) or "", "exec"), space)  # noqa: S102 - the function's own source
        code = space[fn.__name__].__code__
        if code.co_freevars != fn.__code__.co_freevars:
            raise NotImplementedError(
                f"{fn.__qualname__} uses variables of the function around it ({', '.join(fn.__code__.co_freevars)}), "
                "which its source alone does not have"
            )
        made = FunctionType(code, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
        made = functools.update_wrapper(made, fn)
        made.__kwdefaults__ = copy.copy(fn.__kwdefaults__)
        return made

    def visit_Assert(self, node):  # noqa: N802
        call = ast.parse("torch._assert()", mode="eval").body
        call.args = [node.test, node.msg or ast.Constant("")]
        return ast.copy_location(ast.Expr(call), node)

    def visit_AnnAssign(self, node):  # noqa: N802
        """x: T = v as x = annotate(v, T)."""
        if node.value is None:
            return node
        call = ast.parse("torch.fx.annotate.annotate()", mode="eval").body
        call.args = [node.value, node.annotation]
        return ast.copy_location(ast.Assign(targets=[node.target], value=call), node)


class RewritingTracer(Tracer):
    """A Tracer of the changed program."""

    def trace(self, root, concrete_args=None):
        return super().trace(_rewrite(root), concrete_args)


def _rewrite(fn):
    """The function, or a copy of the module, with changed source."""
    if not isinstance(fn, torch.nn.Module):
        return AST_Rewriter().rewrite(fn)

    class RewrittenModule(torch.nn.Module):
        def __init__(self, orig):
            super().__init__()
            for name, value in orig.__dict__.items():
                self.__dict__[name] = copy.copy(value)

    RewrittenModule.forward = AST_Rewriter().rewrite(type(fn).forward)
    made = RewrittenModule(fn)
    for name, child in made.named_children():
        if not type(child).__module__.startswith("torch.nn"):
            made._modules[name] = _rewrite(child)
    return made
