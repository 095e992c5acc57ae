"""Shapes and strides: attributes, views and what they share, reshaping, joining and splitting."""

from golden.row import ALL, Row, codes, each, rows

SHAPES = each("f32", "$ -", "$ 0", "$ 3", "$ 2x3", "$ 2x3 T", "$ 2x3 S", "$ 4x3 E", "$ 2x3x4", "$ 2x3x4 T", "$ 0x3",
              "$ 2x1x3 S")
CUBES = each("f32", "$ 2x3x4", "$ 2x3x4 T", "$ 2x3x4 S", "$ 2x3x4 E")

ROWS = []
ROWS += codes(SHAPES + each("b1 f64 bf16 i16", "$ 2x3"), """
    (a.shape, a.size(), a.stride(), a.dim(), a.ndim, a.numel(), a.storage_offset(), a.is_contiguous(), a.element_size())
    (a.nelement(), a.itemsize, a.nbytes)
    (a.dtype, str(a.device), a.device.type, a.device.index, a.is_floating_point())
    (a.requires_grad, a.is_cuda, a.layout is torch.strided)
    (a.tolist(), type(a.shape).__name__, a.type())
    a.contiguous()
    a.clone()
    a.view_as(a)
    a.flatten()
    a.squeeze()
    a.ravel()
    a.detach()
""", view=True)
ROWS += codes(SHAPES, """
    a.t()
    a.T
    a.mT
    a.squeeze(0)
    a.squeeze(-1)
    a.unsqueeze(0)
    a.unsqueeze(-1)
    a.unsqueeze(1)
    a.unsqueeze(-4)
    a.reshape(-1)
    a.view(-1)
    a.view(1, -1)
    a.reshape(3, -1)
    a.view(3, -1)
    a.view(a.shape)
    a.reshape(())
    a.transpose(0, 1)
    a.transpose(-1, 0)
    a.permute(*reversed(range(a.dim())))
    a.flatten(0, -1)
    a.flatten(1)
    a.unbind()
    a.unbind(1)
    a.select(0, 1)
    a.select(-1, -1)
    a.narrow(0, 1, 1)
    a.narrow(-1, 0, 2)
    a.unfold(0, 2, 1)
    a.unfold(-1, 2, 2)
    a.split(2)
    a.split(1, -1)
    a.chunk(2)
    a.chunk(2, -1)
    a.expand(2, *a.shape)
    a.expand(3, -1)
    a.expand_as(torch.zeros(2, 3))
    a.expand(2, 3)
    a.movedim(0, -1)
    a.swapaxes(0, -1)
    (a.size(0), a.size(-1), a.stride(0), a.stride(-1))
""", view=True)
ROWS += codes(CUBES, """
    a.permute(2, 0, 1)
    a.permute((-1, 0, 1))
    torch.permute(a, (1, 0, 2))
    a.permute(0, 0, 1)
    a.permute(0, 1)
    a.transpose(0, 2)
    a.transpose(-1, -2)
    torch.transpose(a, 0, 1)
    a.view(6, 4)
    a.view(2, 12)
    a.view([4, 6])
    a.view((2, 3, 2, 2))
    a.view(torch.Size([24]))
    a.view(2, -1, 2)
    a.view(-1, -1)
    a.view(5, -1)
    a.view(25)
    a.reshape(6, 4)
    a.reshape(2, 12)
    a.reshape([2, 3, -1])
    a.reshape((4, -1))
    a.reshape(7, -1)
    torch.reshape(a, (3, 8))
    a.flatten(1, 2)
    a.flatten(0, 1)
    a.flatten(2, 1)
    a.flatten(start_dim=1)
    a.narrow(1, 1, 2)
    a.narrow(1, 2, 2)
    a.narrow(1, -1, 1)
    a.narrow(2, 4, 0)
    a.narrow(0, 0, -1)
    a.narrow(3, 0, 1)
    a.select(1, 2)
    a.select(1, -3)
    a.select(1, 3)
    a.select(3, 0)
    a.unfold(2, 2, 1)
    a.unfold(2, 3, 2)
    a.unfold(1, 4, 1)
    a.unfold(1, 2, 0)
    a.unfold(0, 0, 1)
    a.split([1, 2], 1)
    a.split([1, 1], 1)
    a.split(3, 2)
    torch.split(a, 2, dim=1)
    torch.chunk(a, 3, dim=2)
    a.chunk(5, 2)
    a.chunk(0)
    a.unbind(2)
    torch.unbind(a, 0)
    a.squeeze(1)
    a[:, :1].squeeze(1)
    a[:1, :, :1].squeeze()
    a[:1, :, :1].squeeze((0, 2))
    a.unsqueeze(3)
    a.unsqueeze(4)
    a.expand(5, 2, 3, 4)
    a.expand(2, 3, 5)
    a.expand(-1, 2, 3, 4)
    a.expand(3, 4)
    a[:, :1].expand(2, 3, 4)
    a[:, :1].expand(-1, 5, -1)
    torch.movedim(a, 0, 2)
    a.as_strided((2, 2), (1, 2))
    a.as_strided((2, 2), (1, 2), 3)
    a.diagonal(0, 1, 2)
    a.permute(2, 1, 0).contiguous()
    a.permute(1, 0, 2).clone()
    a.permute(1, 0, 2).reshape(3, 8)
    a[:, 1:].reshape(2, 8)
    a[:, 1:].view(2, 8)
    a[..., ::2].reshape(-1)
    a[1].view(3, 2, 2)
    a.view(2, 3, 4, 1, 1)
    a.unsqueeze(1).view(2, 1, 12)
""", view=True)
ROWS += codes(each("i64", "$ 0", "$ 0x3", "$ 2x0", "$ 2x0x3"), """
    a.view(-1)
    a.view(0, -1)
    a.view(0)
    a.view(3, 0)
    a.view(-1, 3)
    a.reshape(0, 5)
    a.reshape(-1, 0)
    a.t()
    a.unbind(0)
    a.split(2)
    a.split(0)
    a.chunk(2)
    a.tolist()
    a.flatten()
    a.contiguous()
""", view=True)
# joining
CAT = each(ALL, "$ 2x3;$ 1x3") + (
    "f32 3;f32 0", "f32 2x3;f32 0", "f32 0;f32 0", "f32 2x3 T;f32 2x3 T", "f32 2x3;f32 2x2", "f32 2x3;f32 3",
    "f32 -;f32 -", "i64 2;f32 2", "f32 0x3;f32 2x3", "f32 4x3 E;f32 1x3", "f32 0;i64 2")
