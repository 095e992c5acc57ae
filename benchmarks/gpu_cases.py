"""What benchmarks/gpu.py measures: one line per case, and what it is held against.

The texts run on our library and on PyTorch; D is the device, N how many float32 make about 10^8 bytes (few with --smoke), M the
side of a large matrix. `moved`: bytes that a kernel cannot help reading and writing, per element of N, which the card's
own copy moves, too. `product`: the function of cuBLAS that is called directly, and its side.
"""

from typing import NamedTuple


class Case(NamedTuple):
    group: str
    name: str
    setup: str
    run: str
    moved: float = 0
    product: str = ""


# group: what the ratio is of, and the least that will do.
GOALS = {
    "one element": ("torch", 2.0),
    "bandwidth": ("card", 0.90),
    "products": ("card", 0.95),
    "reductions": ("torch", 0.95),
    "order": ("torch", 0.95),
    "indexing": ("torch", 0.95),
}

ONE = "a = torch.ones(1, device=D); b = torch.ones(1, device=D)"
LARGE = (
    "a = torch.rand(N, device=D); b = torch.rand(N, device=D) + 0.5; o = torch.empty(N, device=D); "
    "h = a.half(); q = torch.empty(N, dtype=torch.half, device=D); "
    "t = a[: N // 1000 * 1000].view(1000, -1); w = t[0].clone(); k = a < 0.5; c = torch.empty_like(t); "
    "l = t[:, :1].clone(); y = t.t().contiguous().t()"
)
MATRIX = (
    "a = torch.rand(M, M, device=D); b = torch.rand(M, M, device=D); o = torch.empty(M, M, device=D); "
    "d = a.double(); e = b.double(); p = torch.empty_like(d); h = a.half(); i = b.half(); q = torch.empty_like(h); "
    "f = a.bfloat16(); g = b.bfloat16(); r = torch.empty_like(f)"
)
ROWS = (
    "a = torch.rand(N // 256, 256, device=D); v = torch.rand(N, device=D); n = torch.randint(10**6, (N // 10,), device=D); "
    "i = torch.randint(N // 256, (N // 256,), device=D); j = torch.randint(256, (N // 256, 256), device=D); "
    "s = v[: N // 10].clone(); m = v > 0.5; u = a.clone(); t = v[: N // 16 * 16].view(16, -1)"
)


def table(group, setup, text):
    """A case for each line `name | statement | moved or product`."""
    cases = []
    for line in text.strip().splitlines():
        name, run, *more = (part.strip() for part in line.split(" | "))
        last = more[0] if more else ""
        numeric = last.replace(".", "").isdigit()
        cases.append(Case(group, name, setup, run, float(last) if numeric else 0, "" if numeric else last))
    return cases


CASES = [
    *table(
        "one element",
        ONE,
        """
        a + b | a + b
        a.add_(b) | a.add_(b)
        a.view(1) | a.view(1)
        """,
    ),
    *table(
        "bandwidth",
        LARGE,
        """
        copy_ | o.copy_(a) | 8
        fill_ | o.fill_(1.5) | 4
        add, out= | torch.add(a, b, out=o) | 12
        mul_ by number | o.mul_(1.0) | 8
        exp, out= | torch.exp(a, out=o) | 8
        sigmoid, out= | torch.sigmoid(a, out=o) | 8
        a > b | a > b | 9
        where | torch.where(k, a, b) | 13
        add half, out= | torch.add(h, h, out=q) | 4
        half to float | o.copy_(h) | 6
        row broadcast | torch.add(t, w, out=c) | 8
        column broadcast | torch.add(t, l, out=c) | 8
        misaligned | torch.add(a[1:], b[1:]) | 12
        transposed copy | c.copy_(y) | 8
        clone | a.clone() | 8
        """,
    ),
    *table(
        "products",
        MATRIX,
        """
        mm float32 | torch.mm(a, b, out=o) | S
        mm float64 | torch.mm(d, e, out=p) | D
        mm half | torch.mm(h, i, out=q) | H
        mm bfloat16 | torch.mm(f, g, out=r) | B
        """,
    ),
    *table(
        "reductions",
        ROWS,
        """
        sum | v.sum()
        sum rows | a.sum(1)
        sum columns | a.sum(0)
        max rows | a.max(1)
        argmax | v.argmax()
        mean | v.mean()
        norm | v.norm()
        cumsum rows | a.cumsum(1)
        cumsum | v.cumsum(0)
        """,
    ),
    *table(
        "order",
        ROWS,
        """
        sort | s.sort()
        sort int64 | n.sort()
        sort rows | a.sort(1)
        topk rows | a.topk(8, 1)
        topk long rows | t.topk(8, 1)
        median long rows | t.median(1)
        unique | torch.unique(n)
        """,
    ),
    *table(
        "indexing",
        ROWS,
        """
        index_select rows | torch.index_select(a, 0, i)
        gather | a.gather(1, j)
        nonzero | m.nonzero()
        masked_select | torch.masked_select(v, m)
        index_add_ | u.index_add_(0, i, a)
        """,
    ),
]
