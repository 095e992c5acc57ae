"""What a call may look like: arguments in older orders, out= where it needs something else, keywords that few write."""

from golden.row import FLOAT, NUM, Row, codes, each, errors

BOTH = f"{NUM} c64 c128"
ROWS = []

# ---- numbers before the tensors that they scale, as torch 1.0 had them ----
ROWS += codes(each(BOTH, "$ 2x3;$ 3"), """
    torch.add(a, 2, b)
    torch.sub(a, 2, b)
    a.add(2, b)
    a.sub(alpha=2, other=b)
    torch.add(a, 2, other=b)
    (a.add_(2, b), a)
    (a.sub_(2, b), a)
    torch.addcmul(a, 2, b, b)
    a.addcmul(2, b, b)
    (a.addcmul_(2, b, b), a)
""", "sum")
ROWS += codes(each(f"{FLOAT} c64 c128", "$ 3 ones;$ 3;$ 3 ones"), """
    torch.addcdiv(a, 2, b, c)
    (a.addcdiv_(2, b, c), a)
""", "sum")
ROWS += codes(each("i64 f16 f32 f64 c64 c128", "$ 2x2;$ 2x3;$ 3x2", "$ 2 T;$ 2x0;$ 0x2"), """
    torch.addmm(2, a, 3, b, c)
    torch.addmm(2, a, b, c)
    torch.addmm(beta=2, input=a, alpha=3, mat1=b, mat2=c)
    torch.addmm(2, a, 3, b, c, out=torch.empty(0, dtype=a.dtype))
    a.addmm(2, 3, b, c)
    a.addmm(2, b, c)
    (a.addmm_(0, 3, b, c), a) if a.dim() == 2 else None
""", "sum")
ROWS += codes(each("i64 f32 f64 c64", "$ 2;$ 2x3;$ 3"), """
    torch.addmv(2, a, 3, b, c)
    a.addmv(2, b, c)
    (torch.addmv_(2, a, 3, b, c), a)
    (a.addmv_(2, b, c), a)
""", "sum")
ROWS += codes(each("i64 f32 f64 c64", "$ 2x3;$ 2;$ 3"), """
    torch.addr(2, a, 3, b, c)
    (a.addr_(2, b, c), a)
""", "sum")
ROWS += codes(each("i64 f32 f64 c64", "$ 2x2x2;$ 2x2x3;$ 2x3x2"), """
    torch.baddbmm(2, a, 3, b, c)
    (a.baddbmm_(2, b, c), a)
    torch.addbmm(2, a[0], 3, b, c)
    a[1].addbmm(2, b, c)
""", "sum")
ROWS += errors(("f32 2x3;f32 3",), """
    torch.add(a, 2, b, alpha=3)  # takes 2 positional arguments but 3 were given
    torch.add(a, b, 2)  # takes 2 positional arguments but 3 were given
    torch.add(a, 2, 3, b)  # positional arguments
    a.addcmul(2, b)  # must be Tensor, not int
    torch.addcdiv(a, None, b, b)  # arguments
""")

