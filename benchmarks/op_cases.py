"""What benchmarks/ops.py measures: one line per case.

Group, name, then for torch and for NumPy the preparation and the statement. The same torch text runs on our library
and on PyTorch. An empty NumPy statement means that NumPy has no such operation.
"""

from typing import NamedTuple


class Case(NamedTuple):
    group: str
    name: str
    torch_setup: str
    torch_run: str
    numpy_setup: str
    numpy_run: str


ONE = (
    "a = torch.ones(1); b = torch.ones(1); o = torch.empty(1); m = torch.ones(2, 3); c = a > 0; "
    "i = torch.tensor([0, 1])",
    "a = np.ones(1, 'f4'); b = np.ones(1, 'f4'); o = np.empty(1, 'f4'); m = np.ones((2, 3), 'f4'); c = a > 0; "
    "i = np.array([0, 1])",
)
THOUSAND = (
    "a = torch.rand(1000); b = torch.rand(1000); o = torch.empty(1000)",
    "a = np.random.rand(1000).astype('f4'); b = a + 1; o = np.empty(1000, 'f4')",
)
MILLION = (
    "a = torch.rand(10**6); b = torch.rand(10**6) + 0.5; o = torch.empty(10**6)",
    "a = np.random.rand(10**6).astype('f4'); b = a + 1; o = np.empty(10**6, 'f4'); r = np.random.default_rng(1)",
)
MATRIX = (
    "a = torch.rand(1000, 1000); i = torch.randint(1000, (1000,)); w = torch.randint(1000, (1000, 1000))",
    "a = np.random.rand(1000, 1000).astype('f4'); r = np.random.default_rng(1); "
    "i = r.integers(0, 1000, 1000); w = r.integers(0, 1000, (1000, 1000))",
)
FOURIER = (
    "a = torch.rand(1000); z = torch.randn(1000, dtype=torch.complex64); w = z.to(torch.complex128); "
    "p = torch.randn(1009, dtype=torch.complex64); v = torch.randn(2**20, dtype=torch.complex64); "
    "m = torch.randn(1024, 1024, dtype=torch.complex64); d = m.to(torch.complex128); r = torch.rand(1024, 1024); "
    "q = torch.randn(1024, 1009, dtype=torch.complex64); h = torch.hann_window(512)",
    "g = np.random.default_rng(1); a = g.random(1000, 'f4'); z = (a + 1j * a[::-1]).astype('c8'); w = z.astype('c16'); "
    "p = g.random(2018, 'f4').view('c8'); v = g.random(2**21, 'f4').view('c8'); r = g.random((1024, 1024), 'f4'); "
    "m = g.random((1024, 2048), 'f4').view('c8'); d = m.astype('c16'); q = g.random((1024, 2018), 'f4').view('c8')",
)
NUMBERS = (  # of several dtypes
    "a = torch.rand(10**6) + 0.1; b = torch.rand(10**6) + 0.5; c = torch.rand(10**6); d = a.double(); e = b.double(); "
    "i = torch.randint(-1000, 1000, (10**6,)); j = torch.randint(1, 100, (10**6,)); h = a.half(); g = b.half(); "
    "p = a.bfloat16(); q = b.bfloat16(); z = torch.complex(a, b); y = torch.complex(c, a); t = a < 0.5; u = b < 0.9; "
    "k = j.int(); l = i.int(); v = a[:1000].clone(); w = b[:1000].clone(); s = c.view(1000, 1000)",
    "g = np.random.default_rng(1); a = g.random(10**6, 'f4') + np.float32(0.1); b = g.random(10**6, 'f4') + "
    "np.float32(0.5); c = g.random(10**6, 'f4'); d = a.astype('f8'); e = b.astype('f8'); "
    "i = g.integers(-1000, 1000, 10**6); j = g.integers(1, 100, 10**6); h = a.astype('f2'); z = a + 1j * b; "
    "y = c + 1j * a; t = a < 0.5; u = b < 0.9; v = a[:1000].copy(); w = b[:1000].copy(); s = c.reshape(1000, 1000)",
)
PLACES = (
    "a = torch.rand(1000, 1000); f = torch.rand(10**6); o = torch.rand(1000, 1000); w = torch.rand(1000); "
    "i = torch.randint(1000, (1000,)); j = torch.randint(1000, (1000,)); k = torch.randint(10**6, (10**6,)); "
    "r = torch.randint(1000, (1000, 1000)); m = a > 0.5; c = torch.randint(5, (1000,)); n = torch.randint(1000, (10**6,))",
    "a = np.random.rand(1000, 1000).astype('f4'); f = np.random.rand(10**6).astype('f4'); o = a.copy(); "
    "g = np.random.default_rng(1); i = g.integers(0, 1000, 1000); j = g.integers(0, 1000, 1000); w = f[:1000].copy(); "
    "k = g.integers(0, 10**6, 10**6); r = g.integers(0, 1000, (1000, 1000)); m = a > 0.5; c = g.integers(0, 5, 1000); "
    "n = g.integers(0, 1000, 10**6)",
)
PRODUCTS = (
    "a = torch.rand(256, 256); b = torch.rand(256, 256); c = torch.rand(256, 256); d = a.double(); i = (a * 9).long(); "
    "p = torch.rand(1000, 8, 8); q = torch.rand(1000, 8, 8); r = torch.rand(1000, 8, 8); s = torch.rand(16, 64, 64); "
    "v = torch.rand(1000); w = torch.rand(1000); x = torch.rand(500, 16); y = torch.rand(500, 16); z = torch.complex(a, b); "
    "k = torch.rand(30, 30)",
    "a = np.random.rand(256, 256).astype('f4'); b = a + 1; c = a + 2; d = a.astype('f8'); i = (a * 9).astype('i8'); "
    "p = np.random.rand(1000, 8, 8).astype('f4'); q = p + 1; r = p + 2; s = np.random.rand(16, 64, 64).astype('f4'); "
    "v = np.random.rand(1000).astype('f4'); w = v + 1; z = a + 1j * b; k = a[:30, :30]",
)
DRAWS = (
    "o = torch.empty(10**6); d = torch.empty(10**6, dtype=torch.double); h = torch.empty(10**6, dtype=torch.half); "
    "i = torch.empty(10**6, dtype=torch.long); p = torch.rand(10**6); r = torch.full((10**5,), 4.0); "
    "s = torch.full((10**5,), 40.0); w = torch.rand(1000)",
    "r = np.random.default_rng(1)",
)