STACK = each(ALL, "$ 3;$ 3") + ("f32 2x3;f32 2x3", "f32 -;f32 -", "f32 2;f32 3", "f32 2x3 T;f32 2x3", "i64 2;f32 2",
                                "f32 0;f32 0")
ROWS += [
    Row("torch.cat([a, b])", CAT),
    Row("torch.cat((a, b), 1)", each("f32 i64", "$ 2x3;$ 2x1", "$ 2x3 T;$ 2x2 S") + ("f32 3;f32 3", "f32 2x3;f32 3x3")),
    Row("torch.cat([a, b], dim=-1)", ("f32 2x3;f32 2x3", "f32 2x3x2;f32 2x3x1")),
    Row("torch.cat([a, b, a], -2)", ("f32 2x3;f32 1x3",)),
    Row("torch.cat([a, b], out=c); c", ("f32 2;f32 3;f32 0", "f32 2;f32 3;f32 5", "f32 2;f32 3;f64 5",
                                        "f32 2;f32 3;i64 5", "f32 2;f32 3;f32 10 S")),
    Row("torch.concat([a, b]), torch.concatenate([a, b])", ("f32 2;f32 3",)),
    Row("torch.stack([a, b])", STACK),
    Row("torch.stack([a, b], 1)", ("f32 3;f32 3", "f32 2x3;f32 2x3", "i64 2x3;i64 2x3 T")),
    Row("torch.stack((a, b), dim=-1)", ("f32 2x3;f32 2x3", "f32 -;f32 -")),
    Row("torch.stack([a, b], dim=3)", ("f32 2x3;f32 2x3",)),
    Row("torch.stack([a, b], out=c); c", ("f32 3;f32 3;f32 2x3", "f32 3;f32 3;f32 0")),
]
ROWS += codes(("f32 2x3",), """
    torch.cat([])
    torch.stack([])
    torch.cat([a])
    torch.cat(a)
    torch.cat([a, 1])
    torch.cat([a, a], 2)
    torch.cat([a, a], -3)
    torch.cat([a] * 5, 1).shape
    torch.cat([a, a.T])
    [x.tolist() for x in a]
    len(a), list(a.shape), tuple(a.size())
    a.shape == (2, 3), a.shape == torch.Size([2, 3]), a.shape[1], a.shape[:1], a.shape.numel()
    repr(a.shape), str(torch.Size([])), torch.Size([2]) + torch.Size([3]), torch.Size([1, 2]) == [1, 2]
    a.size(2)
    a.size(dim=1), a.stride(dim=0)
    a.dim(), a.numel(), torch.numel(a), torch.is_tensor(a), torch.is_tensor(3)
    repr(a.device), str(a.device), a.device == torch.device('cpu'), torch.device('cpu', 0).index
    torch.device('cpu:1') == torch.device('cpu', 1), hash(torch.device('cpu')) == hash(torch.device('cpu'))
    a.cpu() is a, a.to('cpu') is a, a.contiguous() is a, a.clone() is a, a.float() is a
    a.data_ptr() == a[0].data_ptr(), a[1].data_ptr() - a.data_ptr(), a.view(6).data_ptr() == a.data_ptr()
    torch.device('nonsense')
    a.view(torch.int32)
    a.view(torch.uint8).shape
    torch.broadcast_tensors(a, torch.ones(2, 1))
    torch.squeeze(a, 0), torch.unsqueeze(a, 1), torch.flatten(a), torch.t(a)
    torch.narrow(a, 1, 0, 2), torch.select(a, 0, 1), torch.clone(a)
""")
# writing through views reaches the base
WRITES = """
    a.t()[0] = 9; a
    a.view(-1)[2] = 9; a
    a[:, ::2].fill_(9); a
    a.unbind(1)[1].zero_(); a
    a.split(1)[1].mul_(10); a
    a.narrow(1, 1, 2).copy_(torch.tensor([[1, 2], [3, 4]])); a
    a.select(1, 2).add_(100); a
    a.flatten()[0] = 7; a
    a.T.copy_(torch.arange(6).reshape(3, 2)); a
    a.unfold(1, 2, 2).zero_(); a
    a[0].copy_(a[1]); a
    b = a.clone(); b.zero_(); a
    b = a.reshape(3, 2); b[0, 0] = 5; a
    b = a.contiguous(); b[0, 0] = 5; a
    b = a.t().contiguous(); b[0, 0] = 5; a
    b = a.expand(2, 2, 3); b[0, 0, 0] = 5; (a, b)
    b = iter(a); next(b).zero_(); a
"""
ROWS += codes(("f32 2x3", "f32 2x3 T", "i64 2x3 S", "u8 2x3"), WRITES)
# strides of results: pointwise results keep the operand's order
STRIDED = ("f32 2x3x4", "f32 2x3x4 T", "f32 2x3x4 S", "f32 2x3x4 E", "f32 4x3 E", "f32 1x3", "f32 3x1 T")
ROWS += codes(STRIDED, """
    a.exp().stride()
    (a + 1).stride()
    (a + a).stride()
    (a == a).stride()
    a.double().stride()
    a.clone().stride()
    a.contiguous().stride()
    torch.empty_like(a).stride()
    torch.zeros_like(a).stride()
    torch.clone(a, memory_format=torch.contiguous_format).stride()
    a.transpose(0, 1).exp().stride()
    a.permute(*reversed(range(a.dim()))).neg().stride()
    (a + a.contiguous()).stride()
    (a.contiguous() + a).stride()
    (a + torch.ones(a.shape[-1])).stride()
    a.sum(0).stride()
    a.sum(-1, keepdim=True).stride()
    a.sort(0)[0].stride()
    torch.where(a > 0, a, a).stride()
    a.reshape(-1).stride()
""")
# A clone's dimensions lie in the order of those whose strides tell one.
ROWS += codes(("f32 1x3", "f32 3x1", "f32 3x1 T", "f32 1x1"), """
    a.unsqueeze(1).expand(-1, 2, -1).clone().stride(), torch.zeros_like(a.unsqueeze(1).expand(-1, 2, -1)).stride()
    a.t().unsqueeze(1).expand(-1, 2, -1).clone().stride(), torch.empty_like(a.t().unsqueeze(1).expand(-1, 2, -1)).stride()
""")
ROWS += codes(("",), """
    torch.zeros(3, 1, 2).permute(2, 1, 0).expand(2, 2, 3).clone().stride()
    torch.empty_like(torch.zeros(3, 1, 2).permute(2, 1, 0).expand(2, 2, 3)).stride()
    torch.zeros_like(torch.zeros(2, 1, 3, 1).permute(2, 1, 0, 3).expand(3, 2, 2, 2)).stride()
    torch.ones_like(torch.zeros(3, 1, 1).permute(2, 1, 0).expand(1, 2, 3), dtype=torch.int8).stride()
""")
ROWS += rows("OP(a)", "len int float bool list",
             ("f32 -", "f32 1", "f32 3", "i64 -", "i64 1x1", "b1 -", "b1 1", "f32 0", "f32 - special", "f64 2x3"))
