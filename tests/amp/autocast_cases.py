"""What is called inside of torch.autocast: {name: function of `t`, which makes a positive tensor of a size in the dtype
that is tried}. Every operator of codegen/autocast.py that there is, and others that must not be touched by it."""

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it

LONG = torch.tensor([0, 1])
SIGNS = torch.tensor([1.0, -1.0])
FRACTIONS = torch.full((1, 1, 3), 0.5)


def spd(t):
    return t(2, 2) + 2 * torch.eye(2, dtype=t(1).dtype)


def unpool(t, n):
    x = t(1, 1, *[2] * n)
    return getattr(F, f"max_unpool{n}d")(x, torch.arange(2**n).view(x.shape), 2)


LOWER = {
    "addbmm": lambda t: torch.addbmm(t(2, 2), t(2, 2, 2), t(2, 2, 2)),
    "addmm": lambda t: torch.addmm(t(2), t(2, 2), t(2, 2)),
    "baddbmm": lambda t: torch.baddbmm(t(2, 2), t(2, 2, 2), t(2, 2, 2)),
    "bmm": lambda t: torch.bmm(t(2, 2, 2), t(2, 2, 2)),
    "conv1d": lambda t: torch.conv1d(t(1, 1, 4), t(1, 1, 2), t(1)),
    "conv2d": lambda t: torch.conv2d(t(1, 1, 4, 4), t(1, 1, 2, 2), t(1)),
    "conv2d_same": lambda t: F.conv2d(t(1, 1, 4, 4), t(1, 1, 3, 3), padding="same"),
    "conv3d": lambda t: torch.conv3d(t(1, 1, 4, 4, 4), t(1, 1, 2, 2, 2), t(1)),
    "conv_transpose1d": lambda t: F.conv_transpose1d(t(1, 1, 4), t(1, 1, 2), t(1)),
    "conv_transpose2d": lambda t: F.conv_transpose2d(t(1, 1, 4, 4), t(1, 1, 2, 2)),
    "conv_transpose3d": lambda t: F.conv_transpose3d(t(1, 1, 4, 4, 4), t(1, 1, 2, 2, 2)),
    "linalg_vecdot": lambda t: torch.linalg.vecdot(t(2, 3), t(2, 3)),
    "linear": lambda t: F.linear(t(3, 2), t(4, 2), t(4)),
    "linear_without_bias": lambda t: F.linear(t(3, 2), t(4, 2)),
    "matmul": lambda t: torch.matmul(t(2, 3, 2), t(2, 4)),
    "matmul_vectors": lambda t: t(3) @ t(3),
    "mm": lambda t: t(2, 2).mm(t(2, 2)),
    "prelu": lambda t: F.prelu(t(2, 2), t(1)),
    "scaled_dot_product_attention": lambda t: F.scaled_dot_product_attention(
        t(1, 2, 3, 4), t(1, 2, 3, 4), t(1, 2, 3, 4), is_causal=True
    ),
}

