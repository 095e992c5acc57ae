"""What groups can talk by: names, which devices they are for, and which of them are here. Builds without THD have the
names, too, so nothing here needs the extension module."""

from __future__ import annotations

import importlib.util
import os

import torch
from torch._absent import GROUPS_BUILT, refuse

# What torch.distributed shows of this.
__all__ = [
    "Backend",
    "get_default_backend_for_device",
    "get_node_local_rank",
    "is_backend_available",
    "is_gloo_available",
    "is_mpi_available",
    "is_nccl_available",
    "is_torchelastic_launched",
    "is_ucc_available",
    "is_xccl_available",
]


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
    _makers = {}  # of those that were registered: name -> (function, extended)

    def __new__(cls, name: str):
        if not isinstance(name, str):
            raise ValueError(f"a backend's name is a str, not {name!r}")
        return getattr(cls, name.upper(), name.lower()) if name.upper() != "UNDEFINED" else cls.UNDEFINED

    @classmethod
    def register_backend(cls, name, func, extended_api: bool = False, devices: str | list[str] | None = None) -> None:
        """Groups named `name` are made by func(store, rank, size, timeout), or func(options, pg_options) where extended.
        NotImplementedError where this torch was built without groups."""
        if not GROUPS_BUILT:
            refuse("torch.distributed.Backend.register_backend")
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
    if not GROUPS_BUILT:
        return False
    if name == Backend.MPI:
        return importlib.util.find_spec("torch._distributed_mpi") is not None
    if name == Backend.NCCL:
        from torch.cuda.nccl import _is_compiled

        return _is_compiled()
    return name == Backend.GLOO or name in Backend._makers


def is_backend_available(backend: str) -> bool:
    """Whether groups can talk by `backend`, a name."""
    return is_available(backend)


def is_gloo_available() -> bool:
    """Whether groups can talk by gloo."""
    return is_available(Backend.GLOO)


def is_mpi_available() -> bool:
    """Whether groups can talk by MPI: this torch was built with it."""
    return is_available(Backend.MPI)


def is_nccl_available() -> bool:
    """Whether groups can talk by NCCL."""
    return is_available(Backend.NCCL)


def is_ucc_available() -> bool:
    """Whether groups can talk by UCC."""
    return False


def is_xccl_available() -> bool:
    """Whether groups can talk by XCCL."""
    return False


def get_default_backend_for_device(device: str | torch.device) -> str:
    """The name of what a group of tensors on `device` talks by. ValueError: nothing is known for it."""
    kind = torch.device(device).type
    if kind not in Backend.default_device_backend_map:
        raise ValueError(f"no backend is known for the device {device}")
    return Backend.default_device_backend_map[kind]


# ---- what a launcher says in the environment ---------------------------------------------------------------
def is_torchelastic_launched() -> bool:
    """Whether torchrun has started this process."""
    return "TORCHELASTIC_RUN_ID" in os.environ


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """This process's place on its machine, as the environment variable LOCAL_RANK says; `fallback_rank` without it."""
    found = os.environ.get("LOCAL_RANK", fallback_rank)
    if found is None:
        raise RuntimeError(
            "LOCAL_RANK is not in the environment: whoever starts the processes sets it, and fallback_rank stands in for it"
        )
    return int(found)