# ---- out= ----
TO = each("i64 f32 f64 c64", "$ 3;$ 3", "$ 0;$ 3", "$ 3 S;$ 3") + each("b1 u8 f16", "$ 3;$ 3", "$ 3;f32 3")
ROWS += codes(TO, """
    torch.outer(a, b, out=torch.empty(0, dtype=torch.float64))
    torch.outer(a, b, out=torch.empty(5, dtype=torch.complex64))
    torch.ger(a, b, out=torch.empty(3, 3, dtype=torch.int64))
    out = torch.zeros(3, 3, dtype=torch.float64).t(); torch.outer(a, b, out=out) is out
""")
ROWS += codes(each("i64 f32 f64 c64 c128", "$ 3;$ 3", "$ 0;$ 0") + ("f32 3;f64 3", "f32 3;f32 2", "f32 2x3;f32 3"), """
    torch.vdot(a, b, out=torch.empty((), dtype=a.dtype))
    torch.vdot(a, b, out=torch.empty(2, dtype=a.dtype))
    torch.vdot(a, b, out=torch.empty((), dtype=torch.float64))
    torch.vdot(a, b, out=torch.empty((), dtype=torch.complex64))
    torch.dot(a, b, out=torch.empty((), dtype=torch.float64))
    torch.inner(a, b, out=torch.empty((), dtype=torch.float64))
""", "sum")
ROWS += codes(("f32 2x3;f32 3x2", "f64 2x3;f64 3x2", "i64 2x3;i64 3x2", "c64 2x3;c64 3x2"), """
    torch.mm(a, b, out=torch.empty(0, dtype=torch.float64))
    torch.matmul(a, b, out=torch.empty(0, dtype=torch.float64))
    torch.inner(a, a, out=torch.empty(0, dtype=torch.float64))
    torch.mv(a, b[:, 0], out=torch.empty(0, dtype=torch.float64))
    torch.bmm(a[None], b[None], out=torch.empty(0, dtype=torch.float64))
    torch.addmm(b[:2], a, b, out=torch.empty(0, dtype=torch.float64))
    torch.addr(a, b[0], b[:, 0], out=torch.empty(0, dtype=torch.float64))
    torch.chain_matmul(a, b, out=torch.empty(0, dtype=torch.float64))
    torch.linalg.multi_dot((a, b), out=torch.empty(0, dtype=torch.float64))
    torch.tensordot(a, b, 1, out=torch.empty(0, dtype=torch.float64))
""", "sum")
ROWS += codes(("f32 2x3", "i64 2x3", "b1 2x3"), """
    torch.sum(a, out=torch.empty(()))
    torch.sum(a, dtype=torch.float32, out=torch.empty(()))
    torch.sum(a, None, out=torch.empty((), dtype=torch.float64))
    torch.sum(a, dim=None, out=torch.empty((), dtype=torch.int64))
    torch.sum(a, axis=0, keepdims=True, out=torch.empty(0))
    torch.sum(a, out=None)
    torch.prod(a, out=torch.empty(()))
    torch.prod(a, 0, out=torch.empty(0))
    torch.mean(a, dtype=torch.float32, out=torch.empty(()))
    torch.std(a, True, out=torch.empty(()))
    torch.var(a, unbiased=False, out=torch.empty(()))
    torch.all(a, out=torch.empty((), dtype=torch.bool))
    torch.argsort(a, stable=True, out=torch.empty(0, dtype=torch.int64))
    torch.argsort(a, dim=0, stable=True, descending=True, out=torch.empty(6, dtype=torch.int64))
    torch.argsort(a, stable=True, out=torch.empty(0, dtype=torch.int32))
    torch.argsort(a, out=torch.empty(0, dtype=torch.int64))
    torch.argsort(a, 0, True)
    torch.argsort(a, 0, stable=True)
    a.argsort(stable=True, dim=0)
    a.argsort(stable=None)
    torch.narrow_copy(a, 1, 1, 2, out=torch.empty(0, dtype=a.dtype))
    torch.narrow_copy(a, 1, 1, 2, out=torch.empty(5))
    torch.slice_scatter(a, a[:1], 0, 1, 2, out=torch.empty(0, dtype=a.dtype))
    torch.slice_scatter(a, a[:1], 0, 1, 2, out=torch.empty(0, dtype=torch.float16))
    torch.slice_scatter(a, a, out=a)
""", "sum")

# An out= that is resized is stored like a fresh result, by columns where LAPACK wrote it; any other keeps its strides.
FRESH = """
    inv(a, out=E)
    solve(a, b, out=E)
    solve(a.mT, b.mT, left=False, out=E)
    solve_triangular(a, b, upper=True, out=E)
    cholesky(a @ a.mT + torch.eye(a.shape[-1], dtype=a.dtype), out=E)
    qr(b, out=(E, E))
    svd(b, out=(E, E, E))
    svd(a, full_matrices=False, out=(E, E, E))
    eigh(a + a.mT, out=(E, E))
    lu(b, out=(E, E, E))
    lu_factor(b, out=(E, I))
    ldl_factor(a + a.mT, out=(E, I))
    pinv(b, out=E)
    matrix_power(a, 3, out=E)
    inv_ex(a, out=(E, I))
    lu_solve(*torch.linalg.lu_factor(a), b, out=E)
"""
MATRICES = ("f64 3x3;f64 3x2", "f32 2x3x3;f32 2x3x2 T", "f64 1x1;f64 1x4")
EMPTY = {"E": "torch.empty(0, dtype=a.dtype)", "I": "torch.empty(0, dtype=torch.int32)"}
for line in FRESH.split("\n")[1:-1]:
    call = "torch.linalg." + line.strip()
    for name, made in EMPTY.items():
        for end in ",)":
            call = call.replace(f"={name}{end}", f"={made}{end}").replace(f" {name}{end}", f" {made}{end}")
            call = call.replace(f"({name}{end}", f"({made}{end}")
    ROWS.append(Row(f"r = {call}; [t.stride() for t in (r if isinstance(r, tuple) else (r,))]", MATRICES))
