"""The public names of PyTorch 2.13's modules for looking and measuring, as its __all__ and documentation list them."""

import importlib
import importlib.util

import pytest

NAMES = {
    "torch.profiler": """
        DeviceType ExecutionTraceObserver ProfilerAction ProfilerActivity kineto_available profile record_function schedule
        supported_activities tensorboard_trace_handler KinetoStepTracker RecordScope _KinetoProfile _ExperimentalConfig itt""",
    "torch.profiler.profiler": """
        ExecutionTraceObserver ProfilerAction profile schedule supported_activities tensorboard_trace_handler
        PROFILER_STEP_NAME kineto_available""",
    "torch.profiler.itt": "is_available mark range range_pop range_push",
    "torch.profiler._utils": "argmax index_of_first_match source_code_location traverse_bfs traverse_dfs",
    "torch.autograd.profiler": """
        EnforceUnique EventList FunctionEvent KinetoStepTracker MemRecordsAcc emit_itt emit_nvtx load_nvprof
        parse_nvprof_trace profile record_function DeviceType ProfilerActivity ProfilerConfig ProfilerState
        kineto_available MEMORY_EVENT_NAME OUT_OF_MEMORY_EVENT_NAME""",
    "torch.autograd.profiler_util": """
        EventList FormattedTimesMixin FunctionEvent FunctionEventAvg Interval Kernel MemRecordsAcc StringTable""",
    "torch.autograd.profiler_legacy": "profile",
    "torch.utils": """
        ThroughputBenchmark cmake_prefix_path generate_methods_for_privateuse1_backend get_cpp_backtrace
        rename_privateuse1_backend set_module swap_tensors""",
    "torch.utils.backend_registration": "generate_methods_for_privateuse1_backend rename_privateuse1_backend",
    "torch.utils.benchmark": """
        CallgrindStats Colorize Compare CopyIfCallgrind FunctionCount FunctionCounts FuzzedParameter FuzzedSparseTensor
        FuzzedTensor Fuzzer Language Measurement ParameterAlias TaskSpec Timer ordered_unique select_unit set_torch_threads
        timer trim_sigfig unit_to_english""",
    "torch.utils.benchmark.op_fuzzers.binary": "BinaryOpFuzzer",
    "torch.utils.benchmark.op_fuzzers.sparse_binary": "BinaryOpSparseFuzzer",
    "torch.utils.benchmark.op_fuzzers.sparse_unary": "UnaryOpSparseFuzzer",
    "torch.utils.benchmark.op_fuzzers.spectral": "SpectralOpFuzzer",
    "torch.utils.benchmark.op_fuzzers.unary": "UnaryOpFuzzer",
    "torch.utils.benchmark.utils.compile": "bench_all benchmark_compile",
    "torch.utils.bottleneck": "",
    "torch.utils.collect_env": """
        SystemEnv check_release_file get_cachingallocator_config get_clang_version get_cmake_version get_conda_packages
        get_cpu_info get_cuda_module_loading_config get_cudnn_version get_env_info get_gcc_version get_gpu_info
        get_intel_gpu_detected get_intel_gpu_driver_version get_intel_gpu_onboard get_libc_version get_linux_pkg_version
        get_lsb_version get_mac_version get_nvidia_driver_version get_nvidia_smi get_os get_pip_packages get_platform
        get_pretty_env_info get_python_platform get_running_cuda_version get_windows_version is_xnnpack_available main
        pretty_str run run_and_parse_first_match run_and_read_all run_and_return_first_line""",
    "torch.utils.flop_counter": """
        FlopCounterMode register_flop_formula addmm_flop baddbmm_flop bmm_flop conv_backward_flop conv_flop conv_flop_count
        convert_num_with_suffix convert_to_percent_str flop_registry get_shape get_suffix_str mm_flop normalize_tuple
        sdpa_backward_flop sdpa_backward_flop_count sdpa_flop sdpa_flop_count shape_wrapper""",
    "torch.utils.mobile_optimizer": "LintCode MobileOptimizerType generate_mobile_module_lints optimize_for_mobile",
    "torch.utils.module_tracker": "ModuleTracker",
    "torch.utils.throughput_benchmark": "ExecutionStats ThroughputBenchmark format_time",
    "torch.utils.viz._cycles": """
        Node annotated_references create_graph cuda_allocation_context escape is_cuda_tensor object_annotation observe_garbage
        observe_tensor_cycles to_dot to_html warn_tensor_cycles""",
    "torch.utils.weak": "TensorWeakRef WeakIdKeyDictionary WeakIdRef WeakTensorKeyDictionary",
    "torch.monitor": """
        Aggregation Event EventHandlerHandle Stat TensorboardEventHandler data_value_t log_event register_event_handler
        unregister_event_handler""",
}
TENSORBOARD = {
    "torch.utils.tensorboard": "FileWriter RecordWriter SummaryWriter",
    "torch.utils.tensorboard.summary": """
        audio compute_curve custom_scalars draw_boxes half_to_int histogram histogram_raw hparams image image_boxes
        int_to_half make_histogram make_image make_video mesh pr_curve pr_curve_raw scalar tensor_proto text video""",
}
if importlib.util.find_spec("tensorboard"):
    NAMES |= TENSORBOARD


@pytest.mark.parametrize("module", NAMES)
def test_names(module):
    found = importlib.import_module(module)
    assert not [name for name in NAMES[module].split() if not hasattr(found, name)]


def test_without_a_compiler():
    from torch.utils.benchmark.utils import compile as compiling

    with pytest.raises(NotImplementedError, match="no compiler"):
        compiling.benchmark_compile(None, None)


def test_sparse_fuzzers():
    from torch.utils.benchmark.op_fuzzers.sparse_unary import UnaryOpSparseFuzzer

    ((tensors, _, _),) = UnaryOpSparseFuzzer(seed=0).take(1)
    assert tensors["x"].is_sparse
