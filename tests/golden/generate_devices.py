"""Writes down what PyTorch's CPU-only build answers where programs ask about devices, with PyTorch itself:

    python tests/golden/generate_devices.py

tests/golden/device_calls.json: [call, what it gives], as device_calls.py describes it. Every public function and class of the modules
below is called with plain arguments, once without those that may be left out and once for a device; then the calls of
MORE, in their order. tests/package/test_devices.py asks ours the same.
"""

import importlib
import inspect
import json
import pathlib

import device_calls

HERE = pathlib.Path(__file__).resolve().parent
TREES = """torch.xpu torch.mps torch.mtia torch.backends torch.accelerator torch.compiler torch.cuda.gds
    torch.cuda.graphs torch.cuda.green_contexts torch.cuda.jiterator torch.cuda.memory torch.cuda.profiler torch.cuda.random
    torch.cuda.sparse torch.cuda.streams torch.cuda.tunable torch.numa""".split()

# What these answer depends on the machine, on the build's libraries, or belongs to a compiler and not to its settings.
WITHOUT = """torch.backends.cpu.get_cpu_capability torch.backends.mkl.is_available torch.backends.nnpack.is_available
    torch.backends.xeon.run_cpu.create_args torch.backends.xeon.run_cpu.main torch.backends.cuda.cufft_plan_cache
    torch.backends.cuda.matmul torch.backends.kleidiai.is_available
    torch.compiler.compile torch.compiler.list_backends torch.compiler.wrap_numpy torch.cuda.memory.list_gpu_processes
    torch.backends.cuda.cuFFTPlanCacheAttrContextProp torch.backends.cuda.cuBLASModule torch.backends.mkl.verbose
    torch.compiler.load_cache_artifacts torch.compiler.config""".split()

# A plain value for a parameter of this name.
PLAIN = {
    "_enabled": "False",
    "affinity_mode": "torch.numa.binding.AffinityMode.NODE",
    "alloc_fn_name": "'allocate'",
    "allocator": "None",
    "backend": "None",
    "buffer_size": "8",
    "callables": "abs",
    "cuda_graph": "None",
    "data_ptr": "0",
    "device": "0",
    "device_index": "0",
    "duration": "30",
    "enable": "True",
    "enabled": "True",
    "file": "__import__('io').BytesIO()",
    "filename": "'/nonexistent/file.csv'",
    "filename_pattern": "'/nonexistent/*.csv'",
    "flags": "0",
    "fn": "abs",
    "fname": "'/nonexistent/trace'",
    "fraction": "0.5",
    "free_fn_name": "'release'",
    "guard_entries": "[]",
    "iterations": "100",
    "major": "13",
    "mem_ptr": "0",
    "minor": "0",
    "mtia_graph": "None",
    "new_state": "torch.zeros(16, dtype=torch.uint8)",
    "new_states": "[]",
    "num_gpus": "1",
    "obj": "torch.ones(1)",
    "observer": "print",
    "original_fn": "abs",
    "params": "None",
    "path_to_lib_file": "'/nonexistent/lib.so'",
    "path_to_so_file": "'/nonexistent/lib.so'",
    "peer": "0",
    "pool": "None",
    "s": "torch.ones(1).untyped_storage()",
    "sample_args": "()",
    "seed": "3",
    "size": "16",
    "source": "''",
    "stream": "None",
    "stream_ptr": "0",
    "val": "True",
    "value": "True",
    "xpu_graph": "None",
}

