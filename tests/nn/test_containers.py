"""Sequential, ModuleList, ModuleDict, ParameterList and ParameterDict, as lists and dicts."""

from collections import OrderedDict

import pytest
import torch
import torch.nn as nn


def layers(count):
    return [nn.Linear(1, 1) for _ in range(count)]


def test_sequential():
    a, b, c, d = layers(4)
    net = nn.Sequential(a, b, c)
    assert len(net) == 3 and list(net) == [a, b, c]
    assert net[0] is a and net[-1] is c and list(net[1:]) == [b, c]
    net[1] = d
    assert list(net) == [a, d, c]
    del net[0]
    assert list(net) == [d, c] and list(net._modules) == ["0", "1"]
    net.append(a).extend([b]).insert(0, b)
    assert list(net) == [b, d, c, a, b]
    assert net.pop(1) is d and list(net._modules) == ["0", "1", "2", "3"]
    assert list(nn.Sequential(a) + nn.Sequential(b)) == [a, b]
    assert list(nn.Sequential(a, b) * 2) == [a, b, a, b]
    net = nn.Sequential(a)
    net += nn.Sequential(b)
    net *= 2
    assert list(net) == [a, b, a, b]
    named = nn.Sequential(OrderedDict([("x", a), ("y", b)]))
    assert named.x is a and list(named[:1]._modules) == ["x"]
    x = torch.ones(2, 1)
    assert torch.equal(named(x), b(a(x)))
    assert "0" not in dir(net)
    with pytest.raises(IndexError, match="index 9 is out of range"):
        net[9]
    with pytest.raises(ValueError, match="Non-positive multiplication factor"):
        net * 0
    with pytest.raises(TypeError):
        net * "a"


def test_module_list():
    a, b, c, d = layers(4)
    held = nn.ModuleList([a, b])
    held.append(c)
    held.insert(1, d)
    assert list(held) == [a, d, b, c] and held[-1] is c
    assert isinstance(held[1:3], nn.ModuleList) and list(held[1:3]) == [d, b]
    assert held.pop(0) is a
    del held[1:]
    assert list(held) == [d] and list(held.state_dict()) == ["0.weight", "0.bias"]
    held += [a, b]
    assert list(held + [c]) == [d, a, b, c] and len(held) == 3
    held[0] = c
    assert held[0] is c
    with pytest.raises(NotImplementedError):
        held(1)


def test_module_dict():
    a, b = layers(2)
    held = nn.ModuleDict({"x": a})
    held.update([("y", b)])
    held["z"] = a
    assert list(held) == ["x", "y", "z"] and "y" in held and held["y"] is b and len(held) == 3
    assert list(held.values()) == [a, b, a] and list(held.items())[1] == ("y", b)
    assert held.pop("x") is a and list(held.keys()) == ["y", "z"]
    held.clear()
    assert len(held) == 0
    with pytest.raises(KeyError):
        held["x"]


def test_parameter_list():
    first = nn.Parameter(torch.ones(1))
    held = nn.ParameterList([first, torch.zeros(2), "text"])
    assert held[0] is first and isinstance(held[1], nn.Parameter) and held[2] == "text"
    assert len(list(held.parameters())) == 2 and len(held) == 3
    held.append(torch.ones(3)).extend([torch.ones(4)])
    held += [torch.ones(5)]
    assert [len(p) for p in held[3:]] == [3, 4, 5]
    held[0] = torch.ones(7)
    assert held[0].shape == (7,) and isinstance(held[0], nn.Parameter)
    assert held[-1].shape == (5,)


def test_parameter_dict():
    held = nn.ParameterDict({"b": torch.ones(1), "a": torch.ones(2)})
    assert list(held) == ["a", "b"] and isinstance(held["a"], nn.Parameter)
    held["c"] = 3
    assert held.get("c") == 3 and held.get("d", 5) == 5 and "c" in held
    assert held.setdefault("d", torch.ones(4)).shape == (4,)
    assert held.popitem()[0] == "d" and held.pop("c") == 3
    assert list(reversed(held)) == ["b", "a"]
    other = nn.ParameterDict(OrderedDict([("z", torch.ones(1)), ("b", torch.zeros(1))]))
    assert list(other) == ["z", "b"]
    assert list(held | other) == ["a", "b", "z"] and (held | other)["b"].item() == 0
    held |= other
    assert list(held.fromkeys(["p", "q"], 1)) == ["p", "q"]
    assert held.copy()["a"] is held["a"]
    held.clear()
    assert len(held) == 0 and not list(held.parameters())
