"""docs/third-party.md: it goes through every part that the seeds name, and says what is so."""

import re

import pytest

from tools import dependencies, option_table, options
from tools.parts import FEATURES, ROOT, specifications

# Every package of others that the seeds name, and where.
NAMED = {
    "the build system of 2017": "cuDNN nccl NumPy MKL LAPACK cudart libstdc++ yaml setuptools CMake ccache conda",
    "compiling from source": "NumPy CMake cuDNN mkldnn conda",
    "the 1.0 walkthrough": "gloo pybind11 cpuinfo onnx QNNPACK fbgemm yaml typing benchmark protobuf googletest ideep "
    "mkldnn clog pthreadpool NNPACK asmjit onnxifi sleef Eigen fp16 MKL NumPy NVRTC OpenMP nccl cuDNN rsync setuptools "
    "TensorRT ROCm OpenCV FFmpeg LevelDB LMDB",
}
ALSO = {"CUDA toolkit"}  # two words
NEEDED = {"USE_NCCL": {"USE_CUDA": "1"}, "USE_MPI": {"USE_DISTRIBUTED": "1"}}
WORDS = {"used", "replaced", "planned", "not needed"}
PAGE = (ROOT / "docs/third-party.md").read_text()
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| ")][
    1:
]
TABLE = {row[0]: row[1:] for row in ROWS}
VENDORS = {"openmp": "OpenMP", "blas": "OpenBLAS", "libhwy": "Highway", "pocketfft": "pocketfft", "cuda_cudart": "cudart", "cuda_cccl": "CCCL", "libcublas": "cuBLAS",
           "oneDNN": "mkldnn", "gloo": "gloo", "mpi": "MPI", "nccl": "nccl", "cuda_nvrtc": "NVRTC", "cuda_nvtx": "NVTX", "cudnn": "cuDNN"}  # fmt: skip


def test_every_part_that_the_seeds_name_has_its_row():
    wanted = {name for names in NAMED.values() for name in names.split()} | ALSO
    assert wanted <= set(TABLE), f"not on the page: {sorted(wanted - set(TABLE))}"
    assert len(TABLE) == len(ROWS), "a part stands there twice"


@pytest.mark.parametrize("part", TABLE)
def test_a_row_says_what_and_why(part):
    here, why, option = TABLE[part]
    assert here in WORDS and len(why) > 15
    assert not option or option in option_table.spellings(), "no such option"


@pytest.mark.parametrize("part", [part for part, row in TABLE.items() if row[2]])
def test_the_option_does_what_the_row_says(part):
    """What is not there is refused when it is asked for; what is used is not."""
    here, _, option = TABLE[part]
    try:
        options.read({option: "1", **NEEDED.get(option, {})})
        refused = False
    except options.OptionError as error:
        assert option in str(error)
        refused = True
    assert refused == (here != "used")


def test_what_is_linked_is_used():
    """By lib/libraries.toml and the check of the machine, no more and no less."""
    linked = {vendor for table in specifications(FEATURES).values() for vendor in table["vendor"]}
    for vendor in linked:
        assert TABLE[VENDORS[vendor]][0] == "used", vendor
    for vendor, part in VENDORS.items():
        if vendor not in linked:
            assert TABLE[part][0] != "used", f"nothing links {vendor}"
    for row in dependencies.DEPENDENCIES:
        name = {"GoogleTest": "googletest", "cmake": "CMake", "numpy": "NumPy", "oneDNN": "mkldnn"}.get(
            row.name, row.name
        )
        if not re.search("compiler|headers|ninja", name):
            assert TABLE[name][0] == "used", name
