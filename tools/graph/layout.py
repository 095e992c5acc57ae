"""Where things stand in a layered drawing, from left to right: what is needed is left of what needs it.

Sugiyama's steps. Layers by the longest path; long edges get a place in every layer that they cross; the order in a
layer by barycentres, swept to and fro, the order with the fewest crossings being kept; heights as close to the
neighbours' as the order allows.
"""

import dataclasses
import math


@dataclasses.dataclass
class Box:
    """A node, or the place where a long edge crosses a layer. x, y: the middle."""

    width: float
    height: float
    x: float = 0.0
    y: float = 0.0


@dataclasses.dataclass
class Layout:
    boxes: dict  # node -> Box
    routes: (
        dict  # (from, to) -> [(x, y) where it leaves, (left x, right x, y) for each layer crossed…, where it enters]
    )
    width: float
    height: float


def layers_of(nodes, edges):
    """node -> layer. Nodes that need nothing stand just before the first that needs them.

    Raises ValueError if the edges form a cycle.
    """
    needs, needed_by = {node: [] for node in nodes}, {node: [] for node in nodes}
    for source, target in edges:
        needs[target].append(source)
        needed_by[source].append(target)
    layer, waiting = {}, [node for node in nodes if not needs[node]]
    missing = {node: len(needs[node]) for node in nodes}
    while waiting:
        node = waiting.pop()
        layer[node] = max((layer[need] + 1 for need in needs[node]), default=0)
        for user in needed_by[node]:
            missing[user] -= 1
            if not missing[user]:
                waiting.append(user)
    if len(layer) < len(needs):
        raise ValueError(f"these need each other in a circle: {', '.join(sorted(set(needs) - set(layer)))}")
    for node in nodes:
        if not needs[node] and needed_by[node]:
            layer[node] = min(layer[user] for user in needed_by[node]) - 1
    return layer


def with_crossings(layer, edges):
    """(columns, links, chains): nodes and places in each layer, links between neighbouring layers, and of each edge the
    chain of what it passes: its node, places ("edge", from, to, layer), its other node."""
    columns = [[] for _ in range(max(layer.values()) + 1)]
    for node in layer:
        columns[layer[node]].append(node)
    links, chains = [], {}
    for source, target in edges:
        places = [("edge", source, target, index) for index in range(layer[source] + 1, layer[target])]
        for place in places:
            columns[place[3]].append(place)
        chains[source, target] = [source, *places, target]
        links += zip(chains[source, target], chains[source, target][1:])
    return columns, links, chains


def crossings(columns, links):
    """How many pairs of links cross."""
    position = {node: index for column in columns for index, node in enumerate(column)}
    layer = {node: index for index, column in enumerate(columns) for node in column}
    count = 0
    for index in range(len(columns) - 1):
        ends = sorted((position[a], position[b]) for a, b in links if layer[a] == index)
        count += sum(
            ends[i][1] > ends[j][1]
            for i in range(len(ends))
            for j in range(i + 1, len(ends))
            if ends[i][0] < ends[j][0]
        )
    return count


def ordered(columns, links, sweeps=24):
    """The columns, each in an order that lets few links cross."""
    left, right = {}, {}
    for a, b in links:
        left.setdefault(b, []).append(a)
        right.setdefault(a, []).append(b)
    columns = [sorted(column, key=str) for column in columns]
    best, fewest = [list(column) for column in columns], crossings(columns, links)
    position = {node: index for column in columns for index, node in enumerate(column)}

    def barycentre(node, neighbours):
        near = neighbours.get(node)
        return sum(position[other] for other in near) / len(near) if near else position[node]

    for sweep in range(sweeps):
        forward = sweep % 2 == 0
        for column in columns if forward else reversed(columns):
            keys = {node: barycentre(node, left if forward else right) for node in column}
            column.sort(key=keys.get)
            position.update({node: index for index, node in enumerate(column)})
        count = crossings(columns, links)
        if count < fewest:
            best, fewest = [list(column) for column in columns], count
    return best


def spread(wanted, gaps):
    """Positions as near to the wanted ones as can be (least squares), each at least `gaps[i]` after the one before.

    Less the gaps it is a monotone fit: neighbours that are out of order share their mean.
    """
    offsets, offset = [], 0.0
    for gap in [0.0, *gaps]:
        offset += gap
        offsets.append(offset)
    blocks = []  # [sum, count]
    for value, offset in zip(wanted, offsets):
        blocks.append([value - offset, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += count
    fitted = [total / count for total, count in blocks for _ in range(count)]
    return [value + offset for value, offset in zip(fitted, offsets)]


def layout(sizes, edges, between=56.0, above=16.0, place=10.0):
    """The Layout of nodes with these sizes (node -> (width, height)) and edges (from, to)."""
    columns, links, chains = with_crossings(layers_of(sizes, edges), edges)
    columns = ordered(columns, links)
    boxes = {}
    x = 0.0
    for column in columns:
        width = max(sizes[node][0] if node in sizes else 0 for node in column)
        for node in column:
            boxes[node] = Box(*(sizes[node] if node in sizes else (width, place)), x=x + width / 2)
        x += width + between
    near = {}
    for a, b in links:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)

    def settle(column, wanted):
        gaps = [(boxes[a].height + boxes[b].height) / 2 + above for a, b in zip(column, column[1:])]
        for node, y in zip(column, spread(wanted, gaps)):
            boxes[node].y = y

    for column in columns:
        settle(column, [0.0] * len(column))
    for sweep in range(40):
        for column in columns if sweep % 2 else reversed(columns):
            settle(column, [_mean([boxes[other].y for other in near.get(node, [node])]) for node in column])
    top = min(box.y - box.height / 2 for box in boxes.values())
    for box in boxes.values():
        box.y -= top
    routes = {edge: _route([boxes[node] for node in chain]) for edge, chain in chains.items()}
    return Layout(
        {node: boxes[node] for node in sizes},
        routes,
        x - between,
        max(box.y + box.height / 2 for box in boxes.values()),
    )


def _mean(values):
    return math.fsum(values) / len(values)


def _route(chain):
    first, *middle, last = chain
    return [
        (first.x + first.width / 2, first.y),
        *((box.x - box.width / 2, box.x + box.width / 2, box.y) for box in middle),
        (last.x - last.width / 2, last.y),
    ]
