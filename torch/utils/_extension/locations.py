"""Where this torch has its headers and libraries, and the options that link an extension to exactly these."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import torch
from torch.utils._extension import toolkit

# Through links to folders, as environments are made of, to the package itself: an extension must not
# depend on the environment in which it happened to be built.
PACKAGE = Path(torch.__file__).parent.resolve()
LIB = PACKAGE / "lib"
INCLUDE = LIB / "include"

# pip and build make a throw-away environment, in the folder of temporary files that everybody may write to,
# with a torch to compile against. To look for libraries there later would be to trust whoever makes one next.
THROWAWAY = ("pip-build-env-", "build-env-")


# Of torch's libraries, those that need CUDA's: an extension is linked with them only if it asks for CUDA, so that
# others do not load them.
CUDA_LIBRARIES = ("libTHC", "libtorch_cuda")


def wants_cuda(device_type: str) -> bool:
    """Whether a device_type is "cuda" and not "cpu". ValueError for any other, and for "cuda" in a torch without it."""
    if device_type == "cuda" and torch.cuda._is_compiled():  # noqa: SLF001
        return True
    if device_type != "cpu":
        known = "'cpu' or 'cuda'" if torch.cuda._is_compiled() else "'cpu'"  # noqa: SLF001
        without = "others" if torch.cuda._is_compiled() else "CUDA and others"  # noqa: SLF001
        raise ValueError(f"device_type must be {known}, not {device_type!r}: this torch is built without {without}")
    return False


def include_paths(device_type: str = "cpu", torch_include_dirs: bool = True) -> list[str]:
    """Folders of headers that an extension is compiled with: torch's own, and pybind11's in the same place; for
    "cuda" also the toolkit's."""
    more = toolkit.include_paths() if wants_cuda(device_type) else []
    return [str(INCLUDE), *more] if torch_include_dirs else more


def library_paths(
    device_type: str = "cpu", torch_include_dirs: bool = True, cross_target_platform: str | None = None
) -> list[str]:
    """Folders of libraries that an extension is linked with: torch's own; for "cuda" also the toolkit's."""
    cuda = wants_cuda(device_type)
    if cross_target_platform is not None:
        raise ValueError(f"cross_target_platform={cross_target_platform!r}: only this platform can be built for")
    more = [str(toolkit.library_path())] if cuda else []
    return [str(LIB), *more] if torch_include_dirs else more


def python_include_paths() -> list[str]:
    """The folders of Python.h."""
    return list(dict.fromkeys(sysconfig.get_path(name) for name in ("include", "platinclude")))


def libraries(python: bool = True, cuda: bool = False) -> list[Path]:
    """torch/lib/lib*.so.1, less libtorch_python for programs without Python and those for CUDA without that.

    Raises RuntimeError where there are none: a checkout that has not been built.
    """
    found = sorted(LIB.glob("lib*.so.1"))
    if not found:
        raise RuntimeError(f"torch has no libraries in {LIB}: it is a checkout that has not been built")
    left_out = (() if python else ("libtorch_python.",)) + (() if cuda else CUDA_LIBRARIES)
    return [path for path in found if not path.name.startswith(left_out)]


def link_options(python: bool = True, origin: str | None = None, cuda: bool = False) -> list[str]:
    """Options that link against these libraries by path, and have them found there whatever the environment says.

    DT_RPATH, which the loader consults before LD_LIBRARY_PATH, not the linker's default DT_RUNPATH. `origin`:
    torch/lib as seen from the extension, for one that is installed beside torch. `cuda`: with torch's libraries for
    CUDA, and the toolkit's libcudart.
    """
    options = [str(path) for path in libraries(python, cuda)] + ["-Wl,--disable-new-dtags"]
    if not any(part.startswith(THROWAWAY) for part in LIB.parts):
        options.append(f"-Wl,-rpath,{LIB}")
    else:
        options.append(f"-Wl,-rpath-link,{LIB}")
    if origin:
        options.append(f"-Wl,-rpath,{origin}")
    if cuda:
        options += [str(toolkit.runtime()), f"-Wl,-rpath,{toolkit.library_path()}"]
    return options