def table(group, setups, text):
    """A case for each line `name | torch | numpy`."""
    lines = ([part.strip() for part in line.split(" | ")] for line in text.strip().splitlines())
    return [
        Case(group, name, setups[0], mine, setups[1], theirs if theirs != "-" else "") for name, mine, theirs in lines
    ]


def squares(n):
    setups = (
        f"a = torch.rand({n}, {n}); b = torch.rand({n}, {n})",
        f"a = np.random.rand({n}, {n}).astype('f4'); b = a + 1",
    )
    return table(
        "matmul",
        setups,
        f"""
        matmul {n} | a @ b | a @ b
        matmul {n}, transposed | a.t() @ b | a.T @ b
        """,
    )


LINALG = table(
    "linalg",
    (
        "t = torch.rand(1000, 4, 4) + 2 * torch.eye(4); a = torch.rand(512, 512) + 20 * torch.eye(512); "
        "s = a + a.mT; v = torch.rand(1000, 4, 1); b = torch.rand(512, 8); q = t @ t.mT; c = torch.rand(512, 512, 2); "
        "c = torch.view_as_complex(c)",
        "t = np.random.rand(1000, 4, 4).astype('f4') + 2 * np.eye(4, dtype='f4'); "
        "a = np.random.rand(512, 512).astype('f4') + 20 * np.eye(512, dtype='f4'); s = a + a.T; "
        "v = np.random.rand(1000, 4, 1).astype('f4'); b = np.random.rand(512, 8).astype('f4'); "
        "q = t @ np.swapaxes(t, 1, 2); c = a + 1j * s",
    ),
    """
    inv, 1000 of 4 x 4 | torch.linalg.inv(t) | np.linalg.inv(t)
    det, 1000 of 4 x 4 | torch.linalg.det(t) | np.linalg.det(t)
    solve, 1000 of 4 x 4 | torch.linalg.solve(t, v) | np.linalg.solve(t, v)
    cholesky, 1000 of 4 x 4 | torch.linalg.cholesky(q) | np.linalg.cholesky(q)
    qr, 1000 of 4 x 4 | torch.linalg.qr(t) | np.linalg.qr(t)
    eigh, 1000 of 4 x 4 | torch.linalg.eigh(q) | np.linalg.eigh(q)
    svd, 1000 of 4 x 4 | torch.linalg.svd(t) | np.linalg.svd(t)
    inv 512 | torch.linalg.inv(a) | np.linalg.inv(a)
    solve 512 | torch.linalg.solve(a, b) | np.linalg.solve(a, b)
    qr 512 | torch.linalg.qr(a) | np.linalg.qr(a)
    svd 512 | torch.linalg.svd(a) | np.linalg.svd(a)
    eigh 512 | torch.linalg.eigh(s) | np.linalg.eigh(s)
    eigvalsh 512 | torch.linalg.eigvalsh(s) | np.linalg.eigvalsh(s)
    eig 512 | torch.linalg.eig(a) | np.linalg.eig(a)
    solve 512, complex | torch.linalg.solve(c, c) | np.linalg.solve(c, c)
    norm 512 | torch.linalg.norm(a) | np.linalg.norm(a)
    """,
)

