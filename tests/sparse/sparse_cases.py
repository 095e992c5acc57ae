"""Programs over sparse tensors, by operator. sparse_inputs.py has the operands that they name.

`each("torch.{op}({x})", op=…, x=…)` is the program for every combination of words. `bad` are mistakes: PyTorch refuses, and
so do we, with words that its message has. `gradient` asks for gradients with respect to the operands named.
"""

import dataclasses
import itertools


@dataclasses.dataclass(frozen=True)
class Program:
    source: str
    says: str = ""
    bad: bool = False
    wrt: tuple | None = None
    dense: str | None = None  # the program for dense operands, where it is not the same

    @property
    def key(self):
        return f"{self.source} # gradient of {', '.join(self.wrt)}" if self.wrt else self.source


def each(template, dense=None, **words):
    lists = {name: value.split() if isinstance(value, str) else value for name, value in words.items()}
    rows = (dict(zip(lists, row)) for row in itertools.product(*lists.values()))
    return [Program(template.format(**row), dense=dense and dense.format(**row)) for row in rows]


def plain(text):
    """One program in each line."""
    return [Program(line.strip()) for line in text.strip().splitlines()]


def bad(text):
    """In each line a program and, after " ! ", words of the message."""
    rows = (line.strip().partition(" ! ") for line in text.strip().splitlines())
    return [Program(source.strip(), says=says.strip(), bad=True) for source, _, says in rows]


def gradient(text):
    """In each line a program and, after " ; ", the operands whose gradients are asked for."""
    rows = (line.strip().rpartition(" ; ") for line in text.strip().splitlines())
    return [Program(source.strip(), wrt=tuple(names.split())) for source, _, names in rows]


def instead(text):
    """In each line a program and, after " | ", what it is of dense operands."""
    rows = (line.strip().partition(" | ") for line in text.strip().splitlines())
    return [Program(source.strip(), dense=dense.strip()) for source, _, dense in rows]


COO = "a u e ex h hu v vu t tu g gu o z"
COMPRESSED = "r re rb rh c ce cb m mb q qb"
KINDS = "a u r c m q"  # one of each layout, and one that is not coalesced
DTYPES = "f32 f16 bf16 i64 i32 u8 bool c128 c64"

GROUPS = {}

# Constructors -------------------------------------------------------------------------------------------------------

GROUPS["sparse_coo_tensor"] = plain("""
    torch.sparse_coo_tensor([[1, 0, 1]], [2.0, 1.0, 3.0])
    torch.sparse_coo_tensor([[1]], [2.0])
    torch.sparse_coo_tensor([[1]], [2.0], (4,))
    torch.sparse_coo_tensor([[0, 1], [1, 0]], [2.0, 1.0])
    torch.sparse_coo_tensor([[0, 1], [1, 0]], [2.0, 1.0], (3, 4))
    torch.sparse_coo_tensor([[0, 1], [1, 0]], [2.0, 1.0], [3, 4])
    torch.sparse_coo_tensor([[0, 1], [1, 0]], [2.0, 1.0], torch.Size([3, 4]))
    torch.sparse_coo_tensor(indices=[[0, 1]], values=[2.0, 1.0], size=(3,))
    torch.sparse_coo_tensor([[0, 1]], [2, 1], (3,))
    torch.sparse_coo_tensor([[0, 1]], [True, False], (3,))
    torch.sparse_coo_tensor([[0, 1]], [1j, 2], (3,))
    torch.sparse_coo_tensor([[0, 1]], [2, 1], (3,), dtype=torch.float64)
    torch.sparse_coo_tensor([[0, 1]], [2.5, 1.0], (3,), dtype=torch.int64)
    torch.sparse_coo_tensor([[0, 1]], torch.tensor([2.5, 1.0]), (3,), dtype=torch.float16)
    torch.sparse_coo_tensor([[0, 1]], [2.5, 1.0], (3,), device="cpu")
    torch.sparse_coo_tensor([[0, 1]], [2.5, 1.0], (3,), device=torch.device("cpu"))
    torch.sparse_coo_tensor([[0, 1]], [2.5, 1.0], (3,), requires_grad=True).requires_grad
    torch.sparse_coo_tensor([[0, 1]], [2.5, 1.0], (3,), requires_grad=True).is_leaf
    torch.sparse_coo_tensor([[0, 1]], [2.5, 1.0], (3,), is_coalesced=True)
    torch.sparse_coo_tensor([[0, 1]], [2.5, 1.0], (3,), is_coalesced=False)
    torch.sparse_coo_tensor([[0, 1]], [2.5, 1.0], (3,), is_coalesced=None)
    torch.sparse_coo_tensor([[0, 1]], [2.5, 1.0], (3,), is_coalesced=True, check_invariants=True)
    torch.sparse_coo_tensor([[0, 1]], [2.5, 1.0], (3,), check_invariants=True)
    torch.sparse_coo_tensor([[0, 1]], [2.5, 1.0], (3,), check_invariants=False)
    torch.sparse_coo_tensor([[1, 0, 1]], wave(3, 2))
    torch.sparse_coo_tensor([[1, 0, 1]], wave(3, 2), (5, 2))
    torch.sparse_coo_tensor([[1, 0, 1], [0, 0, 2]], wave(3, 2, 2), (2, 3, 2, 2))
    torch.sparse_coo_tensor([[1, 0, 1]], torch.zeros(3, 0), (2, 0))
    torch.sparse_coo_tensor(torch.tensor([[0, 2]], dtype=torch.int32), [1.0, 2.0], (3,))
    torch.sparse_coo_tensor(torch.tensor([[0, 2]], dtype=torch.uint8), [1.0, 2.0], (3,))
    torch.sparse_coo_tensor(torch.tensor([[0.0, 2.0]]), [1.0, 2.0], (3,))
    torch.sparse_coo_tensor(size=(3, 4))
    torch.sparse_coo_tensor((3, 4))
    torch.sparse_coo_tensor((3, 4), dtype=torch.int64)
    torch.sparse_coo_tensor(size=(0,), dtype=torch.bool)
    torch.sparse_coo_tensor(size=())
    torch.sparse_coo_tensor(torch.zeros(2, 0), torch.zeros(0), (3, 2))
    torch.sparse_coo_tensor(torch.zeros(2, 0), torch.zeros(0))
    torch.sparse_coo_tensor(torch.zeros(2, 0), torch.zeros(0, 3), (3, 2, 3))
    torch.sparse_coo_tensor(torch.zeros(0, 1), [5.0], ())
    torch.sparse_coo_tensor(torch.zeros(0, 2), [5.0, 1.0], ()).to_dense()
    torch.sparse_coo_tensor([[0]], 5.0, (3,))
    torch.sparse_coo_tensor([[2**40], [2**20]], [1.0], (2**41, 2**21))
    torch.sparse_coo_tensor([[2**40, 1], [2**20, 1]], [1.0, 2.0], (2**41, 2**21)).coalesce()
    torch.sparse_coo_tensor(d33[:2] * 0, d3, (1, 1)).to_dense()
    torch.sparse_coo_tensor([[0, 2]], d4[:2], (3,)).layout
    torch.sparse_coo_tensor([[0, 2]], d4[:2], (3,)).is_sparse
    i = torch.tensor([[0, 2]]); v = torch.tensor([1.0, 2.0]); same_memory(torch.sparse_coo_tensor(i, v, (3,))._values(), v)
    i = torch.tensor([[0, 2]]); v = torch.tensor([1.0, 2.0]); same_memory(torch.sparse_coo_tensor(i, v, (3,))._indices(), i)
    i = torch.tensor([[0, 2]]); v = torch.tensor([1.0, 2.0]); x = torch.sparse_coo_tensor(i, v, (3,)); v.mul_(2); x.to_dense()
""")

GROUPS["sparse_csr_tensor"] = plain("""
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0])
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 4))
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], [2, 4])
    torch.sparse_csr_tensor(crow_indices=[0, 1, 2], col_indices=[0, 1], values=[1.0, 2.0], size=(2, 4))
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1, 2], (2, 4))
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1, 2], (2, 4), dtype=torch.float64)
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 4), device="cpu")
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 4), check_invariants=True)
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 4), check_invariants=False)
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 4), requires_grad=True).requires_grad
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 4), layout=torch.sparse_csr)
    torch.sparse_csr_tensor(torch.tensor([0, 1, 2], dtype=torch.int32), torch.tensor([0, 1], dtype=torch.int32), [1.0, 2.0])
    torch.sparse_csr_tensor([0, 0, 0], torch.zeros(0, dtype=torch.int64), torch.zeros(0), (2, 3))
    torch.sparse_csr_tensor([0], torch.zeros(0, dtype=torch.int64), torch.zeros(0), (0, 3))
    torch.sparse_csr_tensor([0, 0, 0], torch.zeros(0, dtype=torch.int64), torch.zeros(0))
    torch.sparse_csr_tensor([[0, 1, 2], [0, 2, 2]], [[0, 1], [0, 1]], [[1.0, 2.0], [3.0, 4.0]])
    torch.sparse_csr_tensor([[0, 1, 2], [0, 2, 2]], [[0, 1], [0, 1]], [[1.0, 2.0], [3.0, 4.0]], (2, 2, 3)).to_dense()
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], wave(2, 3))
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], wave(2, 3), (2, 2, 3)).dense_dim()
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [True, False], (2, 2))
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1j, 2], (2, 2))
    p = torch.tensor([0, 1, 2]); i = torch.tensor([0, 1]); v = torch.ones(2); same_memory(torch.sparse_csr_tensor(p, i, v).values(), v)
    p = torch.tensor([0, 1, 2]); i = torch.tensor([0, 1]); v = torch.ones(2); same_memory(torch.sparse_csr_tensor(p, i, v).crow_indices(), p)
    p = torch.tensor([0, 1, 2]); i = torch.tensor([0, 1]); v = torch.ones(2); same_memory(torch.sparse_csr_tensor(p, i, v).col_indices(), i)
""")

GROUPS["sparse_compressed_tensor"] = plain("""
    torch.sparse_csc_tensor([0, 1, 2], [0, 1], [1.0, 2.0])
    torch.sparse_csc_tensor([0, 1, 2], [0, 3], [1.0, 2.0], (4, 2))
    torch.sparse_csc_tensor(ccol_indices=[0, 1, 2], row_indices=[0, 3], values=[1.0, 2.0], size=(4, 2), dtype=torch.float64)
    torch.sparse_csc_tensor([[0, 1, 2], [0, 2, 2]], [[0, 1], [0, 1]], [[1.0, 2.0], [3.0, 4.0]]).to_dense()
    torch.sparse_bsr_tensor([0, 1, 2], [0, 1], wave(2, 2, 3))
    torch.sparse_bsr_tensor([0, 1, 2], [0, 1], wave(2, 2, 3)).to_dense()
    torch.sparse_bsr_tensor([0, 1, 2], [0, 1], wave(2, 2, 3), (4, 9))
    torch.sparse_bsr_tensor([0, 1, 2], [0, 1], wave(2, 1, 1), (2, 2), check_invariants=True)
    torch.sparse_bsr_tensor([0, 1, 2], [0, 1], wave(2, 2, 2, 3))
    torch.sparse_bsr_tensor([0, 0], torch.zeros(0, dtype=torch.int64), torch.zeros(0, 2, 2), (2, 4))
    torch.sparse_bsc_tensor([0, 1, 2], [0, 1], wave(2, 2, 3))
    torch.sparse_bsc_tensor([0, 1, 2], [0, 1], wave(2, 2, 3)).to_dense()
    torch.sparse_bsc_tensor([0, 1, 2], [0, 1], wave(2, 2, 3), (6, 6), dtype=torch.float32)
    torch.sparse_compressed_tensor([0, 1, 2], [0, 1], [1.0, 2.0], layout=torch.sparse_csr)
    torch.sparse_compressed_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 3), layout=torch.sparse_csr)
    torch.sparse_compressed_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (3, 2), layout=torch.sparse_csc)
    torch.sparse_compressed_tensor([0, 1, 2], [0, 1], wave(2, 2, 2), layout=torch.sparse_bsr)
    torch.sparse_compressed_tensor([0, 1, 2], [0, 1], wave(2, 2, 2), (4, 4), layout=torch.sparse_bsc)
    torch.sparse_compressed_tensor([0, 1, 2], [0, 1], [1, 2], (2, 3), dtype=torch.float64, layout=torch.sparse_csr)
    torch.sparse_compressed_tensor(compressed_indices=[0, 1, 2], plain_indices=[0, 1], values=[1, 2], size=(2, 3), layout=torch.sparse_csr)
""")

