"""Operators that torch.autocast runs in another dtype than their arguments', on the CPU.

The lists are PyTorch's, by the names that operators have there (of overloads: all). What is declared with one of these
names, in the namespace `nn` too, gets a row in THPP's table of casts (emitters/autocast.py). A name that no operator
has is a function of torch.nn.functional made of others, or one with a Python body: torch/_autocast_functions.py, which
is generated, tells them.
"""

# Floating-point tensors but float64 become autocast's dtype (bfloat16 by default).
LOWER = """
    _addmm_activation _convolution _native_multi_head_attention addbmm addmm baddbmm bmm conv1d conv2d conv3d conv_tbc
    conv_transpose1d conv_transpose2d conv_transpose3d linalg_vecdot linear matmul mkldnn_rnn_layer mm prelu
    scaled_dot_product_attention

    lstm rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell
""".split()  # the last line is on no list there, but made of operators that are

# Half and bfloat16 tensors become float32.
FLOAT = """
    _lu_with_info adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d binary_cross_entropy
    binary_cross_entropy_with_logits cdist cholesky cholesky_inverse cholesky_solve cosine_embedding_loss
    cross_entropy cross_entropy_loss ctc_loss fake_quantize_per_tensor_affine fft_fft fft_fft2 fft_fftn fft_hfft
    fft_ifft fft_ifft2 fft_ifftn fft_ihfft fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftn
    fractional_max_pool2d fractional_max_pool3d geqrf grid_sample grid_sampler grid_sampler_2d grid_sampler_3d
    hinge_embedding_loss huber_loss inverse kl_div l1_loss linalg_cholesky linalg_cholesky_ex linalg_cond linalg_eig
    linalg_eigh linalg_eigvals linalg_eigvalsh linalg_householder_product linalg_inv linalg_inv_ex linalg_lstsq
    linalg_matrix_rank linalg_qr linalg_solve linalg_svd linalg_svdvals linalg_tensorinv linalg_tensorsolve lu_solve
    margin_ranking_loss max_pool3d max_unpool2d max_unpool3d mse_loss multi_margin_loss multilabel_margin_loss
    multilabel_margin_loss_forward nanquantile nll_loss nll_loss2d orgqr ormqr pinverse poisson_nll_loss polar prod qr
    quantile reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d replication_pad3d smooth_l1_loss
    soft_margin_loss stft svd trace triangular_solve triplet_margin_loss view_as_complex
""".split()

# Floating-point tensors become the widest dtype among them, which is autocast's at least.
WIDEST = "cat index_copy stack".split()

# On no list there, and composed here of operators on one: their parts are computed as they stand.
AS_GIVEN = ["bilinear"]

POLICIES = {
    name: policy
    for policy, names in (("Lower", LOWER), ("Float", FLOAT), ("Widest", WIDEST), ("AsGiven", AS_GIVEN))
    for name in names
}


def policy(operator):
    """Lower, Float, Widest, AsGiven or None for an operator's declared name."""
    return POLICIES.get(operator.removeprefix("nn_"))


def of_python(operators):
    """{name: policy} of what no compiled operator serves. `operators`: {name: overloads}."""
    compiled = {name.removeprefix("nn_") for name, overloads in operators.items() if not overloads[0].in_python}
    return {name: policy for name, policy in POLICIES.items() if name not in compiled}
