"""Lists and dicts that nobody changes: what the arguments of nodes are made of, so that every change of an argument goes
through the node, which keeps count of who uses whom."""

from torch.utils._pytree import MappingKey, SequenceKey, register_pytree_node

__all__ = ["immutable_dict", "immutable_list"]


def _no_mutation(self, *args, **kwargs):
    raise TypeError(
        f"{type(self).__name__!r} object does not support mutation: what the args and kwargs of a torch.fx.Node hold is "
        "exchanged as a whole. Make a changed copy and assign that: node.args = new_args"
    )


class immutable_list(list):
    """A list that cannot be changed. It has a hash if its elements have."""

    __delitem__ = __iadd__ = __imul__ = __setitem__ = _no_mutation
    append = clear = extend = insert = pop = remove = reverse = sort = _no_mutation

    def __hash__(self):
        return hash(tuple(self))

    def __reduce__(self):
        return type(self), (tuple(self),)


class immutable_dict(dict):
    """A dict that cannot be changed. It has a hash if its values have."""

    __delitem__ = __ior__ = __setitem__ = _no_mutation
    clear = pop = popitem = setdefault = update = _no_mutation

    def __hash__(self):
        return hash(frozenset(self.items()))

    def __reduce__(self):
        return type(self), (tuple(self.items()),)


def _immutable_list_flatten(d):
    return list(d), None


def _immutable_list_unflatten(values, context):
    return immutable_list(values)


def _immutable_dict_flatten(d):
    return list(d.values()), list(d.keys())


def _immutable_dict_unflatten(values, context):
    return immutable_dict(zip(context, values))


register_pytree_node(
    immutable_list,
    _immutable_list_flatten,
    _immutable_list_unflatten,
    serialized_type_name="torch.fx.immutable_collections.immutable_list",
    flatten_with_keys_fn=lambda d: ([(SequenceKey(i), x) for i, x in enumerate(d)], None),
)
register_pytree_node(
    immutable_dict,
    _immutable_dict_flatten,
    _immutable_dict_unflatten,
    serialized_type_name="torch.fx.immutable_collections.immutable_dict",
    flatten_with_keys_fn=lambda d: ([(MappingKey(k), x) for k, x in d.items()], list(d.keys())),
)
