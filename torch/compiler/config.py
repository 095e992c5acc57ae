"""The settings of a compiler that programs are meant to change; most are those of torch._dynamo.config. There is no
compiler: they are remembered and have no effect."""

from torch.utils import _config_module

_OF_DYNAMO = """accumulated_recompile_limit allow_unspec_int_on_nn_module assume_static_by_default
    automatic_dynamic_shapes capture_dynamic_output_shape_ops capture_scalar_outputs dynamic_shapes
    enable_cpp_symbolic_shape_guards fail_on_recompile_limit_hit log_file_name recompile_limit
    reorderable_logging_functions skip_tensor_guards_with_matching_dict_tags verbose wrap_top_frame"""

_config_module.install(
    __name__,
    {
        "job_id": None,
        "pgo_extra_read_key": None,
        "pgo_extra_write_key": None,
        "cache_key_tag": "",
        "force_disable_caches": False,
        "dynamic_sources": "",
        "dynamic_values": "",
        "unbacked_sources": "",
        "force_cudagraph_gc": False,
    },
    {name: f"torch._dynamo.config.{name}" for name in _OF_DYNAMO.split()},
)
