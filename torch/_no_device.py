"""Modules of devices for which this torch has no library: torch.xpu, torch.mps, torch.mtia. What their functions are and
take stands here, once; each module says what its own answer, which is what PyTorch's build for the CPU alone answers."""

import sys

from torch._device_module import device_index

# name(parameters): what it is. {kind}: "xpu", "mps", "mtia".
_WHAT = """
attach_out_of_memory_observer(observer): Calls `observer` when a device's memory is full.
can_device_access_peer(device, peer): Whether one device reads another's memory directly.
change_current_allocator(allocator): Takes the device's memory from another allocator.
clock_rate(device=None): The device's clock rate, as its driver says it.
compile_shader(source): Functions of a program in Metal's language.
current_allocated_memory(): Bytes that tensors take.
current_device(): The index of the current device.
current_stream(device=None): The current Stream of a device.
default_stream(device=None): The default Stream of a device.
device_count(): The number of such devices.
device_memory_used(device=None): Bytes of the device's memory that are in use, as its driver says it.
driver_allocated_memory(): Bytes that the driver has given to this process.
empty_cache(): Gives memory that is kept for later tensors back to the driver.
get_arch_list(): The architectures that the kernels were compiled for: a list of str.
get_core_count(): The device's number of cores.
get_device_capability(device=None): What a device can do.
get_device_name(device=None): A device's name.
get_device_properties(device=None): A device's name, memory and so on.
get_gencode_flags(): The compiler's options for `get_arch_list()`, one str.
get_name(): The device's name.
get_per_process_memory_fraction(device=None): The share of a device's memory that this process may take.
get_rng_state(device='{kind}'): The state of a device's generator, a uint8 tensor.
get_rng_state_all(): The states of all devices' generators: a list of uint8 tensors.
get_stream_from_external(data_ptr, device=None): A Stream for a queue that another library has made.
graph_pool_handle(): A name for memory that several graphs share.
init(): Prepares the process for such devices.
initial_seed(): The seed of the current device's generator.
is_available(): Whether there is such a device to compute on.
is_bf16_supported(including_emulation=True): Whether the current device computes in bfloat16.
is_built(): Whether this torch was built for these devices.
is_capturing_metal(): Whether Metal's commands are being recorded.
is_current_stream_capturing(): Whether the current stream records a graph.
is_initialized(): Whether the process has used such a device.
is_macos13_or_newer(minor=0): Whether the system is macOS 13 or newer.
is_macos_or_newer(major, minor): Whether the system is this version of macOS or newer.
is_metal_capture_enabled(): Whether Metal's commands can be recorded.
is_tf32_supported(): Whether the current device multiplies in TF32.
load_metallib(source): Functions of a library that was compiled by Metal.
make_graphed_callables(callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None): Functions that replay a graph.
max_memory_allocated(device=None): The most that `memory_allocated` has been.
max_memory_reserved(device=None): The most that `memory_reserved` has been.
mem_get_info(device=None): (free bytes, all bytes) of a device.
memory_allocated(device=None): Bytes that tensors take on a device.
memory_reserved(device=None): Bytes that torch holds on a device, in use or kept for later.
memory_snapshot(mempool_id=None): What every block of a device's memory holds: a list of dicts.
memory_stats(device=None): Counters of the allocator, {{str: int}}.
memory_stats_as_nested_dict(device=None): The same as dicts of dicts.
memory_usage(device=None): How busy the device's memory was, as its driver says it.
power_draw(device=None): The power that the device takes, as its driver says it.
recommended_max_memory(): The number of bytes that the driver advises not to exceed.
record_memory_history(enabled='all', stacks='python', max_entries=0): Records who allocates a device's memory.
reset_accumulated_memory_stats(device=None): Sets counters of what was allocated and freed to 0.
reset_peak_memory_stats(device=None): Starts all maxima anew.
seed(): Seeds the current device's generator from the system.
seed_all(): Seeds the generators of all devices from the system.
set_device(device): Makes a device the current one.
set_rng_state(new_state, device='{kind}'): Sets the state of a device's generator.
set_rng_state_all(new_states): Sets the states of the generators, one for each device.
snapshot(): What every block of the devices' memory holds.
start(mode='interval', wait_until_completed=False): Begins to record for Xcode's Instruments.
stop(): Ends it.
stream(stream): The context in which `stream` is the current one; None: no change.
synchronize(device=None): Waits until all work on a device is done.
temperature(device=None): The device's temperature, as its driver says it.
utilization(device=None): How busy the device was, as its driver says it.
"""