GROUPS["legacy constructors"] = plain("""
    torch.sparse.FloatTensor(torch.tensor([[0, 1]]), torch.tensor([1.0, 2.0]), torch.Size([3]))
    torch.sparse.FloatTensor(torch.tensor([[0, 1]]), torch.tensor([1.0, 2.0]))
    torch.sparse.FloatTensor(3, 4)
    torch.sparse.FloatTensor(torch.Size([3, 4]))
    torch.sparse.FloatTensor()
    torch.sparse.DoubleTensor(torch.tensor([[0, 1]]), torch.tensor([1.0, 2.0], dtype=torch.float64), torch.Size([3]))
    torch.sparse.DoubleTensor(2, 3)
    torch.sparse.LongTensor(torch.tensor([[0, 1]]), torch.tensor([1, 2]), torch.Size([3]))
    torch.sparse.LongTensor(2, 3)
    torch.sparse.IntTensor(2, 3)
    torch.sparse.ShortTensor(2, 3)
    torch.sparse.CharTensor(2, 3)
    torch.sparse.ByteTensor(2, 3)
    torch.sparse.HalfTensor(2, 3)
    torch.sparse.BFloat16Tensor(2, 3)
    isinstance(a_f32, torch.sparse.FloatTensor)
    isinstance(a, torch.sparse.FloatTensor)
    isinstance(a, torch.sparse.DoubleTensor)
    isinstance(d_f32, torch.sparse.FloatTensor)
    isinstance(a_f32, torch.FloatTensor)
    isinstance(a, torch.Tensor)
    a.type()
    a_f32.type()
    a_i64.type()
    a_f16.type()
    a.type("torch.sparse.FloatTensor")
    a.type(torch.float32)
    u.type(torch.float32)
    r.type(torch.float32)
    a.type_as(a_f32)
    r.type_as(r_f32)
    a.new()
    a.new(2, 3)
    a.new(torch.tensor([[0]]), torch.tensor([1.0], dtype=torch.float64), torch.Size([3]))
""")

# Members and what a tensor says of itself -----------------------------------------------------------------------------

GROUPS["members"] = (
    each(
        "{x}.{name}()",
        x=KINDS,
        name="indices values _indices _values crow_indices col_indices ccol_indices row_indices",
    )
    + each(
        "{x}.{name}",
        x="a hu e r rb m c q",
        name="layout is_sparse is_sparse_csr shape ndim requires_grad is_leaf is_meta device".split(),
    )
    + each(
        "{x}.{name}()", x="a hu e t o g r re rb rh c m mb q", name="sparse_dim dense_dim _nnz numel dim size".split()
    )
    + each(
        "{x}.{name}()",
        x="a hu g",
        name="_dimI _dimV is_coalesced nelement element_size is_floating_point is_complex get_device".split(),
    )
    + plain("""
    a.size(0), a.size(-1), h.size(2)
    len(a), len(r), len(m)
    a.dtype, a_i64.dtype, r_f32.dtype
    torch.is_tensor(a), torch.numel(a), torch.numel(m)
    hash(a) == id(a)
    a.is_same_size(b), a.is_same_size(d), a.is_same_size(r), a.is_same_size(sq)
    torch.is_same_size(u, w)
    e._nnz(), re._nnz(), z._nnz()
    same_memory(a.indices(), a._indices())
    same_memory(a.values(), a._values())
    same_memory(a.detach()._values(), a._values())
    same_memory(a.clone()._values(), a._values())
    same_memory(r.t().values(), r.values())
    same_memory(r.t().ccol_indices(), r.crow_indices())
    u._values().mul_(2); u.to_dense()
    a.values().mul_(2); a.to_dense()
    r.values().mul_(2); r.to_dense()
    torch.crow_indices_copy(r), torch.col_indices_copy(r)
    torch.ccol_indices_copy(c), torch.row_indices_copy(c)
    torch.values_copy(r)
    same_memory(torch.values_copy(r), r.values())
    a.stride()
    a.is_contiguous()
    a.storage_offset()
    a.is_set_to(a)
    a.requires_grad_().requires_grad
    torch.get_device(a)
""")
)

GROUPS["coalesce"] = (
    each(
        "{x}.coalesce()",
        x=COO + " squ w tallu a_f32 u_f32 u_f16 u_bf16 u_i64 u_i32 u_u8 u_bool u_c128 u_c64 hu_f32 hu_i64 gu_f16",
    )
    + each("{x}.coalesce().is_coalesced()", x="a u e hu")
    + plain("""
    a.coalesce() is a
    e.coalesce() is e
    u.coalesce().coalesce()
    u.coalesce().values()
    u.coalesce().indices()
    u.coalesce(); u.is_coalesced()
    a._coalesced_(False); a.is_coalesced()
    u._coalesced_(True).is_coalesced()
    torch.sparse_coo_tensor([[0, 0, 0, 0]], [1.0, 2.0, 3.0, 4.0], (2,)).coalesce()
    torch.sparse_coo_tensor([[1, 0], [1, 0]], [1.0, 2.0], (2, 2)).coalesce()
    torch.sparse_coo_tensor([[1, 1]], [True, True], (2,)).coalesce()
    torch.sparse_coo_tensor([[1, 1]], torch.tensor([200, 100], dtype=torch.uint8), (2,)).coalesce()
    torch.sparse_coo_tensor([[1, 1, 0]], torch.zeros(3, 0), (2, 0)).coalesce()
    torch.sparse_coo_tensor(torch.zeros(0, 3), [1.0, 2.0, 3.0], ()).coalesce()
    torch.sparse_coo_tensor([[3, 1, 3, 1], [0, 2, 0, 2]], wave(4, 2, 2), (4, 3, 2, 2)).coalesce()
""")
)

GROUPS["to_dense"] = (
    each("{x}.to_dense()", x=COO + " " + COMPRESSED)
    + each("{x}_{dtype}.to_dense()", x="u hu r m", dtype=DTYPES)
    + plain("""
    a.to_dense(masked_grad=False)
    a.to_dense(masked_grad=True)
    r.to_dense(masked_grad=False)
    d.to_dense()
    d.to_dense() is d
    a.to_dense(dtype=torch.float32)
    r.to_dense(dtype=torch.float32)
    u.to_dense().is_contiguous()
    m.to_dense().stride()
    c.to_dense().stride()
    n.to_dense()
""")
)

GROUPS["to_sparse"] = (
    plain("""
    d.to_sparse()
    d.to_sparse(1)
    d.to_sparse(2)
    d.to_sparse(sparse_dim=1)
    d342.to_sparse(1)
    d342.to_sparse(2)
    d342.to_sparse(3)
    d4.to_sparse()
    torch.zeros(3, 4).to_sparse()
    torch.zeros(0, 4).to_sparse()
    torch.zeros(3, 0).to_sparse(1)
    torch.tensor(2.0).to_sparse()
    torch.tensor(0.0).to_sparse()
    torch.tensor([float("nan"), 0.0, -0.0, float("inf")]).to_sparse()
    wave(4, 3).t().to_sparse()
    d_f32.to_sparse()
    d_f16.to_sparse()
    d_i64.to_sparse()
    d_bool.to_sparse()
    d_c128.to_sparse()
    d_u8.to_sparse(1)
    d.to_sparse(layout=torch.sparse_coo)
    d.to_sparse(layout=torch.sparse_csr)
    d.to_sparse(layout=torch.sparse_csc)
    d.to_sparse(layout=torch.strided)
    d46.to_sparse(layout=torch.sparse_bsr, blocksize=(2, 2))
    d46.to_sparse(layout=torch.sparse_bsc, blocksize=(2, 3))
    d342.to_sparse(layout=torch.sparse_csr, dense_dim=1)
    d.to_sparse_coo()
    d.to_sparse_csr()
    d.to_sparse_csc()
    d46.to_sparse_bsr((2, 2))
    d46.to_sparse_bsr((4, 3))
    d46.to_sparse_bsr((1, 1))
    d46.to_sparse_bsc((2, 3))
    d342.to_sparse_csr(dense_dim=1)
    d342.to_sparse_csc(dense_dim=1)
    d234.to_sparse_csr()
    torch.ones(2, 3, 4).to_sparse_csr()
    torch.ones(2, 3, 4).to_sparse_csc()
    torch.ones(2, 4, 6).to_sparse_bsr((2, 3))
    torch.ones(2, 4, 6).to_sparse_bsc((2, 3))
    torch.ones(4, 4, 2).to_sparse_bsr((2, 2), dense_dim=1)
    torch.eye(3).to_sparse_csr()
    torch.zeros(3, 4).to_sparse_csr()
    torch.zeros(0, 4).to_sparse_csr()
    torch.block_diag(torch.ones(2, 2), torch.ones(2, 2)).to_sparse_bsr((2, 2))
    d_i64.to_sparse_csr()
    d_bool.to_sparse_csr()
    d_c128.to_sparse_csc()
    d46_f32.to_sparse_bsr((2, 2))
    a.to_sparse() is a
    r.to_sparse_csr() is r
    c.to_sparse_csc() is c
    m.to_sparse_bsr((2, 2)) is m
    same_memory(a.to_sparse_csr().values(), a.values())
""")
    + each("{x}.to_sparse()", x=COO + " " + COMPRESSED)
    + each("{x}.to_sparse_{to}()", x="a u e ex h hu r re rb rh c ce cb sq squ", to="csr csc coo")
    + each("{x}.to_sparse_{to}((1, 2))", x="a u r c e re", to="bsr bsc")
    + each("{x}.to_sparse_{to}((2, 2))", x="sq squ rsq csq m q mb qb msq qsq", to="bsr bsc")
    + each(
        "{x}.to_sparse(layout={to})",
        x=KINDS,
        to="torch.sparse_coo torch.sparse_csr torch.sparse_csc torch.strided".split(),
    )
    + each("{x}.to_sparse_{to}()", x="m q mb", to="csr csc coo")
    + each("{x}_{dtype}.to_sparse_csr()", x="u c", dtype=DTYPES)
    + plain("""
    a.to_sparse(2)
    a.to_sparse(1)
    h.to_sparse(2)
    r.to_sparse(2)
    a.to_sparse(layout=torch.sparse_bsr, blocksize=(1, 2))
    r.to_sparse(layout=torch.sparse_bsc, blocksize=(3, 2))
    m.to_sparse(layout=torch.sparse_bsr, blocksize=(2, 2))
    m.to_sparse(layout=torch.sparse_bsc, blocksize=(2, 2))
    v.to_sparse_csr()
    t.to_sparse_csr()
""")
)

GROUPS["dtypes"] = (
    each(
        "{x}.to({dtype})",
        x="a u hu r m c",
        dtype="torch.float32 torch.float16 torch.int64 torch.bool torch.complex128".split(),
    )
    + each("{x}.{name}()", x="a u r q", name="float double half bfloat16 int long bool cfloat cpu".split())
    + plain("""
    a.to("cpu") is a, a.double() is a, a.to(torch.float64) is a, r.to("cpu") is r
    a.to(torch.float64, copy=True) is a
    a.to(torch.float64, copy=True)
    a.to(d_f32)
    a.to("cpu", torch.float32)
    n.to(torch.bool)
    ex.bool()
    torch.promote_types(a.dtype, torch.float32)
    torch.result_type(a_f32, 1), torch.result_type(a_i64, 1.0), torch.result_type(a_f32, d)
""")
)

GROUPS["copies"] = (
    each("{x}.{name}()", x="a u e hu o r rb rh c m q", name="clone detach")
    + each("copy.copy({x})", x="a u r")
    + each("copy.deepcopy({x})", x="a u hu e r c m q")
    + each("saved_and_loaded({x})", x="a u hu e o z a_f32 a_i64 a_bool a_c128 a_f16 r rb rh re c m q")
    + each("pickle.loads(pickle.dumps({x}))", x="a u hu e r c m q")
    + plain("""
    a.data
    u.data
    r.data
    a.requires_grad_().detach().requires_grad
    a.requires_grad_().clone().requires_grad
    a.copy_(b); a
    a.copy_(u); a
    a.copy_(e); a
    e.copy_(a); e
    a.copy_(a_f32); a
    a_f32.copy_(a); a_f32
    a.copy_(a_i64); a
    h.copy_(hu); h
    r.copy_(r2); r
    r.copy_(r_f32); r
    m.copy_(m); m
    c.copy_(c2); c
    a.copy_(d); a
    d.copy_(a); d
    d.copy_(r); d
    r.copy_(d); r
    r.copy_(a); r
    r.copy_(re); r
    x = a.clone(); x._values().zero_(); a
    x = a.detach(); x._values().zero_(); a
    a.set_(b); a
""")
    + each("{x}.zero_(); {x}", x="a u hu e r rb c m q")
)

