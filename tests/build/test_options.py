"""Options of a build: what each spelling means, and that nothing wrong or nearly right is ignored."""

import os
import re
import subprocess
import sys

import pytest

from tools import option_table, options, version_file
from tools.option_table import OPTIONS, SETTLED
from tools.options import OptionError, Options, read

NONE = {"TH": {"needs": []}}  # a libraries.toml without any feature
ALL = {"THC": {"cuda": True}, "THD": {"distributed": True}}


def refused(environ, libraries=ALL):
    """The problems of an environment that must be refused."""
    with pytest.raises(OptionError) as error:
        read(environ, libraries)
    assert str(error.value) == "\n".join(error.value.problems)
    return error.value.problems


def test_an_empty_environment_gives_the_defaults():
    assert read({}) == Options(
        build_type="Release",
        cuda=False,
        mkldnn=None,
        distributed=False,
        mpi=False,
        nccl=False,
        cuda_arch_list=option_table.CUDA_DEFAULT,
        cuda_home="",
        nccl_root="",
        nccl_include="",
        nccl_lib="",
        tests=False,
        cmake_prefix_path=(),
        jobs=len(os.sched_getaffinity(0)),
        verbose=False,
        version=version_file.version(),
        package_name="torch",
        prebuilt=(),
        python=sys.executable,
        python_include="",
        python_library="",
        numpy_include="",
    )


def test_an_empty_value_is_as_good_as_none():
    spellings = [spelling for option in OPTIONS for spelling in option.spellings]
    assert read(dict.fromkeys(spellings, " ") | {"USE_CUDDA": ""}) == read({})


@pytest.mark.parametrize(
    "text,value",
    [(text, True) for text in ("1", "ON", "on", "True", "YES", "y")]
    + [(text, False) for text in ("0", "off", "OFF", "False", "no", "N")],
)
def test_booleans(text, value):
    assert read({"VERBOSE": text}).verbose is value
    assert read({"VERBOSE_SCRIPT": text}).verbose is value


@pytest.mark.parametrize("text", ["2", "-1", "maybe", "tru", "o n", "*"])
def test_what_is_no_boolean_is_refused_with_what_is(text):
    (problem,) = refused({"DEBUG": text})
    assert problem.startswith("DEBUG=")
    assert text in problem and problem.endswith("allowed: 1/0/ON/OFF/TRUE/FALSE/YES/NO/Y/N in any case")


def test_build_types():
    assert read({"DEBUG": "1"}).build_type == "Debug"
    assert read({"REL_WITH_DEB_INFO": "1"}).build_type == "RelWithDebInfo"
    assert read({"REL_WITH_DEB_INFO": "1", "DEBUG": "0"}).build_type == "RelWithDebInfo"
    for text in ("Debug", "debug", "RelWithDebInfo", "RELEASE"):
        assert read({"CMAKE_BUILD_TYPE": text}).build_type.lower() == text.lower()
    assert read({"CMAKE_BUILD_TYPE": "Debug", "DEBUG": "1"}).build_type == "Debug"
    assert refused({"CMAKE_BUILD_TYPE": "Relase"}) == (
        "CMAKE_BUILD_TYPE=Relase: no build type; allowed: Release, Debug, RelWithDebInfo, in any case",
    )
    (problem,) = refused({"CMAKE_BUILD_TYPE": "Release", "DEBUG": "1"})
    assert problem.startswith("CMAKE_BUILD_TYPE=Release and DEBUG=1 contradict each other")
    (problem,) = refused({"DEBUG": "1", "REL_WITH_DEB_INFO": "yes"})
    assert "DEBUG=1 and REL_WITH_DEB_INFO=yes contradict each other" in problem and "allowed: " in problem


@pytest.mark.parametrize("field", ["cuda", "mkldnn", "distributed"])
def test_features_and_their_spellings(field):
    name = field.upper()
    for said, value in (
        ({f"USE_{name}": "1"}, True),
        ({f"WITH_{name}": "1"}, True),
        ({f"NO_{name}": "0"}, True),
        ({f"USE_{name}": "1", f"NO_{name}": "0"}, True),
        ({f"NO_{name}": "1"}, False),
        ({f"USE_{name}": "0", f"NO_{name}": "1"}, False),
    ):
        assert getattr(read(said, ALL), field) is value, said
    (problem,) = refused({f"USE_{name}": "1", f"NO_{name}": "on"})
    assert problem.startswith(f"USE_{name}=1 and NO_{name}=on contradict each other")
    (problem,) = refused({f"WITH_{name}": "0", f"USE_{name}": "1"})
    assert f"USE_{name}=1 and WITH_{name}=0 contradict" in problem


