"""What computes operators of torch.ops that have no function of their own: parts of functions, and gradients. Graphs of
torch.fx.experimental.proxy_tensor.make_fx call them by these names."""

import builtins

import torch
from torch import _C
from torch._ops import answered
from torch.nn import functional as F

BODIES = {}


def _body(function):
    BODIES[function.__name__] = function
    return function


def gradient_of(grad_output, forward, self):
    """The gradient of forward(self), given that of its result. It is recorded where an argument asks for that."""
    further = torch.is_grad_enabled() and (grad_output.requires_grad or self.requires_grad)
    further = further and answered.call is None  # a mode is asked below recording

    def compute():
        with torch.enable_grad():
            leaf = self if further and self.requires_grad else self.detach().requires_grad_()
            return torch.autograd.grad(forward(leaf), leaf, grad_output, create_graph=further)[0]

    return _C._call_recorded(compute)


_REDUCTIONS = ("none", "mean", "sum")


def _gradient(name, forward):
    """The operator `name`(grad_output, self, *others): the gradient of forward(self, *others)."""

    def body(grad_output, self, *others, **keywords):
        return gradient_of(grad_output, lambda leaf: forward(leaf, *others, **keywords), self)

    body.__name__ = body.__qualname__ = name
    BODIES[name] = body


# ---- views and copies ----------------------------------------------------------------------------------------
@_body
def alias(self):
    return self.view_as(self)


@_body
def _unsafe_view(self, size):
    return self.view(size)


@_body
def slice(self, dim=0, start=None, end=None, step=1):  # noqa: A001 - the operator's name
    dim = dim % self.dim()
    return self[(builtins.slice(None),) * dim + (builtins.slice(start, end, step),)]


@_body
def index(self, indices):
    return self[tuple(builtins.slice(None) if i is None else i for i in indices)]


@_body
def index_put_(self, indices, values, accumulate=False):
    if all(i is not None for i in indices):
        return torch.Tensor.index_put_(self, indices, values, accumulate)
    if accumulate:
        places = torch.arange(self.numel(), device=self.device).view(self.shape)
        chosen = index(places, indices)
        flat = self.view(-1) if self.is_contiguous() else None
        if flat is None:
            return self.copy_(index_put_(self.contiguous(), indices, values, True))
        flat.index_put_((chosen,), values.expand(chosen.shape), True)
        return self
    self[tuple(builtins.slice(None) if i is None else i for i in indices)] = values
    return self


@_body
def index_put(self, indices, values, accumulate=False):
    return index_put_(self.clone(), indices, values, accumulate)


@_body
def unfold(self, dimension, size, step):
    return self.unfold(dimension, size, step)


@_body
def lift_fresh(self):
    return self


@_body
def lift_fresh_copy(self):
    return self.clone()


@_body
def _to_copy(self, *, dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, memory_format=None):
    chosen = torch.preserve_format if memory_format is None else memory_format
    return self.to(
        self.device if device is None else device,
        self.dtype if dtype is None else dtype,
        non_blocking,
        copy=True,
        memory_format=chosen,
    )


# ---- softmax ---------------------------------------------------------------------------------------------------
@_body
def _softmax(self, dim, half_to_float=False):
    return torch.softmax(self, dim, dtype=torch.float32 if half_to_float is True else half_to_float or None)


@_body
def _log_softmax(self, dim, half_to_float=False):
    return torch.log_softmax(self, dim, dtype=torch.float32 if half_to_float is True else half_to_float or None)


@_body
def _softmax_backward_data(grad_output, output, dim, input_dtype=None):
    share = grad_output * output
    return (share - output * share.sum(dim, keepdim=True)).to(input_dtype or output.dtype)


@_body
def _log_softmax_backward_data(grad_output, output, dim, input_dtype=None):
    return (grad_output - output.exp() * grad_output.sum(dim, keepdim=True)).to(input_dtype or output.dtype)


# ---- activations -----------------------------------------------------------------------------------------------
@_body
def sigmoid_backward(grad_output, output):
    return grad_output * (output * (1 - output)).conj()