GROUPS["printing"] = each(
    "repr({x})",
    x=COO + " a_f32 u_f32 a_i64 a_bool a_c128 a_f16 h_f32 n " + COMPRESSED + " r_f32 r_i64 r_c128 m_f32 c_i64 mb_f32",
) + plain("""
    str(a)
    str(r)
    repr(a.requires_grad_())
    repr(r.requires_grad_())
    repr(a.requires_grad_() * 2)
    repr(torch.nn.Parameter(a))
    repr(torch.sparse_coo_tensor(torch.zeros(1, 2000, dtype=torch.int64), torch.zeros(2000), (5,)))
    repr(torch.sparse_coo_tensor(torch.arange(60).reshape(2, 30), wave(30), (60, 60)))
    repr(torch.sparse_csr_tensor(torch.arange(31), torch.arange(30), wave(30), (30, 30)))
    repr(torch.sparse_coo_tensor([[0, 1]], [1e10, 1e-10], (3,)))
    repr(torch.sparse_coo_tensor(torch.tensor([[0, 1000000]]), [1.0, 2.0], (1000001,)))
    repr([a, d4])
    f"{a}"
    repr(torch.sparse_csr_tensor(torch.tensor([0, 1, 2], dtype=torch.int32), torch.tensor([0, 1], dtype=torch.int32), [1.0, 2.0]))
    repr(torch.sparse_coo_tensor(size=(3, 4)))
    repr(torch.zeros(2, 3, layout=torch.sparse_csr))
    repr(a.layout), repr(r.layout), repr(m.layout)
    repr(a.shape)
""")

# Shapes ---------------------------------------------------------------------------------------------------------------

GROUPS["transpose"] = (
    each("{x}.t()", x="a u e sq r re rsq c m q ex a_i64 r_bool")
    + each("{x}.{name}", x="a u r c m q", name="T mT H".split())
    + each("{x}.transpose(0, 1)", x="t tu h hu g rb rh cb mb qb a_c128")
    + plain("""
    a.transpose(0, 0)
    a.transpose(-1, 0)
    a.transpose(0, 1).transpose(0, 1)
    r.transpose(0, 1).transpose(0, 1)
    t.transpose(0, 2)
    t.transpose(1, 2)
    h.transpose(0, 2)
    h.transpose(1, 2)
    rb.transpose(1, 2)
    rb.transpose(0, 2)
    rb.transpose(0, 0)
    mb.transpose(1, 2)
    qb.transpose(-1, -2)
    g2.transpose(1, 2)
    a.t_(); a
    u.transpose_(0, 1); u
    t.transpose_(0, 2); t
    r.t_(); r
    a.adjoint()
    a_c128.adjoint()
    a.permute(1, 0)
    a.permute(0, 1)
    a.permute((-1, 0))
    t.permute(2, 0, 1)
    tu.permute(1, 2, 0)
    h.permute(1, 0, 2)
    hu.permute(1, 0, 2)
    h.permute(2, 0, 1)
    g2.permute(0, 2, 1)
    r.permute(1, 0)
    m.permute(1, 0)
    v.t()
    t.t()
    a.swapaxes(0, 1)
    t.movedim(0, 2)
    torch.transpose(u, 0, 1)
    torch.permute(t, (1, 0, 2))
""")
)

GROUPS["shapes"] = plain("""
    a.unsqueeze(0)
    a.unsqueeze(1)
    a.unsqueeze(2)
    a.unsqueeze(-1)
    u.unsqueeze(1)
    h.unsqueeze(0)
    h.unsqueeze(2)
    h.unsqueeze(3)
    v.unsqueeze(0)
    e.unsqueeze(0)
    o.unsqueeze(0)
    r.unsqueeze(0)
    row.squeeze(0)
    row.squeeze()
    row.squeeze(1)
    col.squeeze(-1)
    a.squeeze()
    r.squeeze()
    a.reshape(4, 3)
    a.reshape(12)
    a.reshape(-1)
    a.reshape(2, 6)
    a.reshape(3, 4)
    u.reshape(2, 6)
    h.reshape(12, 2)
    h.reshape(4, 3, 2)
    h.reshape(3, 8)
    a.view(4, 3)
    a.flatten()
    t.flatten(1)
    r.reshape(4, 3)
    row.expand(3, 4)
    a.expand(2, 3, 4)
    torch.broadcast_to(row, (3, 4))
    a.repeat(2, 1)
    a.narrow(0, 0, 2)
    a.narrow(1, 1, 2)
    a.narrow_copy(0, 0, 2)
    a.narrow_copy(1, 1, 2)
    a.narrow_copy(0, 1, 0)
    a.narrow_copy(-1, -2, 2)
    a.narrow_copy(0, 0, 3)
    u.narrow_copy(0, 0, 2)
    u.narrow_copy(1, 0, 3)
    h.narrow_copy(0, 1, 2)
    h.narrow_copy(2, 0, 1)
    hu.narrow_copy(2, 1, 1)
    t.narrow_copy(1, 1, 2)
    e.narrow_copy(0, 0, 2)
    r.narrow_copy(0, 0, 2)
    torch.narrow_copy(a, 0, 0, 2)
    torch.split(a, 2)
    torch.chunk(a, 2)
    a.unbind(0)
    a.unbind(1)
    u.unbind(0)
    t.unbind(1)
    h.unbind(2)
    list(a)
    list(v)
    torch.flip(a, (0,))
    torch.roll(a, 1, 0)
    torch.tril(sq)
    torch.triu(sq)
    torch.tril(a, -1)
    torch.diag(sq)
    torch.diagonal(sq)
    torch.trace(sq)
    torch.nonzero(a)
    torch.kron(a, b)
    a.contiguous()
    torch.atleast_2d(v)
    r[1:3]
""")

GROUPS["select"] = (
    each("{x}.select({dim}, {i})", x="a u r c m q", dim="0 1", i="0 1 -1")
    + each("{x}[{i}]", x="a u ex t h hu r c m", i=["0", "-1", "0, 1", "-1, 0", ":, 1", "None", "..."])
    + plain("""
    a[1][2]
    v[0]
    v[1]
    vu[3]
    vu[1]
    v_i64[0]
    t[1, 1]
    t[0, 2, 3]
    t[:, :, 0]
    h[0, 1, 1]
    h[..., 0]
    hu[2, 0]
    h.select(2, 1)
    hu.select(2, -1)
    g.select(0, 3)
    gu[3]
    g[:, 1]
    rb[0]
    rb[1]
    rb[0, 1]
    rb[1, 0, 2]
    rb.select(0, 1)
    rb.select(1, 0)
    rh[0]
    rh.select(2, 0)
    cb[0]
    mb[0]
    mb.select(0, 1)
    qb[1]
    e[0]
    e.select(1, 2)
    re[1]
    a_bool[0]
    u_i64[2]
    a_c128[0, 1]
    a[0:2]
    a[1:]
    a[:, 1:3]
    a[::2]
    a[torch.tensor([0, 2])]
    a[[0, 2]]
    a[torch.tensor([True, False, True])]
    torch.select_copy(a, 0, 0)
    x = a[0]; x.to_dense()
""")
    + each(
        "{x}.index_select({dim}, torch.tensor({i}))",
        x="a u ex h",
        dim="0 1",
        i=["[0]", "[2, 0]", "[0, 1]", "[1, 1, 0]", "[-1]"],
    )
    + plain("""
    h.index_select(2, torch.tensor([1, 0]))
    h.index_select(2, torch.tensor([0, 0, 1]))
    hu.index_select(2, torch.tensor([1]))
    t.index_select(1, torch.tensor([1, 2]))
    t.index_select(2, torch.tensor([3, 0, 1]))
    tu.index_select(0, torch.tensor([1, 1]))
    v.index_select(0, torch.tensor([3, 2, 0]))
    g.index_select(0, torch.tensor([3, 0, 0, 3]))
    gu.index_select(0, torch.tensor([3]))
    e.index_select(0, torch.tensor([0, 0]))
    a.index_select(0, torch.tensor([], dtype=torch.int64))
    a.index_select(1, torch.tensor([3, 2, 1, 0, 3, 2, 1, 0, 0, 1]))
    a.index_select(0, torch.tensor([1, 2], dtype=torch.int32))
    a.index_select(0, torch.tensor(1))
    r.index_select(0, torch.tensor([2, 0]))
    torch.index_select(u, 1, torch.tensor([0, 3]))
    F.embedding(torch.tensor([1, 1]), a)
""")
)

GROUPS["cat"] = plain("""
    torch.cat([a, b])
    torch.cat([a, b], 1)
    torch.cat([a, b], -1)
    torch.cat([a])
    torch.cat([u, w])
    torch.cat([a, u, b], 1)
    torch.cat([e, e])
    torch.cat([a, e])
    torch.cat([a, sq])
    torch.cat([h, hb])
    torch.cat([h, hb], 1)
    torch.cat([h, hb], 2)
    torch.cat([h, hu], -1)
    torch.cat([t, tu], 1)
    torch.cat([v, vu])
    torch.cat((a, b), dim=1)
    torch.cat([a, b_f32])
    torch.cat([a_i64, b_i64])
    torch.cat([a, d])
    torch.cat([d, a])
    torch.cat([r, r2])
    torch.cat([r, r2], 1)
    torch.cat([c, c2])
    torch.cat([a, b]).coalesce()
    torch.cat([r, a])
    torch.concat([a, b])
    torch.stack([a, b])
    torch.stack([a, b], 1)
    torch.stack([a, b], 2)
    torch.stack([u, w], -1)
    torch.stack([h, hb])
    torch.stack([h, hb], 3)
    torch.stack([v, vu])
    torch.stack([o, o])
    torch.stack([r, r2])
    torch.hstack([a, b])
    torch.vstack([a, b])
    torch.hstack([v, v])
    torch.cat([a, b], out=e)
    torch.block_diag(a, b)
""")

# Arithmetic -------------------------------------------------------------------------------------------------------------

GROUPS["add"] = (
    each("{x} + {y}", x="d a u r c", y="d b w r2 c2")
    + each("{x} + {y}", x="d46 m q", y="d46 m2 q2 m q")
    + each("{x} + {y}", x=KINDS, y="1 0 2.5 torch.tensor(2.0)".split())
    + each("1 + {x}", x=KINDS)
    + each("torch.add({x}, {y}, alpha={k})", x="a u d", y="b w", k="2 -0.5 0")
    + each("{x}.add_({y}); {x}", x="d a u r c", y="d b w r2 1".split())
    + plain("""
    e + a
    a + e
    u + e
    e + u
    e + e
    a + a
    u + u
    r + r
    a + ex
    a + (-a)
    h + hb
    h + hu
    hu + h
    t + tu
    v + vu
    o + o
    z + z
    g + gv
    gu + gv
    d342 + h
    d342 + hu
    d234 + t
    d4 + v
    d4 + vu
    d53 + gu
    a + b_f32
    a_f32 + b
    a_i64 + b_f32
    a_i64 + b_i64
    u_i64 + w_i64
    a_bool + b_bool
    a_c128 + b
    a_f16 + b_f16
    a_bf16 + b_bf16
    d_f32 + a
    d + a_f32
    d_i64 + a_i64
    d_i64 + a
    d_bool + a_bool
    d_c128 + u_c128
    d_f16 + u_f16
    r + r2_f32
    r_f32 + r2_f32
    r_i64 + r2_i64
    r_c128 + r2_c128
    d_f32 + r_f32
    rb + rb
    wave(2, 3, 4) + rb
    rh + rh
    torch.add(r, r2, alpha=2)
    torch.add(r, d, alpha=2)
    torch.add(d, r, alpha=-1)
    torch.add(c, d, alpha=2)
    torch.add(a, b, out=e)
    torch.add(a, b, alpha=2, out=torch.sparse_coo_tensor(size=(3, 4), dtype=torch.float64))
    torch.add(d, a, out=torch.zeros(3, 4, dtype=torch.float64))
    d.add_(a, alpha=3); d
    d.add_(hu[..., 0].coalesce()); d
    a.add_(b, alpha=2); a
    u.add_(w, alpha=-1); u
    a.add_(a); a
    e.add_(a); e
    a_f32.add_(b); a_f32
    h.add_(hb); h
    a += b; a
    d += u; d
    row + a
    a + row
    (a + b).coalesce() is (a + b)
""")
)

GROUPS["sub"] = (
    each("{x} - {y}", x="d a u r c", y="d b w r2 c2")
    + each("{x} - 1", x=KINDS)
    + each("1 - {x}", x=KINDS)
    + plain("""
    a - a
    u - u
    e - a
    a - e
    h - hb
    hu - h
    d342 - hu
    torch.sub(a, b, alpha=3)
    torch.sub(d, u, alpha=0.5)
    torch.sub(a_i64, b_i64)
    torch.rsub(a, b)
    torch.rsub(a, 1)
    a.sub_(b); a
    u.sub_(w); u
    d.sub_(a); d
    a -= b; a
    d -= u; d
    r.sub_(r2); r
    m - m2
    a - b_f32
    torch.subtract(a, b)
""")
)

