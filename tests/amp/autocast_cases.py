"""What is called inside of torch.autocast: {name: function of `t`, a Maker of tensors in the dtype that is tried, on a
device}. Everything that has a policy (codegen/autocast.py), and others that must not be touched by it."""

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it


class Maker:
    """t(2, 3): a positive tensor of this size, one of the inputs; t.ones(2), t.tensor(…): others on the same device."""

    def __init__(self, device, dtype, grad):
        self.device, self.dtype, self.grad, self.inputs = device, getattr(torch, dtype), grad, []

    def __call__(self, *size):
        n = torch.Size(size).numel()
        values = (torch.arange(n, dtype=torch.float64, device=self.device) * 0.37 % 0.75 + 0.125).reshape(size)
        self.inputs.append(values.to(self.dtype).requires_grad_(self.grad))
        return self.inputs[-1]

    def ones(self, *size):
        return torch.ones(*size, device=self.device)

    def tensor(self, values, dtype=None):
        return torch.tensor(values, dtype=dtype, device=self.device)

    @property
    def classes(self):
        return self.tensor([0, 1])

    @property
    def signs(self):
        return self.tensor([1.0, -1.0])


def spd(t):
    return t(2, 2) + 2 * torch.eye(2, dtype=t.dtype, device=t.device)


def unpool(t, n):
    x = t(1, 1, *[2] * n)
    return getattr(F, f"max_unpool{n}d")(x, torch.arange(2**n, device=t.device).view(x.shape), 2)


def fractions(t, n):
    return torch.full((1, 1, n), 0.5, dtype=t.dtype, device=t.device)


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
    "cosine_embedding_loss": lambda t: F.cosine_embedding_loss(t(2, 3), t(2, 3), t.signs),
    "cross_entropy": lambda t: F.cross_entropy(t(2, 3), t.classes),
    "cross_entropy_of_probabilities": lambda t: F.cross_entropy(t(2, 3), t(2, 3), reduction="none"),
    "ctc_loss": lambda t: F.ctc_loss(t(4, 1, 3).log(), t.tensor([[1, 2]]), t.tensor([4]), t.tensor([2])),
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
    "fractional_max_pool2d": lambda t: F.fractional_max_pool2d(t(1, 1, 4, 4), 2, 2, _random_samples=fractions(t, 2)),
    "fractional_max_pool3d": lambda t: F.fractional_max_pool3d(t(1, 1, 4, 4, 4), 2, 2, _random_samples=fractions(t, 3)),
    "geqrf": lambda t: torch.geqrf(t(3, 2)),
    "grid_sample": lambda t: F.grid_sample(t(1, 1, 3, 3), t(1, 2, 2, 2), align_corners=False),
    "grid_sample_3d": lambda t: F.grid_sample(t(1, 1, 3, 3, 3), t(1, 2, 2, 2, 3), align_corners=False),
    "hinge_embedding_loss": lambda t: F.hinge_embedding_loss(t(2), t.signs),
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
    "lu_solve": lambda t: torch.lu_solve(t(2, 1), spd(t), t.tensor([1, 2], dtype=torch.int32)),
    "margin_ranking_loss": lambda t: F.margin_ranking_loss(t(2), t(2), t.signs),
    "max_pool3d": lambda t: F.max_pool3d(t(1, 1, 4, 4, 4), 2),
    "max_unpool2d": lambda t: unpool(t, 2),
    "max_unpool3d": lambda t: unpool(t, 3),
    "mse_loss": lambda t: F.mse_loss(t(3), t(3)),
    "mse_loss_none": lambda t: F.mse_loss(t(3), t(3), reduction="none"),
    "multi_margin_loss": lambda t: F.multi_margin_loss(t(2, 3), t.classes),
    "multilabel_margin_loss": lambda t: F.multilabel_margin_loss(t(2, 3), t.tensor([[0, -1, 0], [1, 2, -1]])),
    "nanquantile": lambda t: torch.nanquantile(t(5), 0.4),
    "nll_loss": lambda t: F.nll_loss(t(2, 3).log(), t.classes),
    "nll_loss2d": lambda t: F.nll_loss(t(1, 3, 2, 2).log(), t.tensor([[[0, 0], [0, 0]]])),
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
    "soft_margin_loss": lambda t: F.soft_margin_loss(t(2), t.signs),
    "stft": lambda t: torch.stft(t(16), 8, window=t(8), return_complex=True, pad_mode="constant"),
    "svd": lambda t: torch.svd(t(3, 2)),
    "trace": lambda t: t(3, 3).trace(),
    "triangular_solve": lambda t: torch.triangular_solve(t(2, 1), spd(t))[0],
    "triplet_margin_loss": lambda t: F.triplet_margin_loss(t(2, 3), t(2, 3), t(2, 3) + 1),
    "view_as_complex": lambda t: torch.view_as_complex(t(3, 2)),
}

