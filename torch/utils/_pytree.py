"""Trees of Python containers. Lists, tuples, named tuples, dicts, OrderedDicts, defaultdicts, deques, what torch's
functions return several values in, and registered types are nodes; everything else, None too, is a leaf.

`tree_flatten` takes a tree apart into its leaves and a TreeSpec, its structure; `tree_unflatten` puts it together;
`tree_map` calls a function with each leaf. A dict's children are in the order of its keys.
"""

import functools
import json
import types
from collections import OrderedDict, defaultdict, deque, namedtuple

from torch.utils._pytree_nodes import (  # noqa: F401 - some are for users alone
    _DICTS,
    SUPPORTED_NODES,
    Context,
    DumpableContext,
    FlattenFn,
    FromDumpableContextFn,
    GetAttrKey,
    MappingKey,
    NodeDef,
    PyTree,
    SequenceKey,
    ToDumpableContextFn,
    UnflattenFn,
    _by_serialized_name,
    _get_node_type,
    _register_namedtuple,
    _register_pytree_node,
    is_namedtuple,
    is_namedtuple_class,
    is_namedtuple_instance,
    is_structseq,
    is_structseq_class,
    is_structseq_instance,
    key_get,
    keystr,
    register_dataclass,
    register_pytree_node,
    tree_is_leaf,
)

__all__ = [
    "Context",
    "DumpableContext",
    "FlattenFn",
    "FromDumpableContextFn",
    "LeafSpec",
    "PyTree",
    "PyTreeSpec",
    "ToDumpableContextFn",
    "TreeSpec",
    "UnflattenFn",
    "is_namedtuple",
    "is_namedtuple_class",
    "is_namedtuple_instance",
    "is_structseq",
    "is_structseq_class",
    "is_structseq_instance",
    "key_get",
    "keystr",
    "register_pytree_node",
    "tree_all",
    "tree_all_only",
    "tree_any",
    "tree_any_only",
    "tree_flatten",
    "tree_flatten_with_path",
    "tree_is_leaf",
    "tree_iter",
    "tree_leaves",
    "tree_leaves_with_path",
    "tree_map",
    "tree_map_",
    "tree_map_only",
    "tree_map_only_",
    "tree_map_with_path",
    "tree_structure",
    "tree_unflatten",
    "treespec_dumps",
    "treespec_loads",
    "treespec_pprint",
]


# Programs that register subclasses of these types take their functions: _dict_flatten, _dict_unflatten …
for _type in (tuple, list, dict, namedtuple, OrderedDict, defaultdict, deque):
    _node = SUPPORTED_NODES[_type]
    _prefix = f"_{_type.__name__.lower()}"
    globals()[f"{_prefix}_flatten"] = _node.flatten_fn
    globals()[f"{_prefix}_unflatten"] = _node.unflatten_fn
    globals()[f"{_prefix}_flatten_with_keys"] = _node.flatten_with_keys_fn
del _type, _node, _prefix


# ---- structure ---------------------------------------------------------------------------------------------
class TreeSpec:
    """The structure of a tree: the type and context of its root and the TreeSpecs of the children. A leaf's type is
    None."""

    __slots__ = ("type", "_context", "_children", "num_nodes", "num_leaves", "num_children")

    def __init__(self, type, context, children_specs):  # noqa: A002 - torch's name
        self.type, self._context, self._children = type, context, list(children_specs)
        self.num_children = len(self._children)
        self.num_nodes = 1 + sum(child.num_nodes for child in self._children)
        self.num_leaves = 1 if type is None else sum(child.num_leaves for child in self._children)

    context = property(lambda self: self._context, doc="What is needed to build the root, beside its children.")
    children_specs = property(lambda self: self._children, doc="The children's TreeSpecs.")

    def is_leaf(self):
        """Whether the tree is a leaf."""
        return self.type is None

    def children(self):
        """The children's TreeSpecs."""
        return list(self._children)

    def child(self, index):
        """The TreeSpec of one child."""
        return self._children[index]

    def __eq__(self, other):
        if not isinstance(other, TreeSpec):
            return NotImplemented
        return (self.type, self._context, self._children) == (other.type, other._context, other._children)

    def __hash__(self):
        context = self._context
        if self.type is defaultdict:
            context = (context[0], tuple(context[1]))
        elif isinstance(context, list):
            context = tuple(context)
        return hash((self.type, context, tuple(self._children)))

    # As PyTorch's files have it: the values of _FIELDS.
    _FIELDS = ("type", "_context", "_children", "num_nodes", "num_leaves", "num_children")

    def __getstate__(self):
        return [getattr(self, name) for name in self._FIELDS]

    def __setstate__(self, state):
        for name, value in zip(self._FIELDS, state):
            setattr(self, name, value)

    def _text(self, indent):
        if self.is_leaf():
            return "*"
        separator = ",\n" + " " * (indent + 2)
        children = separator.join(child._text(indent + 2) for child in self._children)
        return f"TreeSpec({self.type.__name__}, {self._context}, [{children}])"

    def __repr__(self):
        return self._text(0)

    def unflatten(self, leaves):
        """The tree of this structure with these leaves. ValueError for another number of them."""
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(leaves)}, the tree {self.num_leaves} leaves: {self}"
            )
        return self._built(iter(leaves))

    def _built(self, leaves):
        if self.is_leaf():
            return next(leaves)
        children = [child._built(leaves) for child in self._children]
        return SUPPORTED_NODES[self.type].unflatten_fn(children, self._context)

    def flatten_up_to(self, tree):
        """What `tree`, whose nodes begin as in this structure, has in the places of its leaves. ValueError where a node
        differs in type, number of children or keys."""
        parts = []
        self._flatten_up_to(tree, parts)
        return parts

    def _flatten_up_to(self, tree, parts):
        if self.is_leaf():
            parts.append(tree)
            return
        found = _get_node_type(tree)
        if found is not self.type and not (found in _DICTS and self.type in _DICTS):
            raise ValueError(f"Node type mismatch; expected {self.type}, but got {type(tree)}.")
        children, context = SUPPORTED_NODES[found].flatten_fn(tree)
        if len(children) != self.num_children:
            raise ValueError(f"Node arity mismatch; expected {self.num_children}, but got {len(children)}.")
        if found in _DICTS:
            keys = self._context[1] if self.type is defaultdict else self._context
            missing, extra = set(keys) - set(tree), set(tree) - set(keys)
            if missing or extra:
                raise ValueError(
                    f"Node keys mismatch{f'; missing key(s): {missing}' if missing else ''}"
                    f"{f'; extra key(s): {extra}' if extra else ''}."
                )
            children = [tree[key] for key in keys]
        elif found is not deque and context != self._context:
            raise ValueError(
                f"Node context mismatch for node type {self.type}; expected {self._context}, but got {context}."
            )
        for spec, child in zip(self._children, children):
            spec._flatten_up_to(child, parts)


