"""torch.nn.parallel where there is no device: what calls the module as it is, and what refuses."""

import collections

import pytest
import torch
from torch import nn
from torch.nn.parallel import DataParallel, data_parallel, gather, parallel_apply, replicate, scatter
from torch.nn.parallel.scatter_gather import scatter_kwargs

pytestmark = pytest.mark.skipif(torch.cuda.is_available(), reason="is about machines without a GPU")
Pair = collections.namedtuple("Pair", "a b")


def test_a_module_is_called_as_it_is():
    linear = nn.Linear(2, 1)
    parallel = DataParallel(linear, device_ids=[0])
    x = torch.ones(4, 2)
    assert parallel.device_ids == [] and parallel(x).equal(linear(x)) and parallel(input=x).equal(linear(x))
    assert list(parallel.state_dict()) == ["module.weight", "module.bias"]
    assert repr(parallel) == "DataParallel(\n  (module): Linear(in_features=2, out_features=1, bias=True)\n)"
    with pytest.raises(RuntimeError, match="device type could not be determined"):
        data_parallel(linear, x)


def test_what_is_no_tensor_is_given_to_all():
    assert scatter(3, [0, 1]) == [3, 3]
    assert scatter([3, "a"], [0, 1]) == [[3, "a"]] * 2
    assert scatter({"a": 1}, [0, 1]) == [{"a": 1}] * 2 and scatter({}, [0, 1]) == [{}, {}]
    assert scatter(Pair(1, 2), [0, 1]) == [Pair(1, 2)] * 2
    assert scatter_kwargs((1,), {"k": 2}, [0, 1]) == (((1,), (1,)), ({"k": 2}, {"k": 2}))
    assert scatter_kwargs((), {"k": 2}, [0, 1]) == (((), ()), ({"k": 2}, {"k": 2}))
    assert scatter_kwargs((1,), None, [0, 1]) == (((1,), (1,)), ({}, {}))
    assert gather([None, None], 0) is None and gather([Pair(None, None)] * 2, 0) == Pair(None, None)
    assert [type(m).__name__ for m in replicate(nn.Identity(), [0, 1])] == ["Identity", "Identity"]


def test_tensors_of_the_cpu_are_refused():
    x, linear = torch.ones(4, 2), nn.Linear(2, 1)
    with pytest.raises(AssertionError, match="Gather function not implemented for CPU tensors"):
        gather([x, x], 0)
    with pytest.raises(AssertionError, match="Broadcast function not implemented for CPU tensors"):
        replicate(linear, [0])
    with pytest.raises(ValueError, match="Expected a non cpu device, but got: cpu"):
        replicate(linear, ["cpu"])
    with pytest.raises(RuntimeError, match="Cannot access accelerator device when none is available"):
        parallel_apply([linear, linear], [x, x])
    for arguments in (([linear], [x, x]), ([linear], [x], [{}, {}]), ([linear], [x], None, [0, 1])):
        with pytest.raises(AssertionError, match="The number of modules 1 is not equal to the number of"):
            parallel_apply(*arguments)