def test_the_table_of_libraries_decides_which_features_there_are():
    assert refused({"USE_CUDA": "1"}, NONE) == (
        "USE_CUDA=1: the libraries for NVIDIA's GPUs cannot be built yet: no library of lib/libraries.toml "
        "is there for cuda; allowed: 0",
    )
    assert refused({"NO_CUDA": "0"}, NONE)[0].endswith("is there for cuda; allowed: 1")
    assert refused({"USE_CUDA": "1"}, NONE | {"THD": {"distributed": True}, "TH": {"cuda": False}})
    assert read({"USE_CUDA": "1"}, NONE | {"THC": {"cuda": True}}).cuda
    for name in ("USE_CUDA", "USE_DISTRIBUTED"):
        assert not getattr(read({name: "0"}, NONE), name[4:].lower())
    assert read({"USE_MKLDNN": "1"}, NONE).mkldnn


def test_the_real_table_is_read_where_none_is_given(monkeypatch, tmp_path):
    table = tmp_path / "libraries.toml"
    table.write_text("[THC]\ncuda = true\n")
    monkeypatch.setattr(options, "LIBRARIES", table)
    assert read({"USE_CUDA": "1"}).cuda
    assert "is there for distributed" in refused({"USE_DISTRIBUTED": "1"}, None)[0]


def test_mpi_needs_the_processes():
    assert read({"USE_DISTRIBUTED": "1", "WITH_MPI": "1"}, ALL).mpi
    assert refused({"USE_MPI": "1"}) == ("USE_MPI=1: allowed only with USE_DISTRIBUTED=1",)


def test_nccl_needs_cuda_and_is_the_machines(tmp_path):
    both = {"USE_CUDA": "1", "USE_NCCL": "1"}
    assert read(both | {"USE_SYSTEM_NCCL": "1", "SYSTEM_NCCL": "1"}, ALL).nccl
    assert refused({"USE_NCCL": "1"}) == ("USE_NCCL=1: allowed only with USE_CUDA=1",)
    assert refused(both | {"USE_SYSTEM_NCCL": "0"})[0].endswith("it is the machine's; allowed: 1")
    include, lib = tmp_path / "include", tmp_path / "lib"
    include.mkdir()
    lib.mkdir()
    places = {"NCCL_INCLUDE_DIR": str(include), "NCCL_SYSTEM_LIB": str(lib / "libnccl.so")}
    missing = refused(both | places)
    assert [problem.partition(";")[0].rpartition(": ")[2] for problem in missing] == [
        "there is no nccl.h in it",
        "there is no libnccl.so in it",
    ]
    (include / "nccl.h").touch()
    (lib / "libnccl.so").touch()
    found = read(both | places | {"NCCL_ROOT_DIR": str(tmp_path)}, ALL)
    assert (found.nccl_root, found.nccl_include, found.nccl_lib) == (str(tmp_path), str(include), str(lib))
    assert refused({"USE_CUDA": "1", "NCCL_ROOT": str(tmp_path)})[0].endswith("allowed only with USE_NCCL=1")


@pytest.mark.parametrize(
    "text,value",
    [
        ("7.5", ("7.5",)),
        ("8.0;9.0+PTX", ("8.0", "9.0+PTX")),
        ("8.0 9.0a", ("8.0", "9.0a")),
        (" 8.0 ; 12.0f;; ", ("8.0", "12.0f")),
        ("8.0;8.0", ("8.0",)),
        ("9.0 9.0+PTX", ("9.0", "9.0+PTX")),
        ("86;90", ("8.6", "9.0")),
        ("90a 120+PTX", ("9.0a", "12.0+PTX")),
    ],
)
def test_architectures(text, value):
    for name in ("TORCH_CUDA_ARCH_LIST", "CUDA_ARCH_LIST"):
        assert read({"USE_CUDA": "1", name: text}, ALL).cuda_arch_list == value


def test_all_architectures():
    every = read({"USE_CUDA": "1", "TORCH_CUDA_ARCH_LIST": "All"}, ALL).cuda_arch_list
    assert every[0] == "7.5" and every[-1] == "12.1+PTX" and len(every) == len(option_table.CUDA_ARCHES)