FLOAT = {
    "adaptive_avg_pool3d": lambda t: F.adaptive_avg_pool3d(t(1, 1, 4, 4, 4), 2),
    "adaptive_max_pool3d": lambda t: F.adaptive_max_pool3d(t(1, 1, 4, 4, 4), 2),
    "avg_pool3d": lambda t: F.avg_pool3d(t(1, 1, 4, 4, 4), 2),
    "binary_cross_entropy": lambda t: F.binary_cross_entropy(t(3), t(3)),
    "binary_cross_entropy_with_logits": lambda t: F.binary_cross_entropy_with_logits(t(3), t(3), reduction="none"),
    "cdist": lambda t: torch.cdist(t(2, 2), t(3, 2)),
    "cholesky": lambda t: torch.cholesky(spd(t)),
    "cholesky_inverse": lambda t: torch.cholesky_inverse(spd(t)),
    "cholesky_solve": lambda t: torch.cholesky_solve(t(2, 1), spd(t)),
    "cosine_embedding_loss": lambda t: F.cosine_embedding_loss(t(2, 3), t(2, 3), SIGNS),
    "cross_entropy": lambda t: F.cross_entropy(t(2, 3), LONG),
    "cross_entropy_of_probabilities": lambda t: F.cross_entropy(t(2, 3), t(2, 3), reduction="none"),
    "ctc_loss": lambda t: F.ctc_loss(t(4, 1, 3).log(), torch.tensor([[1, 2]]), torch.tensor([4]), torch.tensor([2])),
    "fft_fft": lambda t: torch.fft.fft(t(4)),
    "fft_fft2": lambda t: torch.fft.fft2(t(4, 4)),
    "fft_fftn": lambda t: torch.fft.fftn(t(4, 4)),
    "fft_hfft": lambda t: torch.fft.hfft(t(4)),
    "fft_ifft": lambda t: torch.fft.ifft(t(4)),
    "fft_ifft2": lambda t: torch.fft.ifft2(t(4, 4)),
    "fft_ifftn": lambda t: torch.fft.ifftn(t(4, 4)),
    "fft_ihfft": lambda t: torch.fft.ihfft(t(4)),
    "fft_irfft": lambda t: torch.fft.irfft(t(4)),
    "fft_irfft2": lambda t: torch.fft.irfft2(t(4, 4)),
    "fft_irfftn": lambda t: torch.fft.irfftn(t(4, 4)),
    "fft_rfft": lambda t: torch.fft.rfft(t(4)),
    "fft_rfft2": lambda t: torch.fft.rfft2(t(4, 4)),
    "fft_rfftn": lambda t: torch.fft.rfftn(t(4, 4)),
    "fractional_max_pool2d": lambda t: F.fractional_max_pool2d(
        t(1, 1, 4, 4), 2, 2, _random_samples=FRACTIONS[..., :2].to(t(1).dtype)
    ),
    "fractional_max_pool3d": lambda t: F.fractional_max_pool3d(
        t(1, 1, 4, 4, 4), 2, 2, _random_samples=FRACTIONS.to(t(1).dtype)
    ),
    "geqrf": lambda t: torch.geqrf(t(3, 2)),
    "grid_sample": lambda t: F.grid_sample(t(1, 1, 3, 3), t(1, 2, 2, 2), align_corners=False),
    "grid_sample_3d": lambda t: F.grid_sample(t(1, 1, 3, 3, 3), t(1, 2, 2, 2, 3), align_corners=False),
    "hinge_embedding_loss": lambda t: F.hinge_embedding_loss(t(2), SIGNS),
    "huber_loss": lambda t: F.huber_loss(t(3), t(3)),
    "inverse": lambda t: torch.inverse(spd(t)),
    "kl_div": lambda t: F.kl_div(t(2, 3).log(), t(2, 3), reduction="batchmean"),
    "l1_loss": lambda t: F.l1_loss(t(3), t(3)),
    "linalg_cholesky": lambda t: torch.linalg.cholesky(spd(t)),
    "linalg_cholesky_ex": lambda t: torch.linalg.cholesky_ex(spd(t))[0],
    "linalg_cond": lambda t: torch.linalg.cond(spd(t)),
    "linalg_cond_fro": lambda t: torch.linalg.cond(spd(t), "fro"),
    "linalg_eig": lambda t: torch.linalg.eig(spd(t)),
    "linalg_eigh": lambda t: torch.linalg.eigh(spd(t)),
    "linalg_eigvals": lambda t: torch.linalg.eigvals(spd(t)),
    "linalg_eigvalsh": lambda t: torch.linalg.eigvalsh(spd(t)),
    "linalg_householder_product": lambda t: torch.linalg.householder_product(t(3, 2), t(2)),
    "linalg_inv": lambda t: torch.linalg.inv(spd(t)),
    "linalg_inv_ex": lambda t: torch.linalg.inv_ex(spd(t))[0],
    "linalg_lstsq": lambda t: torch.linalg.lstsq(t(3, 2), t(3, 1))[0],
    "linalg_matrix_rank": lambda t: torch.linalg.matrix_rank(spd(t)),
    "linalg_qr": lambda t: torch.linalg.qr(t(3, 2)),
    "linalg_solve": lambda t: torch.linalg.solve(spd(t), t(2)),
    "linalg_svd": lambda t: torch.linalg.svd(t(3, 2), full_matrices=False),
    "linalg_svdvals": lambda t: torch.linalg.svdvals(t(3, 2)),
    "linalg_tensorinv": lambda t: torch.linalg.tensorinv(spd(t), ind=1),
    "linalg_tensorsolve": lambda t: torch.linalg.tensorsolve(spd(t), t(2)),
    "lu_solve": lambda t: torch.lu_solve(t(2, 1), spd(t), torch.tensor([1, 2], dtype=torch.int32)),
    "margin_ranking_loss": lambda t: F.margin_ranking_loss(t(2), t(2), SIGNS),
    "max_pool3d": lambda t: F.max_pool3d(t(1, 1, 4, 4, 4), 2),
    "max_unpool2d": lambda t: unpool(t, 2),
    "max_unpool3d": lambda t: unpool(t, 3),
    "mse_loss": lambda t: F.mse_loss(t(3), t(3)),
    "mse_loss_none": lambda t: F.mse_loss(t(3), t(3), reduction="none"),
    "multi_margin_loss": lambda t: F.multi_margin_loss(t(2, 3), LONG),
    "multilabel_margin_loss": lambda t: F.multilabel_margin_loss(t(2, 3), torch.tensor([[0, -1, 0], [1, 2, -1]])),
    "nanquantile": lambda t: torch.nanquantile(t(5), 0.4),
    "nll_loss": lambda t: F.nll_loss(t(2, 3).log(), LONG),
    "nll_loss2d": lambda t: F.nll_loss(t(1, 3, 2, 2).log(), torch.zeros(1, 2, 2, dtype=torch.int64)),
    "orgqr": lambda t: torch.orgqr(t(3, 2), t(2)),
    "ormqr": lambda t: torch.ormqr(t(3, 2), t(2), t(3, 1)),
    "pinverse": lambda t: torch.pinverse(t(3, 2)),
    "poisson_nll_loss": lambda t: F.poisson_nll_loss(t(3), t(3)),
    "polar": lambda t: torch.polar(t(3), t(3)),
    "prod": lambda t: t(3).prod(),
    "prod_dim": lambda t: torch.prod(t(3, 2), 1),
    "qr": lambda t: torch.qr(t(3, 2)),
    "quantile": lambda t: t(5).quantile(0.4),
    "reflection_pad1d": lambda t: F.pad(t(1, 1, 4), (1, 1), "reflect"),
    "reflection_pad2d": lambda t: F.pad(t(1, 1, 4, 4), (1, 1, 1, 1), "reflect"),
    "replication_pad1d": lambda t: F.pad(t(1, 1, 4), (1, 1), "replicate"),
    "replication_pad2d": lambda t: F.pad(t(1, 1, 4, 4), (1, 1, 1, 1), "replicate"),
    "replication_pad3d": lambda t: F.pad(t(1, 1, 4, 4, 4), (1,) * 6, "replicate"),
    "smooth_l1_loss": lambda t: F.smooth_l1_loss(t(3), t(3)),
    "soft_margin_loss": lambda t: F.soft_margin_loss(t(2), SIGNS),
    "stft": lambda t: torch.stft(t(16), 8, window=t(8), return_complex=True, pad_mode="constant"),
    "svd": lambda t: torch.svd(t(3, 2)),
    "trace": lambda t: t(3, 3).trace(),
    "triangular_solve": lambda t: torch.triangular_solve(t(2, 1), spd(t))[0],
    "triplet_margin_loss": lambda t: F.triplet_margin_loss(t(2, 3), t(2, 3), t(2, 3) + 1),
    "view_as_complex": lambda t: torch.view_as_complex(t(3, 2)),
}

