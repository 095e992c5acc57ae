"""Sources of generated code: compiled, kept for tracebacks, and given the imports that they need."""

import functools
import itertools
import linecache
import sys
import types

from torch.fx._compiled import compiled
from torch.fx._namespace import _custom_builtins
from torch.fx._naming import _get_qualified_name
from torch.fx._patching import _WRAPPED_IN_CODE


class _EvalCacheLoader:
    """Keeps generated sources, so that tracebacks and inspect.getsource() show their lines."""

    def __init__(self):
        self.eval_cache = {}
        self._numbers = itertools.count()

    def cache(self, src, globals, co_fields=None):  # noqa: A002
        """The file's name that the source has from now on."""
        key = self._get_key()
        if co_fields:
            file, line, name = (co_fields.get(k) for k in ("co_filename", "co_firstlineno", "co_name"))
            if file and line and name:
                key += f" from {file}:{line} in {name}"
        self.eval_cache[key] = src
        globals["__name__"] = key
        globals["__loader__"] = self
        # A lazy entry: the text is asked for when a traceback is shown.
        linecache.lazycache(key, globals)
        return key

    def forget(self, key):
        """The module has been compiled anew, or is gone."""
        self.eval_cache.pop(key, None)
        linecache.cache.pop(key, None)

    def _get_key(self):
        return f"<eval_with_key>.{next(self._numbers)}"

    def get_source(self, module_name):
        return self.eval_cache.get(module_name)


_loader = _EvalCacheLoader()


def _forget_all(files):
    for file in files:
        _loader.forget(file)


def _exec_with_source(src, globals, co_fields=None, targets=()):  # noqa: A002
    key = _loader.cache(src, globals, co_fields)
    exec(compiled(src, key, targets), globals)  # noqa: S102 - what the graph says
    return key


def _method_from_src(method_name, src, globals, co_fields=None, targets=()):  # noqa: A002
    space = dict(globals)
    space.setdefault(_WRAPPED_IN_CODE, [])
    _exec_with_source(src, space, co_fields, targets)
    return space[method_name]


def _forward_from_src(src, globals, co_fields=None, targets=()):  # noqa: A002
    return _method_from_src("forward", src, globals, co_fields, targets)


def _import_statement(name, obj):
    if name in _custom_builtins:
        return _custom_builtins[name].import_str
    if isinstance(obj, types.ModuleType):
        return f"import {obj.__name__} as {name}"
    module, _, attribute = _get_qualified_name(obj).rpartition(".")
    module = module or getattr(obj, "__module__", None) or "builtins"
    found = functools.reduce(lambda x, part: getattr(x, part, None), attribute.split("."), sys.modules.get(module))
    if found is None and not isinstance(obj, type(None)):
        raise AttributeError(f"generated code calls {obj!r}, which {module} has not under the name {attribute}")
    return f"from {module} import {attribute} as {name}"


def _format_import_statement(name, obj, importer=None):
    return _import_statement(name, obj)


def _format_import_block(globals, importer=None):  # noqa: A002
    """The statements that bring in what code names."""
    return "\n".join(sorted({_import_statement(name, obj) for name, obj in globals.items()}))
