"""Trees of containers: torch.utils._pytree."""

import collections
import dataclasses
import itertools
import time

import pytest
import torch
from hypothesis import given, strategies as st
from torch.utils import _pytree as pytree

Point = collections.namedtuple("Point", "x y")
leaves = st.none() | st.integers() | st.text() | st.booleans()
trees = st.recursive(
    leaves,
    lambda child: (
        st.lists(child, max_size=4)
        | st.lists(child, max_size=4).map(tuple)
        | st.lists(child, max_size=4).map(collections.deque)
        | st.tuples(child, child).map(lambda pair: Point(*pair))
        | st.dictionaries(st.text(max_size=3), child, max_size=4)
        | st.dictionaries(st.text(max_size=3), child, max_size=4).map(collections.OrderedDict)
        | st.dictionaries(st.text(max_size=3), child, max_size=4).map(lambda d: collections.defaultdict(list, d))
    ),
    max_leaves=20,
)


class Answer(collections.OrderedDict):
    pass


def test_subclasses_take_the_functions_of_their_base():
    pytree.register_pytree_node(
        Answer,
        pytree._dict_flatten,
        lambda children, keys: Answer(pytree._dict_unflatten(children, keys)),
        flatten_with_keys_fn=pytree._dict_flatten_with_keys,
    )
    doubled = pytree.tree_map(lambda x: 2 * x, Answer(b=1, a=[2]))
    assert (type(doubled), list(doubled.items())) == (Answer, [("b", 2), ("a", [4])])
    assert [pytree.keystr(path) for path, _ in pytree.tree_leaves_with_path(doubled)] == ["['b']", "['a'][0]"]


@given(trees)
def test_apart_and_together(tree):
    found, spec = pytree.tree_flatten(tree)
    again = pytree.tree_unflatten(found, spec)
    assert again == tree and type(again) is type(tree)
    assert (spec.num_leaves, spec) == (len(found), pytree.tree_structure(again))
    assert hash(spec) == hash(pytree.tree_structure(again))
    assert pytree.tree_leaves(tree) == list(pytree.tree_iter(tree)) == found
    assert spec.flatten_up_to(tree) == found
    assert pytree.tree_map(lambda leaf: leaf, tree) == tree
    assert pytree.tree_map_(lambda leaf: 1, tree) is tree
    counter = itertools.count()
    numbered = pytree.tree_map(lambda leaf: next(counter), tree)
    assert pytree.tree_leaves(numbered) == list(range(len(found)))
    assert pytree.tree_map(lambda a, b: (a, b), numbered, tree, is_leaf=lambda x: isinstance(x, int)) is not None


@given(trees)
def test_paths(tree):
    pairs, spec = pytree.tree_flatten_with_path(tree)
    assert spec == pytree.tree_structure(tree)
    assert [leaf for _, leaf in pairs] == pytree.tree_leaves(tree)
    for path, leaf in pairs:
        assert pytree.key_get(tree, path) is leaf
    assert len({pytree.keystr(path) for path, _ in pairs}) == len(pairs)


@given(trees)
def test_text_of_structures(tree):
    spec = pytree.tree_structure(pytree.tree_map(lambda leaf: leaf, tree))
    if "namedtuple" in repr(spec):
        with pytest.raises(NotImplementedError):
            pytree.treespec_dumps(spec)
    else:
        assert pytree.treespec_loads(pytree.treespec_dumps(spec)) == spec
    shown = pytree.treespec_pprint(spec)
    assert shown.count("*") >= spec.num_leaves


