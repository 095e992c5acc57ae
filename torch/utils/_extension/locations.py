"""Where this torch has its headers and libraries, and the options that link an extension to exactly these."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import torch

# Through links to folders, as environments are made of, to the package itself: an extension must not
# depend on the environment in which it happened to be built.
PACKAGE = Path(torch.__file__).parent.resolve()
LIB = PACKAGE / "lib"
INCLUDE = LIB / "include"

# pip and build make a throw-away environment, in the folder of temporary files that everybody may write to,
# with a torch to compile against. To look for libraries there later would be to trust whoever makes one next.
THROWAWAY = ("pip-build-env-", "build-env-")


def refuse_devices(device_type: str) -> None:
    """Raises ValueError for anything but "cpu"."""
    if device_type != "cpu":
        raise ValueError(f"device_type must be 'cpu', not {device_type!r}: this torch is built without CUDA and others")


def include_paths(device_type: str = "cpu", torch_include_dirs: bool = True) -> list[str]:
    """Folders of headers that an extension is compiled with: torch's own, and pybind11's in the same place."""
    refuse_devices(device_type)
    return [str(INCLUDE)] if torch_include_dirs else []


def library_paths(
    device_type: str = "cpu", torch_include_dirs: bool = True, cross_target_platform: str | None = None
) -> list[str]:
    """Folders of libraries that an extension is linked with."""
    refuse_devices(device_type)
    if cross_target_platform is not None:
        raise ValueError(f"cross_target_platform={cross_target_platform!r}: only this platform can be built for")
    return [str(LIB)] if torch_include_dirs else []


def python_include_paths() -> list[str]:
    """The folders of Python.h."""
    return list(dict.fromkeys(sysconfig.get_path(name) for name in ("include", "platinclude")))


def libraries(python: bool = True) -> list[Path]:
    """torch/lib/lib*.so.1, less libtorch_python for programs without Python.

    Raises RuntimeError where there are none: a checkout that has not been built.
    """
    found = sorted(LIB.glob("lib*.so.1"))
    if not found:
        raise RuntimeError(f"torch has no libraries in {LIB}: it is a checkout that has not been built")
    return [path for path in found if python or not path.name.startswith("libtorch_python.")]


def link_options(python: bool = True, origin: str | None = None) -> list[str]:
    """Options that link against these libraries by path, and have them found there whatever the environment says.

    DT_RPATH, which the loader consults before LD_LIBRARY_PATH, not the linker's default DT_RUNPATH. `origin`:
    torch/lib as seen from the extension, for one that is installed beside torch.
    """
    options = [str(path) for path in libraries(python)] + ["-Wl,--disable-new-dtags"]
    if not any(part.startswith(THROWAWAY) for part in LIB.parts):
        options.append(f"-Wl,-rpath,{LIB}")
    else:
        options.append(f"-Wl,-rpath-link,{LIB}")
    if origin:
        options.append(f"-Wl,-rpath,{origin}")
    return options