@pytest.mark.parametrize("text", ["7.0", "sm_90", "70", "9", "8.0,9.0", "8.0+ptx", "8.0a", "9.0+", "Volta", ";"])
def test_unknown_architectures_are_refused_with_those_that_are_known(text):
    (problem,) = refused({"USE_CUDA": "1", "TORCH_CUDA_ARCH_LIST": text})
    assert "is no known architecture; allowed: All, or any of 7.5 8.0" in problem


def test_architectures_without_cuda():
    assert refused({"TORCH_CUDA_ARCH_LIST": "8.0"}) == ("TORCH_CUDA_ARCH_LIST=8.0: allowed only with USE_CUDA=1",)


def test_folders(tmp_path, monkeypatch):
    first, second = tmp_path / "a", tmp_path / "b c"
    first.mkdir()
    second.mkdir()
    for separator in ":;":
        environ = {"CMAKE_PREFIX_PATH": f"{first}{separator}{second}{separator}"}
        assert read(environ).cmake_prefix_path == (str(first), str(second))
    monkeypatch.chdir(tmp_path)
    assert read({"CMAKE_PREFIX_PATH": "a"}).cmake_prefix_path == (str(first),)
    (problem,) = refused({"CMAKE_PREFIX_PATH": f"{tmp_path}/x:{first}:{tmp_path}/y"})
    assert f"no such folder: {tmp_path}/x, {tmp_path}/y; allowed: existing folders" in problem


def test_prebuilt_prefixes(tmp_path):
    lib, python, bare = (tmp_path / name for name in ("lib", "python", "bare"))
    for folder in (lib / "lib", python / "python", bare):
        folder.mkdir(parents=True)
    for separator in ":;":
        assert read({"TORCH_PREBUILT": f"{lib}{separator}{python}"}).prebuilt == (lib, python)
    assert (
        f"{bare} has neither lib/ nor python/ nor objects/; allowed" in refused({"TORCH_PREBUILT": f"{lib}:{bare}"})[0]
    )
    assert "no such folder" in refused({"TORCH_PREBUILT": f"{lib},{python}"})[0]


@pytest.mark.parametrize("text", ["0", "-1", "four", "1.5", "1e3", "²"])
def test_jobs(text):
    assert read({"MAX_JOBS": "3"}).jobs == 3
    (problem,) = refused({"MAX_JOBS": text})
    assert problem.endswith("not a number of jobs; allowed: 1, 2, 3, …")


@pytest.mark.parametrize(
    "text", ["1.0.0", "0.4", "1.1.0a0+ffd6138", "1.2.dev3", "2!1.0rc1.post2.dev4", "1.0+0.a1b", "1.0+12345ab"]
)
def test_versions(text):
    version = pytest.importorskip("packaging.version").Version
    assert str(version(text)) == text
    assert read({"TORCH_BUILD_VERSION": text}).version == text
    assert read({"PYTORCH_BUILD_VERSION": text, "TORCH_BUILD_VERSION": text}).version == text


@pytest.mark.parametrize("text", ["v1.0", "1.0-rc1", "1.0.0-1", "01.0", "1.0+007", "1.0+A", "x", "1..0", "1.0 .1"])
def test_versions_that_installers_would_rewrite_or_refuse(text):
    (problem,) = refused({"TORCH_BUILD_VERSION": text})
    assert "not a canonical PEP 440 version; allowed: " in problem


def test_package_names():
    for name in ("torch", "torch-nightly", "Torch_2.x", "t"):
        assert read({"TORCH_PACKAGE_NAME": name}).package_name == name
    for name in ("-torch", "torch.", "tor ch", "törch", "a/b"):
        assert "not a valid distribution name" in refused({"TORCH_PACKAGE_NAME": name})[0]


