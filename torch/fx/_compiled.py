"""Generated code as it runs: ``self.layers`` and the like, which Module.__getattr__ would have to find, are looked up in the
modules' dicts. The lines stay what the source says, so that tracebacks show it."""

import ast


def _path(node):
    """["a", "0"] of the expression ``getattr(self.a, "0")``; None for others."""
    if isinstance(node, ast.Name):
        return [] if node.id == "self" else None
    if isinstance(node, ast.Attribute):
        inner, name = _path(node.value), node.attr
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "getattr"
        and len(node.args) == 2
        and isinstance(node.args[1], ast.Constant)
    ):
        inner, name = _path(node.args[0]), node.args[1].value
    else:
        return None
    return None if inner is None else [*inner, name]


class _Lookups(ast.NodeTransformer):
    def __init__(self, targets):
        self.targets = targets
        self.changed = False
        self.holders = {}  # {"layers": the local variable that has its _modules}

    def visit_Call(self, node):
        path = _path(node.func)
        self.generic_visit(node)
        if path and ".".join(path) in self.targets:
            holder = self.holders.setdefault(tuple(path[:-1]), f"_modules_of_{len(self.holders)}")
            found = ast.Subscript(ast.Name(holder, ast.Load()), ast.Constant(path[-1]), ast.Load())
            node.func = ast.copy_location(found, node.func)
            self.changed = True
        return node

    def first_lines(self):
        """Statements that set the local variables."""
        lines = []
        for path, name in self.holders.items():
            found = "self._modules" + "".join(f"[{part!r}]._modules" for part in path)
            lines += ast.parse(f"{name} = {found}").body
        return lines


_AROUND = ast.parse(
    "try:\n    pass\nexcept KeyError as error:\n    raise self._missing_module(error) from error.__cause__\n"
).body[0]


def compiled(source, file, targets):
    """The code object of generated source, in which the calls of submodules of these dotted names are looked up quickly."""
    tree = ast.parse(source)
    lookups = _Lookups(targets)
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and targets:
            lookups.visit(function)
            if lookups.changed:
                body = [*lookups.first_lines(), *function.body]
                function.body = [ast.Try(body=body, handlers=[_AROUND.handlers[0]], orelse=[], finalbody=[])]
    ast.fix_missing_locations(tree)
    return compile(tree, file, "exec", dont_inherit=True)


def quick_targets(module, graph):
    """The dotted names of submodules that the graph calls, and that are found by the dicts alone."""
    found = set()
    for node in graph.nodes:
        if node.op != "call_module":
            continue
        inner = module
        for part in node.target.split("."):
            modules = inner.__dict__.get("_modules")
            # A class may have an attribute of this name, which comes first.
            if modules is None or part not in modules or hasattr(type(inner), part):
                break
            inner = modules[part]
        else:
            found.add(node.target)
    return found
