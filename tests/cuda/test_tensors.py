"""Tensors on a device: made there, moved there and back, views, single elements, text, old types."""

import copy

import pytest
import torch


def test_there_and_back():
    a = torch.arange(6.0).reshape(2, 3)
    b = a.cuda()
    assert b.is_cuda and not b.is_cpu and b.get_device() == 0 and b.device == torch.device("cuda:0")
    assert b.cuda() is b and b.to("cuda") is b and b.to("cuda:0") is b
    assert b.cpu().equal(a) and a.cpu() is a
    assert b.to("cpu", torch.int64).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert a.to(b).device == b.device
    assert a.to(device="cuda", dtype=torch.float64, copy=True).dtype == torch.float64


def test_strides_come_along():
    a = torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1)
    b = a.cuda()
    assert b.stride() == a.stride() and b.cpu().equal(a) and b.cpu().stride() == a.stride()
    picture = torch.arange(16.0).reshape(1, 2, 2, 4).to(memory_format=torch.channels_last)
    assert picture.cuda().is_contiguous(memory_format=torch.channels_last)


@pytest.mark.parametrize(
    "dtype", [torch.bool, torch.uint8, torch.int64, torch.float16, torch.bfloat16, torch.complex64]
)
def test_conversions_on_the_way(dtype):
    a = torch.tensor([0, 1, 2, 100])
    assert a.cuda().to(dtype).cpu().equal(a.to(dtype))
    assert a.to("cuda", dtype).cpu().equal(a.to(dtype))
    assert a.to(dtype).cuda().to("cpu", torch.float64).equal(a.to(dtype).to(torch.float64))


def test_between_devices(second):
    a = torch.arange(5, device="cuda:0")
    b = a.to(second)
    assert b.device == second and b.tolist() == [0, 1, 2, 3, 4]
    b[1:3] = a[3:]
    assert b.tolist() == [0, 3, 4, 3, 4]
    c = torch.empty(2, 5, dtype=torch.float64, device=second)
    c.copy_(a)
    assert c.tolist() == [[0.0, 1.0, 2.0, 3.0, 4.0]] * 2


def test_views_and_single_elements():
    a = torch.arange(12, device="cuda").reshape(3, 4)
    assert a[1, 2].item() == 6 and a[2].tolist() == [8, 9, 10, 11] and a.t()[3].tolist() == [3, 7, 11]
    a[0] = 7
    a[1, 1:3] = torch.tensor([50, 60])
    assert a.tolist() == [[7, 7, 7, 7], [4, 50, 60, 7], [8, 9, 10, 11]]
    assert a.t().contiguous().tolist() == a.cpu().t().tolist()
    assert a.t().reshape(-1).tolist() == a.cpu().t().reshape(-1).tolist()
    assert int(a[0, 0]) == 7 and bool(a[0, 0]) and float(a[2, 1]) == 9.0 and a[0, 0].__index__() == 7
    assert list(a[2]) == [8, 9, 10, 11] and len(a) == 3
    with pytest.raises(RuntimeError, match="cannot be converted to Scalar"):
        a.item()


def test_factories():
    for make in (torch.zeros, torch.ones, torch.empty):
        assert make(2, 3, device="cuda").is_cuda
    a = torch.full((2,), 5, device="cuda")
    assert a.tolist() == [5, 5] and torch.zeros_like(a).is_cuda and torch.zeros_like(a, device="cpu").is_cpu
    assert a.new_tensor([1, 2]).is_cuda and a.new_zeros(2).is_cuda and a.new_full((1,), 3).tolist() == [3]
    assert torch.tensor([[1, 2]], device="cuda").tolist() == [[1, 2]]
    assert torch.as_tensor([1.5], device="cuda").is_cuda and torch.asarray(a).data_ptr() == a.data_ptr()
    assert torch.arange(1, 4, device="cuda").tolist() == [1, 2, 3]


def test_resize_and_set():
    a = torch.arange(4, device="cuda")
    a.resize_(8)
    assert a[:4].tolist() == [0, 1, 2, 3] and a.shape == (8,)
    b = torch.empty(0, dtype=torch.int64, device="cuda")
    b.set_(a)
    assert b.data_ptr() == a.data_ptr()
    with pytest.raises(RuntimeError):
        b.set_(torch.arange(4))


def test_text():
    assert repr(torch.tensor([1.0, 2.5], device="cuda")) == "tensor([1.0000, 2.5000], device='cuda:0')"
    assert repr(torch.tensor(3, device="cuda")) == "tensor(3, device='cuda:0')"
    assert f"{torch.tensor(2.5, device='cuda'):.2f}" == "2.50"
    assert "..." in repr(torch.zeros(2000, device="cuda"))


def test_types_of_2017():
    a = torch.cuda.FloatTensor(2, 3)
    assert a.device == torch.device("cuda:0") and a.dtype == torch.float32 and a.shape == (2, 3)
    assert torch.cuda.LongTensor([1, 2]).tolist() == [1, 2]
    assert isinstance(a, torch.cuda.FloatTensor) and not isinstance(a, torch.FloatTensor)
    assert not isinstance(a, torch.cuda.DoubleTensor) and not isinstance(a.cpu(), torch.cuda.FloatTensor)
    assert a.type() == "torch.cuda.FloatTensor" and a.cpu().type("torch.cuda.LongTensor").is_cuda
    assert a.type(torch.FloatTensor).is_cpu and a.type(torch.cuda.HalfTensor).dtype == torch.float16
    assert a.new(2).is_cuda and torch.cuda.FloatTensor.is_cuda
    with pytest.raises(ValueError, match="invalid type"):
        a.type("torch.cuda.NoTensor")
    assert torch.zeros(2).type("torch.cuda.FloatTensor").is_cuda


