"""`_version`: how often operators have written into a tensor or a view of it. The numbers are PyTorch 2.13's."""

import pytest
import torch

PROGRAMS = {
    # made, and read
    "x = torch.zeros(2)": 0,
    "x = torch.zeros(4) + 1": 0,
    "x = torch.rand(4).sort()[0]": 0,
    "x = torch.ones(4).clone()": 0,
    "x = a; a + 1; a.numpy(); a.view(2, 2); a[1:]": 0,
    # in place
    "x = a; x.add_(1)": 1,
    "x = a; x += 1; x *= 2; x **= 2; x **= a": 4,
    "x = a; x.fill_(1); x.zero_()": 2,
    "x = a; x.copy_(torch.ones(4)); x.copy_(x)": 2,
    "x = torch.empty(0); torch.linalg.inv(m + torch.eye(4), out=x)": 1,
    "x = torch.empty(0); y = m.view(1, 4, 2, 2).to(memory_format=torch.channels_last); torch.cat([y, y], out=x)": 1,
    "x = m.view(1, 4, 2, 2); x.resize_(1, 4, 2, 2, memory_format=torch.channels_last)": 0,
    "x = m.view(1, 4, 2, 2); x.resize_(1, 2, 2, 2, memory_format=torch.channels_last)": 1,
    "x = torch.zeros(1).expand(5); torch.randperm(5, out=x)": 1,
    "x = a; x.uniform_(); x.normal_(); x.random_(); x.bernoulli_(); x.exponential_()": 5,
    "x = a; x.masked_fill_(x > 0, 1); x.index_fill_(0, i, 1); x.scatter_(0, i, 1.0)": 3,
    "x = a; x.index_put_((i,), torch.tensor(1.0)); x.put_(i, torch.ones(1))": 2,
    "x = m; x.addmm_(x, x); x.clamp_(0, 1); x.pow_(2); x.addcmul_(x, x)": 4,
    "x = m; x.fill_diagonal_(1); x.triu_(); x.cumsum_(0)": 3,
    "x = torch.zeros(0); x.add_(1)": 1,
    "x = a; torch.relu_(x)": 1,
    # by index
    "x = a; x[0] = 1; x[:] = 1; x[i] = 1; x[x > 0] = 1; x[...] = x; x[0:0] = 1": 6,
    "x = a; x[[0, 1]] = x[[1, 0]]; x[None] = 1; x[True] = 1": 3,
    # out=
    "x = a; torch.add(x, 1, out=x)": 1,
    "x = torch.empty(0); torch.add(a, 1, out=x)": 1,
    "x = a; torch.randperm(4, out=x); torch.arange(4, out=x); torch.cat([torch.ones(4)], out=x)": 3,
    "x = a; torch.sort(torch.ones(4), out=(x, i.new_empty(4)))": 1,
    "x = i.new_empty(4); torch.sort(torch.ones(4), out=(a, x))": 1,
    # another shape
    "x = a; x.resize_(5)": 1,
    "x = a; x.resize_(4); x.resize_as_(torch.ones(4))": 0,
    "x = a; x.resize_as_(torch.zeros(5))": 1,
    "x = a; x.set_(torch.ones(3))": 1,
    "x = a; x.set_(torch.zeros(4).storage())": 1,
    "x = m; x.t_(); x.squeeze_(); x.unsqueeze_(0); x.transpose_(0, 1); x.swapaxes_(0, 1)": 5,
    "x = m; x.as_strided_((2,), (1,))": 1,
    "x = a; x.detach_(); x.requires_grad_(False)": 0,
    # views share it
    "x = a; x[1:].add_(1); x.view(2, 2).add_(1); x.unbind()[0].add_(1); x.T.add_(1)": 4,
    "x = a[1:]; a.add_(1)": 1,
    "x = a; x.view(torch.int32).add_(1); x.real.add_(1); x.detach().add_(1)": 3,
    "x = torch.zeros(4, dtype=torch.complex64); x.real = a; x.imag.add_(1)": 2,
    "x = a; x.as_subclass(torch.Tensor).add_(1); torch.Tensor(x).add_(1)": 2,
    "a.add_(1); x = torch.Tensor._make_subclass(torch.Tensor, a); x.add_(1)": 2,
    # also as another dtype
    "x = c; torch.view_as_real(x).add_(1); x.real.add_(1); x.imag[1:].add_(1); x.imag = a; x.view(torch.int8).add_(1)": 5,
    "x = torch.view_as_complex(m.view(8, 2)); m.add_(1); x.add_(1)": 2,
    "x = c; x.add_(1); x = torch.view_as_real(x).view(torch.int32)": 1,
    # but .data has a count of its own
    "x = a; x.data.add_(1); x.data[1:].fill_(2)": 0,
    "a.add_(1); x = a.data": 0,
    "a.add_(1); x = a.data; x.add_(1)": 1,
    "x = a.data; x[1:].add_(1); x.view(2, 2).add_(1); a.add_(1)": 2,
    "x = a.data[1:]; a.data.size(); x.add_(1)": 1,
    "x = a; x.data.view(torch.int32).add_(1)": 0,
    "x = a.data; x.view(torch.int32).add_(1); x.view(torch.int8)[1:].add_(1); a.add_(1)": 2,
    "x = c; x.data.real.add_(1); torch.view_as_real(x.data).add_(1); x.data.imag.zero_()": 0,
    "x = c.data; x.real.add_(1); torch.view_as_real(x).add_(1); c.add_(1)": 2,
    "x = torch.view_as_complex(m.data.view(8, 2)); m.add_(1); x.add_(1)": 1,
    # what is new has no past, whatever it was made by
    "x = torch.zeros(2); x = torch.eye(3); x = torch.full((2,), 3); x = torch.hann_window(4); x = torch.rand(2)": 0,
    "x = a.index_add(0, i, a[:1]); x = a.masked_fill(a > 0, 1); x = a.index_put((i,), a[0])": 0,
    "x = torch.linalg.inv(m + torch.eye(4)); x = torch.linalg.qr(m)[0]; x = torch.block_diag(a, a)": 0,
    "x = torch.linalg.solve(m + torch.eye(4), m); x = torch.select_scatter(m, a, 0, 0); x = torch.diagflat(a)": 0,
    "x = a; x.data = torch.ones(3); x.add_(1)": 1,
    # what is computed in one dtype and written in another
    "x = a; torch.mul(torch.ones(4, dtype=torch.uint16), 3, out=x)": 1,
    "x = torch.zeros(0); torch.mul(torch.ones(4, dtype=torch.uint16), 3, out=x)": 1,
    "x = a.chalf(); x.add_(1 / 3); x.eq_(1 / 3)": 2,
    "x = a.chalf() * (1 / 3)": 0,
    "x = torch.zeros(4); torch.nanmean(m, 0, out=x)": 2,
    # what is no operator's write
    "x = a; x.numpy()[0] = 1; x.untyped_storage().fill_(1)": 0,
    "x = a; x.apply_(lambda v: v); x.map_(a.clone(), lambda v, w: v)": 0,
    "x = torch.from_numpy(a.numpy()); a.add_(1)": 0,
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_version(program):
    names = {
        "torch": torch,
        "a": torch.zeros(4),
        "m": torch.zeros(4, 4),
        "i": torch.tensor([0]),
        "c": torch.zeros(4, dtype=torch.complex64),
    }
    exec(program, names)
    assert names["x"]._version == PROGRAMS[program]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.add_(torch.zeros(3)),
        lambda x: torch.add(torch.zeros(3), x, out=x),
        lambda x: x.__setitem__(7, 1),
        lambda x: x.__setitem__(0, torch.zeros(5)),
        lambda x: x.copy_(torch.zeros(3)),
    ],
)
def test_a_call_that_raises_has_written_nothing(call):
    x = torch.zeros(4)
    with pytest.raises((RuntimeError, IndexError)):
        call(x)
    assert x._version == 0


def test_version_is_read_only():
    x = torch.zeros(2)
    with pytest.raises(AttributeError, match="_version"):
        x._version = 3
    assert x._version == 0
