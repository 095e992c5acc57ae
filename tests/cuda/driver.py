"""Where the loader looks for libraries at the first use of CUDA, outside of the store: for the driver's libcuda.so.1 alone,
which libcudart opens by name, and in no other places than the driver's. Run by tests/cuda/toolkit with NVIDIA's toolkit."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

DRIVERS = "/run/opengl-driver/lib"  # NixOS has it there

with tempfile.TemporaryDirectory() as stray:
    done = subprocess.run(
        [sys.executable, "-c", "import torch; torch.cuda.is_available(); print('done')"],
        env=os.environ | {"LD_DEBUG": "libs", "LD_LIBRARY_PATH": stray},
        cwd=stray,  # not a checkout, whose torch would be imported
        capture_output=True,
        text=True,
        check=True,
    )
    searched, library = {}, None
    for line in done.stderr.splitlines():
        if found := re.search(r"find library=(\S+)", line):
            library = searched.setdefault(found[1], set())
        elif found := re.search(r"trying file=(\S+)", line):
            library.add(str(pathlib.Path(found[1]).parent).partition("/glibc-hwcaps/")[0])
    assert done.stdout == "done\n" and "libcuda.so.1" in searched, f"looked for were {sorted(searched)}"
    by_name = sorted(name for name, folders in searched.items() if stray in folders)
    assert by_name == ["libcuda.so.1"], f"taken from LD_LIBRARY_PATH would be {by_name}"
    outside = {
        name: places
        for name, folders in searched.items()
        if (places := {folder for folder in folders if not folder.startswith("/nix/")} - {stray})
    }
    assert set(outside) == {"libcuda.so.1"} and DRIVERS in outside["libcuda.so.1"], outside
    system = {folder for folder in outside["libcuda.so.1"] - {DRIVERS} if not re.match(r"(/usr)?/lib|/-no", folder)}
    assert not system, f"libcuda.so.1 is looked for in {sorted(system)}"
    print(
        "1 passed: of the host's libraries libcuda.so.1 alone is looked for:",
        DRIVERS,
        "and LD_LIBRARY_PATH, then the system's",
    )
