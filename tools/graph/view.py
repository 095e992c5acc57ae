"""What is drawn: our derivations, and of everybody else's only what ours ask for by name."""

import dataclasses


@dataclasses.dataclass
class Node:
    id: str
    label: str
    detail: str  # the second line
    ours: bool
    seconds: float | None  # of this derivation alone; None if unknown, or if the node stands for many
    ready: float  # in seconds: when it is there at the earliest, if everything is built anew on enough cores
    critical: bool = False

    @property
    def collapsed(self):
        return self.id.startswith("other:")


@dataclasses.dataclass
class View:
    nodes: dict  # id -> Node
    edges: list  # (needed, needs, critical)
    total: float  # the critical path
    work: float  # all times that are drawn
    unknown: int  # how many of the derivations that are drawn have no time


def in_order(derivations):
    """Ids, what is needed before what needs it."""
    done, order = set(), []
    for root in sorted(derivations):
        stack = [(root, iter(derivations[root].inputs))]
        while stack:
            identity, inputs = stack[-1]
            if identity in done:
                stack.pop()
                continue
            following = next((need for need in inputs if need not in done), None)
            if following is None:
                done.add(identity)
                order.append(identity)
                stack.pop()
            else:
                stack.append((following, iter(derivations[following].inputs)))
    return order


def without_implied(derivations, order):
    """id -> the inputs that no other input brings along. (A needs B and C, B needs C: A -> C goes without saying.)"""
    position = {identity: index for index, identity in enumerate(order)}
    below = {}  # sets as the bits of a number
    direct = {}
    for identity in order:
        inputs = derivations[identity].inputs
        brought = 0
        for need in inputs:
            brought |= below[need]
        direct[identity] = [need for need in inputs if not brought >> position[need] & 1]
        below[identity] = brought | sum(1 << position[need] for need in set(inputs))
    return direct


def view(derivations, target, times, is_ours, everything=False):
    """The View of what `target` is made from.

    `times` is id -> seconds, `is_ours` tells our derivations by their name. Packages of others are drawn once for each
    name, and stand for all that is behind them, unless ours are behind them. With `everything`, or where nothing is
    ours, each derivation is drawn. Downloads are not: there is one for nearly every package.
    """
    order = in_order(derivations)
    direct = without_implied(derivations, order)
    ours = {identity for identity in order if is_ours(derivations[identity].name)}
    kept, ready, slowest = set(), {}, {}
    for identity in order:
        if everything or not ours or identity in ours or not kept.isdisjoint(derivations[identity].inputs):
            kept.add(identity)
        slowest[identity] = max(direct[identity], key=lambda need: (ready[need], need), default=None)
        ready[identity] = times.get(identity, 0) + (ready[slowest[identity]] if slowest[identity] else 0)

    def key(identity):
        return identity if identity in kept else "other:" + derivations[identity].name

    nodes, edges = {}, {}

    def add(identity):
        seconds = times.get(identity) if identity in kept else None
        node = nodes.setdefault(
            key(identity), Node(key(identity), *_texts(derivations[identity].name), identity in ours, seconds, 0.0)
        )
        node.ready = max(node.ready, ready[identity])

    add(target)
    waiting, seen = [target], {target}
    while waiting:
        identity = waiting.pop()
        for need in (need for need in direct[identity] if not derivations[need].fixed):
            add(need)
            edges[key(need), key(identity)] = False
            if need in kept and need not in seen:
                seen.add(need)
                waiting.append(need)

    identity = target
    nodes[key(target)].critical = True
    while identity in kept and slowest[identity] and not derivations[slowest[identity]].fixed:
        edges[key(slowest[identity]), key(identity)] = True
        identity = slowest[identity]
        nodes[key(identity)].critical = True

    mine = [node for node in nodes.values() if node.id in kept]
    return View(
        nodes,
        [(*edge, critical) for edge, critical in sorted(edges.items())],
        ready[target],
        sum(node.seconds or 0 for node in mine),
        sum(node.seconds is None for node in mine),
    )


def _texts(name):
    """`openblas-0.3.29` -> ("openblas", "0.3.29"): the version begins at the first dash that a digit follows."""
    for index, letter in enumerate(name[:-1]):
        if letter == "-" and index and name[index + 1].isdigit():
            return name[:index], name[index + 1 :]
    return name, ""
