"""Options of a build: what each spelling means, and that nothing wrong or nearly right is ignored."""

import os
import subprocess
import sys

import pytest

from tools import options
from tools.options import OPTIONS, OptionError, Options, read

NONE = {"TH": {"needs": []}}  # a libraries.toml without any feature
ALL = {"THC": {"option": "cuda"}, "MKLDNN": {"option": "mkldnn"}, "THD": {"option": "distributed"}}


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
        mkldnn=False,
        distributed=False,
        system_nccl=False,
        cuda_arch_list=(),
        cmake_prefix_path=(),
        jobs=len(os.sched_getaffinity(0)),
        verbose=False,
        version=(options.ROOT / "version.txt").read_text().strip(),
        package_name="torch",
        prebuilt=(),
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
        "USE_CUDA=1: no library of lib/libraries.toml wants cuda yet; allowed: 0",
    )
    assert refused({"NO_CUDA": "0"}, NONE)[0].endswith("wants cuda yet; allowed: 1")
    assert refused({"USE_CUDA": "1"}, NONE | {"THD": {"option": "distributed"}})
    assert read({"USE_CUDA": "1"}, NONE | {"THC": {"option": "cuda"}}).cuda
    for name in ("USE_CUDA", "USE_MKLDNN", "USE_DISTRIBUTED"):
        assert not getattr(read({name: "0"}, NONE), name[4:].lower())


def test_the_real_table_is_read_where_none_is_given(monkeypatch, tmp_path):
    table = tmp_path / "libraries.toml"
    table.write_text('[THC]\noption = "cuda"\n')
    monkeypatch.setattr(options, "LIBRARIES", table)
    assert read({"USE_CUDA": "1"}).cuda
    assert "wants mkldnn" in refused({"USE_MKLDNN": "1"}, None)[0]


def test_a_library_that_names_no_option_is_an_error_of_the_table():
    with pytest.raises(ValueError, match=r"\[THC\] option = 'cudda'; allowed: cuda, mkldnn, distributed"):
        read({}, {"THC": {"option": "cudda"}})


def test_the_system_nccl_needs_what_uses_it():
    both = {"USE_CUDA": "1", "USE_DISTRIBUTED": "1"}
    assert read({"USE_SYSTEM_NCCL": "1", **both}, ALL).system_nccl
    assert read({"SYSTEM_NCCL": "1", **both}, ALL).system_nccl
    for missing in both:
        environ = {"USE_SYSTEM_NCCL": "1", **both}
        del environ[missing]
        assert refused(environ) == ("USE_SYSTEM_NCCL=1: allowed only with USE_CUDA=1 and USE_DISTRIBUTED=1",)


@pytest.mark.parametrize(
    "text,value",
    [
        ("7.5", ("7.5",)),
        ("8.0;9.0+PTX", ("8.0", "9.0+PTX")),
        ("8.0 9.0a", ("8.0", "9.0a")),
        (" 8.0 ; 12.0f;; ", ("8.0", "12.0f")),
        ("8.0;8.0", ("8.0",)),
        ("9.0 9.0+PTX", ("9.0", "9.0+PTX")),
    ],
)
def test_architectures(text, value):
    assert read({"USE_CUDA": "1", "TORCH_CUDA_ARCH_LIST": text}, ALL).cuda_arch_list == value


def test_all_architectures():
    every = read({"USE_CUDA": "1", "TORCH_CUDA_ARCH_LIST": "All"}, ALL).cuda_arch_list
    assert every[0] == "7.5" and every[-1] == "12.1+PTX" and len(every) == len(options.CUDA_ARCHES)


@pytest.mark.parametrize("text", ["7.0", "sm_90", "90", "9", "8.0,9.0", "8.0+ptx", "8.0a", "9.0+", "Volta", ";"])
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
    lib, python, bare, odd = (tmp_path / name for name in ("lib", "python", "bare", "o;d"))
    for folder in (lib / "lib", python / "python", bare, odd / "lib"):
        folder.mkdir(parents=True)
    assert read({"TORCH_PREBUILT": f"{lib}:{python}"}).prebuilt == (lib, python)
    assert f"{bare} has neither lib/ nor python/; allowed" in refused({"TORCH_PREBUILT": f"{lib}:{bare}"})[0]
    assert "no such folder" in refused({"TORCH_PREBUILT": f"{lib};{python}"})[0]
    assert "semicolon" in refused({"TORCH_PREBUILT": str(odd)})[0]


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


def test_a_broken_version_file(monkeypatch, tmp_path):
    file = tmp_path / "version.txt"
    file.write_text("one\n")
    monkeypatch.setattr(options, "VERSION", file)
    assert "version.txt says 'one': not a canonical PEP 440 version; allowed: " in refused({})[0]
    assert read({"TORCH_BUILD_VERSION": "2.0"}).version == "2.0"


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
        "USE_CUDNN",
        "USE_NCCL",
        "USE_ROCM",
        "USE_MKL",
        "USE_MKLDNN_ACL",
        "USE_NINJA",
        "USE_CCACHE",
        "NO_COLOR",
        "NO_PROXY",
        "NO_CUDNN",
        "WITH_CUDNN",
        "BUILD_ID",
        "BUILD_NUMBER",
        "BUILD_VERSION",
        "BUILD_TEST",
        "CMAKE_BUILD_TYPE",
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
            "USE_MKLDNN": "1",
            "TORCH_CUDA_ARCH_LIST": "8.0",
            "TORCH_PACKAGE_NAME": "-",
        },
        NONE,
    )
    begin = ["USE_CUDDA", "DEBUG", "USE_MKLDNN", "MAX_JOBS", "TORCH_PACKAGE_NAME", "TORCH_CUDA_ARCH_LIST"]
    assert [problem.split("=")[0].split(":")[0] for problem in problems] == begin


def test_cmake_arguments(tmp_path):
    (tmp_path / "lib").mkdir()
    chosen = read({"DEBUG": "1", "CMAKE_PREFIX_PATH": f"{tmp_path}/lib:/", "TORCH_PREBUILT": str(tmp_path)})
    assert chosen.cmake_arguments() == [
        "-DCMAKE_BUILD_TYPE=Debug",
        f"-DTORCH_BUILD_VERSION={chosen.version}",
        f"-DCMAKE_PREFIX_PATH={tmp_path}/lib;/;{tmp_path}",
    ]
    assert read({}).cmake_arguments()[-1] == "-DCMAKE_PREFIX_PATH="


def test_every_option_is_a_field_and_no_name_means_two_things():
    fields = {option.field for option in OPTIONS} - {"debug", "rel_with_deb_info"} | {"build_type"}
    assert fields == set(Options.__dataclass_fields__)
    spellings = [spelling for option in OPTIONS for spelling in option.spellings]
    assert len(spellings) == len(set(spellings)) and not options.NO_OPTIONS & set(spellings)


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
