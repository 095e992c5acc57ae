"""Other sizes: transposes, slices, what is put together."""

from .program import each, plain

GROUPS = {}

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