@pytest.mark.parametrize(
    "name,meant",
    [
        ("USE_CUDDA", "USE_CUDA"),
        ("TORCH_CUDA_ARCHLIST", "TORCH_CUDA_ARCH_LIST"),
        ("USE_DISTRIBUTE", "USE_DISTRIBUTED"),
        ("TORCH_CUDA_ARCH_LISTS", "TORCH_CUDA_ARCH_LIST"),
        ("NO_DISTRIBUTE", "NO_DISTRIBUTED"),
        ("MAX_JOB", "MAX_JOBS"),
        ("TORCH_BUILD_VERSON", "TORCH_BUILD_VERSION"),
        ("USE_MKL_DNN", "USE_MKLDNN"),
        ("WITH_CUDDA", "WITH_CUDA"),
        ("REL_WITH_DEBINFO", "REL_WITH_DEB_INFO"),
        ("TORCH_PREBUILD", "TORCH_PREBUILT"),
    ],
)
def test_misspelt_names(name, meant):
    assert refused({name: "1"}) == (f"{name}: unknown; did you mean {meant}?",)


@pytest.mark.parametrize(
    "name",
    [
        "TORCH_DIGITS",
        "TORCH_EXTENSIONS_DIR",
        "TORCH_PACKAGE_SET",
        "TORCH_DEBIAN_MIRROR",
        "TORCH_SUBSTITUTERS",
        "TORCH_HOME",
        "TORCH_SHOW_CPP_STACKTRACES",
        "TORCH_BUILD_TYPE",
        "TORCH_LOGS",
        "TORCH_USE_RTLD_GLOBAL",
        "TORCH_XPU_ARCH_LIST",
        "TORCH_CUDNN_V8_API_DISABLED",
        "PYTORCH_BUILD_NUMBER",
        "PYTORCH_ROCM_ARCH",
        "PYTORCH_CUDA_ALLOC_CONF",
        "USE_MKLDNN_ACL",
        "USE_NINJA",
        "USE_CCACHE",
        "NO_COLOR",
        "NO_PROXY",
        "BUILD_ID",
        "BUILD_NUMBER",
        "BUILD_VERSION",
        "BUILD_TESTING",
        "NO_CUDNN",
        "CUDA_TOOLKIT_ROOT",
        "CUDNN_VERSION",
        "NCCL_VERSION",
        "NVIDIA_REQUIRE_CUDA",
        "CMAKE_PROGRAM_PATH",
        "CMAKE_LIBRARY_PATH",
        "CMAKE_INSTALL_PREFIX",
        "CMAKE_BUILD_PARALLEL_LEVEL",
        "CMAKE_GENERATOR",
        "NIXPKGS_CMAKE_PREFIX_PATH",
        "DEBUGINFOD_URLS",
        "VERBOSITY",
        "MAX_JOBS_LIMIT",
        "CUDA_HOME",
        "HOME",
        "_",
    ],
)
def test_names_that_are_nobodys_mistake(name):
    assert read({name: "1"}, NONE) == read({}, NONE)


def test_every_problem_is_reported_at_once():
    problems = refused(
        {
            "USE_CUDDA": "1",
            "DEBUG": "maybe",
            "MAX_JOBS": "0",
            "USE_DISTRIBUTED": "1",
            "TORCH_CUDA_ARCH_LIST": "8.0",
            "TORCH_PACKAGE_NAME": "-",
        },
        NONE,
    )
    begin = ["USE_CUDDA", "DEBUG", "USE_DISTRIBUTED", "MAX_JOBS", "TORCH_PACKAGE_NAME", "TORCH_CUDA_ARCH_LIST"]
    assert [problem.split("=")[0].split(":")[0] for problem in problems] == begin


def test_cmake_variables(tmp_path):
    (tmp_path / "lib").mkdir()
    chosen = read({"DEBUG": "1", "CMAKE_PREFIX_PATH": f"{tmp_path}/lib:/", "TORCH_PREBUILT": str(tmp_path)})
    assert chosen.variables() == {
        "CMAKE_BUILD_TYPE": "Debug",
        "CMAKE_PREFIX_PATH": f"{tmp_path}/lib;/;{tmp_path}",
        "Python3_EXECUTABLE": sys.executable,
        "BUILD_TEST": "OFF",
        "USE_CUDA": "OFF",
        "USE_MKLDNN": "",
    }
    assert [read({"USE_MKLDNN": said}).variables()["USE_MKLDNN"] for said in ("1", "0")] == ["ON", "OFF"]
    assert read({}).variables()["CMAKE_PREFIX_PATH"] == ""
    assert read({"BUILD_TEST": "on"}).variables()["BUILD_TEST"] == "ON"


