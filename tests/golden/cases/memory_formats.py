"""Memory formats: torch.channels_last and torch.channels_last_3d, what makes them, keeps them and judges sizes of 1."""

from golden.row import Row, codes, each, errors

IMAGES = each("f32", "$ 2x3x4x5", "$ 2x3x4x5 L", "$ 2x3x2x4x5", "$ 2x3x2x4x5 L")
# Sizes of 1 and 0, of which strides say little.
ONES = each("f32", "$ 2x1x4x5", "$ 2x1x4x5 L", "$ 2x3x1x1", "$ 2x3x1x1 L", "$ 1x3x1x1 L", "$ 1x1x4x5 L", "$ 2x3x4x1 L",
            "$ 1x3x4x5 L", "$ 2x1x2x4x5 L", "$ 2x3x1x1x1 L")
NONE = each("f32", "$ 0x3x4x5", "$ 2x0x4x5", "$ 2x3x0x5 L")
OTHERS = each("f32", "$ 3", "$ 2x3", "$ 2x3x4", "$ 2x3x1x2x1x2")
ODD = each("f32", "$ 2x3x4x5 T", "$ 2x3x4x5 S", "$ 2x3x4x5 E")

ROWS = []
for name in ("channels_last", "channels_last_3d"):
    # As in every format that does not fit, RuntimeError.
    ROWS += codes(IMAGES + ONES + NONE + ODD + OTHERS, f"""
        a.is_contiguous(memory_format=torch.{name})
        a.contiguous(memory_format=torch.{name})
        a.clone(memory_format=torch.{name})
        a.to(memory_format=torch.{name})
        torch.empty(a.shape, memory_format=torch.{name}).stride()
    """, view=True)
    ROWS += codes(IMAGES + OTHERS, f"""
        a.to(torch.float64, memory_format=torch.{name})
        a.to("cpu", memory_format=torch.{name})
        a.to(a.long(), memory_format=torch.{name})
        a.to(a, copy=True, memory_format=torch.{name}).stride()
        a.cpu(memory_format=torch.{name}).stride()
        a.half(memory_format=torch.{name}).stride()
        a.float(memory_format=torch.{name}).stride()
        a.bool(memory_format=torch.{name})
        a.cdouble(memory_format=torch.{name})
        a.type(torch.int64, memory_format=torch.{name})
        a.type("torch.FloatTensor", memory_format=torch.{name})
        torch.empty_like(a, memory_format=torch.{name}).stride()
        torch.zeros_like(a, dtype=torch.int8, memory_format=torch.{name})
        torch.ones_like(a, memory_format=torch.{name})
        torch.full_like(a, 2.5, memory_format=torch.{name})
        torch.rand_like(a, memory_format=torch.{name}).stride()
        torch.randn_like(a, memory_format=torch.{name}).stride()
        torch.randint_like(a, 3, memory_format=torch.{name}).stride()
        torch.empty(0).resize_(a.shape, memory_format=torch.{name}).stride()
        a.clone().resize_(a.shape, memory_format=torch.{name}).stride()
        torch.empty(0).resize_as_(a, memory_format=torch.{name}).stride()
        a.expand(2, *a.shape).contiguous(memory_format=torch.{name})
    """, view=True)
