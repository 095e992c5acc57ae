"""Taking arguments apart by a structure that is known: what generated code calls."""

from collections import OrderedDict, namedtuple

from torch.utils._pytree import SUPPORTED_NODES as _NODES, PyTree, TreeSpec  # noqa: F401

SUPPORTED_NODES = {}
SUPPORTED_NODES_EXACT_MATCH = {}


def register_pytree_flatten_spec(cls, flatten_fn_spec, flatten_fn_exact_match_spec=None):
    """How instances of `cls` are taken apart by a TreeSpec: flatten_fn_spec(instance, spec) returns the children that
    the spec has."""
    SUPPORTED_NODES[cls] = flatten_fn_spec
    SUPPORTED_NODES_EXACT_MATCH[cls] = flatten_fn_exact_match_spec


def _deregister_pytree_flatten_spec(cls):
    del SUPPORTED_NODES[cls]
    del SUPPORTED_NODES_EXACT_MATCH[cls]


def tree_flatten_spec(pytree, spec):
    """The leaves of `pytree` in the places where `spec` has some. What the spec has not is left out."""
    if spec.is_leaf():
        return [pytree]
    flatten = SUPPORTED_NODES.get(spec.type)
    if flatten is None:
        known = _NODES.get(spec.type)
        if known is None:
            raise RuntimeError(
                f"{type(pytree)} does not have a flatten_fn_spec associated with it. Please register one with "
                "torch.fx._pytree.register_pytree_flatten_spec."
            )
        children = known.flatten_fn(pytree)[0]
    else:
        children = flatten(pytree, spec)
    if len(children) < spec.num_children:
        raise ValueError(
            f"an argument has {len(children)} elements ({pytree!r}); the program was traced with {spec.num_children}"
        )
    return [leaf for child, inner in zip(children, spec.children_specs) for leaf in tree_flatten_spec(child, inner)]


def _dict_flatten_spec(d, spec):
    return [d[key] for key in spec.context]


def _list_flatten_spec(d, spec):
    return _first(d, spec)


def _tuple_flatten_spec(d, spec):
    return _first(d, spec)


def _namedtuple_flatten_spec(d, spec):
    return _first(d, spec)


def _first(d, spec):
    if len(d) < spec.num_children:
        raise IndexError(f"an argument has {len(d)} elements; the program was traced with {spec.num_children}: {d!r}")
    return [d[i] for i in range(spec.num_children)]


def _dict_flatten_spec_exact_match(d, spec):
    return len(d) == spec.num_children


def _list_flatten_spec_exact_match(d, spec):
    return len(d) == spec.num_children


def _tuple_flatten_spec_exact_match(d, spec):
    return len(d) == spec.num_children


def _namedtuple_flatten_spec_exact_match(d, spec):
    return len(d) == spec.num_children


register_pytree_flatten_spec(dict, _dict_flatten_spec, _dict_flatten_spec_exact_match)
register_pytree_flatten_spec(OrderedDict, _dict_flatten_spec, _dict_flatten_spec_exact_match)
register_pytree_flatten_spec(list, _list_flatten_spec, _list_flatten_spec_exact_match)
register_pytree_flatten_spec(tuple, _tuple_flatten_spec, _tuple_flatten_spec_exact_match)
register_pytree_flatten_spec(namedtuple, _namedtuple_flatten_spec, _namedtuple_flatten_spec_exact_match)  # noqa: PYI024