GROUPS["mul"] = (
    each("{x} * {y}", x="d a u r c", y="d b w r2 c2")
    + each("{x} * {y}", x="d46 m q", y="d46 m2 q2")
    + each("{x} * {y}", x=KINDS + " e hu rb rh mb", y="2 0.5 torch.tensor(2.0) True".split())
    + each("2 * {x}", x=KINDS)
    + each("{x}.mul_({y}); {x}", x="d a u r c m", y="d b w r2 2".split())
    + plain("""
    a * a
    u * u
    e * a
    a * e
    a * ex
    r * re
    h * hb
    h * hu
    hu * h
    t * tu
    v * vu
    o * o
    a * o
    g * gv
    gu * gv
    h * d342
    hu * d342
    t * d234
    v * d4
    d4 * vu
    a * d14
    a * d31
    a * d4
    d14 * a
    u * d31
    h * torch.ones(2, dtype=torch.float64)
    h * d342[:, :, :1]
    a * wave(2, 3, 4)
    a * row
    a * col
    a * torch.tensor([2.0])
    r * d14
    a * b_f32
    a_f32 * 2
    a_f32 * torch.tensor(2.0, dtype=torch.float64)
    a_f32 * d
    a_i64 * b_i64
    a_i64 * 2.5
    a_i64 * 2
    a_bool * 2
    a_bool * b_bool
    a_c128 * b_c128
    a * 1j
    a_f16 * 2
    a_f16 * b_f16
    u_bf16 * 0.5
    r_f32 * r2_f32
    r_i64 * 2
    r_i64 * 2.5
    n * 0
    n * torch.tensor(float("inf"))
    a * float("nan")
    torch.mul(a, b, out=e)
    torch.multiply(a, 3)
    a *= 2; a
    a *= d; a
    a.mul_(2).is_coalesced()
""")
)

GROUPS["div"] = (
    each("{x} / {y}", x=KINDS, y="2 0.5 torch.tensor(4.0) 0.0".split())
    + each("{x} // 2", x=KINDS)
    + each("2 / {x}", x=KINDS)
    + each("{x} / {y}", x="d a r", y="d b r2")
    + each("torch.div({x}, 0.75, rounding_mode='{mode}')", x="a u r", mode="floor trunc")
    + plain("""
    a_i64 / 2
    a_i64 // 2
    a_bool / 2
    a_c128 / 2
    a_c128 / (1 + 2j)
    a_f16 / 3
    a_f32 / 3
    hu / 2
    o / 2
    a / o
    a / torch.tensor([2.0])
    a.div_(2); a
    u.div_(2); u
    r.div_(2); r
    a /= 2; a
    a_f32 / torch.tensor(2.0, dtype=torch.float64)
    torch.true_divide(a, 2)
    torch.floor_divide(a, 0.75)
    torch.floor_divide(u, 0.75)
    a.floor_divide_(0.75); a
    torch.fmod(a, 2.0)
    torch.remainder(a, 2.0)
    a % 2
    e / 2
""")
)

GROUPS["pow"] = (
    each("{x}.pow({y})", x="p u r c m a_i64 a_c128 a_f32", y="1 2 3 0.5 0 -1")
    + each("2 ** {x}", x="a r")
    + plain("""
    a ** 2
    u ** 3
    h ** 2
    a_i64 ** 2.0
    a_bool ** 2
    a.pow_(2); a
    r.pow_(2); r
    a ** b
    a ** torch.tensor(2)
    torch.pow(a, 2)
    torch.float_power(a, 2)
    torch.square(a)
    torch.square(u)
    torch.square(r)
    a.square_(); a
""")
)

ZERO = "neg abs sign sgn sin tan sinh tanh atan asinh expm1 ceil floor trunc round frac erf rad2deg deg2rad relu positive isnan isinf isposinf isneginf signbit conj_physical"
SMALL = "asin atanh log1p erfinv"
OTHER = "exp log cos cosh acos acosh sigmoid reciprocal rsqrt log2 log10 exp2 erfc lgamma digamma isfinite logical_not i0 sinc logit"

GROUPS["unary"] = (
    each("torch.{op}({x})", op=ZERO, x="a u r c m q")
    + each("torch.{op}({x})", op=SMALL, x="k rk e re")
    + each("torch.sqrt({x})", x="p u_c128 rp cp e")
    + each("torch.{op}({x})", op="sin floor relu isnan neg abs sgn", x="e hu n o rb rh mb")
    + each(
        "torch.{op}(a_{dtype})",
        op="sin abs sign sgn floor relu isnan neg sqrt round signbit",
        dtype="f32 f16 i64 bool c128",
    )
    + each("torch.{op}(r_{dtype})", op="sin abs sgn neg relu", dtype="f32 i64 c128")
    + plain("""
    torch.angle(a)
    torch.angle(a_c128)
    torch.angle(r)
    torch.angle(r_c128)
    torch.nan_to_num(n)
    torch.nan_to_num(n, nan=2.0, posinf=3.0)
    torch.nan_to_num(u)
    torch.nan_to_num(r)
    a_c128.conj()
    a_c128.conj().is_conj()
    a_c128.real
    a_c128.imag
    u_c128.real
    r_c128.conj()
    a.real
    torch.conj_physical(u_c128)
    r_c128.real
    torch.absolute(a)
    torch.negative(u)
    torch.fix(a)
    torch.arctan(a)
    torch.round(a, decimals=1)
    torch.threshold(a, 0, 0)
    -a
    +u
    abs(u)
    ~a_bool
    F.relu(a)
    F.relu(r)
    F.dropout(a, 0.0)
    F.dropout(a, 0.5, training=False)
    torch.sin(a, out=e)
    torch.floor(u, out=e)
    torch.sin(r, out=r)
""")
)
GROUPS["unary in place"] = (
    each("{x}.{op}_(); {x}", op="neg abs sign sin tanh expm1 floor relu sgn erf", x="a u r c m")
    + each("{x}.{op}_(); {x}", op=SMALL, x="k rk")
    + plain("""
    p.sqrt_(); p
    a.nan_to_num_(); a
    a.fill_(0); a
    a.fill_(1.0); a
    r.fill_(1.0); r
    m.fill_(2.0); m
    hu.neg_(); hu
    a_i64.abs_(); a_i64
    a_i64.sin_(); a_i64
    a.exp_(); a
    F.relu_(a); a
    a.conj_physical_(); a
    a_c128.conj_physical_(); a_c128
    a.clamp_(0, 1); a
""")
)
GROUPS["not zero-preserving"] = (
    each("torch.{op}({x})", op=OTHER, x="p u r c")
    + each(
        "F.{op}({x})",
        op="softplus silu gelu selu elu leaky_relu relu6 hardtanh hardsigmoid tanhshrink softsign mish",
        x="a r",
    )
    + plain("""
    torch.clamp(a, 0, 1)
    torch.clamp(a, min=0)
    torch.clip(a, -1, 1)
    torch.clamp(r, 0, 1)
    torch.bitwise_not(a_i64)
    torch.cumsum(a, 0)
    a.masked_fill(d > 0, 1.0)
    torch.where(d > 0, a, b)
""")
)

GROUPS["comparisons"] = (
    each("{x} {op} {y}", x="a r", op="== != < >", y="{x} 0 d".replace("{x}", "b"))
    + each("torch.equal({x}, {y})", x="a u r m", y="a u r m d")
    + plain("""
    torch.allclose(a, a)
    torch.allclose(a, b)
    torch.allclose(u, u.coalesce())
    torch.isclose(a, b)
    torch.maximum(a, b)
    torch.minimum(a, b)
    torch.logical_and(a, b)
    torch.logical_or(a, b)
    torch.atan2(a, b)
    torch.testing.assert_close(a, a)
    torch.testing.assert_close(r, r)
    torch.testing.assert_close(m, m)
    torch.testing.assert_close(a, a.to_dense(), check_layout=False)
    torch.testing.assert_close(a, a + 1e-9 * a)
    a in [a]
""")
)

# Reductions -----------------------------------------------------------------------------------------------------------------

GROUPS["sum"] = (
    each("torch.sum({x})", x=COO + " " + COMPRESSED)
    + each("torch.sum({x}, {dim})", x="a u h hu t", dim=["0", "1", "-1", "(0, 1)"])
    + each("torch.sum({x}, {dim}, keepdim=True)", x="a u r re c m", dim=["0", "1"])
    + each("torch.sum({x}, (0, 1), keepdim=True)", x="a u r c m")
    + each("torch.sum({x}_{dtype})", x="a u r", dtype=DTYPES)
    + plain("""
    torch.sum(a, dtype=torch.float32)
    torch.sum(a_i64, 0)
    torch.sum(a_bool, 0)
    torch.sum(a, 0, dtype=torch.float32)
    torch.sum(h, 2)
    torch.sum(h, (0, 2))
    torch.sum(h, (0, 1, 2))
    torch.sum(h, 2, keepdim=True)
    torch.sum(g, 0)
    torch.sum(g, 1)
    torch.sum(e, 0)
    torch.sum(r, 0)
    torch.sum(r, 1)
    torch.sum(r, (0, 1))
    torch.sum(rb, 1, keepdim=True)
    torch.sum(r_i64, 1, keepdim=True)
    a.sum()
    u.sum(-1)
    v.sum(0)
""")
)
GROUPS["sparse.sum"] = (
    each("torch.sparse.sum({x})", dense="torch.sum({x})", x=COO + " a_f32 u_f16 a_i64 a_bool u_c128 r")
    + each(
        "torch.sparse.sum({x}, {dim})",
        dense="torch.sum({x}, {dim})",
        x="a u e ex t tu h hu",
        dim=["0", "1", "-1", "(0, 1)", "[0]"],
    )
    + plain("""
    torch.sparse.sum(a, dtype=torch.float32)
    torch.sparse.sum(a, 0, dtype=torch.float32)
    torch.sparse.sum(a, dim=1)
    torch.sparse.sum(h, (1, 2))
    torch.sparse.sum(h, (0, 2))
    torch.sparse.sum(h, (0, 1, 2))
    torch.sparse.sum(hu, (2,))
    torch.sparse.sum(t, (0, 2))
    torch.sparse.sum(g, 0)
    torch.sparse.sum(gu, 1)
    torch.sparse.sum(g2, (0, 2))
    torch.sparse.sum(g2, 1)
    torch.sparse.sum(v, 0)
    torch.sparse.sum(a_i64, 0)
    torch.sparse.sum(a_bool, 0)
    torch.sparse.sum(u_i64, 1, dtype=torch.float64)
""")
    + instead("""
    torch.sparse.sum(r, 0) | torch.sum(r, 0)
    torch.sparse.sum(r, 1) | torch.sum(r, 1)
    torch.sparse.sum(c, 1) | torch.sum(c, 1)
    torch.sparse.sum(d) | torch.sum(d)
    torch.sparse.sum(d, 0) | torch.sum(d, 0)
""")
)
GROUPS["reductions"] = (
    each("torch.{op}({x})", op="mean prod amax amin max min any all argmax std var count_nonzero".split(), x="a u r")
    + each("torch.{op}({x}, 1)", op="mean prod amax amin any all argmax".split(), x="a r")
    + each("torch.norm({x})", x="a u e h hu t v a_f32 a_c128 r m")
    + each("torch.norm({x}, {p})", x="a u", p=["1", "2", "0", "3", "float('inf')", "float('-inf')"])
    + plain("""
    torch.norm(a, dim=0)
    torch.norm(a, dim=(0, 1))
    torch.norm(a, 2, dtype=torch.float32)
    a.norm()
    a.norm(2)
    torch.any(a_bool)
    torch.any(e)
    torch.any(ex)
    torch.any(ex_bool)
    torch.any(h)
    torch.any(a_bool, 0)
    torch.all(a_bool)
    torch.linalg.norm(a)
    torch.linalg.vector_norm(a)
    torch.linalg.matrix_norm(a)
    torch.logsumexp(a, 0)
""")
    + instead("""
    torch.native_norm(a) | torch.norm(a)
    torch.native_norm(u) | torch.norm(u)
    torch.native_norm(a, 1) | torch.norm(a, 1)
    torch.native_norm(a, 2) | torch.norm(a, 2)
    torch.native_norm(hu) | torch.norm(hu)
    torch.native_norm(r) | torch.norm(r)
    torch.native_norm(a, 2, (0, 1), False, None) | torch.norm(a)
""")
)

GROUPS["softmax"] = (
    each("torch.sparse.{op}({x}, {dim})", op="softmax log_softmax", x="a u e ex h hu t tu", dim="0 1 -1")
    + each("torch.sparse.{op}({x}, 1)", op="softmax log_softmax", x="a_f32 u_f32 a_f16 a_bf16 a_i64 a_c128 r n")
    + plain("""
    torch.sparse.softmax(a_i64, 1, dtype=torch.float64)
    torch.sparse.softmax(a_f32, 1, dtype=torch.float64)
    torch.sparse.log_softmax(a_i64, 0, dtype=torch.float32)
    torch.sparse.softmax(v, 0)
    torch.sparse.softmax(vu, 0)
    torch.sparse.softmax(h, 2)
    torch.sparse.log_softmax(h, 2)
    torch.sparse.softmax(g, 0)
    torch.sparse.softmax(g, 1)
    torch.sparse.softmax(g2, 2)
    torch.sparse.softmax(a, dim=1)
    torch.sparse.softmax(torch.sparse_coo_tensor([[0, 0], [0, 1]], [1000.0, 1001.0], (1, 2)), 1)
    torch.sparse.softmax(torch.sparse_coo_tensor([[0, 0], [0, 1]], [-float("inf"), 1.0], (1, 2)), 1)
    torch.sparse.softmax(torch.sparse_coo_tensor([[0, 0], [0, 1]], [-float("inf"), -float("inf")], (1, 2)), 1)
""")
)