ROWS += [
    Row("a.item()", each(ALL, "$ -", "$ 1x1") + ("f32 3", "f32 0", "f32 1 special")),
    Row("a.tolist()", each(ALL, "$ -", "$ 3") + ("f32 2x2 T", "f32 0", "f32 2x0", "f32 3 nans")),
    Row("a.__index__()", ("i64 -", "f32 -", "i64 1", "b1 -", "u8 1x1", "i64 3")),
    Row("[10, 20, 30, 40][a]", ("i64 - ones", "f32 -", "u8 1 ones")),
    Row("list(range(a))", ("i64 -",)),
    Row("3 in a, 1.5 in a, 99 in a", ("f32 2x3", "i64 6", "f32 0")),
    Row("a[0] in a", ("f32 3",)),
    Row("'x' in a", ("f32 3",)),
    Row("not a", ("f32 -", "i64 1", "f32 2")),
    Row("hash(a) == hash(a), a is a, hash(a) == id(a)", ("f32 3",)),
    Row("f'{a}'", ("f32 -", "f32 3", "i64 -", "b1 -")),
    Row("format(a, '.2f')", ("f32 -", "f32 3", "i64 -")),
    Row("round(a)", ("f32 6",)),
    Row("divmod(a, 2)", ("f32 6",)),
]

# Vectors of no elements have every dimension.
ROWS += codes(("f32 0;f32 0", "i64 0;f64 0", "f32 0;f32 2x3", "f32 0x1;f32 0", "f32 1x0;f32 1x0", "f32 3;f32 0"), """
    torch.cat([a, b], dim=1)
    torch.cat([a, b], dim=5)
    torch.concat([a, b], -2)
    torch.cat([a], dim=7)
    torch.cat([a, b], 1, out=torch.ones(3))
    torch.hstack([a, b])
""")
