"""The nodes of trees: torch.utils._pytree's registry of types, and keys that lead from a node to a child."""

from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import torch

PyTree = Any
Context = Any
DumpableContext = Any
FlattenFn = Callable[[PyTree], tuple[list, Context]]
UnflattenFn = Callable[[list, Context], PyTree]
ToDumpableContextFn = Callable[[Context], DumpableContext]
FromDumpableContextFn = Callable[[DumpableContext], Context]


# ---- keys: the way from a node to a child ------------------------------------------------------------------
@dataclass(frozen=True)
class SequenceKey:
    """The place in a list, tuple or deque."""

    idx: int

    def __str__(self):
        return f"[{self.idx!r}]"

    def get(self, node):
        """The child there."""
        return node[self.idx]


@dataclass(frozen=True)
class MappingKey:
    """The key in a dict."""

    key: Any

    def __str__(self):
        return f"[{self.key!r}]"

    def get(self, node):
        """The child there."""
        return node[self.key]


@dataclass(frozen=True)
class GetAttrKey:
    """The name of an attribute."""

    name: str

    def __str__(self):
        return f".{self.name}"

    def get(self, node):
        """The child there."""
        return getattr(node, self.name)


def keystr(kp):
    """A path, a tuple of keys, as text: "['a'][0].x"."""
    return "".join(map(str, kp))


def key_get(obj, kp):
    """What is found in the tree `obj` at the end of a path, a tuple of keys."""
    for key in kp:
        obj = key.get(obj)
    return obj


# ---- kinds of nodes ----------------------------------------------------------------------------------------
class NodeDef(NamedTuple):
    """How nodes of a type are taken apart and put together."""

    type: type
    flatten_fn: FlattenFn
    unflatten_fn: UnflattenFn
    flatten_with_keys_fn: Callable | None
    serialized_type_name: str | None = None
    to_dumpable_context: ToDumpableContextFn | None = None
    from_dumpable_context: FromDumpableContextFn | None = None


SUPPORTED_NODES = {}


def register_pytree_node(
    cls,
    flatten_fn,
    unflatten_fn,
    *,
    serialized_type_name=None,
    to_dumpable_context=None,
    from_dumpable_context=None,
    flatten_with_keys_fn=None,
):
    """Makes instances of `cls` nodes. `flatten_fn(instance)` returns a list of its children and a context, what else
    is needed to build it; `unflatten_fn(children, context)` builds it; `flatten_with_keys_fn(instance)` is like the first with
    pairs (key, child). For treespec_dumps: a name, and functions that make the context one that JSON has, and back.
    ValueError for a type that is a node already, or one function of the last two without the other."""
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    if (to_dumpable_context is None) != (from_dumpable_context is None):
        raise ValueError(f"{cls}: of to_dumpable_context and from_dumpable_context, only one is given")
    if serialized_type_name is not None and _by_serialized_name(serialized_type_name) is not None:
        raise ValueError(f"{cls}: the serialized_type_name {serialized_type_name!r} is that of another node")
    SUPPORTED_NODES[cls] = NodeDef(
        cls,
        flatten_fn,
        unflatten_fn,
        flatten_with_keys_fn,
        serialized_type_name,
        to_dumpable_context,
        from_dumpable_context,
    )


_register_pytree_node = register_pytree_node


def _by_serialized_name(name):
    return next((node for node in SUPPORTED_NODES.values() if node.serialized_type_name == name), None)


def is_namedtuple_class(cls):
    """Whether `cls` is a class that namedtuple() or typing.NamedTuple has made, or one derived from it."""
    if not (isinstance(cls, type) and issubclass(cls, tuple)):
        return False
    names = getattr(cls, "_fields", None)
    return (
        type(names) is tuple
        and all(type(name) is str for name in names)
        and callable(getattr(cls, "_make", None))
        and callable(getattr(cls, "_asdict", None))
    )


def is_namedtuple_instance(obj):
    """Whether `obj` is an instance of such a class."""
    return is_namedtuple_class(type(obj))


def is_namedtuple(obj):
    """Whether `obj` is such a class or an instance of one."""
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_structseq_class(cls):
    """Whether `cls` is a tuple with named fields that is made in C, like time.struct_time and what torch.max returns."""
    counts = ("n_fields", "n_sequence_fields", "n_unnamed_fields")
    return (
        isinstance(cls, type) and cls.__bases__ == (tuple,) and all(type(getattr(cls, n, None)) is int for n in counts)
    )


def is_structseq_instance(obj):
    """Whether `obj` is an instance of such a class."""
    return is_structseq_class(type(obj))


def is_structseq(obj):
    """Whether `obj` is such a class or an instance of one."""
    return is_structseq_class(obj if isinstance(obj, type) else type(obj))


def _sequence_keys(flatten):
    def flatten_with_keys(node):
        children, context = flatten(node)
        return [(SequenceKey(i), child) for i, child in enumerate(children)], context

    return flatten_with_keys


def _mapping_keys(node):
    return [(MappingKey(key), child) for key, child in node.items()], SUPPORTED_NODES[type(node)].flatten_fn(node)[1]