# The second tensor is float32, whatever is tried.
WIDEST = {
    "cat": lambda t: torch.cat([t(2), t.ones(2)]),
    "cat_alike": lambda t: torch.cat([t(2), t(2)]),
    "index_copy": lambda t: torch.index_copy(t(2, 2), 0, t.classes, t.ones(2, 2)),
    "index_copy_lower": lambda t: torch.index_copy(t.ones(2, 2), 0, t.classes, t(2, 2)),
    "stack": lambda t: torch.stack([t.ones(2), t(2)]),
}

# On CUDA's lists alone.
CUDA = {
    "acos": lambda t: t(3).acos(),
    "addcdiv": lambda t: torch.addcdiv(t(2), t.ones(2), t(2)),
    "arccos": lambda t: torch.arccos(t(3)),
    "asin": lambda t: t(3).asin(),
    "atan2": lambda t: torch.atan2(t(2), t.ones(2)),
    "atan2_alike": lambda t: torch.atan2(t(2), t(2)),
    "chain_matmul": lambda t: torch.chain_matmul(t(2, 2), t(2, 2), t(2, 2)),
    "convolution": lambda t: torch.convolution(t(1, 1, 4), t(1, 1, 2), t(1), [1], [0], [1], False, [0], 1),
    "cosh": lambda t: t(3).cosh(),
    "cross": lambda t: torch.cross(t(2, 3), t.ones(2, 3), dim=1),
    "cumprod": lambda t: t(3).cumprod(0),
    "cumprod_to_float64": lambda t: t(3).cumprod(0, dtype=torch.float64),
    "cumsum_to_float16": lambda t: torch.cumsum(t(3), 0, dtype=torch.float16),
    "dist": lambda t: torch.dist(t(3), t(3) + 1),
    "einsum_of_a_list": lambda t: torch.einsum("ij,jk->i", [t(2, 2), t(2, 2)]),
    "einsum_of_one": lambda t: torch.einsum("ii->i", t(2, 2)),
    "erfinv": lambda t: t(3).erfinv(),
    "expm1": lambda t: torch.expm1(t(3)),
    "group_norm_affine": lambda t: F.group_norm(t(2, 4), 2, t(4), t(4)),
    "gru": lambda t: torch.gru(t(3, 2, 4), t(1, 2, 5), [t(15, 4), t(15, 5)], False, 1, 0.0, False, False, False)[0],
    "gru_cell": lambda t: torch.gru_cell(t(2, 4), t(2, 5), t(15, 4), t(15, 5), t(15), t(15)),
    "index_put": lambda t: torch.index_put(t(3), (t.classes,), t.ones(2)),
    "linalg_matrix_norm": lambda t: torch.linalg.matrix_norm(t(2, 2)),
    "linalg_matrix_norm_1": lambda t: torch.linalg.matrix_norm(t(2, 2), 1),
    "linalg_norm": lambda t: torch.linalg.norm(t(2, 2)),
    "linalg_vector_norm": lambda t: torch.linalg.vector_norm(t(3), 3),
    "linalg_vector_norm_to_float64": lambda t: torch.linalg.vector_norm(t(3), dtype=torch.float64),
    "log": lambda t: t(3).log(),
    "log10": lambda t: t(3).log10(),
    "log1p": lambda t: t(3).log1p(),
    "log2": lambda t: t(3).log2(),
    "log_softmax_to_float64": lambda t: F.log_softmax(t(3), 0, dtype=torch.float64),
    "lstm_cell": lambda t: torch.lstm_cell(t(2, 4), (t(2, 5), t(2, 5)), t(20, 4), t(20, 5), t(20), t(20)),
    "native_layer_norm": lambda t: torch.native_layer_norm(t(2, 3), (3,), None, None, 1e-5),
    "norm_columns": lambda t: t(3, 2).norm(dim=0),
    "norm_fro": lambda t: torch.norm(t(2, 2), "fro"),
    "norm_nuc": lambda t: torch.norm(t(2, 2), "nuc"),
    "norm_p": lambda t: t(3).norm(3),
    "pdist": lambda t: F.pdist(t(3, 2)),
    "pow_of_a_number": lambda t: 2 ** t(3),
    "pow_of_a_tensor": lambda t: t(3) ** t(3),
    "reciprocal": lambda t: t(3).reciprocal(),
    "renorm": lambda t: t(2, 3).renorm(2, 0, 0.5),
    "rms_norm_affine": lambda t: F.rms_norm(t(2, 3), (3,), t(3)),
    "rnn_relu_cell": lambda t: torch.rnn_relu_cell(t(2, 4), t(2, 5), t(5, 4), t(5, 5), t(5), t(5)),
    "rnn_tanh_cell": lambda t: torch.rnn_tanh_cell(t(2, 4), t(2, 5), t(5, 4), t(5, 5), t(5), t(5)),
    "rsqrt": lambda t: t(3).rsqrt(),
    "scatter_add": lambda t: torch.scatter_add(t(2), 0, t.classes, t.ones(2)),
    "scatter_add_alike": lambda t: torch.scatter_add(t(2), 0, t.classes, t(2)),
    "sinh": lambda t: t(3).sinh(),
    "softmax_to_float64": lambda t: t(3).softmax(0, torch.float64),
    "softmin": lambda t: F.softmin(t(3), 0),
    "square_root_of_a_power": lambda t: (t(3) ** 2).sqrt(),
    "sum_rows": lambda t: t(3, 2).sum(1, keepdim=True),
    "sum_to_float16": lambda t: torch.sum(t(3), dtype=torch.float16),
    "tan": lambda t: t(3).tan(),
    "tensordot_mixed": lambda t: torch.tensordot(t(2, 2), t.ones(2, 2), 1),
    "_upsample_bicubic2d_aa": lambda t: F.interpolate(t(1, 1, 4, 4), size=2, mode="bicubic", antialias=True),
    "_upsample_bilinear2d_aa": lambda t: F.interpolate(t(1, 1, 4, 4), size=2, mode="bilinear", antialias=True),
    "_upsample_nearest_exact1d": lambda t: F.interpolate(t(1, 1, 2), scale_factor=2.0, mode="nearest-exact"),
    "_upsample_nearest_exact2d": lambda t: F.interpolate(t(1, 1, 2, 2), scale_factor=2.0, mode="nearest-exact"),
    "_upsample_nearest_exact3d": lambda t: F.interpolate(t(1, 1, 2, 2, 2), scale_factor=2.0, mode="nearest-exact"),
    "upsample_bicubic2d": lambda t: F.interpolate(t(1, 1, 4, 4), size=6, mode="bicubic"),
    "upsample_bilinear2d": lambda t: F.interpolate(t(1, 1, 4, 4), scale_factor=1.5, mode="bilinear"),
    "upsample_linear1d": lambda t: F.interpolate(t(1, 1, 4), scale_factor=2.0, mode="linear"),
    "upsample_nearest1d": lambda t: F.interpolate(t(1, 1, 4), scale_factor=2.0),
    "upsample_nearest2d": lambda t: F.interpolate(t(1, 1, 4, 4), size=6),
    "upsample_nearest3d": lambda t: F.interpolate(t(1, 1, 2, 2, 2), scale_factor=2.0),
    "upsample_trilinear3d": lambda t: F.interpolate(t(1, 1, 2, 2, 2), scale_factor=2.0, mode="trilinear"),
    "vdot": lambda t: torch.vdot(t(3), t(3)),
}

