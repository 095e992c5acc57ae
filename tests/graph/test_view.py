"""What is drawn."""

import pytest
from samples import graph

from tools.graph.view import _texts, in_order, view, without_implied


def ours(name):
    return name.startswith("T")


def edges(drawn):
    return {(source.removeprefix("other:"), target) for source, target, _ in drawn.edges}


def test_order():
    found = graph("T: A B; A: B; B: C")
    order = in_order(found)
    assert order == ["C", "B", "A", "T"]


def test_a_deep_graph_is_no_recursion():
    found = graph("; ".join(f"n{i}: n{i + 1}" for i in range(5000)))
    assert in_order(found)[-1] == "n0" and in_order(found)[0] == "n5000"


def test_what_others_imply_is_left_out():
    found = graph("T: A B C; A: B; B: C")
    assert without_implied(found, in_order(found)) == {"T": ["A"], "A": ["B"], "B": ["C"], "C": []}


def test_packages_of_others_are_collapsed():
    found = graph("T-torch: T-H gcc-1; T-H: blas-1; blas-1: libc-1; gcc-1: libc-1")
    drawn = view(found, "T-torch", {"libc-1": 1, "blas-1": 2, "T-H": 4, "T-torch": 8}, ours)
    assert edges(drawn) == {("T-H", "T-torch"), ("gcc-1", "T-torch"), ("blas-1", "T-H")}
    blas = drawn.nodes["other:blas-1"]
    assert blas.collapsed and blas.seconds is None and blas.ready == 3 and (blas.label, blas.detail) == ("blas", "1")
    assert (drawn.total, drawn.work, drawn.unknown) == (15, 12, 0)


def test_same_name_is_one_node():
    found = graph("T-a: x1; T-b: x2; T-c: T-a T-b")
    found = {
        key: type(each)(each.id, "env-3" if key in ("x1", "x2") else each.name, each.outputs, each.inputs, False)
        for key, each in found.items()
    }
    drawn = view(found, "T-c", {"x1": 1, "x2": 5}, ours)
    assert sum(node.label == "env" for node in drawn.nodes.values()) == 1
    assert drawn.nodes["other:env-3"].ready == 5


def test_critical_path():
    found = graph("T: Ta Tb lib-1; Ta: lib-1; Tb: lib-1")
    drawn = view(found, "T", {"T": 1, "Ta": 5, "Tb": 3, "lib-1": 7}, ours)
    assert drawn.total == 13
    assert {node.id for node in drawn.nodes.values() if node.critical} == {"T", "Ta", "other:lib-1"}
    assert {edge[:2] for edge in drawn.edges if edge[2]} == {("Ta", "T"), ("other:lib-1", "Ta")}


def test_unknown_times_count_as_nothing_and_are_told():
    drawn = view(graph("T: Ta"), "T", {"T": 1}, ours)
    assert (drawn.total, drawn.unknown) == (1, 1) and drawn.nodes["Ta"].seconds is None


def test_others_that_need_ours_are_drawn_themselves():
    """An interpreter's environment holds torch: without it, nothing of ours would be seen."""
    drawn = view(graph("env-3: T python-3; T: lib-1; python-3: lib-1"), "env-3", {"env-3": 1}, ours)
    assert edges(drawn) == {("T", "env-3"), ("python-3", "env-3"), ("lib-1", "T")}
    assert not drawn.nodes["env-3"].ours and not drawn.nodes["env-3"].collapsed


def test_everything_but_downloads():
    found = graph("T: lib-1; lib-1: file; lib-1: libc-1", fixed={"file"})
    assert set(view(found, "T", {}, ours, everything=True).nodes) == {"T", "lib-1", "libc-1"}
    assert set(view(found, "T", {}, lambda name: False).nodes) == {"T", "lib-1", "libc-1"}
    assert set(view(found, "T", {}, ours).nodes) == {"T", "other:lib-1"}


@pytest.mark.parametrize(
    "name, label, detail",
    [
        ("openblas-0.3.29", "openblas", "0.3.29"),
        ("TH-interface-1.0.0", "TH-interface", "1.0.0"),
        ("stdenv-linux", "stdenv-linux", ""),
        ("python3.13-torch-1.0.0", "python3.13-torch", "1.0.0"),
        ("x-", "x-", ""),
    ],
)
def test_names_and_versions(name, label, detail):
    assert _texts(name) == (label, detail)