class _LeafSpecType(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, TreeSpec) and instance.is_leaf()


class LeafSpec(TreeSpec, metaclass=_LeafSpecType):
    """LeafSpec() is a leaf's TreeSpec."""

    def __new__(cls):
        return _LEAF


_LEAF = TreeSpec(None, None, [])
PyTreeSpec = TreeSpec


def treespec_leaf():
    """The TreeSpec of a leaf."""
    return _LEAF


def treespec_tuple(iterable=(), /):
    """The TreeSpec of a tuple whose children have these."""
    return TreeSpec(tuple, None, list(iterable))


def treespec_dict(mapping=(), /, **kwargs):
    """The TreeSpec of a dict whose values have these."""
    children = dict(mapping, **kwargs)
    return TreeSpec(dict, list(children), list(children.values()))


def _checked(treespec):
    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(treespec)}.")
    return treespec


# ---- taking apart, putting together ------------------------------------------------------------------------
def _flatten(tree, is_leaf, leaves):
    if tree_is_leaf(tree, is_leaf):
        leaves.append(tree)
        return _LEAF
    kind = _get_node_type(tree)
    children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
    return TreeSpec(kind, context, [_flatten(child, is_leaf, leaves) for child in children])


def tree_flatten(tree, is_leaf=None):
    """(leaves, TreeSpec): the tree taken apart. What `is_leaf` is true for counts as a leaf."""
    leaves = []
    spec = _flatten(tree, is_leaf, leaves)
    return leaves, spec


def tree_unflatten(leaves, treespec):
    """The tree with these leaves and this structure. ValueError for another number of leaves."""
    return _checked(treespec).unflatten(leaves)


def tree_iter(tree, is_leaf=None):
    """The leaves, one after the other."""
    if tree_is_leaf(tree, is_leaf):
        yield tree
        return
    for child in SUPPORTED_NODES[_get_node_type(tree)].flatten_fn(tree)[0]:
        yield from tree_iter(child, is_leaf)


def tree_leaves(tree, is_leaf=None):
    """A list of the leaves."""
    return list(tree_iter(tree, is_leaf))


def tree_structure(tree, is_leaf=None):
    """The TreeSpec."""
    return tree_flatten(tree, is_leaf)[1]


def arg_tree_leaves(*args, **kwargs):
    """The leaves of a call's arguments."""
    return [*tree_iter(args), *tree_iter(kwargs)]


# ---- functions of leaves -----------------------------------------------------------------------------------
def tree_map(func, tree, *rests, is_leaf=None):
    """A tree like `tree` with func(leaf, …) in each leaf's place; the other arguments are what the trees `rests` have
    there. ValueError where they have no such place."""
    leaves, spec = tree_flatten(tree, is_leaf)
    return spec.unflatten(map(func, leaves, *(spec.flatten_up_to(rest) for rest in rests)))


def tree_map_(func, tree, *rests, is_leaf=None):
    """Calls func(leaf, …) with each leaf and returns `tree` itself."""
    leaves, spec = tree_flatten(tree, is_leaf)
    for arguments in zip(leaves, *(spec.flatten_up_to(rest) for rest in rests)):
        func(*arguments)
    return tree