ROWS += codes(("f64 3x3;f64 3x3",), """
    out = torch.zeros(3, 6, dtype=a.dtype); torch.linalg.inv(a, out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.linalg.solve(a, b, out=out[:, 1::2]); out
    out = torch.zeros(6, 3, dtype=a.dtype); torch.linalg.pinv(a, out=out.t()[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.linalg.matrix_power(a, 3, out=out[:, ::2]); out
    out = torch.zeros(3, 3, 6, dtype=a.dtype); torch.matmul(a.expand(3, 3, 3), b, out=out[..., ::2]); out
    out = torch.zeros(9, 18, dtype=a.dtype); torch.kron(a, b, out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.scatter(b, 0, torch.tensor([[0]]), 9, out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=torch.int64); torch.searchsorted(b[:, 0].sort()[0], b, out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=torch.bool); torch.isin(b, b[0], out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.diag(b[0], out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.cross(a, b, dim=1, out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.permute_copy(b, (1, 0), out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=torch.complex128); torch.fft.fft(b, out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=torch.complex128); torch.polar(b, b, out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.nan_to_num(b, out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.normal(b, b * 0, out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.bernoulli(torch.ones_like(b), out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.tril(b, out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.cat((b[:1], b[1:]), out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.eye(3, out=out[:, ::2]); out
    out = torch.zeros(3, 6, dtype=a.dtype); torch.full((3, 3), 2.5, out=out[:, ::2]); out
""", "near")

# ---- dtypes ----
BOUNDS = ("b1 2x3;b1 3", "b1 3 S;b1 2x3 T", "b1 -;b1 3", "b1 0;b1 0", "b1 3;i64 3", "b1 3;f32 3", "i64 3;b1 3", "f16 3;b1 3")
ROWS += codes(BOUNDS, """
    torch.clamp(a, b)
    torch.clamp(a, max=b)
    torch.clamp(a, b, b)
    torch.clip(a, b)
    torch.clamp_min(a, b)
    torch.clamp_max(a, b)
    torch.clamp(a, b, out=torch.empty(0, dtype=torch.bool))
    a.clone().clamp_(b)
    a.clone().clamp_max_(b)
    torch.clamp(a, True)
    torch.clamp(a, True, False)
    torch.clamp(a, 0, 1)
    torch.clamp(a, 0.5)
    torch.clamp_min(a, True)
    torch.clamp_max(a, 0)
    torch.clip(a, False)
    a.clone().clamp_(1)
    a.clone().clamp_min_(False)
    torch.clamp(a, torch.tensor(True))
""")
SLICES = each("c64 c128", "$ 2x3", "$ 3x2 T", "$ 0x3", "$ 3x0", "$ 2x2x3", "$ 3x3 sp")
ROWS += codes((*SLICES, "c64 3", "i64 2x3", "f32 2x3"), """
    torch.renorm(a, 2, 0, 2)
    torch.renorm(a, 1, 1, 0.5)
    torch.renorm(a, inf, -1, 1)
    torch.renorm(a, 3, 0, 1.5)
    torch.renorm(a, 0.5, 0, 1)
    torch.renorm(a, 2, 0, 0)
    torch.renorm(a, 2, 0, 2, out=torch.empty(0, dtype=torch.complex64))
    (a.renorm_(2, 0, 2), a)
    torch.renorm(a, 2 + 0j, 0, 1)
    torch.renorm(a, 2, 0, 1 + 0j)
    torch.renorm(a, -1, 0, 1)
    torch.renorm(a, 2, 0, -1)
    torch.renorm(a, 2, 5, 1)
""", "near")

ROWS += codes(each("i64 u8 b1", "$ 3 count;$ 3 count", "$ 3 count;f32 3 count", "$ 3 count;i32 3 count"), """
    torch.igamma(a, b)
    torch.igammac(b, a)
    torch.special.gammainc(b, a)
    a.igammac(b)
""", "near")
# Degrees are cut off, those above -1 to 0.
ROWS += codes(("f64 12;f64 12", "f32 12;f32 12", "f64 12 ones;f64 12"), """
    torch.special.chebyshev_polynomial_t(a, b)
    torch.special.chebyshev_polynomial_u(a, b)
    torch.special.hermite_polynomial_h(a, b)
    torch.special.laguerre_polynomial_l(a, b)
    torch.special.legendre_polynomial_p(a, b)
    torch.special.shifted_chebyshev_polynomial_v(a, b)
""", "near")

