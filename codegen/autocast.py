"""Operators that torch.autocast runs in another dtype than their arguments', on the CPU and on CUDA devices.

The lists are PyTorch's, by the names that operators have there (of overloads: all). What is declared with one of these
names, in the namespace `nn` too, gets a row in THPP's tables of casts, one for each kind of device
(emitters/autocast.py). A name that no operator has is a function of torch.nn.functional made of others, or one with a
Python body: torch/_python_bodies.py, which is generated, tells them.

Policies, as THPP/Autocast.h has them:

    Lower       floating-point tensors but float64 become autocast's dtype
    Float       half types become float32
    FloatDtype  the argument `dtype` is float32 where none is given and the first tensor is not float64
    Widest      floating-point tensors become the widest dtype among them, which is autocast's at least
    AsGiven     on no list there, and composed here of operators on one: parts are computed as they stand
    Refused     raises
    -           on no list: as without autocast, but that the parts of a composite are asked
"""

# {on the CPU, on CUDA: operators}
TABLE = {
    "Lower Lower": """
        _convolution addbmm addmm baddbmm bmm conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d
        conv_transpose3d linalg_vecdot linear matmul mm prelu scaled_dot_product_attention

        lstm rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell
    """,  # the last line is on no list of the CPU's, but made there of operators that are
    "Lower -": "_addmm_activation _native_multi_head_attention mkldnn_rnn_layer",
    "- Lower": "addmv addr chain_matmul convolution einsum gru gru_cell linalg_multi_dot lstm_cell mv",
    "Float Float": """
        binary_cross_entropy_with_logits cdist cosine_embedding_loss cross_entropy cross_entropy_loss
        hinge_embedding_loss huber_loss kl_div l1_loss margin_ranking_loss mse_loss multi_margin_loss
        multilabel_margin_loss nll_loss nll_loss2d poisson_nll_loss smooth_l1_loss soft_margin_loss
        triplet_margin_loss
    """,
    "Float FloatDtype": "prod",
    "Float -": """
        _lu_with_info adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d cholesky cholesky_inverse cholesky_solve
        ctc_loss fake_quantize_per_tensor_affine fft_fft fft_fft2 fft_fftn fft_hfft fft_ifft fft_ifft2 fft_ifftn
        fft_ihfft fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftn fractional_max_pool2d
        fractional_max_pool3d geqrf grid_sampler_2d grid_sampler_3d inverse linalg_cholesky linalg_cholesky_ex
        linalg_cond linalg_eig linalg_eigh linalg_eigvals linalg_eigvalsh linalg_householder_product linalg_inv
        linalg_inv_ex linalg_lstsq linalg_matrix_rank linalg_qr linalg_solve linalg_svd linalg_svdvals
        linalg_tensorinv linalg_tensorsolve lu_solve max_pool3d max_unpool2d max_unpool3d
        multilabel_margin_loss_forward nanquantile orgqr ormqr pinverse polar qr quantile reflection_pad1d
        reflection_pad2d replication_pad1d replication_pad2d replication_pad3d stft svd trace triangular_solve
        view_as_complex
    """,
    "Float Widest": "grid_sample grid_sampler",
    "Float Refused": "binary_cross_entropy",
    "- Float": """
        _upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_nearest_exact1d _upsample_nearest_exact2d
        _upsample_nearest_exact3d acos asin cosh cosine_similarity dist erfinv exp expm1 group_norm layer_norm log
        log10 log1p log2 logsumexp native_layer_norm pdist pow reciprocal renorm rms_norm rsqrt sinh softplus tan
        upsample_bicubic2d upsample_bilinear2d upsample_linear1d upsample_nearest1d upsample_nearest2d
        upsample_nearest3d upsample_trilinear3d

        local_response_norm square
    """,  # the last line is on no list there, but made there of pow
    "- FloatDtype": "cumprod cumsum linalg_matrix_norm linalg_vector_norm log_softmax norm softmax sum",
    "Widest -": "cat index_copy stack",
    "- Widest": "addcdiv addcmul atan2 cross dot index_put inner scatter_add tensordot vdot",  # inner: of tensordot
    "AsGiven Widest": "bilinear",
}

DEVICES = ("CPU", "CUDA")
POLICIES = {
    name: tuple(None if word == "-" else word for word in both.split())
    for both, names in TABLE.items()
    for name in names.split()
}


def policies(operator):
    """For an operator's declared name its policy on each of DEVICES: a word of the above, or None."""
    return POLICIES.get(operator.removeprefix("nn_"), (None,) * len(DEVICES))


def of_python(operators):
    """{name: policies} of what no compiled operator serves. `operators`: {name: overloads}."""
    compiled = {name.removeprefix("nn_") for name, overloads in operators.items() if not overloads[0].in_python}
    return {name: both for name, both in POLICIES.items() if name not in compiled}
