"""Random numbers: a generator for each device, the CPU's numbers for one seed."""

import copy
import pickle

import pytest
import torch


def test_seeds():
    torch.manual_seed(7)
    assert torch.cuda.initial_seed() == 7
    a = torch.cuda.default_generators[0].get_state()
    torch.cuda.manual_seed(8)
    assert torch.cuda.initial_seed() == 8 and torch.initial_seed() == 7
    torch.cuda.manual_seed_all(7)
    assert torch.cuda.get_rng_state().equal(a)
    torch.cuda.seed()
    assert torch.cuda.initial_seed() != 7
    torch.cuda.seed_all()
    assert len({g.initial_seed() for g in torch.cuda.default_generators}) == 1
    assert torch.seed() == torch.cuda.initial_seed()


def test_states():
    assert len(torch.cuda.get_rng_state_all()) == torch.cuda.device_count() == len(torch.cuda.default_generators)
    state = torch.cuda.get_rng_state("cuda:0")
    assert state.is_cpu and state.dtype == torch.uint8
    torch.cuda.manual_seed(1)
    torch.cuda.set_rng_state(state)
    assert torch.cuda.get_rng_state().equal(state)
    torch.cuda.set_rng_state_all(torch.cuda.get_rng_state_all())
    with torch.random.fork_rng():
        torch.manual_seed(99)
    assert torch.cuda.get_rng_state().equal(state)


def test_generators():
    g = torch.Generator(device="cuda")
    assert g.device == torch.device("cuda:0") and g.initial_seed() == torch.Generator().initial_seed()
    g.manual_seed(3)
    assert g.get_offset() == 0 and g.clone_state().device == g.device
    g.set_offset(8)
    assert g.get_offset() == 8
    with pytest.raises(RuntimeError, match="multiple of 4"):
        g.set_offset(3)
    again = pickle.loads(pickle.dumps(g))
    assert again.device == g.device and again.get_offset() == 8 and again.initial_seed() == 3
    assert copy.deepcopy(g).initial_seed() == 3
    assert torch.cuda.default_generators[0].device == torch.device("cuda:0")


def test_numbers_are_those_of_the_cpu():
    there = torch.rand(1000, device="cuda", generator=torch.Generator(device="cuda").manual_seed(5))
    here = torch.rand(1000, generator=torch.Generator().manual_seed(5))
    assert there.cpu().equal(here)
    torch.manual_seed(5)
    assert torch.rand(1000, device="cuda").cpu().equal(here)
    assert not torch.rand(1000, device="cuda").cpu().equal(here)