# On no list: composed of operators on one, or never converted.
OTHERS = {
    "adaptive_avg_pool2d": lambda t: F.adaptive_avg_pool2d(t(1, 1, 4, 4), 2),
    "add": lambda t: t(2) + t.ones(2),
    "addcmul": lambda t: torch.addcmul(t(2), t(2), t(2)),
    "addmv": lambda t: torch.addmv(t(2), t(2, 2), t(2)),
    "addr": lambda t: torch.addr(t(2, 2), t(2), t(2)),
    "adaptive_interpolation": lambda t: F.interpolate(t(1, 1, 4, 4), size=2, mode="area"),
    "amax": lambda t: t(3).amax(),
    "asinh": lambda t: t(3).asinh(),
    "atan": lambda t: t(3).atan(),
    "avg_pool1d": lambda t: F.avg_pool1d(t(1, 1, 4), 2),
    "avg_pool2d": lambda t: F.avg_pool2d(t(1, 1, 4, 4), 2),
    "batch_norm": lambda t: F.batch_norm(t(2, 3), None, None, training=True),
    "batch_norm_affine": lambda t: F.batch_norm(t(2, 3), t(3).detach(), t(3).detach(), t(3), t(3)),
    "bilinear": lambda t: F.bilinear(t(2, 3), t(2, 4), t(5, 3, 4)),
    "block_diag": lambda t: torch.block_diag(t(2, 2), t(2, 2)),
    "celu": lambda t: F.celu(t(3)),
    "channel_shuffle": lambda t: F.channel_shuffle(t(1, 4, 2, 2), 2),
    "circular_pad": lambda t: F.pad(t(1, 1, 4), (1, 1), "circular"),
    "clamp": lambda t: t(3).clamp(0.2, 0.5),
    "corrcoef": lambda t: torch.corrcoef(t(2, 3)),
    "cosine_similarity": lambda t: F.cosine_similarity(t(2, 3), t(2, 3)),
    "cov": lambda t: torch.cov(t(2, 3)),
    "cumsum": lambda t: t(3).cumsum(0),
    "cumulative_trapezoid": lambda t: torch.cumulative_trapezoid(t(3)),
    "det": lambda t: torch.linalg.det(spd(t)),
    "digamma": lambda t: t(3).digamma(),
    "div_by_a_number": lambda t: t(3) / 3,
    "divided_number": lambda t: 3 / t(3),
    "dot": lambda t: torch.dot(t(3), t(3)),
    "dropout": lambda t: F.dropout(t(3), 0.0),
    "einsum": lambda t: torch.einsum("ij,jk->ik", t(2, 2), t(2, 2)),
    "elu": lambda t: F.elu(t(3)),
    "embedding": lambda t: F.embedding(t.classes, t(3, 2)),
    "erf": lambda t: t(3).erf(),
    "exp": lambda t: t(3).exp(),
    "exp2": lambda t: t(3).exp2(),
    "fmod": lambda t: torch.fmod(t(3), 0.3),
    "fold": lambda t: F.fold(t(1, 4, 4), (3, 3), 2),
    "gaussian_nll_loss": lambda t: F.gaussian_nll_loss(t(3), t(3), t(3)),
    "gelu": lambda t: F.gelu(t(3)),
    "gelu_tanh": lambda t: F.gelu(t(3), approximate="tanh"),
    "glu": lambda t: F.glu(t(4)),
    "group_norm": lambda t: F.group_norm(t(2, 4), 2),
    "hardswish": lambda t: F.hardswish(t(3)),
    "hypot": lambda t: torch.hypot(t(3), t(3)),
    "index_add": lambda t: torch.index_add(t(2, 2), 0, t.classes, t(2, 2)),
    "inner": lambda t: torch.inner(t(3), t(3)),
    "inner_matrices": lambda t: torch.inner(t(2, 3), t(2, 3)),
    "instance_norm": lambda t: F.instance_norm(t(2, 3, 4)),
    "interpolate": lambda t: F.interpolate(t(1, 1, 2, 2), scale_factor=2.0),
    "kron": lambda t: torch.kron(t(2), t(2)),
    "layer_norm": lambda t: F.layer_norm(t(2, 3), (3,), t(3), t(3)),
    "layer_norm_bare": lambda t: F.layer_norm(t(2, 3), (3,)),
    "lerp": lambda t: torch.lerp(t(3), t(3), 0.25),
    "lgamma": lambda t: t(3).lgamma(),
    "local_response_norm": lambda t: F.local_response_norm(t(1, 3, 2), 2),
    "log_softmax": lambda t: F.log_softmax(t(3), 0),
    "logaddexp": lambda t: torch.logaddexp(t(3), t(3)),
    "logcumsumexp": lambda t: torch.logcumsumexp(t(3), 0),
    "logdet": lambda t: torch.logdet(spd(t)),
    "logit": lambda t: torch.logit(t(3)),
    "logsigmoid": lambda t: F.logsigmoid(t(3)),
    "logsumexp": lambda t: torch.logsumexp(t(3), 0),
    "lp_pool2d": lambda t: F.lp_pool2d(t(1, 1, 4, 4), 2.0, 2),
    "masked_fill": lambda t: t(2).masked_fill(t.tensor([True, False]), 0.5),
    "matrix_exp": lambda t: torch.matrix_exp(t(2, 2)),
    "matrix_power": lambda t: torch.linalg.matrix_power(t(2, 2), 3),
    "max_pool1d": lambda t: F.max_pool1d(t(1, 1, 4), 2),
    "max_pool2d": lambda t: F.max_pool2d(t(1, 1, 4, 4), 2),
    "mean": lambda t: t(3).mean(),
    "mean_rows": lambda t: t(3, 2).mean(1),
    "mish": lambda t: F.mish(t(3)),
    "mul": lambda t: t(2) * t.ones(2),
    "linalg_multi_dot": lambda t: torch.linalg.multi_dot([t(2, 2), t(2, 2), t(2, 2)]),
    "multilabel_soft_margin_loss": lambda t: F.multilabel_soft_margin_loss(t(2, 3), t(2, 3)),
    "mv": lambda t: torch.mv(t(2, 2), t(2)),
    "nan_to_num": lambda t: t(3).nan_to_num(),
    "nansum": lambda t: t(3).nansum(),
    "norm": lambda t: t(3).norm(),
    "normalize": lambda t: F.normalize(t(2, 3)),
    "outer": lambda t: torch.outer(t(2), t(2)),
    "pairwise_distance": lambda t: F.pairwise_distance(t(2, 3), t(2, 3)),
    "pinv": lambda t: torch.linalg.pinv(t(3, 2)),
    "pixel_shuffle": lambda t: F.pixel_shuffle(t(1, 4, 2, 2), 2),
    "pow": lambda t: t(3) ** 2.5,
    "relu": lambda t: F.relu(t(3)),
    "remainder": lambda t: torch.remainder(t(3), 0.3),
    "rms_norm": lambda t: F.rms_norm(t(2, 3), (3,)),
    "selu": lambda t: F.selu(t(3)),
    "sigmoid": lambda t: t(3).sigmoid(),
    "silu": lambda t: F.silu(t(3)),
    "sinc": lambda t: torch.sinc(t(3)),
    "slogdet": lambda t: torch.linalg.slogdet(spd(t)),
    "softmax": lambda t: F.softmax(t(3), 0),
    "softplus": lambda t: F.softplus(t(3)),
    "softsign": lambda t: F.softsign(t(3)),
    "special_entr": lambda t: torch.special.entr(t(3)),
    "special_expm1": lambda t: torch.special.expm1(t(3)),
    "special_log_softmax": lambda t: torch.special.log_softmax(t(3), 0),
    "special_logsumexp": lambda t: torch.special.logsumexp(t(3), 0),
    "sqrt": lambda t: t(3).sqrt(),
    "square": lambda t: t(3).square(),
    "std": lambda t: t(3).std(),
    "std_mean": lambda t: torch.std_mean(t(3)),
    "sum": lambda t: t(3).sum(),
    "tanh": lambda t: t(3).tanh(),
    "tanhshrink": lambda t: F.tanhshrink(t(3)),
    "tensordot": lambda t: torch.tensordot(t(2, 2), t(2, 2), 1),
    "trapezoid": lambda t: torch.trapezoid(t(3)),
    "unfold": lambda t: F.unfold(t(1, 1, 3, 3), 2),
    "var": lambda t: t(3).var(),
    "var_mean": lambda t: torch.var_mean(t(3, 2), 0),
    "weight_norm": lambda t: torch._weight_norm(t(2, 3), t(2, 1)),
    "where": lambda t: torch.where(t.tensor([True, False]), t(2), t.ones(2)),
    "xlogy": lambda t: torch.xlogy(t(3), t(3)),
}


