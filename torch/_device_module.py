"""What modules of devices share: functions that refuse in a build that has no library for the device, and the index that a `device` argument means."""

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
