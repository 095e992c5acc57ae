"""nixw: the file itself, where its option goes among the arguments, and the settings that it hands to nix."""

import os
import re
import shutil
import subprocess

import pytest
from box import NIXW, as_root, failed, with_nix

# The file itself


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="needs shellcheck")
def test_shellcheck():
    subprocess.run(["shellcheck", NIXW], check=True)


def test_it_is_posix_sh_and_names_no_host():
    text = NIXW.read_text()
    assert text.startswith("#!/bin/sh\n") and os.access(NIXW, os.X_OK)
    assert not re.search(r"\w\.(org|net|com|io)\b", text)


# Arguments

FLAKE_COMMANDS = [
    "build",
    "bundle",
    "copy",
    "develop",
    "edit",
    "eval",
    "fmt",
    "log",
    "path-info",
    "print-dev-env",
    "repl",
    "run",
    "search",
    "shell",
    "why-depends",
    "derivation show",
    "flake archive",
    "flake check",
    "flake info",
    "flake metadata",
    "flake show",
    "formatter run",
    "profile add",
    "profile install",
]
OTHER_COMMANDS = [
    "store gc",
    "store ls /nix/store/x",
    "flake update",
    "flake lock",
    "flake init",
    "flake clone x",
    "flake prefetch x",
    "profile list",
    "registry list",
    "hash path x",
    "key generate-secret",
    "doctor",
    "config show",
    "--version",
    "--help",
    "",
    "nar ls x",
    "daemon",
    "build-something",
]


@pytest.mark.parametrize("command", FLAKE_COMMANDS)
def test_override_stands_directly_after_the_command(box, command):
    words = command.split()
    box.run("-L", "--option", "cores", "2", *words, ".#x", "-o", "r", "--", "build", "-- a b")
    assert box.last()["args"] == [
        "-L",
        "--option",
        "cores",
        "2",
        *words,
        *box.override,
        ".#x",
        "-o",
        "r",
        "--",
        "build",
        "-- a b",
    ]


@pytest.mark.parametrize("command", OTHER_COMMANDS)
def test_other_commands_are_untouched(box, command):
    result = box.run(*command.split(), "-x", "", "two words", "*", "--", "build")
    assert box.last()["args"] == [*command.split(), "-x", "", "two words", "*", "--", "build"]
    assert "package set" not in result.stderr


def test_repl_of_nix_2_8_takes_no_override(box):
    box.run("repl", FAKE_VERSION="2.8.0")
    assert box.last()["args"] == ["repl"]


def test_command_words_after_dashes_are_not_commands(box):
    box.run("--", "build", ".#x")
    assert box.last()["args"] == ["--", "build", ".#x"]


def test_status_and_streams_are_nix_own(box):
    box.add_tool("nix", "#!/bin/sh\necho out\necho err >&2\nexit 7\n")
    result = box.run("eval", ".#x")
    assert (result.returncode, result.stdout) == (7, "out\n")
    assert "err\n" in result.stderr