# Products -------------------------------------------------------------------------------------------------------------------

GROUPS["mm"] = (
    each("torch.{op}({x}, {y})", op="mm matmul".split(), x="d a u r c", y="d43 tall tallu rtall ctall")
    + each("torch.sparse.mm({x}, {y})", dense="torch.mm({x}, {y})", x="d a u r c", y="d43 tall tallu rtall ctall")
    + each("torch.mm({x}, {y})", x="d46 m q", y="d62 d64 m2.t() q2.t()".split())
    + each("{x}_{t} @ d43_{t}", x="a u r c", t="f32 f16 bf16 i64 bool c128 c64")
    + each("{x}_{t} @ {y}_{t}", x="a r", y="tall rtall", t="f32 i64 c128")
    + each("m_{t} @ d62_{t}", t="f32 c128 i64")
    + plain("""
    a @ d43
    d24 @ tall
    d24 @ rtall
    d24 @ ctall
    d24 @ tallu
    e @ d43
    e @ tall
    re @ d43
    re @ rtall
    r @ re.t()
    ex @ d43
    z @ d43
    sq @ sq
    squ @ squ
    rsq @ rsq
    csq @ csq
    rsq @ csq
    msq @ msq
    sq @ d44
    sq.t() @ d44
    rsq.t() @ d44
    a @ d43.t().contiguous().t()
    r @ d43.t().contiguous().t()
    a @ wave(4, 0)
    a @ wave(4, 1)
    r @ wave(4, 1)
    a @ wave(4, 20)
    r @ wave(4, 20)
    a.mm(d43)
    a.matmul(d43)
    a.spmm(d43)
    torch.spmm(a, d43)
    torch.spmm(a, tall)
    torch.dsmm(a, d43)
    torch.mm(a, d43, out=torch.zeros(3, 3, dtype=torch.float64))
    torch.mm(r, d43, out=torch.zeros(3, 3, dtype=torch.float64))
    n @ d43
    torch.linalg.multi_dot([a, d43])
    torch.chain_matmul(a, d43)
    torch.einsum("ij,jk->ik", a, d43)
    torch.tensordot(a, d43, 1)
    a @ d43 @ a.to_dense()
    F.linear(d24, a)
    F.linear(d24, r)
    F.linear(d24, c)
    F.linear(d46, m)
    F.linear(d24, a, d3)
    F.linear(d4, r, d3)
    F.linear(d234, r)
    torch.inner(a, d)
    torch.outer(v, v)
""")
    + instead("""
    torch.sparse.mm(r, d43, "sum") | torch.mm(r, d43)
    torch.sparse.mm(a, d43, "sum") | torch.mm(a, d43)
    torch.sparse.mm(sq, sq) | torch.mm(sq, sq)
    torch.sparse.mm(a_f32, d43_f32) | torch.mm(a_f32, d43_f32)
""")
    + plain(
        """
    torch.sparse.mm(r, d43, "mean")
    torch.sparse.mm(r, d43, "amax")
    torch.sparse.mm(r, d43, "amin")
    torch.sparse.mm(r, d43, reduce="mean")
    torch.sparse.mm(re, d43, "amax")
    torch.sparse.mm(rtall, d34, "mean")
    torch.sparse.mm(r_f32, d43_f32, "amax")
""".replace("d34", "d")
    )
)

GROUPS["mv"] = (
    each("{x} @ {y}", x="d a u r c", y="d4 v vu")
    + each("torch.mv({x}, {y})", x="a u r c e re", y="d4")
    + each("d3 @ {x}", x="a u r c")
    + plain("""
    m @ d6
    q @ d6
    v @ d4
    d4 @ v
    torch.dot(v, d4)
    torch.dot(v, v)
    torch.vdot(v, v)
    a_i64 @ d4_i64
    a_f32 @ d4_f32
    r_f32 @ d4_f32
    r_c128 @ d4_c128
    a.mv(d4)
    torch.addmv(d3, a, d4)
    torch.addmv(d3, r, d4)
    torch.addmv(d3, c, d4)
    torch.addmv(d3, r, d4, beta=2, alpha=0.5)
""")
)

GROUPS["addmm"] = (
    each("torch.addmm({z}, {x}, {y})", z="d33 low rlow", x="d a r c", y="d43 tall rtall ctall")
    + each(
        "torch.sparse.addmm({z}, {x}, {y})",
        dense="torch.addmm({z}, {x}, {y})",
        z="d33 low rlow",
        x="a u r c",
        y="d43 tall rtall",
    )
    + plain("""
    torch.addmm(d33, a, d43, beta=2, alpha=3)
    torch.addmm(d33, u, d43, beta=0.5)
    torch.addmm(d33, a, d43, beta=0)
    torch.addmm(d33, r, d43, beta=2, alpha=3)
    torch.addmm(d33, r, d43, beta=0)
    torch.addmm(d33 * float("nan"), r, d43, beta=0)
    torch.addmm(d33 * float("nan"), a, d43, beta=0)
    torch.addmm(rlow, r, rtall, beta=2, alpha=3)
    torch.addmm(rlow, r, rtall, beta=0)
    torch.addmm(d3, a, d43)
    torch.addmm(d3, r, d43)
    torch.addmm(d31, a, d43)
    torch.addmm(torch.tensor(1.0, dtype=torch.float64), a, d43)
    torch.addmm(d33_f32, a_f32, d43_f32)
    torch.addmm(d33_i64, a_i64, d43_i64)
    torch.addmm(d33_c128, u_c128, d43_c128, alpha=2)
    torch.addmm(wave(4, 2), m, d62)
    torch.addmm(wave(4, 2), m, d62, beta=2, alpha=3)
    d33.addmm(a, d43)
    d33.addmm_(a, d43); d33
    d33.addmm_(r, d43, beta=2, alpha=3); d33
    torch.addmm(d33, a, d43, out=torch.zeros(3, 3, dtype=torch.float64))
""")
    + instead("""
    torch.sparse.addmm(d33, a, d43, beta=2, alpha=3) | torch.addmm(d33, a, d43, beta=2, alpha=3)
    torch.sparse.addmm(d33, r, d43, beta=0.5, alpha=2) | torch.addmm(d33, r, d43, beta=0.5, alpha=2)
    torch.sparse.addmm(rlow, r, rtall, beta=0.5, alpha=2) | torch.addmm(rlow, r, rtall, beta=0.5, alpha=2)
    torch.sparse.addmm(d3, a, d43) | torch.addmm(d3, a, d43)
""")
)

GROUPS["smm"] = instead("""
    torch.smm(a, d43) | torch.mm(a, d43)
    torch.smm(u, d43) | torch.mm(u, d43)
    torch.smm(e, d43) | torch.mm(e, d43)
    torch.smm(sq, d44) | torch.mm(sq, d44)
    torch.smm(a_f32, d43_f32) | torch.mm(a_f32, d43_f32)
    torch.smm(r, d43) | torch.mm(r, d43)
    a.smm(d43) | a.mm(d43)
    torch.hspmm(a, d43) | torch.mm(a, d43)
    torch.hspmm(u, d43) | torch.mm(u, d43)
    torch.hspmm(e, d43) | torch.mm(e, d43)
    torch.hspmm(sq, d44) | torch.mm(sq, d44)
    torch.hspmm(a_f32, d43_f32) | torch.mm(a_f32, d43_f32)
    torch.hspmm(r, d43) | torch.mm(r, d43)
    torch.hsmm(a, d43) | torch.mm(a, d43)
    torch.saddmm(sq, sq, d44) | torch.addmm(sq, sq, d44)
    torch.saddmm(sq, sq, d44, beta=2, alpha=0.5) | torch.addmm(sq, sq, d44, beta=2, alpha=0.5)
    torch.sspaddmm(sq, sq, d44) | torch.addmm(sq, sq, d44)
    torch.sspaddmm(sq, squ, d44) | torch.addmm(sq, squ, d44)
    torch.sspaddmm(squ, sq, d44) | torch.addmm(squ, sq, d44)
    torch.sspaddmm(sq, squ, d44, beta=2, alpha=0.5) | torch.addmm(sq, squ, d44, beta=2, alpha=0.5)
    torch.sspaddmm(a, a, d44) | torch.addmm(a, a, d44)
    torch.sspaddmm(a, u, d44) | torch.addmm(a, u, d44)
    torch.sspaddmm(e, a, d44) | torch.addmm(e, a, d44)
    torch.sspaddmm(a_f32, a_f32, d44_f32) | torch.addmm(a_f32, a_f32, d44_f32)
    torch.sspaddmm(sq, rsq, d44) | torch.addmm(sq, rsq, d44)
    sq.sspaddmm(sq, d44, beta=2) | sq.addmm(sq, d44, beta=2)
""")

GROUPS["bmm"] = each("torch.{op}({x}, {y})", op="bmm matmul", x="d234 t tu rb cb", y="d243") + plain("""
    torch.bmm(d243, t)
    torch.bmm(t, t.transpose(1, 2))
    torch.bmm(t_f32, d243_f32)
    torch.bmm(t_i64, d243_i64)
    torch.bmm(t_c128, d243_c128)
    torch.bmm(mb, d264)
    torch.bmm(qb, d264)
    torch.bmm(rb, rb.transpose(1, 2))
    torch.matmul(t, d43)
    torch.matmul(rb, d43)
    torch.matmul(d243, a)
    torch.matmul(d243, r)
    torch.matmul(a, d243)
    torch.matmul(r, d243)
    torch.matmul(t, d4)
    torch.baddbmm(d233, t, d243)
    torch.baddbmm(d233, rb, d243)
    t @ d243
    torch.bmm(torch.sparse_coo_tensor(size=(2, 3, 4), dtype=torch.float64), d243)
""")

GROUPS["sampled_addmm"] = plain("""
    torch.sparse.sampled_addmm(r, d32, d24)
    torch.sparse.sampled_addmm(r, d32, d24, alpha=2, beta=0.5)
    torch.sparse.sampled_addmm(r, d32, d24, beta=0)
    torch.sparse.sampled_addmm(r, d32, d24, alpha=0)
    torch.sparse.sampled_addmm(re, d32, d24)
    torch.sparse.sampled_addmm(r, d31, d14)
    torch.sparse.sampled_addmm(r_f32, d32_f32, d24_f32)
    torch.sparse.sampled_addmm(r_c128, d32_c128, d24_c128)
    torch.sparse.sampled_addmm(r_i64, d32_i64, d24_i64)
    torch.sparse.sampled_addmm(rb, wave(2, 3, 2), wave(2, 2, 4))
    torch.sparse.sampled_addmm(r, d32, wave(4, 2).t())
    torch.sparse.sampled_addmm(r, d32, d24, out=r)
    torch.sparse.sampled_addmm(a, d32, d24)
    torch.sparse.sampled_addmm(c, d32, d24)
    torch.sparse.sampled_addmm(m, d42, wave(2, 6))
""")

GROUPS["spdiags"] = each(
    "torch.sparse.spdiags({x}, torch.tensor({offsets}), {size}{layout})",
    x=["d24"],
    offsets=["[0, 1]", "[0, -1]", "[-2, 3]", "[1, 0]"],
    size=["(4, 4)", "(3, 5)"],
    layout=["", ", torch.sparse_csr", ", torch.sparse_csc"],
) + plain(
    """
    torch.sparse.spdiags(d4, torch.tensor(0), (4, 4))
    torch.sparse.spdiags(d4, torch.tensor([2]), (4, 4))
    torch.sparse.spdiags(d24_f32, torch.tensor([0, 1]), (4, 4))
    torch.sparse.spdiags(d24_i64, torch.tensor([0, 1]), (4, 4))
    torch.sparse.spdiags(d24, torch.tensor([0, 1]), (4, 4), layout=torch.sparse_csr)
    torch.sparse.spdiags(d24, torch.tensor([0, 1]), (4, 4)).to_dense()
    torch.sparse.spdiags(d24, torch.tensor([0, 1]), (2, 2))
    torch.sparse.spdiags(d34, torch.tensor([-1, 0, 1]), (4, 4))
""".replace("d34", "d")
)

GROUPS["solve"] = plain("""
    torch.triangular_solve(d33, rup)
    torch.triangular_solve(d33, rlow, upper=False)
    torch.triangular_solve(d33, rup, transpose=True)
    torch.triangular_solve(d33, rup, unitriangular=True)
    torch.triangular_solve(d33, rlow, upper=False, transpose=True)
    torch.triangular_solve(d31, rup)
    torch.triangular_solve(d33_f32, rup_f32)
    torch.triangular_solve(d33_c128, rup_c128)
    torch.triangular_solve(d33, low, upper=False)
    d33.triangular_solve(rup)
    torch.linalg.solve_triangular(rlow, d33, upper=False)
    torch.linalg.solve_triangular(low, d33, upper=False)
    torch.linalg.solve(rsq, d4)
    torch.linalg.solve(sq, d4)
""") + instead("""
    torch.sparse.spsolve(rsq, d4) | torch.linalg.solve(rsq, d4)
    torch.sparse.spsolve(csq, d4) | torch.linalg.solve(csq, d4)
""")