def _flat_sequence(node):
    return list(node), None


def _flat_mapping(node):
    return list(node.values()), list(node.keys())


def _flat_defaultdict(node):
    return list(node.values()), [node.default_factory, list(node.keys())]


def _flat_namedtuple(node):
    return list(node), type(node)


def _namedtuple_keys(node):
    return [(GetAttrKey(name), child) for name, child in zip(node._fields, node)], type(node)


def _flat_deque(node):
    return list(node), node.maxlen


def _register_sequence(cls, name=None):
    register_pytree_node(
        cls,
        _flat_sequence,
        lambda children, context: cls(children),
        serialized_type_name=name,
        flatten_with_keys_fn=_sequence_keys(_flat_sequence),
    )


def _dump_defaultdict(context):
    factory, keys = context
    return {
        "default_factory_module": getattr(factory, "__module__", None),
        "default_factory_name": getattr(factory, "__qualname__", None),
        "dict_context": keys,
    }


def _load_defaultdict(dumped):
    import importlib

    factory = None
    if dumped["default_factory_module"] is not None:
        factory = importlib.import_module(dumped["default_factory_module"])
        for part in dumped["default_factory_name"].split("."):
            factory = getattr(factory, part)
    return [factory, dumped["dict_context"]]


_register_sequence(tuple, "builtins.tuple")
_register_sequence(list, "builtins.list")
for _cls, _name in ((dict, "builtins.dict"), (OrderedDict, "collections.OrderedDict")):
    register_pytree_node(
        _cls,
        _flat_mapping,
        lambda children, keys, cls=_cls: cls(zip(keys, children)),
        serialized_type_name=_name,
        flatten_with_keys_fn=_mapping_keys,
    )
register_pytree_node(
    namedtuple,  # stands for all classes that it makes
    _flat_namedtuple,
    lambda children, cls: cls(*children),
    serialized_type_name="collections.namedtuple",
    to_dumpable_context=lambda cls: _named_type(cls),
    from_dumpable_context=lambda name: _type_named(name),
    flatten_with_keys_fn=_namedtuple_keys,
)
register_pytree_node(
    defaultdict,
    _flat_defaultdict,
    lambda children, context: defaultdict(context[0], zip(context[1], children)),
    serialized_type_name="collections.defaultdict",
    to_dumpable_context=_dump_defaultdict,
    from_dumpable_context=_load_defaultdict,
    flatten_with_keys_fn=_mapping_keys,
)
register_pytree_node(
    deque,
    _flat_deque,
    lambda children, maxlen: deque(children, maxlen=maxlen),
    serialized_type_name="collections.deque",
    flatten_with_keys_fn=_sequence_keys(_flat_deque),
)
_register_sequence(torch.Size, "torch.Size")

_DICTS = (dict, OrderedDict, defaultdict)
_names_of_namedtuples = {}


def _register_namedtuple(cls, *, serialized_type_name):
    """The name of a class of named tuples, for treespec_dumps."""
    _names_of_namedtuples[cls] = serialized_type_name


def _named_type(cls):
    if cls not in _names_of_namedtuples:
        raise NotImplementedError(f"treespec_dumps: {cls} has no name; _register_namedtuple gives it one")
    return _names_of_namedtuples[cls]


def _type_named(name):
    return next(cls for cls, other in _names_of_namedtuples.items() if other == name)


def register_dataclass(cls, *, field_names=None, drop_field_names=None, serialized_type_name=None):
    """Makes instances of a dataclass nodes. Their children are the fields of `field_names`, all by default; those of
    `drop_field_names` are left out and get their defaults. ValueError where a field is in neither."""
    all_names = {field.name for field in fields(cls) if field.init}
    dropped = set(drop_field_names or ())
    names = [field.name for field in fields(cls) if field.init and field.name not in dropped]
    names = names if field_names is None else list(field_names)
    if set(names) | dropped != all_names:
        raise ValueError(
            f"{cls}: fields {sorted(all_names)}, but field_names {names}, drop_field_names {sorted(dropped)}"
        )

    def flatten(node):
        return [getattr(node, name) for name in names], names

    register_pytree_node(
        cls,
        flatten,
        lambda children, names: cls(**dict(zip(names, children))),
        serialized_type_name=serialized_type_name,
        flatten_with_keys_fn=lambda node: ([(GetAttrKey(name), getattr(node, name)) for name in names], names),
    )


def _get_node_type(tree):
    """The type that the node is registered under; its own for a leaf."""
    cls = type(tree)
    if cls not in SUPPORTED_NODES:
        if is_namedtuple_class(cls):
            return namedtuple
        if cls.__module__ == "torch.return_types" and is_structseq_class(cls):
            _register_sequence(cls)
    return cls


def tree_is_leaf(tree, is_leaf=None):
    """Whether `tree` is a leaf: of no type that is a node, or one for which `is_leaf` is true."""
    return (is_leaf is not None and is_leaf(tree)) or _get_node_type(tree) not in SUPPORTED_NODES
