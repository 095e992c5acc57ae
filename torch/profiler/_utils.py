"""Walks through the events of a profile."""

from collections import deque


def _children(event):
    return getattr(event, "cpu_children", None) or getattr(event, "children", ())


def _traverse(tree, next_fn, children_fn=_children, reverse=False):
    """All events below and among `tree`; `next_fn` takes the next one from the queue."""
    order = reversed if reverse else lambda events: events
    remaining = deque(order(tree))
    while remaining:
        event = next_fn(remaining)
        yield event
        for child in order(children_fn(event)):
            remaining.append(child)


def traverse_dfs(tree, children_fn=_children, reverse=True):
    """Each event, then what is within it."""
    return _traverse(tree, lambda queue: queue.pop(), children_fn, reverse)


def traverse_bfs(tree, children_fn=_children):
    """By level."""
    return _traverse(tree, lambda queue: queue.popleft(), children_fn)


def index_of_first_match(seq, predicate, start=0, end=None):
    """Where the first element that fits is, None if none does."""
    end = len(seq) if end is None or end >= len(seq) else end
    return next((i for i in range(start, end) if predicate(seq[i])), None)


def argmax(seq, key=lambda x: x, start=0, end=None):
    """Where the largest element is, None of nothing."""
    seq = seq[start:end]
    return seq.index(max(seq, key=key)) + start if seq else None


def source_code_location(event):
    """The innermost function of Python around an event, "No source code location found" without one."""
    while event is not None:
        if getattr(event, "is_python_function", False) and ".py(" in event.name:
            return event.name
        event = getattr(event, "cpu_parent", None) or getattr(event, "parent", None)
    return "No source code location found"