def module(t, made, *inputs):
    """The output of a module whose parameters are all 1/4."""
    for p in made.parameters():
        p.requires_grad_(t.grad)
    made = made.to(device=t.device, dtype=t.dtype)
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
        ("cuda", CUDA),
        ("others", OTHERS),
        ("modules", MODULES),
    )
    for name, function in functions.items()
}
DTYPES = ("float32", "bfloat16", "float16", "float64")


def run(function, dtype, grad, context, device="cpu"):
    """The dtypes of the results and of the inputs' gradients, and the results' sum; or "raises"."""
    t = Maker(device, dtype, grad)
    try:
        with context:
            found = function(t)
        results = list(found) if isinstance(found, tuple) else [found]
        told = [str(x.dtype).removeprefix("torch.") for x in results]
        grads = None
        if grad and any(x.requires_grad for x in results):
            torch.autograd.backward(sum(x.abs().sum().float() for x in results if x.requires_grad))
            grads = sorted({str(x.grad.dtype).removeprefix("torch.") for x in t.inputs if x.grad is not None})
        total = sum(x.detach().abs().sum().double().item() for x in results)
        return {"results": told, "gradients": grads, "total": total}
    except (RuntimeError, ValueError, NotImplementedError, TypeError) as error:
        return {"raises": type(error).__name__, "says": str(error)[:100]}