# Calls that the rule does not make: settings that are read back, contexts that are entered, wrong arguments.
MORE = """
torch.accelerator.device_index(0).__enter__()
torch.backends.cuda.SDPAParams()
torch.backends.cuda.SDPAParams(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), None, 0.0, False, False).dropout
torch.backends.cuda.SDPAParams(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), None, 0.5, True, True).is_causal
torch.backends.cuda.SDPAParams(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), None, 0.5, True, True).query.shape
torch.backends.cuda.can_use_flash_attention(torch.backends.cuda.SDPAParams(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), None, 0.0, False, False))
torch.backends.cuda.can_use_efficient_attention(torch.backends.cuda.SDPAParams(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), None, 0.0, False, False))
torch.backends.cuda.can_use_cudnn_attention(torch.backends.cuda.SDPAParams(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), None, 0.0, False, False))
torch.cuda.graphs.graph(None).__enter__()
torch.cuda.profiler.profile().__enter__()
torch.cuda.profiler.start()
torch.cuda.jiterator._create_jit_fn('template <typename T> T f(T x) { return x; }')(torch.ones(1))
torch.cuda.jiterator._create_jit_fn('no template')
torch.cuda.jiterator._create_multi_output_jit_fn('template <typename T> T f(T x, T& y) { return x; }', 2)(torch.ones(1))
torch.mps.profiler.profile().__enter__()
torch.mps.profiler.metal_capture('/nonexistent/trace').__enter__()
torch.mps.Event(enable_timing=True)
torch.mps.manual_seed('x')
torch.mps.set_per_process_memory_fraction('x')
torch.mtia.device(0).__enter__()
torch.mtia.device(None).__enter__()
torch.mtia.device(-1).__enter__()
torch.mtia.set_rng_state(torch.zeros(16, dtype=torch.uint8), 0)
torch.mtia.manual_seed('x')
torch.mtia.StreamContext(None)
torch.mtia.device('cpu')
torch.mtia.device('mtia:1').idx
torch.mtia.device(None).__exit__(None, None, None)
torch.mtia.stream(None).__enter__()
torch.mtia.graph(torch.mtia.MTIAGraph())
torch.compiler.allow_in_graph(3)
torch.compiler.load_cache_artifacts(b'')
torch.compiler.set_stance('fail_on_recompile', force_backend='x')
torch.compiler.set_default_backend('eager')
torch.compiler.get_default_backend()
torch.compiler.set_default_backend(None)
torch.compiler.get_default_backend()
torch.compiler.set_enable_guard_collectives(False)
torch.numa.binding.NumaOptions(torch.numa.binding.AffinityMode.NODE).should_fall_back_if_binding_fails
torch.numa.binding.AffinityMode('core-complex').name
torch.numa.binding.AffinityMode('nope')
torch.cuda.green_contexts.GreenContext.create(num_sms=8)
torch.xpu.StreamContext(None).__enter__()
torch.xpu.StreamContext(None).stream
torch.xpu.default_generators
torch.xpu.device(-1).__enter__()
torch.xpu.device(0).__enter__()
torch.xpu.device('xpu:0').__enter__()
torch.xpu.device('cpu')
torch.xpu.device_of(torch.ones(1)).__enter__()
torch.xpu.device_of(torch.ones(1)).idx
torch.xpu.get_rng_state('xpu:0')
torch.xpu.manual_seed('x')
torch.xpu.memory_stats('cpu')
torch.xpu.set_device('cpu')
torch.xpu.set_device(-1)
torch.xpu.set_per_process_memory_fraction(2.0)
torch.xpu.set_per_process_memory_fraction('x')
torch.xpu.set_rng_state_all([torch.zeros(16, dtype=torch.uint8)])
torch.xpu.stream(None).__enter__()
torch.xpu.stream(None).__exit__(None, None, None)
torch.xpu.use_mem_pool(None).__enter__()
"""


def belongs(path):
    """Whether a module or name is in one of the trees."""
    return any(path == tree or path.startswith(tree + ".") for tree in TREES)


def listed():
    """(module, name) of names-all.txt."""
    for line in (HERE / "names-all.txt").read_text().splitlines():
        path, _, names = line.partition(": ")
        if belongs(path):
            yield from ((path, name) for name in names.split())


def calls_of(path, name, value):
    """The calls of one name, as text."""
    dotted = f"{path}.{name}"
    if dotted in WITHOUT:
        return
    if path == "torch.compiler.config":
        # Read, set and read back, and put back. `value`: a setting's default.
        yield dotted
        for new in (repr(not value) if isinstance(value, bool) else "7", repr(value)):
            yield from (f"setattr({path}, '{name}', {new})", dotted)
        return
    if not callable(value):
        yield dotted
        return
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except ValueError:  # torch.cuda.sparse.FloatTensor
        yield f"{dotted}(2)"
        return
    plain = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    needed = [one for one in plain if one.default is one.empty and one.name != "self"]
    arguments = ", ".join(PLAIN[one.name] for one in needed)
    yield f"{dotted}({arguments})"
    optional = [one for one in plain if one.default is not one.empty and one.name in ("device", "device_index")]
    if optional and plain.index(optional[0]) == len(needed):
        yield f"{dotted}({arguments}{', ' if arguments else ''}0)"


def main():
    """Writes the file."""
    calls = []
    for path, name in listed():
        calls += calls_of(path, name, getattr(importlib.import_module(path), name))
    calls += [line for line in MORE.splitlines() if line]
    lines = [json.dumps([call, what]) for call, what in device_calls.outcomes(calls)]
    (HERE / "device_calls.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(len(lines), "calls")


if __name__ == "__main__":
    main()