def test_every_option_is_a_field_and_no_name_means_two_things():
    fields = {option.field for option in OPTIONS} - {"debug", "rel_with_deb_info"}
    assert fields == set(Options.__dataclass_fields__)
    spellings = option_table.spellings()
    assert len(spellings) == len(set(spellings)) and not option_table.NO_OPTIONS & set(spellings)


# ---- what PyTorch's builds have, and this one does not


@pytest.mark.parametrize("row", [row for row in SETTLED if row.only in ("0", "1")], ids=lambda row: row.name)
def test_what_has_one_answer_is_accepted_as_it_is_and_refused_otherwise(row):
    for spelling in row.spellings:
        agrees = row.only == "1" if not spelling.startswith("NO_") else row.only == "0"
        assert read({spelling: "ON" if agrees else "OFF"}, NONE) == read({}, NONE)
        assert read({spelling: ""}, NONE) == read({}, NONE)
        wrong = "0" if agrees else "1"
        assert refused({spelling: wrong}, NONE) == (f"{spelling}={wrong}: {row.why}; allowed: {int(agrees)}",)
        assert "neither yes nor no" in refused({spelling: "perhaps"}, NONE)[0]


def test_what_has_one_value():
    assert read({"THD_SO_VERSION": "1"}) == read({})
    assert refused({"THD_SO_VERSION": "2"})[0].endswith("allowed: 1")
    for name in ("ONNX_NAMESPACE", "TH_INCLUDE_PATH", "TH_LIB_PATH", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY"):
        (problem,) = refused({name: "value"})
        assert problem.startswith(f"{name}=value: ") and problem.endswith("; leave it out")


@pytest.mark.parametrize("name", ["CUDA_HOME", "CUDA_PATH", "CUDA_TOOLKIT_ROOT_DIR", "CUDAToolkit_ROOT"])
def test_where_the_toolkit_is(name, tmp_path):
    """Other programs' variable, too: it means something where CUDA is asked for, and nothing elsewhere."""
    assert read({name: "/nowhere"}, ALL) == read({}, ALL)
    assert "there is no program bin/nvcc in it" in refused({name: str(tmp_path), "USE_CUDA": "1"})[0]
    (tmp_path / "13/bin").mkdir(parents=True)
    (tmp_path / "13/bin/nvcc").touch(0o755)
    (tmp_path / "cuda").symlink_to("13")
    found = read({name: str(tmp_path / "cuda"), "CUDA_HOME": str(tmp_path / "13"), "USE_CUDA": "1"}, ALL)
    assert found.cuda_home == str(tmp_path / "13"), "two names of one folder"
    variables = found.variables()
    assert (variables["USE_CUDA"], variables["TORCH_CUDA_ARCH_LIST"]) == ("ON", "9.0+PTX")
    assert variables["CUDAToolkit_ROOT"] == str(tmp_path / "13")
    assert variables["TORCH_NVCC"] == str(tmp_path / "13/bin/nvcc")


def test_the_capabilities_are_those_that_nix_knows():
    """nix/cuda.nix has them with the toolkits that compile for them, and the same default."""
    text = (options.ROOT / "nix/cuda.nix").read_text()
    known = re.findall(r'^ *"([0-9.]+)" = "', text, re.MULTILINE)
    assert tuple(known) == option_table.CUDA_ARCHES
    default = re.search(r"cudaCapabilities or \[ (.*?) \]", text)[1]
    assert tuple(default.replace('"', "").split()) == option_table.CUDA_DEFAULT


def test_the_python_that_is_named_is_the_one_that_runs(tmp_path):
    beside = os.path.join(os.path.dirname(sys.executable), "python3")
    assert read({"PYTHON_EXECUTABLE": beside}).python == sys.executable
    (tmp_path / "python").symlink_to(os.path.realpath(sys.executable))
    (problem,) = refused({"PYTHON_EXECUTABLE": str(tmp_path / "python")})
    assert f"the build is run by {sys.executable}" in problem


def test_its_headers_and_numpys(tmp_path):
    import sysconfig

    include = sysconfig.get_path("include")
    for name in ("PYTHON_INCLUDE_DIR", "PYTORCH_PYTHON_INCLUDE_DIR"):
        assert read({name: include}).variables()["Python3_INCLUDE_DIR"] == include
        assert "there is no Python.h in it" in refused({name: str(tmp_path)})[0]
    (tmp_path / "numpy").mkdir()
    assert "there is no numpy/arrayobject.h in it" in refused({"NUMPY_INCLUDE_DIR": str(tmp_path)})[0]
    (tmp_path / "numpy/arrayobject.h").touch()
    assert read({"NUMPY_INCLUDE_DIR": str(tmp_path)}).variables()["Python3_NumPy_INCLUDE_DIR"] == str(tmp_path)


def test_its_library(tmp_path):
    import sysconfig

    version = sysconfig.get_config_var("LDVERSION")
    for name in (f"libpython{version}.so.1.0", f"libpython{version}.a", "libpython3.so"):
        (tmp_path / name).touch()
        for spelling in ("PYTHON_LIBRARY", "PYTORCH_PYTHON_LIBRARY"):
            assert read({spelling: str(tmp_path / name)}).python_library == str(tmp_path / name)
    (tmp_path / "libpython3.7m.so.1.0").touch()
    assert f"not libpython{version}.so" in refused({"PYTHON_LIBRARY": str(tmp_path / "libpython3.7m.so.1.0")})[0]
    assert "there is no such file" in refused({"PYTHON_LIBRARY": str(tmp_path / "libpython3.so.9")})[0]


@pytest.mark.parametrize(
    "name",
    # All that the seeds name, one way or another.
    """WITH_CUDA WITH_NCCL SYSTEM_NCCL WITH_DISTRIBUTED CMAKE_PREFIX_PATH TH_INCLUDE_PATH TH_LIB_PATH CMAKE_BUILD_TYPE
    PYTHON_EXECUTABLE USE_CUDA USE_MKLDNN USE_DISTRIBUTED CUDNN_INCLUDE_DIR CUDNN_LIBRARY CUDA_TOOLKIT_ROOT_DIR
    CUDA_ARCH_LIST TORCH_PACKAGE_NAME PYTORCH_PYTHON_LIBRARY PYTORCH_PYTHON_INCLUDE_DIR PYTORCH_BUILD_VERSION
    VERBOSE_SCRIPT BUILDING_WITH_TORCH_LIBS BUILD_BINARY BUILD_CAFFE2_OPS BUILD_PYTHON BUILD_SHARED_LIBS BUILD_TEST
    BUILD_TORCH CAFFE2_STATIC_LINK_CUDA CUDNN_LIB_DIR INSTALL_TEST NCCL_EXTERNAL NCCL_INCLUDE_DIR NCCL_ROOT_DIR
    NCCL_SYSTEM_LIB NUMPY_INCLUDE_DIR ONNX_NAMESPACE PYTHON_INCLUDE_DIR PYTHON_LIBRARY THD_SO_VERSION
    TORCH_BUILD_VERSION USE_FBGEMM USE_FFMPEG USE_LEVELDB USE_LMDB USE_NNPACK USE_NUMPY USE_OPENCV USE_QNNPACK USE_ROCM
    USE_SYSTEM_EIGEN_INSTALL USE_SYSTEM_NCCL USE_TENSORRT USE_NCCL""".split(),
)
def test_no_option_of_the_seeds_is_unknown(name):
    assert name in option_table.spellings()
    wrong = {name: "no such value !"}
    if any(option.others for option in OPTIONS if name in option.spellings):
        assert read(wrong, NONE) == read({}, NONE)
        wrong["USE_CUDA"] = "1"
    assert refused(wrong)[0].startswith(f"{name}='no such value !': ")


def test_the_printed_table():
    def printed(*arguments, **environ):
        clean = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            [sys.executable, "-m", "tools.options", *arguments],
            cwd=options.ROOT,
            text=True,
            capture_output=True,
            env=clean | environ,
        )

    good = printed(MAX_JOBS="7", NO_CUDA="1")
    assert good.returncode == 0 and "7 jobs at a time" in good.stdout
    rows = {row.split("|")[1].strip(): row for row in good.stdout.splitlines() if row.startswith("|")}
    assert rows["MAX_JOBS"].split("|")[2].strip() == "7" and "| NO_CUDA=1 " in rows["USE_CUDA"]
    assert set(rows) >= {option.name for option in OPTIONS}
    bad = printed(MAX_JOBS="none")
    assert bad.returncode == 1 and bad.stderr.startswith("MAX_JOBS=none: ")
    docs = printed("--docs", MAX_JOBS="none")
    assert docs.returncode == 0 and "none: " not in docs.stderr and docs.stdout.strip() == options.table()
    assert printed("--zork").returncode == 2