@with_nix
@pytest.mark.parametrize("command", FLAKE_COMMANDS)
def test_real_nix_knows_the_option_there(command):
    version = subprocess.run(["nix", "--version"], text=True, capture_output=True).stdout
    if command == "repl" and re.search(r" 2\.[0-8]\.", version):
        pytest.skip("nixw does not add it there")
    result = subprocess.run(
        [
            "nix",
            "--extra-experimental-features",
            "nix-command flakes",
            *command.split(),
            "--override-input",
            "nixpkgs",
            "path:/x",
            "--no-such-option",
        ],
        text=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    if "is not a recognised command" in result.stderr:
        pytest.skip("this Nix is older than the command")
    assert "'--no-such-option'" in result.stderr, result.stderr


# Settings


@pytest.mark.parametrize("name", ["debian", "nixpkgs"])
def test_package_set_by_hand(box, name):
    result = box.run("eval", ".#x", TORCH_PACKAGE_SET=name)
    assert f"nixw: package set: {name}\n" in result.stderr
    assert (box.override[0] in box.last()["args"]) == (name == "debian")


def test_other_package_sets_are_refused(box):
    result = box.run("build", TORCH_PACKAGE_SET="guix")
    failed(result, "guix", "debian, nixpkgs")
    assert not box.calls()


def test_a_mirror_means_the_debian_set(box):
    assert (
        "package set: debian" in box.run("eval", TORCH_PACKAGE_SET="", TORCH_DEBIAN_MIRROR="http://127.0.0.1:9").stderr
    )


@as_root
@pytest.mark.parametrize("name, expected", [("debian", "debian"), ("ubuntu", "nixpkgs")])
def test_package_set_by_distribution(box, name, expected):
    (box.path / "os-release").write_text(f'NAME="Some"\nID={name}\n')
    box.add_tool("apt-helper", "#!/bin/sh\n")
    mount = box.in_namespace(f"mount --bind {box.path}/os-release /etc/os-release")
    assert f"package set: {expected}" in box.run("eval", prefix=mount, TORCH_PACKAGE_SET="").stderr


def test_configuration(box):
    box.run("eval", ".#x", NIX_CONFIG="sandbox = relaxed\ncores = 3")
    lines = box.last()["config"].splitlines()
    assert "extra-experimental-features = nix-command flakes" in lines
    assert {"sandbox-fallback = false", "flake-registry =", "connect-timeout = 5"} <= set(lines)
    assert "substituters = " in lines
    assert lines.index("sandbox = true") < lines.index("sandbox = relaxed") and lines[-1] == "cores = 3"


def jobs(box, **environment):
    """What nix would take: of settings that stand twice, the last."""
    assert box.run("eval", ".#x", **environment).returncode == 0
    found = [line for line in box.last()["config"].splitlines() if line.startswith("max-jobs")]
    return found[-1] if found else None


def test_two_derivations_at_a_time(box):
    for cores, expected in ((1, None), (2, "max-jobs = 2"), (16, "max-jobs = 2")):
        box.add_tool("nproc", f"#!/bin/sh\necho {cores}\n")
        assert jobs(box, NIX_CONF_DIR=str(box.path)) == expected
    assert jobs(box, NIX_CONFIG="max-jobs = 1") == "max-jobs = 1"


@pytest.mark.parametrize(
    "file, variable, value",
    [
        ("home/.config/nix/nix.conf", "HOME", "home"),
        ("config/nix/nix.conf", "XDG_CONFIG_HOME", "config"),
        ("b/nix/nix.conf", "XDG_CONFIG_DIRS", "a:b"),
        ("etc/nix.conf", "NIX_CONF_DIR", "etc"),
        ("etc/included.conf", "NIX_CONF_DIR", "etc"),
        ("mine", "NIX_USER_CONF_FILES", "none:mine"),
    ],
)
@pytest.mark.parametrize("line", ["max-jobs = 1", "cores = 1\n  build-max-jobs=auto"])
def test_how_many_derivations_the_users_files_say(box, file, variable, value, line):
    box.add_tool("nproc", "#!/bin/sh\necho 2\n")
    path = box.path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    settings = {"NIX_CONF_DIR": str(box.path / "none")}
    settings[variable] = ":".join(str(box.path / name) for name in value.split(":"))
    for text, expected in (("cores = 1\n# max-jobs = 3\n", "max-jobs = 2"), (f"{line}\n", None)):
        path.write_text(text)
        assert jobs(box, **settings) == expected


@with_nix
def test_what_nix_makes_of_the_arguments_beside_it():
    """--max-jobs wins over NIX_CONFIG, where nixw writes."""
    for command in (["config", "show"], ["show-config"]):
        words = ["nix", "--extra-experimental-features", "nix-command", *command, "--max-jobs", "5"]
        shown = subprocess.run(words, text=True, capture_output=True, env={**os.environ, "NIX_CONFIG": "max-jobs = 2"})
        if not shown.returncode:
            break
    assert "max-jobs = 5" in shown.stdout.splitlines(), shown


def test_substituters(box):
    box.run("eval", TORCH_SUBSTITUTERS="file:///cache")
    assert "substituters = file:///cache" in box.last()["config"].splitlines()
    box.run("eval", TORCH_PACKAGE_SET="nixpkgs")
    assert "substituters" not in box.last()["config"]
