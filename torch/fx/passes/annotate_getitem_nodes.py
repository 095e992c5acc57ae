"""Types of elements."""

import operator
import typing


def annotate_getitem_nodes(graph):
    """Gives elements of tuples and lists whose types are known theirs."""
    for node in graph.nodes:
        if node.target is not operator.getitem or node.type is not None:
            continue
        sequence, index = node.args
        if sequence.type is None or not isinstance(index, int):
            continue
        if hasattr(sequence.type, "_fields"):
            node.type = typing.get_type_hints(sequence.type).get(sequence.type._fields[index])
            continue
        arguments = typing.get_args(sequence.type)
        if typing.get_origin(sequence.type) is list and arguments:
            node.type = arguments[0]
        elif typing.get_origin(sequence.type) is tuple and arguments:
            repeated = len(arguments) == 2 and arguments[1] is Ellipsis
            node.type = arguments[0] if repeated else arguments[index] if index < len(arguments) else None
