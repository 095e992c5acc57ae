"""The functions of torch.nn: activations, losses, normalisation, attention and more. They live in torch/nn/_functional, by
subject."""

# ruff: noqa: F401 - imports are what this file gives

from torch import Tensor as Tensor
from torch import adaptive_avg_pool1d as adaptive_avg_pool1d
from torch import avg_pool1d as avg_pool1d
from torch import bilinear as bilinear
from torch import conv1d as conv1d
from torch import conv2d as conv2d
from torch import conv3d as conv3d
from torch import conv_tbc as conv_tbc
from torch import conv_transpose1d as conv_transpose1d
from torch import conv_transpose2d as conv_transpose2d
from torch import conv_transpose3d as conv_transpose3d
from torch import cosine_similarity as cosine_similarity
from torch import pairwise_distance as pairwise_distance
from torch import pdist as pdist
from torch._nn import avg_pool2d as avg_pool2d
from torch._nn import avg_pool3d as avg_pool3d
from torch._nn import linear as linear
from torch._nn import scaled_dot_product_attention as scaled_dot_product_attention
from torch.nn._functional.activation import celu as celu
from torch.nn._functional.activation import celu_ as celu_
from torch.nn._functional.activation import elu as elu
from torch.nn._functional.activation import elu_ as elu_
from torch.nn._functional.activation import gelu as gelu
from torch.nn._functional.activation import glu as glu
from torch.nn._functional.activation import gumbel_softmax as gumbel_softmax
from torch.nn._functional.activation import hardshrink as hardshrink
from torch.nn._functional.activation import hardsigmoid as hardsigmoid
from torch.nn._functional.activation import hardswish as hardswish
from torch.nn._functional.activation import hardtanh as hardtanh
from torch.nn._functional.activation import hardtanh_ as hardtanh_
from torch.nn._functional.activation import leaky_relu as leaky_relu
from torch.nn._functional.activation import leaky_relu_ as leaky_relu_
from torch.nn._functional.activation import log_softmax as log_softmax
from torch.nn._functional.activation import logsigmoid as logsigmoid
from torch.nn._functional.activation import mish as mish
from torch.nn._functional.activation import prelu as prelu
from torch.nn._functional.activation import relu as relu
from torch.nn._functional.activation import relu6 as relu6
from torch.nn._functional.activation import relu_ as relu_
from torch.nn._functional.activation import rrelu as rrelu
from torch.nn._functional.activation import rrelu_ as rrelu_
from torch.nn._functional.activation import selu as selu
from torch.nn._functional.activation import selu_ as selu_
from torch.nn._functional.activation import sigmoid as sigmoid
from torch.nn._functional.activation import silu as silu
from torch.nn._functional.activation import softmax as softmax
from torch.nn._functional.activation import softmin as softmin
from torch.nn._functional.activation import softplus as softplus
from torch.nn._functional.activation import softshrink as softshrink
from torch.nn._functional.activation import softsign as softsign
from torch.nn._functional.activation import tanh as tanh
from torch.nn._functional.activation import tanhshrink as tanhshrink
from torch.nn._functional.activation import threshold as threshold
from torch.nn._functional.activation import threshold_ as threshold_
from torch.nn._functional.attention import canonical_mask as _canonical_mask
from torch.nn._functional.attention import multi_head_attention_forward as multi_head_attention_forward
from torch.nn._functional.classification import cross_entropy as cross_entropy
from torch.nn._functional.classification import linear_cross_entropy as linear_cross_entropy
from torch.nn._functional.classification import multi_margin_loss as multi_margin_loss
from torch.nn._functional.classification import multilabel_margin_loss as multilabel_margin_loss
from torch.nn._functional.classification import multilabel_soft_margin_loss as multilabel_soft_margin_loss
from torch.nn._functional.classification import nll_loss as nll_loss
from torch.nn._functional.ctc import ctc_loss as ctc_loss
from torch.nn._functional.dropout import alpha_dropout as alpha_dropout
from torch.nn._functional.dropout import dropout as dropout
from torch.nn._functional.dropout import dropout1d as dropout1d
from torch.nn._functional.dropout import dropout2d as dropout2d
from torch.nn._functional.dropout import dropout3d as dropout3d
from torch.nn._functional.dropout import feature_alpha_dropout as feature_alpha_dropout
from torch.nn._functional.embedding import embedding as embedding
from torch.nn._functional.embedding import embedding_bag as embedding_bag
from torch.nn._functional.grid import affine_grid as affine_grid
from torch.nn._functional.grid import grid_sample as grid_sample
from torch.nn._functional.grouped import ScalingType as ScalingType
from torch.nn._functional.grouped import SwizzleType as SwizzleType
from torch.nn._functional.grouped import grouped_mm as grouped_mm
from torch.nn._functional.grouped import scaled_grouped_mm as scaled_grouped_mm
from torch.nn._functional.grouped import scaled_mm as scaled_mm
from torch.nn._functional.helpers import assert_int_or_pair as assert_int_or_pair
from torch.nn._functional.helpers import boolean_dispatch as boolean_dispatch
from torch.nn._functional.interpolation import interpolate as interpolate
from torch.nn._functional.interpolation import upsample as upsample
from torch.nn._functional.interpolation import upsample_bilinear as upsample_bilinear
from torch.nn._functional.interpolation import upsample_nearest as upsample_nearest
from torch.nn._functional.loss import binary_cross_entropy as binary_cross_entropy
from torch.nn._functional.loss import binary_cross_entropy_with_logits as binary_cross_entropy_with_logits
from torch.nn._functional.loss import cosine_embedding_loss as cosine_embedding_loss
from torch.nn._functional.loss import gaussian_nll_loss as gaussian_nll_loss
from torch.nn._functional.loss import hinge_embedding_loss as hinge_embedding_loss
from torch.nn._functional.loss import huber_loss as huber_loss
from torch.nn._functional.loss import kl_div as kl_div
from torch.nn._functional.loss import l1_loss as l1_loss
from torch.nn._functional.loss import margin_ranking_loss as margin_ranking_loss
from torch.nn._functional.loss import mse_loss as mse_loss
from torch.nn._functional.loss import poisson_nll_loss as poisson_nll_loss
from torch.nn._functional.loss import smooth_l1_loss as smooth_l1_loss
from torch.nn._functional.loss import soft_margin_loss as soft_margin_loss
from torch.nn._functional.loss import triplet_margin_loss as triplet_margin_loss
from torch.nn._functional.loss import triplet_margin_with_distance_loss as triplet_margin_with_distance_loss
from torch.nn._functional.normalization import batch_norm as batch_norm
from torch.nn._functional.normalization import group_norm as group_norm
from torch.nn._functional.normalization import instance_norm as instance_norm
from torch.nn._functional.normalization import layer_norm as layer_norm
from torch.nn._functional.normalization import local_response_norm as local_response_norm
from torch.nn._functional.normalization import rms_norm as rms_norm
from torch.nn._functional.padding import pad as pad
from torch.nn._functional.pooling import adaptive_avg_pool2d as adaptive_avg_pool2d
from torch.nn._functional.pooling import adaptive_avg_pool3d as adaptive_avg_pool3d
from torch.nn._functional.pooling import adaptive_max_pool1d as adaptive_max_pool1d
from torch.nn._functional.pooling import adaptive_max_pool1d_with_indices as adaptive_max_pool1d_with_indices
from torch.nn._functional.pooling import adaptive_max_pool2d as adaptive_max_pool2d
from torch.nn._functional.pooling import adaptive_max_pool2d_with_indices as adaptive_max_pool2d_with_indices
from torch.nn._functional.pooling import adaptive_max_pool3d as adaptive_max_pool3d
from torch.nn._functional.pooling import adaptive_max_pool3d_with_indices as adaptive_max_pool3d_with_indices
from torch.nn._functional.pooling import fractional_max_pool2d as fractional_max_pool2d
from torch.nn._functional.pooling import fractional_max_pool2d_with_indices as fractional_max_pool2d_with_indices
from torch.nn._functional.pooling import fractional_max_pool3d as fractional_max_pool3d
from torch.nn._functional.pooling import fractional_max_pool3d_with_indices as fractional_max_pool3d_with_indices
from torch.nn._functional.pooling import lp_pool1d as lp_pool1d
from torch.nn._functional.pooling import lp_pool2d as lp_pool2d
from torch.nn._functional.pooling import lp_pool3d as lp_pool3d
from torch.nn._functional.pooling import max_pool1d as max_pool1d
from torch.nn._functional.pooling import max_pool1d_with_indices as max_pool1d_with_indices
from torch.nn._functional.pooling import max_pool2d as max_pool2d
from torch.nn._functional.pooling import max_pool2d_with_indices as max_pool2d_with_indices
from torch.nn._functional.pooling import max_pool3d as max_pool3d
from torch.nn._functional.pooling import max_pool3d_with_indices as max_pool3d_with_indices
from torch.nn._functional.pooling import max_unpool1d as max_unpool1d
from torch.nn._functional.pooling import max_unpool2d as max_unpool2d
from torch.nn._functional.pooling import max_unpool3d as max_unpool3d
from torch.nn._functional.shuffling import channel_shuffle as channel_shuffle
from torch.nn._functional.shuffling import fold as fold
from torch.nn._functional.shuffling import native_channel_shuffle as native_channel_shuffle
from torch.nn._functional.shuffling import pixel_shuffle as pixel_shuffle
from torch.nn._functional.shuffling import pixel_unshuffle as pixel_unshuffle
from torch.nn._functional.shuffling import unfold as unfold
from torch.nn._functional.vectors import normalize as normalize
from torch.nn._functional.vectors import one_hot as one_hot
from torch.overrides import handle_torch_function as handle_torch_function
from torch.overrides import has_torch_function as has_torch_function
from torch.overrides import has_torch_function_unary as has_torch_function_unary
from torch.overrides import has_torch_function_variadic as has_torch_function_variadic

TYPE_CHECKING = False  # type checkers take it for True
if not TYPE_CHECKING:

    def __getattr__(name):
        if name == "grad":
            import importlib

            return importlib.import_module("torch.nn.grad")
        raise AttributeError(f"module 'torch.nn.functional' has no attribute '{name}'")