def map_only(type_or_types_or_pred, /):
    """A decorator: the function is called for instances of a type, of a union or tuple of types, or for what a
    predicate is true for; anything else is handed back."""
    kinds = type_or_types_or_pred
    if isinstance(kinds, (type, tuple, types.UnionType)):

        def chosen(leaf):
            return isinstance(leaf, kinds)

    elif callable(kinds):
        chosen = kinds
    else:
        raise TypeError(f"a type, a tuple of types, or a callable is expected, got {type(kinds).__name__}")

    def decorate(func):
        @functools.wraps(func)
        def wrapped(leaf):
            return func(leaf) if chosen(leaf) else leaf

        return wrapped

    return decorate


def tree_map_only(type_or_types_or_pred, /, func, tree, is_leaf=None):
    """tree_map for the leaves of a type, of a union or tuple of types, or those that a predicate is true for; the
    others stay."""
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, /, func, tree, is_leaf=None):
    """tree_map_ for such leaves."""
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    """Whether `pred` is true for every leaf."""
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    """Whether `pred` is true for a leaf."""
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all_only(type_or_types, /, pred, tree, is_leaf=None):
    """Whether `pred` is true for every leaf of these types."""
    return all(pred(leaf) for leaf in tree_iter(tree, is_leaf) if isinstance(leaf, type_or_types))


def tree_any_only(type_or_types, /, pred, tree, is_leaf=None):
    """Whether `pred` is true for a leaf of these types."""
    return any(pred(leaf) for leaf in tree_iter(tree, is_leaf) if isinstance(leaf, type_or_types))


def _broadcast_to_and_flatten(tree, treespec, is_leaf=None):
    """The leaves of `tree`, each as often as the structure has leaves in its place; None where it does not begin as
    the structure does."""
    if tree_is_leaf(tree, is_leaf):
        return [tree] * treespec.num_leaves
    if treespec.is_leaf() or _get_node_type(tree) is not treespec.type:
        return None
    children, context = SUPPORTED_NODES[treespec.type].flatten_fn(tree)
    if len(children) != treespec.num_children or context != treespec._context:
        return None
    parts = [_broadcast_to_and_flatten(child, spec, is_leaf) for child, spec in zip(children, treespec._children)]
    return None if None in parts else [leaf for part in parts for leaf in part]


# ---- with paths --------------------------------------------------------------------------------------------
def _with_paths(tree, path, is_leaf):
    if tree_is_leaf(tree, is_leaf):
        yield path, tree
        return
    node = SUPPORTED_NODES[_get_node_type(tree)]
    if node.flatten_with_keys_fn is None:
        raise ValueError(f"{node.type} was registered without a flatten_with_keys_fn, which paths need")
    for key, child in node.flatten_with_keys_fn(tree)[0]:
        yield from _with_paths(child, (*path, key), is_leaf)


def tree_leaves_with_path(tree, is_leaf=None):
    """[(path, leaf), …]: a path is a tuple of keys, as `keystr` shows and `key_get` follows them."""
    return list(_with_paths(tree, (), is_leaf))


def tree_flatten_with_path(tree, is_leaf=None):
    """([(path, leaf), …], TreeSpec)"""
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    """tree_map with func(path, leaf, …)."""
    pairs, spec = tree_flatten_with_path(tree, is_leaf)
    paths, leaves = zip(*pairs) if pairs else ((), ())
    return spec.unflatten(map(func, paths, leaves, *(spec.flatten_up_to(rest) for rest in rests)))


# ---- structures as text ------------------------------------------------------------------------------------
_PROTOCOL = 1


def _dumped(spec):
    if spec.is_leaf():
        return {"type": None, "context": None, "children_spec": []}
    node = SUPPORTED_NODES[spec.type]
    if node.serialized_type_name is None:
        raise NotImplementedError(f"treespec_dumps: {spec.type} was registered without a serialized_type_name")
    dump = node.to_dumpable_context or json.dumps
    children = [_dumped(child) for child in spec._children]
    return {"type": node.serialized_type_name, "context": dump(spec._context), "children_spec": children}


def _loaded(dumped):
    if dumped["type"] is None:
        return _LEAF
    node = _by_serialized_name(dumped["type"])
    if node is None:
        raise NotImplementedError(f"treespec_loads: no node is registered as {dumped['type']!r}")
    context = (node.from_dumpable_context or json.loads)(dumped["context"])
    return TreeSpec(node.type, context, [_loaded(child) for child in dumped["children_spec"]])


def treespec_dumps(treespec, protocol=None):
    """A TreeSpec as JSON text. NotImplementedError for registered types that have no serialized_type_name."""
    if protocol not in (None, _PROTOCOL):
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [{_PROTOCOL}]")
    return json.dumps([_PROTOCOL, _dumped(_checked(treespec))])


def treespec_loads(serialized):
    """The TreeSpec that `treespec_dumps` has written."""
    protocol, dumped = json.loads(serialized)
    if protocol != _PROTOCOL:
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [{_PROTOCOL}]")
    return _loaded(dumped)


class _Star:
    def __repr__(self):
        return "*"


def treespec_pprint(treespec):
    """The structure for people: the tree with * for each leaf."""
    return repr(tree_unflatten([_Star()] * _checked(treespec).num_leaves, treespec))