# The second tensor is float32, whatever is tried.
WIDEST = {
    "cat": lambda t: torch.cat([t(2), torch.ones(2)]),
    "cat_alike": lambda t: torch.cat([t(2), t(2)]),
    "index_copy": lambda t: torch.index_copy(t(2, 2), 0, LONG, torch.ones(2, 2)),
    "index_copy_lower": lambda t: torch.index_copy(torch.ones(2, 2), 0, LONG, t(2, 2)),
    "stack": lambda t: torch.stack([torch.ones(2), t(2)]),
}

# On no list: composed of operators on one, or never converted.
OTHERS = {
    "add": lambda t: t(2) + torch.ones(2),
    "addcmul": lambda t: torch.addcmul(t(2), t(2), t(2)),
    "addmv": lambda t: torch.addmv(t(2), t(2, 2), t(2)),
    "addr": lambda t: torch.addr(t(2, 2), t(2), t(2)),
    "avg_pool2d": lambda t: F.avg_pool2d(t(1, 1, 4, 4), 2),
    "batch_norm": lambda t: F.batch_norm(t(2, 3), None, None, training=True),
    "bilinear": lambda t: F.bilinear(t(2, 3), t(2, 4), t(5, 3, 4)),
    "circular_pad": lambda t: F.pad(t(1, 1, 4), (1, 1), "circular"),
    "cosine_similarity": lambda t: F.cosine_similarity(t(2, 3), t(2, 3)),
    "cumsum": lambda t: t(3).cumsum(0),
    "det": lambda t: torch.linalg.det(spd(t)),
    "dot": lambda t: torch.dot(t(3), t(3)),
    "dropout": lambda t: F.dropout(t(3), 0.0),
    "einsum": lambda t: torch.einsum("ij,jk->ik", t(2, 2), t(2, 2)),
    "embedding": lambda t: F.embedding(LONG, t(3, 2)),
    "exp": lambda t: t(3).exp(),
    "gaussian_nll_loss": lambda t: F.gaussian_nll_loss(t(3), t(3), t(3)),
    "gelu": lambda t: F.gelu(t(3)),
    "glu": lambda t: F.glu(t(4)),
    "group_norm": lambda t: F.group_norm(t(2, 4), 2),
    "inner": lambda t: torch.inner(t(3), t(3)),
    "inner_matrices": lambda t: torch.inner(t(2, 3), t(2, 3)),
    "instance_norm": lambda t: F.instance_norm(t(2, 3, 4)),
    "interpolate": lambda t: F.interpolate(t(1, 1, 2, 2), scale_factor=2.0),
    "kron": lambda t: torch.kron(t(2), t(2)),
    "layer_norm": lambda t: F.layer_norm(t(2, 3), (3,), t(3), t(3)),
    "logsumexp": lambda t: torch.logsumexp(t(3), 0),
    "log_softmax": lambda t: F.log_softmax(t(3), 0),
    "max_pool2d": lambda t: F.max_pool2d(t(1, 1, 4, 4), 2),
    "mean": lambda t: t(3).mean(),
    "mul": lambda t: t(2) * torch.ones(2),
    "multi_dot": lambda t: torch.linalg.multi_dot([t(2, 2), t(2, 2), t(2, 2)]),
    "multilabel_soft_margin_loss": lambda t: F.multilabel_soft_margin_loss(t(2, 3), t(2, 3)),
    "mv": lambda t: torch.mv(t(2, 2), t(2)),
    "norm": lambda t: t(3).norm(),
    "normalize": lambda t: F.normalize(t(2, 3)),
    "outer": lambda t: torch.outer(t(2), t(2)),
    "pairwise_distance": lambda t: F.pairwise_distance(t(2, 3), t(2, 3)),
    "pow": lambda t: t(3) ** 2.5,
    "relu": lambda t: F.relu(t(3)),
    "rms_norm": lambda t: F.rms_norm(t(2, 3), (3,)),
    "softmax": lambda t: F.softmax(t(3), 0),
    "softplus": lambda t: F.softplus(t(3)),
    "sum": lambda t: t(3).sum(),
    "tensordot": lambda t: torch.tensordot(t(2, 2), t(2, 2), 1),
    "var": lambda t: t(3).var(),
    "where": lambda t: torch.where(torch.tensor([True, False]), t(2), torch.ones(2)),
}