def test_what_is_shown():
    tree = {"b": 1, "a": [2, (3, None)], "n": Point(1, [2]), "d": collections.defaultdict(list, q=[1])}
    spec = pytree.tree_structure(tree)
    assert repr(spec) == (
        "TreeSpec(dict, ['b', 'a', 'n', 'd'], [*,\n"
        "  TreeSpec(list, None, [*,\n"
        "    TreeSpec(tuple, None, [*,\n"
        "      *])]),\n"
        f"  TreeSpec(namedtuple, {Point}, [*,\n"
        "    TreeSpec(list, None, [*])]),\n"
        "  TreeSpec(defaultdict, [<class 'list'>, ['q']], [TreeSpec(list, None, [*])])])"
    )
    assert (spec.num_nodes, spec.num_leaves, spec.num_children, spec.type) == (14, 7, 4, dict)
    assert repr(pytree.LeafSpec()) == "*" and pytree.tree_structure(3) == pytree.LeafSpec()
    assert pytree.treespec_pprint(pytree.tree_structure({"b": 1, "a": [2, (3, None)]})) == "{'b': *, 'a': [*, (*, *)]}"
    assert pytree.treespec_dumps(pytree.tree_structure([1])) == (
        '[1, {"type": "builtins.list", "context": "null", '
        '"children_spec": [{"type": null, "context": null, "children_spec": []}]}]'
    )
    assert [pytree.keystr(path) for path, _ in pytree.tree_leaves_with_path(tree)] == [
        *("['b']", "['a'][0]", "['a'][1][0]", "['a'][1][1]", "['n'].x", "['n'].y[0]", "['d']['q'][0]")
    ]
    assert pytree.PyTreeSpec is pytree.TreeSpec and set(pytree.__all__) <= set(dir(pytree))


def test_leaves():
    assert pytree.tree_leaves(None) == [None] and pytree.tree_leaves("ab") == ["ab"]
    assert pytree.tree_is_leaf(torch.ones(2)) and not pytree.tree_is_leaf([])
    assert pytree.tree_leaves([1, (2, 3)], is_leaf=lambda x: isinstance(x, tuple)) == [1, (2, 3)]
    moment = time.localtime()
    assert pytree.tree_leaves([moment]) == [moment]


def test_what_torch_returns():
    result = torch.tensor([1.0, 3.0, 2.0]).max(0)
    doubled = pytree.tree_map(lambda t: t * 2, result)
    assert type(doubled) is type(result) and doubled.values.item() == 6 and doubled.indices.item() == 2
    assert pytree.is_structseq(result) and pytree.is_structseq_class(type(result))
    assert not pytree.is_namedtuple(result) and not pytree.is_structseq((1,))
    assert pytree.tree_leaves(torch.Size([2, 3])) == [2, 3]


def test_several_trees():
    def add(a, b):
        return a + b

    assert pytree.tree_map(add, {"a": 1, "b": 2}, {"b": 10, "a": 20}) == {"a": 21, "b": 12}
    assert pytree.tree_map(add, {"a": 1}, collections.OrderedDict(a=3)) == {"a": 4}
    assert pytree.tree_map(lambda a, b: (a, b), [1, 2], [[1, 2], 3]) == [(1, [1, 2]), (2, 3)]
    pairs = pytree.tree_map_with_path(lambda k, a, b: (pytree.keystr(k), a, b), [1], [2])
    assert pairs == [("[0]", 1, 2)]


