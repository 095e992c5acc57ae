"""Bad input: PyTorch refuses, and so do we, with words that its message has."""

from .program import bad

GROUPS = {}

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