CASES = [
    *table(
        "one element",
        ONE,
        """
        a + b | a + b | a + b
        a + 1 | a + 1 | a + np.float32(1)
        a.add_(b) | a.add_(b) | np.add(a, b, out=a)
        add, out= | torch.add(a, b, out=o) | np.add(a, b, out=o)
        a == b | a == b | a == b
        exp | torch.exp(a) | np.exp(a)
        sum | a.sum() | a.sum()
        item | a.item() | a.item()
        view | m.view(6) | m.reshape(6)
        transpose | m.t() | m.T
        m[0] | m[0] | m[0]
        m[:, 1] | m[:, 1] | m[:, 1]
        m[0, 1] = 2 | m[0, 1] = 2 | m[0, 1] = 2
        empty(1) | torch.empty(1) | np.empty(1, 'f4')
        zeros(2, 3) | torch.zeros(2, 3) | np.zeros((2, 3), 'f4')
        tensor([1.0]) | torch.tensor([1.0]) | np.array([1.0], 'f4')
        shape | m.shape | m.shape
        a * 2.5 | a * 2.5 | a * np.float32(2.5)
        neg | -a | -a
        a > 0 | a > 0 | a > 0
        a.mul_(1) | a.mul_(1) | np.multiply(a, np.float32(1), out=a)
        exp, out= | torch.exp(a, out=o) | np.exp(a, out=o)
        where | torch.where(c, a, b) | np.where(c, a, b)
        clamp | a.clamp(0, 2) | np.clip(a, 0, 2)
        max, one | a.max() | a.max()
        sum of rows | m.sum(1) | m.sum(1)
        argmax, one | a.argmax() | a.argmax()
        any | c.any() | c.any()
        float(a) | float(a) | float(a[0])
        bool(a > 0) | bool(a > 0) | bool(a > 0)
        reshape | m.reshape(3, 2) | m.reshape(3, 2)
        permute | m.permute(1, 0) | m.transpose(1, 0)
        unsqueeze | m.unsqueeze(0) | m[None]
        expand | a.expand(5) | np.broadcast_to(a, 5)
        narrow | m.narrow(1, 0, 2) | m[:, 0:2]
        m[1, 2] | m[1, 2] | m[1, 2]
        m[None, ..., 0] | m[None, ..., 0] | m[None, ..., 0]
        m[i] | m[i] | m[i]
        m[m > 0] | m[m > 0] | m[m > 0]
        m[0] = 1 | m[0] = 1 | m[0] = 1
        m[i] = 1 | m[i] = 1 | m[i] = 1
        clone | a.clone() | a.copy()
        a.double() | a.double() | a.astype('f8')
        cat, one | torch.cat([a, b]) | np.concatenate([a, b])
        stack, one | torch.stack([a, b]) | np.stack([a, b])
        chunk | m.chunk(3, 1) | np.split(m, 3, 1)
        m @ m.t() | m @ m.t() | m @ m.T
        iterate | list(m) | list(m)
        tolist | m.tolist() | m.tolist()
        arange(5) | torch.arange(5) | np.arange(5)
        full | torch.full((2, 3), 1.5) | np.full((2, 3), 1.5, 'f4')
        rand(1) | torch.rand(1) | np.random.rand(1)
        sort, one | a.sort() | np.argsort(a)
        size() | m.size(0) | -
        dtype | m.dtype | m.dtype
        numpy bridge | torch.from_numpy(x) | -
        """,
    ),
    *table(
        "1e3",
        THOUSAND,
        """
        add 1e3 | a + b | a + b
        mul, out= 1e3 | torch.mul(a, b, out=o) | np.multiply(a, b, out=o)
        exp 1e3 | torch.exp(a) | np.exp(a)
        tanh 1e3 | torch.tanh(a) | np.tanh(a)
        compare 1e3 | a < b | a < b
        div 1e3 | a / b | a / b
        add a number 1e3 | a + 1 | a + np.float32(1)
        sin 1e3 | torch.sin(a) | np.sin(a)
        log 1e3 | torch.log(a) | np.log(a)
        pow 1e3 | a ** b | a ** b
        where 1e3 | torch.where(a < b, a, b) | np.where(a < b, a, b)
        max 1e3 | a.max() | a.max()
        sort 1e3 | a.sort() | np.argsort(a)
        cumsum 1e3 | a.cumsum(0) | a.cumsum(0)
        to double 1e3 | a.double() | a.astype('f8')
        rand 1e3 | torch.rand(1000) | np.random.rand(1000)
        randn 1e3 | torch.randn(1000) | np.random.randn(1000)
        sum 1e3 | a.sum() | a.sum()
        """,
    ),
    *table(
        "1e6",
        MILLION,
        """
        add 1e6 | a + b | a + b
        add, out= 1e6 | torch.add(a, b, out=o) | np.add(a, b, out=o)
        add_ 1e6 | a.add_(1e-9) | np.add(a, np.float32(1e-9), out=a)
        div 1e6 | a / b | a / b
        sqrt 1e6 | torch.sqrt(a) | np.sqrt(a)
        exp 1e6 | torch.exp(a) | np.exp(a)
        tanh 1e6 | torch.tanh(a) | np.tanh(a)
        sin 1e6 | torch.sin(a) | np.sin(a)
        pow 1e6 | a ** b | a ** b
        compare 1e6 | a < b | a < b
        where 1e6 | torch.where(a < 0.5, a, b) | np.where(a < 0.5, a, b)
        clamp 1e6 | a.clamp(0.2, 0.8) | np.clip(a, np.float32(0.2), np.float32(0.8))
        every other 1e6 | a[::2] + b[::2] | a[::2] + b[::2]
        sum 1e6 | a.sum() | a.sum()
        max 1e6 | a.max() | a.max()
        argmax 1e6 | a.argmax() | a.argmax()
        sort 1e6 | a.sort() | np.argsort(a)
        topk 10 of 1e6 | a.topk(10) | np.argpartition(a, -10)[-10:]
        mask 1e6 | a[a > 0.5] | a[a > 0.5]
        to double 1e6 | a.double() | a.astype('f8')
        to half 1e6 | a.half() | a.astype('f2')
        to int 1e6 | a.int() | a.astype('i4')
        clone 1e6 | a.clone() | a.copy()
        fill 1e6 | o.fill_(2.5) | o.fill(2.5)
        cat 1e6 | torch.cat([a, b]) | np.concatenate([a, b])
        rand 1e6 | torch.rand(10**6) | r.random(10**6, 'f4')
        randn 1e6 | torch.randn(10**6) | r.standard_normal(10**6, 'f4')
        randperm 1e5 | torch.randperm(10**5) | r.permutation(10**5)
        """,
    ),
    *table(
        "1000 x 1000",
        MATRIX,
        """
        sum rows | a.sum(1) | a.sum(1)
        sum columns | a.sum(0) | a.sum(0)
        max rows | a.max(1) | (a.max(1), a.argmax(1))
        max columns | a.max(0) | (a.max(0), a.argmax(0))
        mean all | a.mean() | a.mean()
        add a row | a + a[0] | a + a[0]
        add a column | a + a[:, :1] | a + a[:, :1]
        add transposed | a + a.t() | a + a.T
        transposed copy | a.t().contiguous() | np.ascontiguousarray(a.T)
        index_select rows | a.index_select(0, i) | np.take(a, i, 0)
        index_select columns | a.index_select(1, i) | np.take(a, i, 1)
        gather | a.gather(1, w) | np.take_along_axis(a, w, 1)
        index tensor | a[i] | a[i]
        sort rows | a.sort(1) | np.argsort(a, 1)
        topk rows | a.topk(5, 1) | np.argpartition(a, -5, 1)[:, -5:]
        matrix x vector | torch.mv(a, a[0]) | a @ a[0]
        """,
    ),
    *LINALG,
    *table(
        "fft",
        FOURIER,
        """
        fft 1e3 | torch.fft.fft(z) | np.fft.fft(z)
        rfft 1e3 | torch.fft.rfft(a) | np.fft.rfft(a)
        irfft 1e3 | torch.fft.irfft(z, 1000) | np.fft.irfft(z, 1000)
        fft 1e3, double | torch.fft.fft(w) | np.fft.fft(w)
        fft 1009 | torch.fft.fft(p) | np.fft.fft(p)
        fft 2**20 | torch.fft.fft(v) | np.fft.fft(v)
        fft rows | torch.fft.fft(m) | np.fft.fft(m)
        fft columns | torch.fft.fft(m, dim=0) | np.fft.fft(m, axis=0)
        fft rows, double | torch.fft.fft(d) | np.fft.fft(d)
        rfft rows | torch.fft.rfft(r) | np.fft.rfft(r)
        fft rows of 1009 | torch.fft.fft(q) | np.fft.fft(q)
        fft2 | torch.fft.fft2(m) | np.fft.fft2(m)
        rfft2 | torch.fft.rfft2(r) | np.fft.rfft2(r)
        irfft2 | torch.fft.irfft2(m) | np.fft.irfft2(m)
        stft | torch.stft(v.real, 512, window=h, return_complex=True) | -
        """,
    ),
    *table(
        "functions",
        NUMBERS,
        """
        log | torch.log(a) | np.log(a)
        log1p | torch.log1p(a) | np.log1p(a)
        expm1 | torch.expm1(a) | np.expm1(a)
        cos | torch.cos(a) | np.cos(a)
        tan | torch.tan(a) | np.tan(a)
        atan | torch.atan(a) | np.arctan(a)
        sinh | torch.sinh(a) | np.sinh(a)
        sigmoid | torch.sigmoid(a) | -
        rsqrt | torch.rsqrt(a) | 1 / np.sqrt(a)
        abs | c.abs() | np.abs(c)
        round | torch.round(a) | np.round(a)
        atan2 | torch.atan2(a, b) | np.arctan2(a, b)
        hypot | torch.hypot(a, b) | np.hypot(a, b)
        fmod | torch.fmod(a, b) | np.fmod(a, b)
        remainder | torch.remainder(a, b) | np.remainder(a, b)
        floor_divide | a // b | a // b
        nextafter | torch.nextafter(a, b) | np.nextafter(a, b)
        copysign | torch.copysign(a, b) | np.copysign(a, b)
        frexp | torch.frexp(a) | np.frexp(a)
        ldexp | torch.ldexp(a, k) | np.ldexp(a, 3)
        maximum | torch.maximum(a, b) | np.maximum(a, b)
        minimum of rows | torch.minimum(s, v) | np.minimum(s, v)
        clamp by tensors | c.clamp(a, b) | np.clip(c, a, b)
        where broadcast | torch.where(s < 0.5, s, v) | np.where(s < 0.5, s, v)
        lerp | torch.lerp(a, b, 0.3) | -
        lerp by a tensor | torch.lerp(a, b, c) | -
        addcmul | torch.addcmul(a, b, c) | a + b * c
        addcdiv | torch.addcdiv(a, b, c) | a + b / c
        add with alpha | torch.add(a, b, alpha=2) | a + np.float32(2) * b
        isnan | torch.isnan(a) | np.isnan(a)
        nan_to_num | torch.nan_to_num(a) | np.nan_to_num(a)
        logit | torch.logit(c) | -
        erf | torch.erf(a) | -
        erfinv | torch.erfinv(c) | -
        lgamma | torch.lgamma(a) | -
        digamma | torch.digamma(a) | -
        trigamma | torch.polygamma(1, a) | -
        ndtri | torch.special.ndtri(c) | -
        ndtr | torch.special.ndtr(a) | -
        i0 | torch.i0(a) | -
        sinc | torch.sinc(a) | np.sinc(a)
        xlogy | torch.xlogy(a, b) | -
        logaddexp | torch.logaddexp(a, b) | np.logaddexp(a, b)
        softmax, by hand | (s - s.max(1, keepdim=True)[0]).exp() | np.exp(s - s.max(1, keepdims=True))
        softmax of rows | torch.softmax(s, 1) | -
        softmax of columns | torch.softmax(s, 0) | -
        log_softmax of rows | torch.log_softmax(s, 1) | -
        """,
    ),
    *table(
        "dtypes",
        NUMBERS,
        """
        add float64 | d + e | d + e
        exp float64 | torch.exp(d) | np.exp(d)
        sin float64 | torch.sin(d) | np.sin(d)
        cos float64 | torch.cos(d) | np.cos(d)
        tan float64 | torch.tan(d) | np.tan(d)
        pow float64 | d ** e | d ** e
        atan2 float64 | torch.atan2(d, e) | np.arctan2(d, e)
        lgamma float64 | torch.lgamma(d) | -
        erf float64 | torch.erf(d) | -
        hypot float64 | torch.hypot(d, e) | np.hypot(d, e)
        sum float64 | d.sum() | d.sum()
        add int64 | i + j | i + j
        mul int64 | i * j | i * j
        floor_divide int64 | i // j | i // j
        remainder int64 | i % j | i % j
        compare int64 | i < j | i < j
        equal int64 | i == j | i == j
        abs int64 | i.abs() | np.abs(i)
        max int64 | i.max() | i.max()
        sum int64 | i.sum() | i.sum()
        sort int64 | i.sort() | np.argsort(i)
        bitwise and int64 | i & j | i & j
        bitwise not int64 | ~i | ~i
        shift int64 | i << 3 | i << 3
        gcd int64 | torch.gcd(i, j) | np.gcd(i, j)
        lcm int64 | torch.lcm(i, j) | np.lcm(i, j)
        pow int64 | j ** 3 | j ** 3
        add int32 | k + l | -
        remainder int32 | l % k | -
        and bool | t & u | t & u
        any of bool | t.any() | t.any()
        sum of bool | t.sum() | t.sum()
        add half | h + g | -
        mul half | h * 2 | h * np.float16(2)
        exp half | torch.exp(h) | np.exp(h)
        sum half | h.sum() | h.sum()
        half to float | h.float() | h.astype('f4')
        add bfloat16 | p + q | -
        sum bfloat16 | p.sum() | -
        float to bfloat16 | a.bfloat16() | -
        bfloat16 to float | p.float() | -
        compare half | h < g | -
        int64 to float | i.float() | i.astype('f4')
        float to int64 | a.long() | a.astype('i8')
        bool to float | t.float() | t.astype('f4')
        double to float | d.float() | d.astype('f4')
        add complex64 | z + y | z + y
        mul complex64 | z * y | z * y
        div complex64 | z / y | z / y
        abs complex64 | z.abs() | np.abs(z)
        angle complex64 | z.angle() | np.angle(z)
        exp complex64 | torch.exp(z) | np.exp(z)
        sum complex64 | z.sum() | z.sum()
        """,
    ),
    *table(
        "reductions",
        PLACES,
        """
        prod | a.prod() | a.prod()
        prod columns | a.prod(0) | a.prod(0)
        mean rows | a.mean(1) | a.mean(1)
        amax columns | a.amax(0) | a.max(0)
        min columns | a.min(0) | (a.min(0), a.argmin(0))
        argmin rows | a.argmin(1) | a.argmin(1)
        any rows | m.any(1) | m.any(1)
        all columns | m.all(0) | m.all(0)
        count_nonzero | a.count_nonzero() | np.count_nonzero(a)
        var | a.var() | a.var()
        var rows | a.var(1) | a.var(1)
        var columns | a.var(0) | a.var(0)
        std rows | a.std(1) | a.std(1)
        norm | a.norm() | np.linalg.norm(a)
        norm rows | torch.norm(a, dim=1) | np.linalg.norm(a, axis=1)
        norm columns | torch.norm(a, dim=0) | np.linalg.norm(a, axis=0)
        norm 1 | torch.norm(a, p=1) | np.abs(a).sum()
        norm 3 rows | torch.norm(a, 3, dim=1) | -
        logsumexp rows | a.logsumexp(1) | -
        logsumexp columns | a.logsumexp(0) | -
        cumsum rows | a.cumsum(1) | a.cumsum(1)
        cumsum columns | a.cumsum(0) | a.cumsum(0)
        cumprod rows | a.cumprod(1) | a.cumprod(1)
        cumprod columns | a.cumprod(0) | a.cumprod(0)
        logcumsumexp rows | a.logcumsumexp(1) | -
        logcumsumexp columns | a.logcumsumexp(0) | -
        cummax rows | a.cummax(1) | -
        median | f.median() | np.median(f)
        median rows | a.median(1) | np.median(a, 1)
        median columns | a.median(0) | np.median(a, 0)
        kthvalue rows | a.kthvalue(300, 1) | np.partition(a, 299, 1)[:, 299]
        mode rows | r.mode(1) | -
        quantile rows | a.quantile(0.3, 1) | np.quantile(a, 0.3, 1)
        sort columns | a.sort(0) | np.argsort(a, 0)
        argsort stable | f.argsort(stable=True) | np.argsort(f, kind='stable')
        topk columns | a.topk(5, 0) | np.argpartition(a, -5, 0)[-5:]
        topk 100 rows | a.topk(100, 1) | np.argpartition(a, -100, 1)[:, -100:]
        histc | f.histc(100) | np.histogram(f, 100)
        bincount | n.bincount() | np.bincount(n)
        unique | n.unique() | np.unique(n)
        searchsorted | torch.searchsorted(w.sort()[0], f) | np.searchsorted(np.sort(w), f)
        isin | torch.isin(n, i) | np.isin(n, i)
        """,
    ),
    *table(
        "places",
        PLACES,
        """
        flip rows | a.flip(1) | np.flip(a, 1).copy()
        flip columns | a.flip(0) | np.flip(a, 0).copy()
        rot90 | torch.rot90(a) | np.rot90(a).copy()
        roll | a.roll(300, 1) | np.roll(a, 300, 1)
        diff | a.diff() | np.diff(a)
        repeat | w.repeat(1000) | np.tile(w, 1000)
        tile | torch.tile(a, (1, 2)) | np.tile(a, (1, 2))
        repeat_interleave | w.repeat_interleave(100) | np.repeat(w, 100)
        repeat_interleave by a tensor | w.repeat_interleave(c) | np.repeat(w, c)
        stack | torch.stack([a, o]) | np.stack([a, o])
        stack last | torch.stack([a, o], -1) | np.stack([a, o], -1)
        cat dim 1 | torch.cat([a, o], 1) | np.concatenate([a, o], 1)
        tril | a.tril() | np.tril(a)
        triu | a.triu(1) | np.triu(a, 1)
        transposed copy of halves | a.half().t().contiguous() | -
        transposed copy in 3 dimensions | f.view(100, 100, 100).permute(2, 1, 0).contiguous() | np.ascontiguousarray(f.reshape(100, 100, 100).transpose(2, 1, 0))
        permuted copy | f.view(100, 100, 100).permute(1, 0, 2).contiguous() | np.ascontiguousarray(f.reshape(100, 100, 100).transpose(1, 0, 2))
        strided copy | a[:, ::2].contiguous() | a[:, ::2].copy()
        gather dim 0 | a.gather(0, r) | np.take_along_axis(a, r, 0)
        take | f.take(k) | f.take(k)
        two indices | a[i, j] | a[i, j]
        index_put | o[i, j] = w | o[i, j] = w
        index_put rows | o[i] = a | o[i] = a
        index_put, accumulate | o.view(-1).index_put_((k,), f, accumulate=True) | np.add.at(o.reshape(-1), k, f)
        index_put rows, accumulate | o.index_put_((i,), a, accumulate=True) | np.add.at(o, i, a)
        index_add rows | o.index_add_(0, i, a) | np.add.at(o, i, a)
        index_add columns | o.index_add_(1, i, a) | -
        index_add flat | o.view(-1).index_add_(0, k, f) | -
        index_copy rows | o.index_copy_(0, i, a) | -
        index_fill columns | o.index_fill_(1, i, 2.0) | -
        scatter dim 0 | o.scatter_(0, r, a) | np.put_along_axis(o, r, a, 0)
        scatter dim 1 | o.scatter_(1, r, a) | np.put_along_axis(o, r, a, 1)
        scatter_add dim 0 | o.scatter_add_(0, r, a) | -
        scatter_add dim 1 | o.scatter_add_(1, r, a) | -
        scatter_add flat | o.view(-1).scatter_add_(0, k, f) | -
        masked_fill | o.masked_fill(m, 1.0) | np.where(m, np.float32(1), o)
        masked_fill_ | o.masked_fill_(m, 1.0) | -
        masked_select | o.masked_select(m) | o[m]
        masked_scatter | o.masked_scatter(m, a) | -
        mask assignment | o[m] = 1.0 | o[m] = 1.0
        nonzero | m.nonzero() | np.argwhere(m)
        put | o.put_(k, f) | np.put(o, k, f)
        """,
    ),
    *table(
        "products",
        PRODUCTS,
        """
        addmm 256 | torch.addmm(c, a, b) | c + a @ b
        matmul 256 float64 | d @ d | d @ d
        matmul 256 int64 | i @ i | i @ i
        matmul 256 complex64 | z @ z | z @ z
        bmm 8 x 8 | torch.bmm(p, q) | p @ q
        bmm 64 x 64 | torch.bmm(s, s) | s @ s
        baddbmm 8 x 8 | torch.baddbmm(r, p, q) | r + p @ q
        matmul batched by one | p @ q[0] | p @ q[0]
        einsum, bmm | torch.einsum('bij,bjk->bik', p, q) | np.einsum('bij,bjk->bik', p, q)
        einsum, trace | torch.einsum('ii', a) | np.einsum('ii', a)
        outer | torch.outer(v, w) | np.outer(v, w)
        dot | torch.dot(v, w) | v @ w
        kron | torch.kron(k, k) | np.kron(k, k)
        cdist | torch.cdist(x, y) | -
        cdist 1 | torch.cdist(x, y, p=1.0) | -
        tensordot | torch.tensordot(a, b, 1) | np.tensordot(a, b, 1)
        """,
    ),
    *table(
        "random",
        DRAWS,
        """
        uniform_ float64 | d.uniform_() | r.random(10**6)
        normal_ float64 | d.normal_() | r.standard_normal(10**6)
        normal_ half | h.normal_() | -
        bernoulli_ | o.bernoulli_(0.3) | -
        bernoulli of a tensor | p.bernoulli() | -
        randint | torch.randint(1000, (10**6,)) | r.integers(0, 1000, 10**6)
        exponential_ | o.exponential_() | r.standard_exponential(10**6, 'f4')
        exponential_ float64 | d.exponential_() | r.standard_exponential(10**6)
        log_normal_ | o.log_normal_() | r.lognormal(size=10**6)
        cauchy_ | o.cauchy_() | r.standard_cauchy(10**6)
        geometric_ | o.geometric_(0.3) | r.geometric(0.3, 10**6)
        geometric_ int64 | i.geometric_(0.3) | r.geometric(0.3, 10**6)
        poisson 4 | torch.poisson(r) | r.poisson(4, 10**5)
        poisson 40 | torch.poisson(s) | r.poisson(40, 10**5)
        multinomial | w.multinomial(1000, True) | -
        """,
    ),
    *squares(64),
    *squares(256),
    *squares(1024),
]
