"""Which modules a source imports."""

import ast


def find_files_source_depends_on(source, package):
    """[(module, name)] of the imports in a source: ("a.b", None) for `import a.b`, ("a", "b") for `from a import b`.
    `package`: what relative imports begin at."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(((alias.name, None), None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(package, node.level, node.module)
            found.update(
                ((base, alias.name), None) if alias.name != "*" else ((base, None), None) for alias in node.names
            )
        elif _is_import_call(node):
            found[node.args[0].value, None] = None
    return list(found)


def _absolute(package, level, module):
    if not level:
        return module
    parts = package.split(".")
    if level > len(parts):
        raise ImportError(f"a relative import goes beyond the package {package!r}")
    base = ".".join(parts[: len(parts) - level + 1])
    return f"{base}.{module}" if module else base


def _is_import_call(node):
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "__import__"
        and len(node.args) > 0
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    )