@_body
def tanh_backward(grad_output, output):
    return grad_output * (1 - output * output).conj()


@_body
def threshold_backward(grad_output, self, threshold):
    return torch.where(self <= threshold, torch.zeros_like(grad_output), grad_output)


@_body
def leaky_relu_backward(grad_output, self, negative_slope, self_is_result):
    return torch.where(self > 0, grad_output, grad_output * negative_slope)


@_body
def elu_backward(grad_output, alpha, scale, input_scale, is_result, self_or_result):
    if is_result:
        below = input_scale * (self_or_result + alpha * scale)
    else:
        below = input_scale * alpha * scale * torch.exp(self_or_result * input_scale)
    return grad_output * torch.where(self_or_result > 0, torch.full_like(self_or_result, scale), below)


for _name, _forward in {
    "gelu": F.gelu,
    "glu": F.glu,
    "hardshrink": F.hardshrink,
    "hardsigmoid": F.hardsigmoid,
    "hardswish": F.hardswish,
    "hardtanh": F.hardtanh,
    "log_sigmoid": lambda self, buffer=None: F.logsigmoid(self),
    "mish": F.mish,
    "silu": F.silu,
    "softplus": F.softplus,
    "softshrink": F.softshrink,
    "reflection_pad1d": lambda self, padding: F.pad(self, padding, "reflect"),
    "replication_pad1d": lambda self, padding: F.pad(self, padding, "replicate"),
}.items():
    _gradient(f"{_name}_backward", _forward)
for _kind in ("reflection_pad", "replication_pad"):
    for _dims in "23":
        BODIES[f"{_kind}{_dims}d_backward"] = BODIES[f"{_kind}1d_backward"]


@_body
def _prelu_input_backward(grad_output, self, weight):
    return gradient_of(grad_output, lambda leaf: torch.prelu(leaf, weight), self)


@_body
def _prelu_add_weight_grad_(self, input, grad_output):  # noqa: A002 - the operator's name
    below = torch.where(input > 0, torch.zeros_like(input), input * grad_output)
    if self.numel() == 1:
        return self.add_(below.sum())
    return self.add_(below.sum([dim for dim in range(below.dim()) if dim != 1]))


# ---- losses ----------------------------------------------------------------------------------------------------
for _name, _forward in {
    "mse_loss": lambda self, target, reduction: F.mse_loss(self, target, reduction=_REDUCTIONS[reduction]),
    "l1_loss": lambda self, target, reduction: F.l1_loss(self, target, reduction=_REDUCTIONS[reduction]),
    "smooth_l1_loss": lambda self, target, reduction, beta: F.smooth_l1_loss(
        self, target, reduction=_REDUCTIONS[reduction], beta=beta
    ),
    "huber_loss": lambda self, target, reduction, delta: F.huber_loss(
        self, target, reduction=_REDUCTIONS[reduction], delta=delta
    ),
    "soft_margin_loss": lambda self, target, reduction: F.soft_margin_loss(
        self, target, reduction=_REDUCTIONS[reduction]
    ),
    "binary_cross_entropy": lambda self, target, weight, reduction: F.binary_cross_entropy(
        self, target, weight, reduction=_REDUCTIONS[reduction]
    ),
    "_bce_with_logits": lambda self, target, reduction: F.binary_cross_entropy_with_logits(
        self, target, reduction=_REDUCTIONS[reduction]
    ),
    "multi_margin_loss": lambda self, target, p, margin, weight, reduction: F.multi_margin_loss(
        self, target, p, margin, weight, reduction=_REDUCTIONS[reduction]
    ),
    "multilabel_margin_loss": lambda self, target, reduction, is_target=None: F.multilabel_margin_loss(
        self, target, reduction=_REDUCTIONS[reduction]
    ),
    "nll_loss": lambda self, target, weight, reduction, ignore_index, total_weight: F.nll_loss(
        self, target, weight, ignore_index=ignore_index, reduction=_REDUCTIONS[reduction]
    ),
}.items():
    _gradient(f"{_name}_backward", _forward)