# Masks, sizes, factories ----------------------------------------------------------------------------------------------------

GROUPS["sparse_mask"] = each("{x}.sparse_mask({y})", x="d a u e ex r", y="b u e ex r2 c2") + plain("""
    d46.sparse_mask(m)
    d46.sparse_mask(q)
    m.sparse_mask(m2)
    m.sparse_mask(m)
    d342.sparse_mask(h)
    d342.sparse_mask(hu)
    h.sparse_mask(hb)
    hu.sparse_mask(hb)
    h.sparse_mask(hu)
    d234.sparse_mask(t)
    t.sparse_mask(tu)
    d4.sparse_mask(v)
    d53.sparse_mask(g)
    d53.sparse_mask(gu)
    d.sparse_mask(a_bool)
    d_f32.sparse_mask(a)
    d_i64.sparse_mask(u)
    d_c128.sparse_mask(a)
    a_i64.sparse_mask(b)
    d_f32.sparse_mask(r)
    wave(2, 3, 4).sparse_mask(rb)
    c.sparse_mask(c2)
    d.sparse_mask(d)
""")

GROUPS["resize"] = plain("""
    a.sparse_resize_((5, 6), 2, 0); a
    a.sparse_resize_((3, 4), 2, 0); a
    u.sparse_resize_((5, 6), 2, 0); u
    e.sparse_resize_((2, 2), 2, 0); e
    e.sparse_resize_((2, 2, 2), 2, 1); e
    e.sparse_resize_((2,), 1, 0); e
    h.sparse_resize_((5, 4, 2), 2, 1); h
    h.sparse_resize_((3, 4, 3), 2, 1); h.shape, h._nnz(), h._values().shape
    a.sparse_resize_and_clear_((5, 6), 2, 0); a
    a.sparse_resize_and_clear_((2, 2, 3), 2, 1); a
    u.sparse_resize_and_clear_((2,), 1, 0); u
    a.resize_as_sparse_(u); a
    e.resize_as_sparse_(t); e
    e.resize_as_sparse_(h); e
    a.resize_as_sparse_(sq); a
    a.resize_as_(b); a
    torch.resize_as_sparse_(a, b); a
    r.resize_((5, 7)); r
    r.resize_((3, 4)); r
    r.resize_as_sparse_(r2); r
    r.resize_as_sparse_(rtall); r
    r.resize_as_sparse_(rsq); r.shape, r._nnz(), r.crow_indices(), r.col_indices()
    r.resize_as_sparse_(re); r.shape, r._nnz()
    m.resize_as_sparse_(m2); m.shape, m._nnz()
    m.resize_as_sparse_(msq); m
    a.resize_((5, 6)); a
    r.resize_((2, 2)); r
""")

LAYOUT_NAMES = "torch.sparse_coo torch.sparse_csr torch.sparse_csc torch.sparse_bsr torch.strided".split()
GROUPS["factories"] = (
    each("torch.zeros(3, 4, layout={layout})", layout=LAYOUT_NAMES[:-1])
    + each("torch.zeros(2, 3, 4, layout={layout})", layout=LAYOUT_NAMES[:3])
    + each("x = torch.empty(3, 4, layout={layout}); x.layout, x.shape, x._nnz()", layout=LAYOUT_NAMES[:-1])
    + each("torch.zeros_like({x})", x="a u hu e r rb rh c m mb q a_i64")
    + each("torch.zeros_like({x}, dtype=torch.int64)", x="a r m")
    + each("torch.zeros_like({x}, layout={layout})", x="a d r", layout=LAYOUT_NAMES)
    + each("torch.empty_like({x})._nnz()", x="a u r m c q")
    + each("torch.ones_like({x})", x="a u r rb c m q")
    + each("torch.full_like({x}, 2.0)", x="a r m")
    + each("torch.ones_like({x}, layout=torch.strided)", x="a r")
    + plain("""
    torch.zeros((3, 4), layout=torch.sparse_coo, dtype=torch.int64)
    torch.zeros(3, layout=torch.sparse_coo)
    torch.zeros(0, 3, layout=torch.sparse_coo)
    torch.zeros((), layout=torch.sparse_coo)
    torch.zeros(3, 4, layout=torch.sparse_csr, dtype=torch.float16)
    torch.empty((3, 4), layout=torch.sparse_coo, dtype=torch.bool)
    torch.empty_like(a).is_coalesced()
    torch.ones(3, 4, layout=torch.sparse_coo)
    torch.full((3, 4), 2.0, layout=torch.sparse_coo)
    torch.eye(3, layout=torch.sparse_coo)
    a.new_zeros(2, 3)
    a.new_empty(2, 3)
    a.new_zeros(2, 3, dtype=torch.int32)
    r.new_zeros(2, 3)
    x = c.new_empty((2, 3)); x.layout, x.shape, x.dtype
    a.new_ones(2, 2)
    a.new_tensor([1.0, 2.0])
    torch.empty_like(d, layout=torch.sparse_csr)
""")
)

GROUPS["meta"] = plain("""
    a.to("meta").layout, a.to("meta").shape, a.to("meta").dtype
    r.to("meta").layout, r.to("meta").shape, r.to("meta").dtype
    torch.zeros(3, 4, layout=torch.sparse_coo, device="meta").shape
    torch.empty(3, 4, layout=torch.sparse_csr, device="meta").layout
    torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0], (3,), device="meta").is_meta
    torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0], (3,), device="meta").layout
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 2), device="meta").layout
    a.to("meta").is_sparse
    repr(a.to("meta"))
    repr(r.to("meta"))
    torch.zeros_like(a, device="meta").layout
""")

GROUPS["item"] = plain("""
    o.item()
    torch.sparse_coo_tensor([[0]], [7.0], (1,)).item()
    torch.sparse_coo_tensor([[0, 0]], [7.0, 1.0], (1,)).item()
    torch.zeros(1).to_sparse().item()
    torch.sparse_coo_tensor([[0], [0]], [3], (1, 1)).item()
    bool(torch.sparse_coo_tensor([[0]], [7.0], (1,)))
    float(torch.sparse_coo_tensor([[0]], [7.0], (1,)))
    int(torch.sparse_coo_tensor([[0]], [7.0], (1,)))
    v[0].item()
    a[0, 1].item()
    torch.is_nonzero(torch.sparse_coo_tensor([[0]], [7.0], (1,)))
""")

GROUPS["invariants"] = plain("""
    torch.sparse.check_sparse_tensor_invariants.is_enabled()
    torch.sparse.check_sparse_tensor_invariants.enable(); x = torch.sparse.check_sparse_tensor_invariants.is_enabled(); torch.sparse.check_sparse_tensor_invariants.disable(); x
    torch.sparse.check_sparse_tensor_invariants.enable(); torch.sparse.check_sparse_tensor_invariants.disable(); torch.sparse.check_sparse_tensor_invariants.is_enabled()
    torch.sparse.check_sparse_tensor_invariants(lambda: torch.sparse.check_sparse_tensor_invariants.is_enabled())()
    torch.sparse.check_sparse_tensor_invariants(False)(lambda: torch.sparse.check_sparse_tensor_invariants.is_enabled())()
    c = torch.sparse.check_sparse_tensor_invariants(); c.__enter__(); x = c.is_enabled(); c.__exit__(None, None, None); x, c.is_enabled()
    torch.sparse.as_sparse_gradcheck(torch.autograd.gradcheck)(lambda x: x.to_dense(masked_grad=False), (a.requires_grad_(),), masked=False)
    torch.autograd.gradcheck(lambda x: x.to_dense(), (a.requires_grad_(),), masked=True)
    torch.autograd.gradcheck(lambda x: torch.sparse.sum(x), (a.requires_grad_(),), masked=True)
    torch.autograd.gradcheck(lambda x, y: torch.sparse.mm(x, y), (a.requires_grad_(), d43.requires_grad_()), masked=True)
    torch.autograd.gradcheck(lambda x: x.values(), (a.requires_grad_(),), masked=True)
""")

# Bad input ------------------------------------------------------------------------------------------------------------------

CHECKED = "check_invariants=True"
GROUPS["bad input"] = bad("""
    torch.sparse_coo_tensor([[0, 5]], [1.0, 2.0], (2,), check_invariants=True) ! size is inconsistent with indices
    torch.sparse_coo_tensor([[0, -1]], [1.0, 2.0], (2,), check_invariants=True) ! found negative index -1
    torch.sparse_coo_tensor([[0, -1]], [1.0, 2.0]) ! found negative index -1
    torch.sparse_coo_tensor([[1, 0]], [1.0, 2.0], (2,), is_coalesced=True, check_invariants=True) ! uncoalesced
    torch.sparse_coo_tensor([[0, 0]], [1.0, 2.0], (2,), is_coalesced=True, check_invariants=True) ! uncoalesced
    torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0, 3.0], (2,)) ! same nnz
    torch.sparse_coo_tensor([[0, 1]], 5.0, (3,)) ! same nnz
    torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0], (2, 2)) ! sparse_dim
    torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0], ()) ! sparse_dim
    torch.sparse_coo_tensor([[0, 1]], wave(2, 3), (2, 4)) ! values has incorrect size
    torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0], (-2,))
    torch.sparse_coo_tensor([[1], [1]], [1.0], (2**41, 2**41)) ! overflow
    torch.sparse_coo_tensor()
    torch.sparse_coo_tensor([[0, 1]])
    torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0], (3,), layout=torch.strided)
    torch.sparse_csr_tensor([0, 1, 2], [0, 5], [1.0, 2.0], (2, 2), check_invariants=True) ! col_indices
    torch.sparse_csr_tensor([0, 1, 2], [0, -1], [1.0, 2.0], (2, 2), check_invariants=True) ! col_indices
    torch.sparse_csr_tensor([1, 1, 2], [0, 1], [1.0, 2.0], (2, 2), check_invariants=True) ! crow_indices
    torch.sparse_csr_tensor([0, 1, 3], [0, 1], [1.0, 2.0], (2, 2), check_invariants=True) ! crow_indices
    torch.sparse_csr_tensor([0, 2, 1], [0, 1], [1.0, 2.0], (2, 2), check_invariants=True) ! crow_indices
    torch.sparse_csr_tensor([0, 3, 1, 2], [0, 1], [1.0, 2.0], (3, 2), check_invariants=True) ! crow_indices
    torch.sparse_csr_tensor([0, 2, 2], [1, 0], [1.0, 2.0], (2, 2), check_invariants=True) ! sorted and distinct
    torch.sparse_csr_tensor([0, 2, 2], [1, 1], [1.0, 2.0], (2, 2), check_invariants=True) ! sorted and distinct
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0, 3.0], (2, 2), check_invariants=True) ! nnz
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (3, 2), check_invariants=True) ! number of rows + 1
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2,), check_invariants=True)
    torch.sparse_csr_tensor([0, 1, 2], [[0, 1]], [1.0, 2.0], (2, 2), check_invariants=True)
    torch.sparse_csr_tensor(torch.tensor([0, 1, 2], dtype=torch.int16), torch.tensor([0, 1], dtype=torch.int16), [1.0, 2.0], (2, 2), check_invariants=True)
    torch.sparse_csr_tensor(torch.tensor([0, 1, 2], dtype=torch.int32), torch.tensor([0, 1]), [1.0, 2.0], (2, 2), check_invariants=True)
    torch.sparse_csr_tensor(torch.tensor([0.0, 1, 2]), torch.tensor([0.0, 1]), [1.0, 2.0], (2, 2), check_invariants=True)
    torch.sparse_csc_tensor([0, 1, 2], [0, 5], [1.0, 2.0], (2, 2), check_invariants=True) ! row_indices
    torch.sparse_csc_tensor([1, 1, 2], [0, 1], [1.0, 2.0], (2, 2), check_invariants=True) ! ccol_indices
    torch.sparse_bsr_tensor([0, 1, 2], [0, 1], wave(2, 2, 3), (4, 7), check_invariants=True) ! divisible
    torch.sparse_bsr_tensor([0, 1, 2], [0, 2], wave(2, 2, 3), (4, 6), check_invariants=True) ! col_indices
    torch.sparse_bsr_tensor([0, 1, 2], [0, 1], [1.0, 2.0])
    torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 2), layout=torch.sparse_csc)
    torch.sparse_compressed_tensor([0, 1, 2], [0, 1], [1.0, 2.0]) ! layout
    torch.sparse_compressed_tensor([0, 1, 2], [0, 1], [1.0, 2.0], layout=torch.sparse_coo) ! layout
    u.indices() ! uncoalesced
    u.values() ! uncoalesced
    a.crow_indices() ! crow_indices
    r.indices() ! layout
    r.coalesce() ! layout
    r.is_coalesced() ! layout
    r._indices()
    r.ccol_indices() ! ccol_indices
    d.indices()
    d.coalesce() ! layout
    d.is_coalesced() ! layout
    d.crow_indices()
    d._nnz()
    u.abs_() ! coalesced
    u.sin_() ! coalesced
    u.sqrt_() ! coalesced
    a + sq
    d + sq
    a + h
    r + rsq
    a * sq
    r * rsq
    a.add_(sq)
    a @ a
    a @ d
    r @ d
    a @ d3
    a_f32 @ d43
    r_f32 @ d43
    torch.addmm(d44, a, d43)
    torch.bmm(t, d43)
    torch.bmm(t, d234)
    torch.cat([a, h])
    torch.cat([a, t])
    torch.cat([a, sq], 1)
    torch.cat([])
    torch.stack([a, sq])
    a.transpose(0, 2)
    t.t()
    a.permute(0, 0)
    a.permute(0)
    a.select(0, 3)
    a.select(2, 0)
    a[3]
    a[0, 4]
    r[5]
    a.index_select(0, torch.tensor([5]))
    a.index_select(2, torch.tensor([0]))
    a.index_select(0, torch.tensor([[0]]))
    a.index_select(0, torch.tensor([0.0]))
    a.narrow_copy(0, 0, 5)
    a.narrow_copy(0, 2, 2)
    a.narrow_copy(0, 0, -1)
    a.unsqueeze(4)
    torch.sparse.sum(a, 2)
    torch.sparse.sum(a, (0, 0))
    torch.sparse.softmax(a, 2)
    torch.sum(a, 2)
    d.to_sparse(0)
    d.to_sparse(3)
    d.to_sparse(-1)
    d46.to_sparse_bsr((3, 2)) ! divisible
    d46.to_sparse_bsr((0, 2))
    d46.to_sparse(layout=torch.sparse_bsr)
    d.to_sparse(layout=torch.sparse_csr, blocksize=(1, 2))
    d.to_sparse_csr(dense_dim=1)
    a.sparse_resize_((2, 2), 2, 0) ! shrinking
    a.sparse_resize_((3, 4, 2), 2, 1) ! dense dimensions
    a.sparse_resize_((3, 4), 1, 1)
    a.resize_as_sparse_(t)
    d.sparse_resize_((2, 2), 2, 0)
    r.sparse_resize_((2, 2), 2, 0)
    a.sparse_mask(sq)
    d.sparse_mask(sq)
    d33.sparse_mask(a)
    torch.sparse.sampled_addmm(r, d33, d24)
    torch.sparse.sampled_addmm(r, d42, d24)
    torch.sparse.sampled_addmm(d, d32, d24)
    torch.sparse.spdiags(d24, torch.tensor([0, 0]), (4, 4)) ! duplicate
    torch.sparse.spdiags(d24, torch.tensor([0, 1, 2]), (4, 4))
    torch.sparse.spdiags(d24, torch.tensor([0.0, 1.0]), (4, 4))
    torch.sparse.spdiags(d24, torch.tensor([0, 1]), (4,))
    torch.sparse.spdiags(d24, torch.tensor([0, 1]), (4, 4), torch.sparse_bsr) ! layout
    torch.sparse.spdiags(d234, torch.tensor([0, 1]), (4, 4))
    torch.sparse.mm(r, d43, "prod")
    torch.sparse.mm(r, d43, "nothing")
    torch.sparse.mm(a, d4)
    torch.sparse.mm(v, d4)
    a.item()
    a.numpy()
    a.tolist()
    r.numpy()
    bool(a)
    a.storage()
    a.untyped_storage()
    a.data_ptr()
    r.data_ptr()
    r.stride()
    r.is_contiguous()
    a.__dlpack__()
    r.__dlpack__()
    a.__setitem__(0, 1) ! sparse
    a.pow(0)
    a.type("torch.sparse.NoTensor")
    a.register_hook(print)
    a.backward()
    a_i64.requires_grad_()
    torch.sparse.to_sparse_semi_structured(d44)
    -a_bool
    a.share_memory_()
    a.fill_diagonal_(1.0)
    sq.det()
    torch.linalg.inv(rsq)
    torch.linalg.svd(a)
    r.fill_(1.0, 2.0)
    a.view_as(d43)
""")