def test_types_of_2017_on_the_second_device(second):
    for a in (
        torch.cuda.FloatTensor(1, device=1),
        torch.cuda.FloatTensor([0.0], device="cuda:1"),
        torch.zeros(1, device="cuda").new([0], device=1),
        torch.zeros(1, device="cuda").new(1, device=second),
    ):
        assert a.device == second and a.dtype == torch.float32 and a.shape == (1,)
    assert torch.cuda.FloatTensor(1, device=0).device == torch.device("cuda:0")
    with pytest.raises(
        RuntimeError, match="legacy constructor expects device type: cpu but device type: cuda was passed"
    ):
        torch.FloatTensor(1, device=1)
    assert "__cuda_array_interface__" in dir(a)


def test_what_only_the_host_can_do():
    a = torch.ones(2, device="cuda")
    with pytest.raises(TypeError, match="can't convert cuda:0 device type tensor to numpy"):
        a.numpy()
    assert a.numpy(force=True).tolist() == [1, 1]
    with pytest.raises(TypeError, match="only implemented on CPU tensors"):
        a.apply_(lambda x: x)
    with pytest.raises(NotImplementedError, match="Not available for 'cuda'"):
        memoryview(a.untyped_storage())


def test_copies_share_as_the_originals_do():
    a = torch.arange(6, device="cuda")
    pair = copy.deepcopy([a, a[2:]])
    pair[0][2] = 50
    assert pair[1][0].item() == 50 and a[2].item() == 2 and pair[0].is_cuda
    assert copy.copy(a).data_ptr() == a.data_ptr()


def test_storages():
    a = torch.arange(4, dtype=torch.int32, device="cuda")
    s = a.untyped_storage()
    assert s.is_cuda and s.device == a.device and s.get_device() == 0 and s.nbytes() == 16
    assert s[4] == 1 and s[4:8].tolist() == [1, 0, 0, 0] and s.cpu().tolist() == s.tolist()
    s[0] = 9
    s[12:16] = 1
    assert a.tolist() == [9, 1, 2, 0x01010101]
    s.fill_(0)
    assert a.tolist() == [0, 0, 0, 0]
    s.copy_(torch.tensor([1, 2, 3, 4], dtype=torch.int32).untyped_storage(), non_blocking=True)
    assert a.tolist() == [1, 2, 3, 4] and a.storage().tolist() == [1, 2, 3, 4]
    assert torch.UntypedStorage([1, 2, 3], device="cuda").tolist() == [1, 2, 3]
    assert torch.cuda.FloatStorage([1.5, 2]).tolist() == [1.5, 2.0] and torch.cuda.IntStorage(3).is_cuda
    assert torch.ones(2).untyped_storage().cuda().is_cuda
    with pytest.raises(IndexError):
        s[99]
    for storage in (s, torch.UntypedStorage(4, device="meta"), torch.cuda.FloatStorage(2)):
        with pytest.raises(TypeError, match="only CPU memory can be pinned"):
            storage.pin_memory()


def test_numbers_of_the_host_among_operands():
    a, two = torch.arange(3.0, device="cuda"), torch.tensor(2.0)
    for result in (a + two, two * a, torch.pow(two, a), torch.where(a > two, a, two), a.clamp(max=two), a.add_(two)):
        assert result.device == a.device
    assert a.tolist() == [2, 3, 4]
    assert (a[0] + two).device == a.device and (two + a[0]).device == a.device
    a[1] = two
    assert a.tolist() == [2, 2, 4]
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        a + torch.ones(1)
    with pytest.raises(RuntimeError):
        two.add_(a[0])
    assert two.item() == 2
    with pytest.raises(RuntimeError):
        torch.add(a, a, out=torch.empty(3))


def test_results_are_where_their_operands_are(second):
    for device in (torch.device("cuda:0"), second):
        a = torch.arange(6.0, device=device).reshape(2, 3)
        found = [
            a.max(0),
            a.sort(1),
            a.topk(2),
            a.split(1),
            a.unbind(1),
            torch.unique(a, return_counts=True),
            torch.var_mean(a, 0),
        ]
        for tensors in (
            *found,
            a.nonzero(as_tuple=True),
            torch.meshgrid(a[0], a[0], indexing="ij"),
            a.chunk(2),
            (a.t(),),
        ):
            assert {t.device for t in tensors} == {device}
        out = torch.empty(0, device=device)
        assert torch.add(a, 1, out=out) is out and out.device == device and a.mul_(2) is a


def test_indices_and_masks_on_the_cpu():
    x = torch.arange(12.0, device="cuda").view(3, 4)
    rows, mask = torch.tensor([2, 0]), torch.tensor([True, False, True])
    assert x[rows].is_cuda and x[rows].tolist() == x.cpu()[rows].tolist()
    assert x[rows, torch.tensor([1, 3], device="cuda")].tolist() == [9.0, 3.0]
    assert x[mask].tolist() == x.cpu()[mask].tolist()
    assert torch.masked_select(x, torch.tensor(True)).tolist() == list(range(12))
    y = x.clone()
    y[rows] = -1.0
    y[mask] += 1
    assert y.is_cuda and y[:, 0].tolist() == [0.0, 4.0, 0.0]
    y.masked_scatter_(torch.tensor(True), x)
    assert y.equal(x)
    for refused in (
        lambda: torch.gather(torch.tensor(5.0), 0, torch.tensor(0, device="cuda")),
        lambda: torch.index_select(torch.tensor(5.0), 0, torch.tensor([0], device="cuda")),
        lambda: x.cpu()[rows.cuda()],
    ):
        with pytest.raises(RuntimeError):
            refused()
    assert (x + 1).sum().item() == 78
