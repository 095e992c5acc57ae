"""Distances of vectors, and the losses that are made of other operators."""

from golden.row import Row, codes, each, errors

PAIRS = each("f32 f64", "$ 3x4;$ 3x4", "$ 4;$ 3x4", "$ 2x3x4;$ 3x4", "$ -;$ -", "$ 0x4;$ 0x4", "$ 3x4 T;$ 4x3") + (
    "i64 2x3;i64 2x3 ones",
    "f32 3x4;i64 3x4",
    "f32 3x4;f32 3x5",
    "f32 2x3 nans;f32 2x3",
)
ROWS_OF = each("f32 f64", "$ 4x3", "$ 1x3", "$ 3x0", "$ 5x2 T") + (
    "f32 3",
    "f32 2x2x2",
    "i64 3x2",
    "f16 3x2",
    "c64 3x2",
)
TARGETS = each("f32 f64", "$ 3x4;$ 3x4", "$ 3x4;$ 4", "$ -;$ -") + ("f32 3x4;i64 3x4",)
COSINES = each("f32 f64", "$ 3x4;$ 3x4;$ 3", "$ 4;$ 4;$ -", "$ 3x4;$ 3x4;i64 3", "$ 3x4;$ 3x4;i64 1 ones")
TRIPLETS = each("f32 f64", "$ 3x4;$ 3x4 ones;$ 3x4 S", "$ 4;$ 4 ones;$ 4 S", "$ 3x4;$ 1x4 ones;$ 3x4 S") + (
    "f32 3x4;f32 3x4;f32 4",
)

ROWS = [
    *codes(
        PAIRS,
        """
        torch.pairwise_distance(a, b)
        torch.pairwise_distance(x1=a, x2=b, p=1, eps=0.5, keepdim=True)
        torch.pairwise_distance(a, b, float('inf'))
        torch.cosine_similarity(a, b)
        torch.cosine_similarity(x1=a, x2=b, dim=-1, eps=0.1)
        torch.cosine_similarity(a, b, 0)
        """,
        "near",
    ),
    Row("torch.cosine_similarity(a, b)", ("c64 2x3;c64 2x3", "c64 2x3;f32 2x3")),
    *codes(
        ("f32 3x4;f64 3x4", "f64 3x4;f16 3x4"),
        """
        torch.cosine_similarity(a, b).dtype
        torch.pairwise_distance(a, b).dtype
        torch.poisson_nll_loss(a, b, True, False, 1e-8, 1).dtype
        torch.margin_ranking_loss(a, b, b).dtype
        """,
    ),
    *codes(
        ROWS_OF,
        """
        torch.pdist(a)
        torch.pdist(input=a, p=1)
        torch.pdist(a, 0)
        torch.pdist(a, 3.5)
        torch.pdist(a, float('inf'))
        """,
        "near",
    ),
    Row("torch.pdist(a).shape", ("f32 0x3",)),  # its gradient ends PyTorch
    *errors(
        ("f32 3x2",),
        """
        torch.pdist(a, -1)  # pdist only supports non-negative p values
        torch.pdist(a[0])  # pdist only supports 2D tensors, got: 1D
        torch.pdist(a.long())  # pdist only supports floating-point dtypes
        torch.dropout(a, 1.5, True)  # dropout probability has to be between 0 and 1, but got 1.5
        torch.alpha_dropout(a, -1, False)  # dropout probability has to be between 0 and 1, but got -1
        torch.feature_dropout(a[0], 0.5, True)  # Feature dropout requires at least 2 dimensions in the input
        torch.dropout(a.long(), 0.5, True)  # result type Float can't be cast to the desired output type Long
        torch.dropout(a)  # missing 2 required positional argument
        torch.poisson_nll_loss(a, a)  # missing 4 required positional argument
        """,
    ),
    *codes(
        TARGETS,
        """
        torch.poisson_nll_loss(a, b, True, False, 1e-8, 1)
        torch.poisson_nll_loss(a.abs(), b.abs() + 0.5, False, True, 1e-3, 2)
        torch.poisson_nll_loss(input=a, target=b.abs() + 0.5, log_input=True, full=True, eps=1e-8, reduction=0)
        torch.hinge_embedding_loss(a, torch.sign(b))
        torch.hinge_embedding_loss(input=a, target=torch.sign(b), margin=0.5, reduction=0)
        torch.margin_ranking_loss(a, a * 0.5 + 0.25, torch.sign(b))
        torch.margin_ranking_loss(input1=a, input2=a * 0.5, target=torch.sign(b), margin=0.5, reduction=2)
        """,
        "near",
    ),
    *codes(
        COSINES,
        """
        torch.cosine_embedding_loss(a, b, torch.sign(c))
        torch.cosine_embedding_loss(input1=a, input2=b, target=-torch.sign(c), margin=0.25, reduction=0)
        torch.cosine_embedding_loss(a, b, c, 0, 2)
        """,
        "near",
    ),
    *errors(
        ("f32 3x4;f32 3x4",),
        """
        torch.cosine_embedding_loss(a, b, a)  # 0D or 1D target tensor expected, multi-target not supported
        torch.cosine_embedding_loss(a, b, a[0, 0])  # 0D target tensor expects 1D input tensors, but found inputs with sizes [3, 4]
        torch.triplet_margin_loss(a, b, a[0])  # expected to have the same number of dimensions
        """,
    ),
    *codes(
        TRIPLETS,
        """
        torch.triplet_margin_loss(a, b, c)
        torch.triplet_margin_loss(anchor=a, positive=b, negative=c, margin=2, p=1, eps=0.1, swap=True, reduction=0)
        torch.triplet_margin_loss(a, b, c, -1, reduction=2)
        """,
        "near",
    ),
    # What draws nothing.
    *codes(
        ("f32 2x3", "f64 3", "i64 2x2", "f32 0", "f32 2x2 special", "c64 3"),
        """
        torch.dropout(a, 0.5, False)
        r = torch.dropout(a, 0.5, False); r is a
        r = torch.dropout_(a, 0, True); (r is a, a._version)
        r = torch.feature_alpha_dropout_(a, 0.5, False); (r is a, a._version)
        torch.dropout(a, 1, True)
        torch.alpha_dropout(input=a, p=1, train=True)
        torch.dropout_(a, 1, True); (a, a._version)
        torch.alpha_dropout_(input=a, p=1, train=True); (a, a._version)
        """,
    ),
    *codes(
        ("f32 2x3", "f64 3", "f16 4", "f32 2x2 special"),
        """
        torch.native_dropout(a, 0.5, False)
        torch.native_dropout(input=a, p=0, train=True)
        torch.native_dropout(a, 1, None)
        """,
    ),
]