# ---- keywords ----
ROWS += codes(("f32 2x3", "f32 2x3 T", "i64 6"), """
    a.clone().resize_(2, 2, memory_format=torch.contiguous_format).shape
    a.clone().resize_((6,), memory_format=torch.contiguous_format).shape
    a.resize_(a.shape, memory_format=torch.contiguous_format).stride()
    a.resize_(a.shape).stride()
    a.clone().resize_as_(a[:1], memory_format=torch.contiguous_format).shape
    torch.resize_as_(a.clone(), a[:1]).shape
    a.resize_as_(a, memory_format=torch.contiguous_format).stride()
    a.clone().resize_(-1, memory_format=torch.contiguous_format)
    torch.gradient(a.flatten(), spacing=None)
""")

# ---- lists whose elements stand one by one: only where nothing stands before them ----
ROWS += codes(("f32 2x2", "i64 2x2"), """
    a.flip(0), a.flip(0, 1), a.flip(dims=(0,)), torch.flip(a, [1]), torch.flip(a, dims=(0, 1))
    a.permute(1, 0), torch.permute(a, (1, 0))
    a.reshape(4), a.reshape(-1), torch.reshape(a, (4,)), torch.reshape(a, shape=(1, 4))
    a.tile(2), a.tile(1, 2), torch.tile(a, (2,)), torch.tile(a, dims=())
    a[:1].broadcast_to(3, 2), torch.broadcast_to(a[:1], (3, 2)), a[:1].expand(3, 2)
    torch.zeros(2, 3), torch.ones((2, 3)), torch.zeros(3)
""")
ROWS += errors(("f32 2x2",), """
    torch.flip(a, 0)  # argument 'dims' (position 2) must be tuple of ints, not int
    torch.flip(a, torch.tensor(0))  # must be tuple of ints, not Tensor
    torch.flip(a, torch.tensor([0]))  # must be tuple of ints, not Tensor
    torch.flip(a, 0, 1)  # takes 2 positional arguments but 3 were given
    a.flip(dims=0)  # argument 'dims' must be tuple of ints, not int
    torch.permute(a, 1)  # must be tuple of ints, not int
    torch.permute(a, 1, 0)  # takes 2 positional arguments but 3 were given
    torch.reshape(a, 4)  # argument 'shape' (position 2) must be tuple of ints, not int
    torch.reshape(a, 2, 2)  # takes 2 positional arguments but 3 were given
    torch.tile(a, 2)  # argument 'dims' (position 2) must be tuple of ints, not int
    torch.broadcast_to(a, 2)  # argument 'size' (position 2) must be tuple of ints, not int
    torch.zeros(size=3)  # argument 'size' must be tuple of ints, not int
""")

# ---- one number for all sizes of an image: a list of one is none ----
ROWS += codes(("f32 1x2x4x4",), """
    torch._C._nn.im2col(a, 2, 1, 0, 1)
    torch._C._nn.im2col(a, (2, 1), 1, (0, 1), stride=2)
    torch._C._nn.col2im(torch._C._nn.im2col(a, 2, 1, 0, 1), 4, 2, 1, 0, 1)
    torch._C._nn.upsample_nearest2d(a, 8)
    torch._C._nn.upsample_bilinear2d(a, 3, False)
    torch._C._nn.reflection_pad2d(a, 1), torch._C._nn.replication_pad2d(a, 2)
    torch._C._nn.adaptive_avg_pool2d(a, 2), torch._C._nn.avg_pool2d(a, 2), torch.max_pool2d(a, 2, 1, padding=1)
    torch.conv2d(a, torch.ones(1, 2, 2, 2), stride=2, padding=1)
""", "sum")
ROWS += errors(("f32 1x2x4x4",), """
    torch._C._nn.im2col(a, (2,), 1, 0, 1)  # kernel_size
    torch._C._nn.im2col(a, 2, (1,), 0, 1)  # dilation
    torch._C._nn.im2col(a, 2, 1, 0, (1, 1, 1))  # stride
    torch._C._nn.upsample_nearest2d(a, (8,))  # output_size
""")
