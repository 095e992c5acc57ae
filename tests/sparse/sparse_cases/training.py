"""Embeddings with sparse gradients, optimisers, what accumulates in `.grad`."""

from .program import Program, each, plain

GROUPS = {}

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
            W + STEP + "w.weight.grad.requires_grad",
            W + "w.weight.register_hook(lambda g: g * 2); " + STEP + "w.weight.grad",
            W + "seen = []; h = w.weight.register_hook(lambda g: seen.append(g.layout)); " + STEP + "seen",
            W.replace("sparse=True", "sparse=True, padding_idx=1") + STEP + "w.weight.grad",
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
) + [
    Program(source, dense=source.replace("sparse=True", "sparse=False"))
    for source in (
        W + STEP + "torch.nn.utils.clip_grad_norm_(w.parameters(), 1.0); w.weight.grad",
        W.replace("sparse=True", "sparse=True, scale_grad_by_freq=True") + STEP + "w.weight.grad",
    )
]

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

TWICE = "x = torch.autograd.grad(({f}).to_dense().pow(2).sum(), {x}, create_graph=True)[0]; x.to_dense().pow(2).sum().backward(); {x}.grad"
GROUPS["double backward"] = (
    each(
        "a.requires_grad_(); " + TWICE.replace("{x}", "a"),
        f=[
            "a",
            "a * a",
            "a * 2",
            "a * b",
            "a + b",
            "-a",
            "a.t()",
            "a.relu()",
            "a.pow(2)",
            "torch.sparse.mm(a, tall)",
            "a.to_sparse_csr()",
        ],
    )
    + each("r.requires_grad_(); " + TWICE.replace("{x}", "r"), f=["r", "r * r2", "r * 2", "r + r2", "r.relu()"])
    + each(
        "d43.requires_grad_(); " + TWICE.replace("{x}", "d43"),
        f=[
            "torch.sparse.mm(a, d43)",
            "torch.sparse.mm(u, d43)",
            "a @ d43",
            "r @ d43",
            "torch.sparse.mm(r, d43)",
            "torch.sparse.mm(c, d43)",
        ],
    )
    + each(
        "d.requires_grad_(); " + TWICE.replace("{x}", "d"), f=["d + a", "d * a", "d.to_sparse()", "d.to_sparse_csr()"]
    )
)
CHECKED = (
    "torch.autograd.gradcheck(lambda x: ({f}).to_dense(masked_grad={masked}), ({x}.requires_grad_(),), masked={masked})"
)
GROUPS["gradcheck"] = (
    each(
        CHECKED,
        x="a",
        masked="True",
        f=[
            "x",
            "x.coalesce()",
            "x.t()",
            "x * b",
            "x * d",
            "x * 2",
            "x + b",
            "-x",
            "x.abs()",
            "x.relu()",
            "x.sin()",
            "x.tanh()",
            "x.pow(2)",
            "torch.sparse.sum(x)",
            "torch.sparse.sum(x, 0)",
            "torch.sparse.softmax(x, 1)",
            "torch.sparse.log_softmax(x, 1)",
            "torch.sparse.mm(x, d43)",
            "torch.sparse.mm(x, tall)",
            "torch.sparse.addmm(d33, x, d43)",
            "x.values()",
            "x[0]",
            "x.index_select(0, torch.tensor([0, 2]))",
            "torch.cat([x, b])",
            "x.to_sparse_csr()",
        ],
    )
    + each(CHECKED, x="u", masked="True", f=["x", "x.coalesce()", "torch.sparse.mm(x, d43)", "x * d"])
    + each(CHECKED, x="r c m", masked="True", f=["x", "x * 2", "x.relu()", "x.sin()", "x.to_sparse()"])
    + each(
        CHECKED,
        x="r",
        masked="True",
        f=[
            "x * d",
            "x + r2",
            "torch.sparse.mm(x, d43)",
            "torch.sparse.sampled_addmm(x, d32, d24)",
            "x.values()",
            "x.sum()",
            "x.t()",
        ],
    )
    + each(CHECKED, x="a r", masked="False", f=["x", "x @ d43", "x.sum()"])
)