# Gradients ------------------------------------------------------------------------------------------------------------------

GROUPS["gradients of conversions"] = gradient("""
    a.to_dense() ; a
    u.to_dense() ; u
    h.to_dense() ; h
    hu.to_dense() ; hu
    a.to_dense(masked_grad=True) ; a
    a.to_dense(masked_grad=False) ; a
    r.to_dense() ; r
    r.to_dense(masked_grad=False) ; r
    rb.to_dense() ; rb
    c.to_dense() ; c
    m.to_dense() ; m
    q.to_dense() ; q
    d.to_sparse() ; d
    d.to_sparse(1) ; d
    d342.to_sparse(2) ; d342
    d.to_sparse_csr() ; d
    d.to_sparse_csc() ; d
    d46.to_sparse_bsr((2, 2)) ; d46
    d46.to_sparse_bsc((2, 2)) ; d46
    a.to_sparse_csr() ; a
    u.to_sparse_csr() ; u
    a.to_sparse_csc() ; a
    r.to_sparse() ; r
    r.to_sparse_csc() ; r
    c.to_sparse() ; c
    m.to_sparse() ; m
    r.to_sparse_bsr((1, 2)) ; r
    a.to_sparse_bsr((1, 2)) ; a
    a.coalesce() ; a
    u.coalesce() ; u
    hu.coalesce() ; hu
    a.clone() ; a
    u.clone() ; u
    r.clone() ; r
    a.float() ; a
    r.float() ; r
    a.to(torch.complex128) ; a
    a_f32.to(torch.float64) ; a_f32
    torch.sparse_coo_tensor([[0, 1, 0]], d3, (3,)) ; d3
    torch.sparse_coo_tensor([[0, 1, 0]], d3, (3,)).coalesce() ; d3
    torch.sparse_coo_tensor([[0, 1, 0]], d3, (3,)).coalesce().values() ; d3
    torch.sparse_coo_tensor([[0, 1, 0]], d32, (3, 2)) ; d32
    torch.sparse_coo_tensor([[0, 1, 2], [2, 1, 0]], d3, (3, 3)).to_dense() ; d3
    torch.sparse_csr_tensor([0, 1, 3], [0, 0, 1], d3, (2, 2)) ; d3
    torch.sparse_csr_tensor([0, 1, 3], [0, 0, 1], d3, (2, 2)).values() ; d3
    torch.sparse_csc_tensor([0, 1, 3], [0, 0, 1], d3, (2, 2)) ; d3
    torch.sparse_compressed_tensor([0, 1, 3], [0, 0, 1], d3, (2, 2), layout=torch.sparse_csr) ; d3
    torch.sparse_bsr_tensor([0, 1, 2], [0, 1], d246[:, :2, :3], (4, 6)) ; d246
    a.values() ; a
    a.coalesce().values() ; a
    u.coalesce().values() ; u
    h.values() ; h
    r.values() ; r
    r.values() * 2 ; r
    d.sparse_mask(a) ; d
    d.sparse_mask(u) ; d
    d.sparse_mask(r) ; d
    b.sparse_mask(a) ; b
    w.sparse_mask(a) ; w
    r2.sparse_mask(r) ; r2
    d342.sparse_mask(h) ; d342
""")
GROUPS["gradients of shapes"] = gradient("""
    a.t() ; a
    u.t() ; u
    r.t() ; r
    c.t() ; c
    a.transpose(0, 1) ; a
    h.transpose(0, 1) ; h
    t.permute(2, 0, 1) ; t
    a.unsqueeze(0) ; a
    row.squeeze(0) ; row
    a.select(0, 0) ; a
    a[0] ; a
    a[0, 1] ; a
    a[:, 1] ; a
    u[0] ; u
    h[0] ; h
    v[0] ; v
    r[0] ; r
    r[0, 1] ; r
    a.index_select(0, torch.tensor([2, 0, 2])) ; a
    a.index_select(1, torch.tensor([1, 3])) ; a
    u.index_select(0, torch.tensor([0])) ; u
    h.index_select(2, torch.tensor([1, 0])) ; h
    a.narrow_copy(0, 0, 2) ; a
    u.narrow_copy(1, 0, 3) ; u
    torch.cat([a, b]) ; a b
    torch.cat([a, b], 1) ; a b
    torch.cat([u, w]) ; u w
    torch.stack([a, b]) ; a b
    torch.stack([a, b], 2) ; a b
    torch.cat([r, r2]) ; r r2
    a.reshape(4, 3) ; a
""")
GROUPS["gradients of arithmetic"] = gradient("""
    a + b ; a b
    a + a ; a
    u + w ; u w
    a + u ; a u
    d + a ; d a
    d + u ; d u
    d342 + hu ; d342 hu
    torch.add(a, b, alpha=3) ; a b
    torch.add(d, a, alpha=3) ; d a
    r + r2 ; r r2
    d + r ; d r
    r + d ; r d
    torch.add(r, r2, alpha=2) ; r r2
    a - b ; a b
    d - a ; d a
    a * b ; a b
    u * b ; u b
    u * w ; u w
    h * hb ; h hb
    a * d ; a d
    d * a ; d a
    u * d ; u d
    a * d14 ; a d14
    a * 2 ; a
    u * 2 ; u
    a * torch.tensor(2.0, dtype=torch.float64) ; a
    a / 2 ; a
    a / torch.tensor(4.0, dtype=torch.float64) ; a
    r * r2 ; r r2
    r * d ; r d
    r * 2 ; r
    c * 2 ; c
    m * 2 ; m
    -a ; a
    -u ; u
    -r ; r
    a.abs() ; a
    u.abs() ; u
    a.relu() ; a
    r.abs() ; r
    r.relu() ; r
    a.pow(2) ; a
    u.pow(3) ; u
    a ** 3 ; a
    a.square() ; a
    p.sqrt() ; p
    rp.sqrt() ; rp
    a.sin() ; a
    u.sin() ; u
    r.sin() ; r
    c.sin() ; c
    m.sin() ; m
    a.tan() ; a
    a.tanh() ; a
    r.tanh() ; r
    a.sinh() ; a
    a.asinh() ; a
    a.atan() ; a
    a.expm1() ; a
    r.expm1() ; r
    a.erf() ; a
    k.log1p() ; k
    rk.log1p() ; rk
    k.asin() ; k
    rk.asin() ; rk
    k.atanh() ; k
    k.erfinv() ; k
    a.deg2rad() ; a
    a.rad2deg() ; a
    a.sgn() ; a
    a.sign() ; a
    a.floor() ; a
    a.round() ; a
    a.frac() ; a
    a.nan_to_num() ; a
    a_c128 * 2 ; a_c128
    a_c128 * b_c128 ; a_c128 b_c128
    a_c128.conj() ; a_c128
    a_c128.real ; a_c128
    a_c128.abs() ; a_c128
    a.clone().mul_(2) ; a
    a.clone().add_(b) ; a b
    a.clone().neg_() ; a
    a_f32 * b ; a_f32 b
    a_f32 + b_f32 ; a_f32 b_f32
""")
GROUPS["gradients of reductions"] = gradient("""
    a.sum() ; a
    u.sum() ; u
    a.sum(0) ; a
    r.sum() ; r
    r.sum(1, keepdim=True) ; r
    torch.sparse.sum(a) ; a
    torch.sparse.sum(u) ; u
    torch.sparse.sum(a, 0) ; a
    torch.sparse.sum(a, 1) ; a
    torch.sparse.sum(u, 1) ; u
    torch.sparse.sum(a, (0, 1)) ; a
    torch.sparse.sum(h, 0) ; h
    torch.sparse.sum(h, 2) ; h
    torch.sparse.sum(h, (0, 1)) ; h
    torch.sparse.sum(h, (0, 2)) ; h
    torch.sparse.sum(hu, (1,)) ; hu
    torch.sparse.sum(t, (0, 2)) ; t
    torch.sparse.softmax(a, 0) ; a
    torch.sparse.softmax(a, 1) ; a
    torch.sparse.softmax(u, 1) ; u
    torch.sparse.softmax(h, 1) ; h
    torch.sparse.softmax(h, 2) ; h
    torch.sparse.softmax(t, 0) ; t
    torch.sparse.log_softmax(a, 0) ; a
    torch.sparse.log_softmax(a, 1) ; a
    torch.sparse.log_softmax(u, 1) ; u
    torch.sparse.log_softmax(h, 2) ; h
    torch.sparse.softmax(a_f32, 1) ; a_f32
    a.norm() ; a
    torch.norm(u) ; u
    torch.native_norm(a) ; a
    a.mean() ; a
""")
GROUPS["gradients of products"] = gradient(
    """
    torch.sparse.mm(a, d43) ; a d43
    torch.sparse.mm(u, d43) ; u d43
    torch.sparse.mm(e, d43) ; e d43
    torch.sparse.mm(a, tall) ; a tall
    torch.sparse.mm(u, tallu) ; u tallu
    torch.sparse.mm(sq, sq) ; sq
    torch.sparse.mm(r, d43) ; r d43
    torch.sparse.mm(c, d43) ; c d43
    torch.sparse.mm(r, rtall) ; r rtall
    torch.sparse.mm(r, d43, "sum") ; r d43
    torch.sparse.mm(r, d43, "mean") ; r d43
    torch.sparse.mm(r, d43, "amax") ; r d43
    torch.sparse.mm(r, d43, "amin") ; r d43
    torch.sparse.mm(a_f32, d43_f32) ; a_f32 d43_f32
    torch.sparse.mm(a_c128, d43_c128) ; a_c128 d43_c128
    torch.sparse.mm(a, d43) ; d43
    torch.sparse.mm(r, d43) ; d43
    torch.mm(a, d43) ; a d43
    torch.mm(u, d43) ; u d43
    torch.mm(a, d43) ; d43
    torch.mm(u, d43) ; d43
    torch.mm(r, d43) ; r d43
    torch.mm(r, d43) ; d43
    torch.mm(c, d43) ; d43
    torch.mm(m, d64) ; m d64
    torch.mm(m, d62) ; d62
    torch.mm(a, tall) ; a tall
    torch.mm(r, rtall) ; r rtall
    torch.mm(d24, tall) ; d24 tall
    torch.mm(d24, rtall) ; d24 rtall
    torch.mm(d24, tall) ; d24
    torch.mm(d24, rtall) ; d24
    a @ d43 ; a d43
    a @ d4 ; a d4
    torch.mv(a, d4) ; a d4
    torch.mv(u, d4) ; d4
    r @ d4 ; r d4
    r @ d4 ; d4
    torch.sparse.addmm(d33, a, d43) ; d33 a d43
    torch.sparse.addmm(d33, u, d43) ; d33 u d43
    torch.sparse.addmm(d33, a, d43, beta=2, alpha=3) ; d33 a d43
    torch.sparse.addmm(d33, r, d43, beta=2, alpha=3) ; d33 r d43
    torch.addmm(d33, a, d43) ; d33 a d43
    torch.addmm(d33, a, d43, beta=2, alpha=3) ; d33 a d43
    torch.addmm(d33, r, d43) ; d33 r d43
    torch.addmm(d3, a, d43) ; d3 d43
    torch.addmv(d3, r, d4) ; d3 r d4
    torch.bmm(t, d243) ; t d243
    torch.bmm(t, d243) ; d243
    torch.smm(a, d43) ; a d43
    torch.hspmm(a, d43) ; a d43
    torch.sspaddmm(sq, sq, d44) ; sq d44
    torch.sparse.sampled_addmm(r, d32, d24) ; r d32 d24
    torch.sparse.sampled_addmm(r, d32, d24, alpha=2, beta=0.5) ; r d32 d24
    torch.triangular_solve(d33, rup)[0] ; d33 rup
    torch.triangular_solve(d33, rup)[0] ; d33
    F.linear(d24, a) ; d24 a
    F.linear(d24, r) ; d24 r
    F.linear(d24, r) ; d24
    torch.sparse.spdiags(d24, torch.tensor([0, 1]), (4, 4)) ; d24
    torch.sparse.mm(a, torch.sparse.mm(tall, d34)) ; a tall d34
    torch.sparse.sum(torch.sparse.mm(a, tall)) ; a tall
""".replace("d34", "d")
)

