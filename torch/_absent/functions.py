"""Functions of `torch` itself that are not there, by reason."""

from torch._absent import REASONS, absent_function

_BY_REASON = {
    "this torch does not quantize": """choose_qparams_optimized empty_quantized fake_quantize_per_channel_affine
        fake_quantize_per_tensor_affine fbgemm_linear_fp16_weight fbgemm_linear_fp16_weight_fp32_activation
        fbgemm_linear_int8_weight fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight
        fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix fused_moving_avg_obs_fake_quant int_repr
        q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point quantize_per_channel
        quantize_per_tensor quantize_per_tensor_dynamic quantized_batch_norm quantized_gru_cell quantized_lstm_cell
        quantized_max_pool1d quantized_max_pool2d quantized_max_pool3d quantized_rnn_relu_cell quantized_rnn_tanh_cell""",
    "cuDNN's own operators are not bound; torch.nn.functional calls what there is": """cudnn_affine_grid_generator
        cudnn_batch_norm cudnn_convolution cudnn_convolution_add_relu cudnn_convolution_relu
        cudnn_convolution_transpose cudnn_grid_sampler""",
    "this torch is built without MIOpen": """miopen_batch_norm miopen_convolution miopen_convolution_add_relu
        miopen_convolution_relu miopen_convolution_transpose miopen_ctc_loss miopen_depthwise_convolution miopen_rnn""",
    "oneDNN's own operators are not bound; torch.nn.functional calls what there is": """mkldnn_adaptive_avg_pool2d
        mkldnn_convolution mkldnn_linear_backward_weights mkldnn_max_pool2d mkldnn_max_pool3d mkldnn_rnn_layer""",
    "torch.nn.SyncBatchNorm adds up sums of its own, and has no kernels for it": """batch_norm_backward_elemt batch_norm_backward_reduce
        batch_norm_elemt batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats
        batch_norm_update_stats""",
    "there is no TorchScript in this torch": """import_ir_module import_ir_module_from_buffer
        merge_type_from_type_comment parse_ir parse_type_comment""",
    "there is no compiler in this torch": "cond sym_fresh_size while_loop",
}
FUNCTIONS = {name: why for why, names in _BY_REASON.items() for name in names.split()}
REASONS.update({f"torch.{name}": why for name, why in FUNCTIONS.items()})


def find(name):
    """The function, which refuses."""
    return absent_function(f"torch.{name}")