BODIES["nll_loss2d_backward"] = BODIES["nll_loss_backward"]


@_body
def kl_div_backward(grad_output, self, target, reduction, log_target):
    def forward(leaf):
        loss = F.kl_div(leaf, target, reduction="none", log_target=log_target)
        return (loss, loss.mean(), loss.sum())[reduction]

    return gradient_of(grad_output, forward, self)


@_body
def nll_loss_forward(self, target, weight, reduction, ignore_index):
    loss = F.nll_loss(self, target, weight, ignore_index=ignore_index, reduction=_REDUCTIONS[reduction])
    if reduction == 0:
        return loss, self.new_zeros(())
    counted = target != ignore_index
    weights = self.new_ones(self.shape[1 if self.dim() > 1 else 0]) if weight is None else weight
    return loss, (weights[torch.where(counted, target, 0)] * counted).sum()


BODIES["nll_loss2d_forward"] = nll_loss_forward


# ---- convolution, pooling, resizing ----------------------------------------------------------------------------
@_body
def _convolution_weight(self, grad_output, kernel_size, stride, padding, dilation, groups):
    weight = self.new_zeros((grad_output.shape[1], self.shape[1] // groups, *kernel_size))

    def forward(leaf):
        none = [0] * len(kernel_size)
        return torch.convolution(self, leaf, None, stride, padding, dilation, False, none, groups)

    return gradient_of(grad_output, forward, weight)


@_body
def _avg_pool_backward(grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    pool = F.avg_pool2d if len(kernel_size) == 2 else F.avg_pool3d

    def forward(leaf):
        return pool(leaf, kernel_size, stride or None, padding, ceil_mode, count_include_pad, divisor_override)

    return gradient_of(grad_output, forward, self)


@_body
def _adaptive_avg_pool_backward(grad_output, self, dimensions):
    pool = F.adaptive_avg_pool2d if dimensions == 2 else F.adaptive_avg_pool3d
    return gradient_of(grad_output, lambda leaf: pool(leaf, grad_output.shape[-dimensions:]), self)


@_body
def _max_pool_backward(grad_output, self, indices, dimensions):
    planes = self.new_zeros(self.shape).flatten(-dimensions)
    return planes.scatter_add(-1, indices.flatten(-dimensions), grad_output.flatten(-dimensions)).view(self.shape)


@_body
def _max_pool_picked(self, indices, dimensions):
    return self.flatten(-dimensions).gather(-1, indices.flatten(-dimensions)).view(indices.shape)


def _resizing(name, mode, antialias=False, corners=False):
    def body(grad_output, output_size, input_size, *rest, align_corners=None, **scales):
        aligned = (rest[0] if rest else align_corners) if corners else None

        def forward(leaf):
            return F.interpolate(leaf, tuple(output_size), mode=mode, align_corners=aligned, antialias=antialias)

        return gradient_of(grad_output, forward, grad_output.new_zeros(tuple(input_size)))

    BODIES[name] = body


for _dims in "123":
    _resizing(f"upsample_nearest{_dims}d_backward", "nearest")
    _resizing(f"_upsample_nearest_exact{_dims}d_backward", "nearest-exact")
for _mode, _name in (
    ("linear", "linear1d"),
    ("bilinear", "bilinear2d"),
    ("trilinear", "trilinear3d"),
    ("bicubic",) * 2,
):
    _resizing(f"upsample_{_name}{'2d' * (_name == 'bicubic')}_backward", _mode, corners=True)
for _mode in ("bilinear", "bicubic"):
    _resizing(f"_upsample_{_mode}2d_aa_backward", _mode, antialias=True, corners=True)


# ---- embedding and normalisation -------------------------------------------------------------------------------
@_body
def embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
    weight = grad_output.new_zeros((num_weights, grad_output.shape[-1]))
    padding = None if padding_idx < 0 else padding_idx

    def forward(leaf):
        return F.embedding(indices, leaf, padding, scale_grad_by_freq=scale_grad_by_freq)

    return gradient_of(grad_output, forward, weight)


def _normalised_backward(grad_output, forward, given, wanted):
    """Gradients of forward(*given) for the arguments that are `wanted` and given; None of the others."""
    leaves = [None if t is None else t.detach().requires_grad_() for t in given]
    asked = [leaf for leaf, want in zip(leaves, wanted) if want and leaf is not None]

    def compute():
        with torch.enable_grad():
            return torch.autograd.grad(forward(*leaves), asked, grad_output)

    found = iter(_C._call_recorded(compute) if asked else ())
    return tuple(next(found) if want and leaf is not None else None for leaf, want in zip(leaves, wanted))


@_body
def native_batch_norm_backward(
    grad_output, self, weight, save_mean, save_invstd, training, eps, of_input, of_weight, of_bias
):
    bias = self.new_zeros(self.shape[1])
    weights = torch.ones_like(bias) if weight is None else weight
    # Of given statistics: save_invstd is 1 / sqrt(variance + eps).
    mean, variance = (None, None) if training else (save_mean, save_invstd.pow(-2) - eps)

    def forward(leaf, scale, shift):
        return F.batch_norm(leaf, mean, variance, scale, shift, training, 0.0, eps)

    return _normalised_backward(grad_output, forward, (self, weights, bias), (of_input, of_weight, of_bias))


@_body
def _fused_rms_norm(self, normalized_shape, weight, eps):
    shape = tuple(normalized_shape)
    dims = tuple(range(-len(shape), 0))
    return F.rms_norm(self, shape, weight, eps), torch.rsqrt(self.pow(2).mean(dims, keepdim=True) + eps)


@_body
def _rms_norm_backward(grad_output, self, normalized_shape, weight, rstd, eps, of_input, of_weight):
    shape = tuple(normalized_shape)
    weights = self.new_ones(shape) if weight is None else weight
    dims = tuple(range(-len(shape), 0))

    def forward(leaf, scale):
        return leaf * torch.rsqrt(leaf.pow(2).mean(dims, keepdim=True) + eps) * scale

    return _normalised_backward(grad_output, forward, (self, weights), (of_input, of_weight))


@_body
def native_layer_norm_backward(
    grad_output, self, normalized_shape, weight, mean, rstd, eps, of_input, of_weight, of_bias
):
    bias = self.new_zeros(tuple(normalized_shape))
    weights = torch.ones_like(bias) if weight is None else weight

    def forward(leaf, scale, shift):
        return F.layer_norm(leaf, tuple(normalized_shape), scale, shift, eps)

    return _normalised_backward(grad_output, forward, (self, weights, bias), (of_input, of_weight, of_bias))


@_body
def native_group_norm_backward(grad_output, self, weight, mean, rstd, groups, eps, of_input, of_weight, of_bias):
    bias = self.new_zeros(self.shape[1])
    weights = torch.ones_like(bias) if weight is None else weight

    def forward(leaf, scale, shift):
        return F.group_norm(leaf, groups, scale, shift, eps)

    return _normalised_backward(grad_output, forward, (self, weights, bias), (of_input, of_weight, of_bias))


@_body
def _scaled_dot_product_flash_attention_for_cpu_backward(
    grad_output, self, key, value, output, logsumexp, attn_mask=None, is_causal=False, scale=None
):
    def forward(q, k, v):
        return F.scaled_dot_product_attention(q, k, v, attn_mask, 0.0, is_causal, scale=scale)

    return _normalised_backward(grad_output, forward, (self, key, value), (True, True, True))


# ---- linear algebra --------------------------------------------------------------------------------------------
@_body
def _linalg_det(self):
    return torch.linalg.det(self), *torch.linalg.lu_factor_ex(self)[:2]


@_body
def _linalg_slogdet(self):
    return *torch.linalg.slogdet(self), *torch.linalg.lu_factor_ex(self)[:2]


@_body
def _linalg_solve_ex(A, B, *, left=True, check_errors=False):  # noqa: N803 - the operator's names
    result, info = torch.linalg.solve_ex(A, B, left=left, check_errors=check_errors)
    return result, *torch.linalg.lu_factor_ex(A if left else A.mT)[:2], info
