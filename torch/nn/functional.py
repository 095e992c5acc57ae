"""The functions of torch.nn: activations, losses, normalisation, attention and more. They live in torch/nn/_functional, by
subject."""

# ruff: noqa: F401 - imports are what this file gives

from torch import (
    Tensor,
    adaptive_avg_pool1d,
    avg_pool1d,
    bilinear,
    conv1d,
    conv2d,
    conv3d,
    conv_tbc,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
    cosine_similarity,
    pairwise_distance,
    pdist,
)
from torch._nn import avg_pool2d, avg_pool3d, linear, scaled_dot_product_attention
from torch.nn._functional.activation import (
    celu,
    celu_,
    elu,
    elu_,
    gelu,
    glu,
    gumbel_softmax,
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    hardtanh_,
    leaky_relu,
    leaky_relu_,
    log_softmax,
    logsigmoid,
    mish,
    prelu,
    relu,
    relu6,
    relu_,
    rrelu,
    rrelu_,
    selu,
    selu_,
    sigmoid,
    silu,
    softmax,
    softmin,
    softplus,
    softshrink,
    softsign,
    tanh,
    tanhshrink,
    threshold,
    threshold_,
)
from torch.nn._functional.attention import canonical_mask as _canonical_mask
from torch.nn._functional.attention import multi_head_attention_forward
from torch.nn._functional.classification import (
    cross_entropy,
    linear_cross_entropy,
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    nll_loss,
)
from torch.nn._functional.ctc import ctc_loss
from torch.nn._functional.dropout import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from torch.nn._functional.embedding import embedding, embedding_bag
from torch.nn._functional.grid import affine_grid, grid_sample
from torch.nn._functional.grouped import ScalingType, SwizzleType, grouped_mm, scaled_grouped_mm, scaled_mm
from torch.nn._functional.helpers import assert_int_or_pair, boolean_dispatch
from torch.nn._functional.interpolation import interpolate, upsample, upsample_bilinear, upsample_nearest
from torch.nn._functional.loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cosine_embedding_loss,
    gaussian_nll_loss,
    hinge_embedding_loss,
    huber_loss,
    kl_div,
    l1_loss,
    margin_ranking_loss,
    mse_loss,
    poisson_nll_loss,
    smooth_l1_loss,
    soft_margin_loss,
    triplet_margin_loss,
    triplet_margin_with_distance_loss,
)
from torch.nn._functional.normalization import (
    batch_norm,
    group_norm,
    instance_norm,
    layer_norm,
    local_response_norm,
    rms_norm,
)
from torch.nn._functional.padding import pad
from torch.nn._functional.pooling import (
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool1d_with_indices,
    adaptive_max_pool2d,
    adaptive_max_pool2d_with_indices,
    adaptive_max_pool3d,
    adaptive_max_pool3d_with_indices,
    fractional_max_pool2d,
    fractional_max_pool2d_with_indices,
    fractional_max_pool3d,
    fractional_max_pool3d_with_indices,
    lp_pool1d,
    lp_pool2d,
    lp_pool3d,
    max_pool1d,
    max_pool1d_with_indices,
    max_pool2d,
    max_pool2d_with_indices,
    max_pool3d,
    max_pool3d_with_indices,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from torch.nn._functional.shuffling import (
    channel_shuffle,
    fold,
    native_channel_shuffle,
    pixel_shuffle,
    pixel_unshuffle,
    unfold,
)
from torch.nn._functional.vectors import normalize, one_hot
from torch.overrides import (
    handle_torch_function,
    has_torch_function,
    has_torch_function_unary,
    has_torch_function_variadic,
)


def __getattr__(name):
    if name == "grad":
        import importlib

        return importlib.import_module("torch.nn.grad")
    raise AttributeError(f"module 'torch.nn.functional' has no attribute '{name}'")