class Returns:
    """An answer: the value that `make` makes; None for None."""

    def __init__(self, make=None):
        self.make, self.note = make, ""

    def __call__(self, name):
        return self.make() if self.make else None


class Raises:
    """An answer: an error. `message` may have the function's {name}."""

    def __init__(self, error, message):
        self.error, self.message, self.note = error, message, f" {error.__name__} here."

    def __call__(self, name):
        raise self.error(self.message.format(name=name))


class Refuses:
    """An answer: what `refuse(name)` raises, of which `note` is the sentence in documentation."""

    def __init__(self, refuse, note):
        self.refuse, self.note = refuse, f" {note}"

    def __call__(self, name):
        self.refuse(name)


def described(text):
    """{name: (parameters, what it is)} for lines "name(parameters): what it is."."""
    found = {}
    for line in text.strip().splitlines():
        call, _, what = line.partition("): ")
        name, _, parameters = call.partition("(")
        found[name] = parameters, what
    return found


def functions(module, answers):
    """{name: function} for `answers`, {names: answer}. A name may bring its parameters, where this module has others:
    "synchronize()"."""
    what = described(_WHAT.format(kind=module.split(".")[1]))
    found = {}
    for names, answer in answers.items():
        for text in names.split():
            name, _, own = text.partition("(")
            parameters, sentence = what[name]
            found[name] = _function(module, name, own.rstrip(")") if "(" in text else parameters, sentence, answer)
    return found


def functions_of(module, text, answer):
    """{name: function} for lines "name(parameters): what it is.", all with one answer."""
    return {
        name: _function(module, name, parameters, sentence, answer)
        for name, (parameters, sentence) in described(text).items()
    }


def _function(module, name, parameters, sentence, answer):
    accept = eval(f"lambda {parameters}: None")

    def function(*args, **kwargs):
        accept(*args, **kwargs)  # TypeError for wrong arguments, as for any function
        return answer(name)

    function.__wrapped__ = accept
    for one in (function, accept):
        one.__name__ = one.__qualname__ = name
    function.__module__, function.__doc__ = module, sentence + answer.note
    return function


def classes(module, documented, answer):
    """{name: class} for {name(parameters): what it is}: classes without instances, making one is `answer(name)`."""

    def make(text, sentence):
        name, _, parameters = text.partition("(")
        accept = eval(f"lambda {parameters.rstrip(')')}: None")

        def __new__(cls, *args, **kwargs):
            accept(*args, **kwargs)
            return answer(cls.__name__)

        __new__.__wrapped__ = eval(f"lambda cls, {parameters.rstrip(')')}: None")
        return name, type(name, (), {"__module__": module, "__doc__": sentence + answer.note, "__new__": __new__})

    return dict(make(text, sentence) for text, sentence in documented.items())


def device_context(module, kind, answer):
    """The class `device` of a module: the context in which a device is the current one. There is none, so that to enter
    is `answer`."""

    class device:  # noqa: N801 - torch's name
        """The context in which a device, an index or torch.device, is the current one."""

        def __init__(self, device):
            self.idx = device_index(device, kind)

        def __enter__(self):
            answer(f"device({self.idx})")

        def __exit__(self, *error):
            return False

    device.__module__, device.__qualname__ = module, "device"
    return device


def pluggable_allocator(module, name, answer):
    """The class of allocators from a library of the user's, which is opened first: OSError if that fails; then `answer`."""

    def __init__(self, path_to_lib_file, alloc_fn_name, free_fn_name):
        import ctypes

        ctypes.CDLL(path_to_lib_file)
        answer(name)

    doc = f"An allocator from a library of the user's: the functions of these names in it.{answer.note}"
    return type(name, (), {"__module__": module, "__doc__": doc, "__init__": __init__})


def share(module, names):
    """Gives a module names of the package that it is in, and `__all__`."""
    package = sys.modules[module.rpartition(".")[0]]
    space = sys.modules[module].__dict__
    space.update({name: getattr(package, name) for name in names.split()}, __all__=names.split())
