"""What torch.cuda, torch.xpu, torch.mps and torch.accelerator share: functions that refuse in a build that has no
library for the device, and the index that a `device` argument means."""

import torch


def refusing(module, documented, refuse):
    """{name: function} for each name of `documented`, {name: docstring}. The function, whatever it is called with, is
    `refuse(name)`, which raises. A name may come with its signature, which inspect then knows: "seed(device=None)"."""

    def make(text, doc):
        name, _, parameters = text.partition("(")

        def function(*args, **kwargs):
            refuse(name)

        function.__name__ = function.__qualname__ = name
        function.__module__, function.__doc__ = module, doc
        if parameters:
            function.__wrapped__ = eval(f"lambda {parameters.removesuffix(')')}: None")
        return name, function

    return dict(make(text, doc) for text, doc in documented.items())


def refusing_class(module, name, doc, refuse):
    """A class without instances: making one is `refuse(name)`, which raises."""

    def __new__(cls, *args, **kwargs):
        refuse(cls.__name__)

    return type(name, (), {"__module__": module, "__doc__": doc, "__new__": __new__})


def constant(module, documented, value):
    """{name: function} for each name of `documented`; the function, of any device, returns `value()`."""

    def make(name, doc):
        def function(device=None):
            return value()

        function.__name__ = function.__qualname__ = name
        function.__module__, function.__doc__ = module, doc
        return function

    return {name: make(name, doc) for name, doc in documented.items()}


def without_devices(module, refuse):
    """What torch.cuda and torch.xpu give where there is no device: seeds and caches without effect, empty lists,
    counters of 0. {name: value}; streams and functions that refuse are each module's own."""

    def manual_seed(seed):
        """Seeds the current device's generator with an int; no effect where there is no device."""
        int(seed)

    def manual_seed_all(seed):
        """Seeds the generators of all devices with an int; no effect where there is no device."""
        int(seed)

    def seed():
        """Seeds the current device's generator from the system; no effect where there is no device."""

    def seed_all():
        """Seeds the generators of all devices from the system; no effect where there is no device."""

    def get_rng_state_all():
        """The states of all devices' generators: a list of uint8 tensors."""
        return []

    def set_rng_state(new_state, device=None):
        """Sets the state of a device's generator, as `get_rng_state` has given it; no effect where there is none."""

    def set_rng_state_all(new_states):
        """Sets the states of the generators, one for each device; no effect where there is none."""

    def empty_cache():
        """Gives memory that is kept for later tensors back to the driver."""

    def get_arch_list():
        """The architectures that the kernels were compiled for: a list of str."""
        return []

    def get_gencode_flags():
        """The compiler's options for `get_arch_list()`, one str."""
        return ""

    def is_initialized():
        """Whether the process has used such a device."""
        return False

    def is_bf16_supported(including_emulation=True):
        """Whether the current device computes in bfloat16."""
        return False

    def is_tf32_supported():
        """Whether the current device multiplies in TF32."""
        return False

    class StreamContext:
        """What `stream(stream)` returns."""

        def __init__(self, stream):
            self.stream = stream

        def __enter__(self):
            set_stream(self.stream)

        def __exit__(self, *error):
            return False

    def stream(stream):
        """The context in which `stream` is the current one; None: no change."""
        return StreamContext(stream)

    def set_stream(stream):
        """Makes `stream` the current one; None: no change."""
        if stream is not None:
            refuse("set_stream")

    found = {name: value for name, value in locals().items() if callable(value) and name != "refuse"}
    for name, value in found.items():
        value.__module__, value.__qualname__ = module, name
    found |= constant(
        module,
        {
            "memory_allocated": "Bytes that tensors take on a device.",
            "max_memory_allocated": "The most that `memory_allocated` has been.",
            "memory_reserved": "Bytes that torch holds on a device, in use or kept for later.",
            "max_memory_reserved": "The most that `memory_reserved` has been.",
        },
        int,
    )
    found |= constant(
        module,
        {
            "memory_stats": "Counters of the allocator, {str: int}; empty where there is no device.",
            "memory_stats_as_nested_dict": "The same as dicts of dicts.",
        },
        dict,
    )
    return found | {"default_generators": ()}


def device_index(device, kind):
    """The index that `device` names: an int, "cuda:1", torch.device("cuda", 1). None: the current device, that is -1.
    ValueError for a device of another kind, or of no index."""
    if device is None:
        return -1
    if isinstance(device, int):
        return device
    found = torch.device(device)
    if found.type != kind:
        raise ValueError(f"Expected a {kind} device, but got: {found}")
    if found.index is None:
        raise ValueError(f"Expected a device with an index, such as '{kind}:0', but got: {found}")
    return found.index