def module(t, made, *inputs):
    """The output of a module whose parameters are all 1/4."""
    made = made.to(t(1).dtype)
    for p in made.parameters():
        torch.nn.init.constant_(p, 0.25)
    found = made(*inputs)
    return found[0] if isinstance(found, tuple) else found


MODULES = {
    "Linear": lambda t: module(t, torch.nn.Linear(3, 2), t(4, 3)),
    "MultiheadAttention": lambda t: module(t, torch.nn.MultiheadAttention(4, 2), t(3, 1, 4), t(3, 1, 4), t(3, 1, 4)),
    "Sequential": lambda t: module(
        t, torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.LayerNorm(4)), t(4, 3)
    ),
}

CASES = {
    f"{group}/{name}": function
    for group, functions in (
        ("lower", LOWER),
        ("float", FLOAT),
        ("widest", WIDEST),
        ("others", OTHERS),
        ("modules", MODULES),
    )
    for name, function in functions.items()
}
DTYPES = ("float32", "bfloat16", "float16", "float64")


def run(function, dtype, grad):
    """The dtypes of the results and of the inputs' gradients, and the results' sum; or "raises"."""
    inputs = []

    def t(*size):
        n = torch.Size(size).numel()
        values = (torch.arange(n, dtype=torch.float64) * 0.37 % 0.75 + 0.125).reshape(size)
        inputs.append(values.to(getattr(torch, dtype)).requires_grad_(grad))
        return inputs[-1]

    try:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = function(t)
        results = list(found) if isinstance(found, tuple) else [found]
        told = [str(x.dtype).removeprefix("torch.") for x in results]
        grads = None
        if grad and any(x.requires_grad for x in results):
            torch.autograd.backward(sum(x.abs().sum().float() for x in results if x.requires_grad))
            grads = sorted({str(x.grad.dtype).removeprefix("torch.") for x in inputs if x.grad is not None})
        total = sum(x.detach().abs().sum().double().item() for x in results)
        return {"results": told, "gradients": grads, "total": total}
    except (RuntimeError, ValueError, NotImplementedError, TypeError) as error:
        return {"raises": type(error).__name__, "says": str(error)[:100]}
