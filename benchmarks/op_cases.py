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
    "a = torch.ones(1); b = torch.ones(1); o = torch.empty(1); m = torch.ones(2, 3)",
    "a = np.ones(1, 'f4'); b = np.ones(1, 'f4'); o = np.empty(1, 'f4'); m = np.ones((2, 3), 'f4')",
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
    *squares(64),
    *squares(256),
    *squares(1024),
]
