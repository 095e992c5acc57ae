"""What groups can talk by: names, which devices they are for, and which of them are here."""

from __future__ import annotations

import importlib.util

from torch.distributed._groups import ProcessGroupFake


class Backend(str):
    """The name of what a group talks by, in small letters: Backend("GLOO") == Backend.GLOO == "gloo"."""

    UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI, FAKE = "undefined", "gloo", "nccl", "xccl", "ucc", "mpi", "fake"
    backend_list = [UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI, FAKE]
    default_device_backend_map = {"cpu": GLOO, "cuda": NCCL, "xpu": XCCL, "mps": GLOO}
    backend_capability = {
        GLOO: ["cpu", "cuda"],
        NCCL: ["cuda"],
        XCCL: ["xpu"],
        UCC: ["cpu", "cuda"],
        MPI: ["cpu", "cuda"],
        FAKE: ["cpu", "cuda", "hpu", "xpu"],
    }
    _makers = {FAKE: (ProcessGroupFake, False)}  # and those that were registered: name -> (function, extended)

    def __new__(cls, name: str):
        if not isinstance(name, str):
            raise ValueError(f"a backend's name is a str, not {name!r}")
        return getattr(cls, name.upper(), name.lower()) if name.upper() != "UNDEFINED" else cls.UNDEFINED

    @classmethod
    def register_backend(cls, name, func, extended_api: bool = False, devices: str | list[str] | None = None) -> None:
        """Groups named `name` are made by func(store, rank, size, timeout), or func(options, pg_options) where extended."""
        if name.lower() in cls._makers or name.lower() in (cls.GLOO, cls.NCCL, cls.MPI, cls.UCC):
            raise AssertionError(f"there is a backend {name} already")
        setattr(cls, name.upper(), name.lower())
        cls.backend_list.append(name.lower())
        devices = [devices] if isinstance(devices, str) else devices or ["cpu", "cuda"]
        cls.backend_capability[name.lower()] = list(devices)
        for device in devices:
            cls.default_device_backend_map.setdefault(device, name.lower())
        cls._makers[name.lower()] = func, extended_api


class BackendConfig:
    """What talks for which device: BackendConfig(Backend("cpu:gloo,cuda:nccl")).get_device_backend_map()."""

    def __init__(self, backend):
        text = str(backend)
        if text in ("", Backend.UNDEFINED):
            self._map = {"cpu": Backend.GLOO}
            if is_available("nccl"):
                self._map["cuda"] = Backend.NCCL
        elif ":" in text:
            self._map = {}
            for pair in text.lower().split(","):
                device, _, name = pair.partition(":")
                if not name or ":" in name:
                    raise ValueError(
                        f"The custom backend string argument is invalid: {text}. A list of <device>:<backend>, separated by "
                        "commas, names a backend for each device, as in 'cpu:gloo,cuda:nccl'"
                    )
                if device in self._map:
                    raise ValueError(f"two backends are named for {device}: {text}")
                self._map[device] = Backend(name)
        else:
            name = Backend(text.lower())
            self._map = dict.fromkeys(Backend.backend_capability.get(name, ["cpu"]), name)

    def get_device_backend_map(self):
        """{device type: backend}"""
        return self._map

    def __repr__(self):
        return ",".join(f"{device}:{name}" for device, name in self._map.items())


def is_available(backend):
    """Whether groups can talk by it here."""
    name = backend.lower()
    if name == Backend.MPI:
        return importlib.util.find_spec("torch._distributed_mpi") is not None
    if name == Backend.NCCL:
        from torch.cuda.nccl import _is_compiled

        return _is_compiled()
    return name == Backend.GLOO or name in Backend._makers