W = "w = torch.nn.Embedding(5, 3, sparse=True, dtype=torch.float64, _weight=wave(5, 3)); "
BAG = "w = torch.nn.EmbeddingBag(5, 3, sparse=True, mode='{mode}', _weight=wave(5, 3)); "
STEP = "(w(torch.tensor([1, 3, 1])) * wave(3, 3)).sum().backward(); "
GROUPS["embedding"] = plain(
    "\n".join(
        [
            W + STEP + "w.weight.grad",
            W + STEP + "w.weight.grad.coalesce()",
            W + STEP + STEP + "w.weight.grad",
            W + STEP + STEP + "w.weight.grad.is_coalesced()",
            W + STEP + "w(torch.tensor([[2, 0], [4, 4]])).sum().backward(); w.weight.grad",
            W + "(w(torch.tensor([1, 3])).sum() + w.weight.sum()).backward(); w.weight.grad",
            W + STEP + "w.weight.sum().backward(); w.weight.grad",
            W + "w.weight.sum().backward(); " + STEP + "w.weight.grad",
            W + "w(torch.tensor([], dtype=torch.int64)).sum().backward(); w.weight.grad",
            W + "w(torch.tensor(2)).sum().backward(); w.weight.grad",
            W + STEP + "w.zero_grad(set_to_none=False); w.weight.grad",
            W + STEP + "w.zero_grad(); w.weight.grad",
            W + STEP + "torch.nn.utils.clip_grad_norm_(w.parameters(), 1.0); w.weight.grad",
            W + STEP + "w.weight.grad.requires_grad",
            W + "w.weight.register_hook(lambda g: g * 2); " + STEP + "w.weight.grad",
            W + "seen = []; h = w.weight.register_hook(lambda g: seen.append(g.layout)); " + STEP + "seen",
            W.replace("sparse=True", "sparse=True, padding_idx=1") + STEP + "w.weight.grad",
            W.replace("sparse=True", "sparse=True, scale_grad_by_freq=True") + STEP + "w.weight.grad",
            "F.embedding(torch.tensor([1, 3, 1]), d53.requires_grad_(), sparse=True).sum().backward(); d53.grad",
            "F.embedding(torch.tensor([[1, 3], [1, 0]]), d53.requires_grad_(), padding_idx=-2, sparse=True).sum().backward(); d53.grad",
            "g = torch.autograd.grad(F.embedding(torch.tensor([1, 3, 1]), d53.requires_grad_(), sparse=True).sum(), d53)[0]; g",
            *(
                BAG.format(mode=mode)
                + "(w(torch.tensor([[1, 3], [1, 1]])) * wave(2, 3)).sum().backward(); w.weight.grad"
                for mode in ("sum", "mean", "max")
            ),
            *(
                BAG.format(mode=mode)
                + "w(torch.tensor([1, 3, 1, 0]), torch.tensor([0, 2])).sum().backward(); w.weight.grad"
                for mode in ("sum", "mean")
            ),
            BAG.format(mode="sum")
            + "w(torch.tensor([1, 3, 1]), torch.tensor([0, 2]), wave(3)).sum().backward(); w.weight.grad",
            BAG.format(mode="sum") + "w(torch.tensor([[1, 3], [1, 1]])).sum().backward(); w.weight.grad.coalesce()",
        ]
    )
)

STEPS = "o = torch.optim.{made}; x = [(o.zero_grad(), (w(torch.tensor([1, 3, 1])) * wave(3, 3)).sum().backward(), o.step()) for _ in range(3)]; w.weight.detach()"
GROUPS["optimisers"] = plain(
    "\n".join(
        [
            *(
                W + STEPS.format(made=made)
                for made in (
                    "SGD(w.parameters(), lr=0.1)",
                    "SGD(w.parameters(), lr=0.1, momentum=0.9)",
                    "SGD(w.parameters(), lr=0.1, momentum=0.9, nesterov=True)",
                    "SGD(w.parameters(), lr=0.1, momentum=0.9, dampening=0.5)",
                    "SGD(w.parameters(), lr=0.1, maximize=True)",
                    "SGD(w.parameters(), lr=0.1, weight_decay=0.1)",
                    "SGD(w.parameters(), lr=0.1, foreach=True)",
                    "SparseAdam(w.parameters(), lr=0.1)",
                    "SparseAdam(list(w.parameters()), lr=0.1, betas=(0.5, 0.9), eps=1e-3)",
                    "SparseAdam(w.parameters(), lr=0.1, maximize=True)",
                    "Adagrad(w.parameters(), lr=0.1)",
                    "Adagrad(w.parameters(), lr=0.1, lr_decay=0.1, initial_accumulator_value=0.5)",
                    "Adagrad(w.parameters(), lr=0.1, maximize=True)",
                    "Adagrad(w.parameters(), lr=0.1, weight_decay=0.1)",
                    "Adam(w.parameters(), lr=0.1)",
                    "AdamW(w.parameters(), lr=0.1)",
                    "RMSprop(w.parameters(), lr=0.1)",
                    "Adadelta(w.parameters(), lr=0.1)",
                    "Adamax(w.parameters(), lr=0.1)",
                    "NAdam(w.parameters(), lr=0.1)",
                    "RAdam(w.parameters(), lr=0.1)",
                    "ASGD(w.parameters(), lr=0.1)",
                    "Rprop(w.parameters(), lr=0.1)",
                )
            ),
            W
            + "o = torch.optim.SGD(w.parameters(), lr=0.1, momentum=0.9); "
            + STEP
            + "o.step(); o.state[w.weight]['momentum_buffer']",
            W
            + "o = torch.optim.SparseAdam(w.parameters(), lr=0.1); "
            + STEP
            + "o.step(); o.state[w.weight]['exp_avg']",
            W
            + "o = torch.optim.SparseAdam(w.parameters(), lr=0.1); "
            + STEP
            + "o.step(); o.state[w.weight]['exp_avg_sq']",
            W + "o = torch.optim.Adagrad(w.parameters(), lr=0.1); " + STEP + "o.step(); o.state[w.weight]['sum']",
            W
            + "o = torch.optim.SGD(w.parameters(), lr=0.1); "
            + STEP
            + "o.zero_grad(set_to_none=False); w.weight.grad",
            "torch.optim.SparseAdam([a.requires_grad_()])",
            "torch.optim.SGD([a.requires_grad_()], lr=0.1); a.grad",
            "d53.requires_grad_(); o = torch.optim.SGD([d53], lr=0.5); d53.grad = gu; o.step(); d53.detach()",
            "d53.requires_grad_(); o = torch.optim.SparseAdam([d53], lr=0.5); d53.grad = gu; o.step(); d53.detach()",
            "d53.requires_grad_(); o = torch.optim.Adagrad([d53], lr=0.5); d53.grad = gu; o.step(); d53.detach()",
            "d53.requires_grad_(); o = torch.optim.SparseAdam([d53], lr=0.5); d53.grad = d53.detach() * 2; o.step()",
        ]
    )
)

GROUPS["accumulation"] = plain(
    """
    a.requires_grad_(); a.to_dense().sum().backward(); a.to_dense().sum().backward(); a.grad
    a.requires_grad_(); a.to_dense().sum().backward(); (a * b).to_dense().sum().backward(); a.grad
    a.requires_grad_(); a.to_dense().sum().backward(); a.sum().backward(); a.grad
    a.requires_grad_(); a.sum().backward(); a.to_dense().sum().backward(); a.grad
    r.requires_grad_(); r.to_dense().sum().backward(); r.to_dense().sum().backward(); r.grad
    a.requires_grad_(); h = a.register_hook(lambda g: g * 3); a.to_dense().sum().backward(); a.grad
    a.requires_grad_(); (a.to_dense() + (a * 2).to_dense()).sum().backward(); a.grad
    d.requires_grad_(); (d + a).sum().backward(); d.grad
    d.requires_grad_(); (d * a).to_dense().sum().backward(); d.grad
    d.requires_grad_(); (d * a).to_dense().sum().backward(); d.sum().backward(); d.grad
    a.requires_grad_(); torch.autograd.grad(a.to_dense().sum(), a)[0]
    a.requires_grad_(); a.grad = b; a.grad
    d.grad = a; d.grad.layout
    d.grad = a; d.grad += b; d.grad
    a.requires_grad_(); (a * a).to_dense().sum().backward(); a.grad.to_dense()
    d43.requires_grad_(); torch.sparse.mm(a, d43).pow(2).sum().backward(); d43.grad
    d43.requires_grad_(); x = torch.autograd.grad(torch.sparse.mm(a, d43).pow(3).sum(), d43, create_graph=True)[0]; x.sum().backward(); d43.grad
    x = d3.requires_grad_(); s = torch.sparse_coo_tensor([[0, 1, 0]], x, (3,)); s.is_leaf, s.requires_grad, s._values().requires_grad
    x = d3.requires_grad_(); s = torch.sparse_coo_tensor([[0, 1, 1], [0, 1, 2]], x, (3, 4)); torch.sparse.mm(s, d43).pow(2).sum().backward(); x.grad
    x = d3.requires_grad_(); s = torch.sparse_coo_tensor([[0, 1, 2], [0, 1, 2]], x, (3, 3)); torch.sparse.softmax(s, 1).to_dense().sum().backward(); x.grad
    torch.no_grad()(lambda: (a.requires_grad_() * 2).requires_grad)()
    a.requires_grad_(); a.detach_().requires_grad
    d.backward
""".replace("    d.backward\n", "")
)