ROWS += codes(IMAGES + ONES + ODD, """
    a.is_contiguous(), a.is_contiguous(memory_format=torch.preserve_format)
    a.contiguous()
    a.contiguous(memory_format=torch.contiguous_format)
    a.clone(memory_format=torch.preserve_format)
    a.to(torch.float64, memory_format=torch.contiguous_format)
    a.to(memory_format=torch.contiguous_format)
    torch.empty(0).resize_as_(a).stride()
    torch.empty(0).resize_as_(a, memory_format=torch.preserve_format).stride()
    a.resize_(a.shape).stride()
    a.new_empty(a.shape).stride()
""", view=True)
# What keeps the order of strides.
ROWS += codes(IMAGES, """
    a.exp().stride()
    a.neg_().stride()
    (a + 1).stride()
    (a * a).stride()
    (a + a.contiguous()).stride()
    (a.contiguous() + a).stride()
    (a + a[:1]).stride()
    (a + a[:, :1]).stride()
    (a + torch.ones(a.shape[-1])).stride()
    (a > 0).stride()
    (a + a.double()).stride()
    (a ** 2).stride()
    a.clamp(-1, 1).stride()
    a.relu().stride()
    torch.where(a > 0, a, 0.5).stride()
    torch.lerp(a, a, 0.5).stride()
    torch.addcmul(a, a, a).stride()
    a.nan_to_num().stride()
    a.frexp().mantissa.stride()
    a.half().stride()
    a.clone().stride()
    torch.empty_like(a).stride()
    torch.rand_like(a).stride()
    a.softmax(1).stride()
    a.log_softmax(-1).stride()
    a.cumsum(1).stride()
    a.sum(1, keepdim=True).stride()
    a.mean((2, 3)).stride()
    a.amax(1, keepdim=True).stride()
    a.max(1).values.stride()
    a.sort(1).values.stride()
    a.flip(1).stride()
    a.masked_fill(a > 0, 0).stride()
    a.tril().stride()
    a.repeat_interleave(2, 1).stride()
    a.index_select(1, torch.tensor([2, 0])).stride()
    a[:, torch.tensor([2, 0])].stride()
    a[torch.tensor([1, 1, 0])].stride()
    a[..., torch.tensor([0, 3])].stride()
    a[torch.tensor([1, 0]), :, torch.tensor([0, 1])].stride()
    a[:, torch.tensor([[2, 0], [1, 1]])]
    torch.cat([a, a]).stride()
    torch.cat([a, a], 1)
    torch.cat([a, a.double()], -1)
    torch.cat([a, a.contiguous()], 1).stride()
    torch.cat([a, a[:, :1]], 1).stride()
    torch.cat([a, a], 1, out=torch.empty(a.shape[0], 6, *a.shape[2:])).stride()
    torch.stack([a, a]).stride()
    torch.stack([a, a], 1)
    torch.stack([a, a], -1).stride()
    torch.constant_pad_nd(a, (1, 2)).stride()
    torch.constant_pad_nd(a, (1, -1, 0, 1), 2)
    torch.constant_pad_nd(a, (-1, 0))
    a.renorm(2, 0, 1).stride()
    a.bernoulli(0.5).stride()
    a.msort().stride()
    torch.fft.fft(a, dim=1).stride()
    torch.fft.rfft(a, 4, 2).stride()
    torch.fft.fftn(a, dim=(1, 2)).stride()
    torch.fft.ifft2(a + 0j, dim=(0, 3)).stride()
    torch.tensor(a).stride()
    torch.from_numpy(a.numpy()).stride()
""", view=True)
ROWS += errors(("",), """
    torch.empty(2, 3, memory_format=torch.channels_last)  # required rank 4 tensor to use channels_last format
    torch.empty(2, 3, memory_format=torch.channels_last_3d)  # required rank 5 tensor to use channels_last_3d format
    torch.empty(2, 3, memory_format=torch.preserve_format)  # unsupported memory format Preserve
    torch.empty(2, memory_format=torch.contiguous_format, out=torch.empty(0))  # 'memory_format' argument is incompatible with 'out' tensor argument
    torch.ones(2, 3).contiguous(memory_format=None)  #
    torch.ones(2, 3).contiguous(torch.channels_last)  #
    torch.ones(2, 3).is_contiguous(memory_format=None)  #
    torch.ones(2, 3).t().contiguous(memory_format=torch.preserve_format)  # preserve memory format is unsupported
    torch.ones(2, 3, memory_format=torch.channels_last)  #
    torch.ones(2, 3).new_empty(2, memory_format=torch.channels_last)  #
""")
ROWS += [
    Row("str(torch.channels_last), repr(torch.channels_last_3d), type(torch.channels_last).__name__"),
    Row("torch.channels_last == torch.channels_last, torch.channels_last == torch.channels_last_3d"),
]
