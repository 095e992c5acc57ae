"""Where things stand."""

import itertools
import random

import pytest

from tools.graph.layout import crossings, layers_of, layout, ordered, spread, with_crossings


def sizes(edges, height=40):
    return dict.fromkeys(sorted({node for edge in edges for node in edge}), (100, height))


def random_graph(seed, nodes=14, share=0.2):
    chance = random.Random(seed)
    edges = [(f"n{a:02}", f"n{b:02}") for a, b in itertools.combinations(range(nodes), 2) if chance.random() < share]
    return edges or [("n00", "n01")]


def test_layers():
    assert layers_of("abcd", [("a", "b"), ("b", "c"), ("a", "c"), ("d", "c")]) == {"a": 0, "b": 1, "c": 2, "d": 1}
    assert layers_of("a", []) == {"a": 0}


def test_a_circle_is_refused():
    with pytest.raises(ValueError, match="in a circle: a, b, c"):
        layers_of("abc", [("a", "b"), ("b", "c"), ("c", "a")])


def test_crossings_are_found_and_removed():
    edges = [("a", "y"), ("b", "x"), ("c", "z")]
    columns, links, _ = with_crossings({"a": 0, "b": 0, "c": 0, "x": 1, "y": 1, "z": 1}, edges)
    assert crossings([["a", "b", "c"], ["x", "y", "z"]], links) == 1
    assert crossings(ordered(columns, links), links) == 0


@pytest.mark.parametrize("seed", range(20))
def test_ordering_never_makes_it_worse(seed):
    edges = random_graph(seed)
    columns, links, _ = with_crossings(layers_of(sizes(edges), edges), edges)
    before = crossings([sorted(column, key=str) for column in columns], links)
    after = ordered(columns, links)
    assert crossings(after, links) <= before
    assert [sorted(map(str, column)) for column in after] == [sorted(map(str, column)) for column in columns]


def test_spread_is_exact_where_there_is_room_and_shares_where_there_is_none():
    assert spread([0, 100, 200], [10, 10]) == [0, 100, 200]
    assert spread([0, 0, 0], [10, 10]) == [-10, 0, 10]
    assert spread([100, 0], [20]) == [40, 60]
    assert spread([], []) == []


@pytest.mark.parametrize("seed", range(20))
def test_spread_keeps_its_gaps(seed):
    chance = random.Random(seed)
    wanted, gaps = [chance.uniform(-100, 100) for _ in range(12)], [chance.uniform(1, 30) for _ in range(11)]
    found = spread(wanted, gaps)
    assert all(b - a >= gap - 1e-9 for a, b, gap in zip(found, found[1:], gaps))
    # Optimal: moving all of them together would not be better.
    assert sum(found) == pytest.approx(sum(wanted))


@pytest.mark.parametrize("seed", range(20))
def test_nothing_overlaps_and_all_leads_to_the_right(seed):
    edges = random_graph(seed)
    chance = random.Random(seed)
    plan = layout({node: (chance.uniform(50, 200), chance.uniform(30, 80)) for node in sizes(edges)}, edges)
    for a, b in itertools.combinations(plan.boxes.values(), 2):
        apart_x = abs(a.x - b.x) - (a.width + b.width) / 2
        apart_y = abs(a.y - b.y) - (a.height + b.height) / 2
        assert max(apart_x, apart_y) > 9, (a, b)
    for box in plan.boxes.values():
        assert -1e-6 <= box.x - box.width / 2 and box.x + box.width / 2 <= plan.width + 1e-6
        assert -1e-6 <= box.y - box.height / 2 and box.y + box.height / 2 <= plan.height + 1e-6
    for (source, target), route in plan.routes.items():
        assert route[0][0] == pytest.approx(plan.boxes[source].x + plan.boxes[source].width / 2)
        assert route[-1][0] == pytest.approx(plan.boxes[target].x - plan.boxes[target].width / 2)
        steps = [place for point in route for place in point[:-1]]
        assert steps == sorted(steps)


@pytest.mark.parametrize("seed", range(5))
def test_long_edges_pass_between_the_nodes(seed):
    edges = random_graph(seed)
    plan = layout(sizes(edges), edges)
    for route in plan.routes.values():
        for left, right, y in route[1:-1]:
            for box in plan.boxes.values():
                inside = left < box.x + box.width / 2 and box.x - box.width / 2 < right
                assert not inside or abs(box.y - y) > box.height / 2


def test_the_same_drawing_every_time():
    edges = random_graph(3)
    assert layout(sizes(edges), edges) == layout(dict(reversed(sizes(edges).items())), edges)