@pytest.mark.parametrize(
    ("tree", "other", "text"),
    [
        ([1, 2], [1], "Node arity mismatch; expected 2, but got 1."),
        ([1, 2], (1, 2), "Node type mismatch; expected <class 'list'>, but got <class 'tuple'>."),
        ([[1]], [1], "Node type mismatch; expected <class 'list'>, but got <class 'int'>."),
        ({"a": 1}, {"b": 1}, "Node keys mismatch; missing key(s): {'a'}; extra key(s): {'b'}."),
        (Point(1, 2), collections.namedtuple("Pair", "x y")(1, 2), "Node context mismatch"),
    ],
)
def test_trees_that_differ(tree, other, text):
    with pytest.raises(ValueError) as caught:
        pytree.tree_map(lambda a, b: a, tree, other)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: pytree.tree_unflatten([1], pytree.tree_structure([1, 2])), ValueError, "`leaves` has length 1"),
        (lambda: pytree.tree_unflatten([1], 3), TypeError, "instance of PyTreeSpec but got item of type <class 'int'>"),
        (lambda: pytree.treespec_dumps(3), TypeError, "instance of PyTreeSpec"),
        (lambda: pytree.treespec_dumps(pytree.LeafSpec(), protocol=9), ValueError, "Unknown protocol 9"),
        (lambda: pytree.treespec_loads("[9, {}]"), ValueError, "Unknown protocol 9"),
        (lambda: pytree.tree_map_only(3, abs, [1]), TypeError, "a type, a tuple of types, or a callable"),
        (lambda: pytree.register_pytree_node(list, None, None), ValueError, "<class 'list'> is already registered"),
    ],
)
def test_refusals(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)


def test_only_some_leaves():
    def negated(x):
        return -x

    tree = [1, 2.5, "a", (True,)]
    assert pytree.tree_map_only(int, negated, tree) == [-1, 2.5, "a", (-1,)]
    assert pytree.tree_map_only((int, float), negated, tree) == [-1, -2.5, "a", (-1,)]
    assert pytree.tree_map_only(int | float, negated, tree) == [-1, -2.5, "a", (-1,)]
    assert pytree.tree_map_only(lambda x: x == 2.5, negated, tree) == [1, -2.5, "a", (True,)]
    seen = []
    assert pytree.tree_map_only_(str, seen.append, tree) is tree and seen == ["a"]
    assert pytree.tree_all(bool, tree) and pytree.tree_any(lambda x: x == "a", tree)
    assert pytree.tree_all_only(str, str.islower, tree) and not pytree.tree_any_only(float, float.is_integer, tree)


def test_broadcast():
    spec = pytree.tree_structure([1, [2, 3]])
    assert pytree._broadcast_to_and_flatten(1, spec) == [1, 1, 1]
    assert pytree._broadcast_to_and_flatten([1, 2], spec) == [1, 2, 2]
    assert pytree._broadcast_to_and_flatten((1, 2), spec) is None
    assert pytree._broadcast_to_and_flatten([1, 2], pytree.tree_structure([1])) is None


class Box:
    def __init__(self, content, label):
        self.content, self.label = content, label


def test_types_of_ones_own():
    assert pytree.tree_is_leaf(Box(1, "a"))
    pytree.register_pytree_node(
        Box,
        lambda box: ([box.content], box.label),
        lambda children, label: Box(children[0], label),
        serialized_type_name="tests.Box",
        flatten_with_keys_fn=lambda box: ([(pytree.GetAttrKey("content"), box.content)], box.label),
    )
    doubled = pytree.tree_map(lambda x: 2 * x, [Box([1, 2], "a")])
    assert doubled[0].content == [2, 4] and doubled[0].label == "a"
    spec = pytree.tree_structure(Box(1, "a"))
    assert pytree.treespec_loads(pytree.treespec_dumps(spec)) == spec != pytree.tree_structure(Box(1, "b"))
    ((path, leaf),) = pytree.tree_leaves_with_path(Box([5], "a"))
    assert pytree.keystr(path) == ".content[0]" and leaf == 5
    with pytest.raises(ValueError, match="already registered"):
        pytree.register_pytree_node(Box, None, None)


def test_dataclasses():
    @dataclasses.dataclass
    class Sample:
        image: object
        label: object = 3

    with pytest.raises(ValueError, match="label"):
        pytree.register_dataclass(Sample, field_names=["image"])
    pytree.register_dataclass(Sample)
    assert pytree.tree_leaves(Sample(1.5, [2.5])) == [1.5, 2.5]
    assert pytree.tree_map(lambda x: 2 * x, Sample(1.5, [2.5])) == Sample(3.0, [5.0])
