"""nixw: which files it brings in, from where, and when it need not ask again."""

import os
import shutil
import subprocess

import pytest
from box import SYSTEM, as_root, failed, sha256

# Bringing files in


def test_missing_files_are_fetched_and_stored(box):
    box.serve()
    box.add_target()
    for name in ("a_1+b2_all.deb", "b.tar.xz"):
        box.add_file(name)
    result = box.run("build", ".#torch")
    assert result.returncode == 0, result.stderr
    assert box.stored("a_1+b2_all.deb") == b"a_1+b2_all.deb" and box.stored("b.tar.xz") == b"b.tar.xz"
    assert box.last()["args"] == ["build", *box.override, ".#torch"]
    assert not box.kept()


def test_nothing_is_fetched_for_what_is_built(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    (box.fake / "store/torch").write_text("built")
    assert box.run("build", ".#torch").returncode == 0
    assert not box.asked


@pytest.mark.parametrize(
    "arguments, outputs",
    [
        (["build"], [".#"]),
        (["build", ".#x^dev", "-o", "./y", ".#z"], [".#x", ".#z"]),
        (["run", ".", ".#not-a-flake"], [f".#apps.{SYSTEM}.default"]),
        (["run", ".#x", "--", ".#y"], [f".#apps.{SYSTEM}.x"]),
        (["develop", "-c", "make", ".#x"], [f".#devShells.{SYSTEM}.default"]),
        (["flake", "check", "-L"], [f".#checks.{SYSTEM}"]),
        (["fmt", "./nix"], [f".#formatter.{SYSTEM}"]),
        (["shell", "./nix/pkgs#x", "-c", "y"], ["./nix/pkgs#x"]),
        (["build", "nixpkgs#hello", "/tmp#x", "github:a/b#c"], []),
        (["build", "-f", "x.nix", "y"], []),
        (["build", "--expr", "1"], []),
        (["build", "--dry-run", ".#x"], []),
        (["flake", "show"], []),
        (["log", ".#x"], []),
        (["eval", ".#x"], []),
    ],
)
def test_what_is_evaluated(box, arguments, outputs):
    for output in outputs:
        box.add_target(output)
    assert box.run(*arguments).returncode == 0
    evaluated = [call["args"][call["args"].index("--apply") - 1] for call in box.calls("nix", "eval", "--raw")]
    assert [output for output in evaluated if "bashInteractive" not in output] == outputs


def test_one_file_under_two_names(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb", b"same")
    box.add_file("b.deb", b"same")
    assert box.run("build", ".#torch").returncode == 0
    assert box.stored("a.deb") == box.stored("b.deb") == b"same"


def test_an_app_may_be_a_package(box):
    box.serve()
    box.add_target(".#x")
    box.add_file("a.deb")
    box.run("run", ".#x")
    assert box.stored("a.deb")


def test_a_development_shell_needs_its_inputs_and_bash(box):
    box.serve()
    box.add_target(f".#devShells.{SYSTEM}.default")
    box.add_target(f"path:{box.repository}/nix/pkgs#bashInteractive", name="bash")
    box.add_file("a.deb")
    assert box.run("develop").returncode == 0
    assert box.calls("nix-store", "--query", "--references")
    assert str(box.fake / "bash.drv") in box.calls("nix-store", "--realise")[0]["args"]
    assert box.stored("a.deb")


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="needs dpkg-deb, to make a deb")
@pytest.mark.parametrize("attribute", ["lockedHash", "lockedSha256"])
def test_a_seed_is_a_program_out_of_a_deb(box, attribute):
    (box.path / "deb/usr/bin").mkdir(parents=True)
    (box.path / "deb/DEBIAN").mkdir()
    (box.path / "deb/usr/bin/tool").write_text("a program")
    (box.path / "deb/DEBIAN/control").write_text(
        "Package: x\nVersion: 1\nArchitecture: all\nMaintainer: x <x@x>\nDescription: x\n"
    )
    (box.pool / "debian/pool").mkdir(parents=True)
    subprocess.run(
        ["dpkg-deb", "--build", box.path / "deb", box.pool / "debian/pool/x.deb"], check=True, capture_output=True
    )
    data = (box.pool / "debian/pool/x.deb").read_bytes()
    box.serve()
    box.add_target()
    box.add_derivation(
        "seed", {"lockedFile": "seed pool/x.deb ./usr/bin/tool bin/tool", attribute: sha256(data)}, "0" * 64
    )
    assert box.run("build", ".#torch").returncode == 0
    tool = box.fake / "store/seed/bin/tool"
    assert tool.read_text() == "a program" and tool.stat().st_mode & 0o777 == 0o555


def test_a_wheel_comes_through_pip(box):
    wheel = "x_y-1.0-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl"
    box.add_tool(
        "pip3",
        f'#!/bin/sh\necho "$@" >{box.path}/pip\nwhile [ "$1" != --dest ]; do shift; done\nprintf wheel >"$2/{wheel}"\n',
    )
    box.add_target()
    box.add_derivation(wheel, {"lockedFile": f"wheel x-y==1.0 {wheel}"}, sha256(b"wheel"))
    result = box.run("build", ".#torch")
    assert result.returncode == 0, result.stderr
    assert box.stored(wheel) == b"wheel"
    asked = (box.path / "pip").read_text()
    assert (
        asked.split()[0] == "download" and asked.split()[-1] == "x-y==1.0" and "--no-deps --only-binary=:all:" in asked
    )
    assert "--platform manylinux2014_x86_64" in asked and "--platform manylinux_2_17_x86_64" in asked
    assert "--python-version" not in asked


def test_wheels_come_together_and_those_that_do_not_one_by_one(box):
    """pip is asked once for all, with the Python that the names say; it brings one of three, then two more alone."""
    wheels = {
        "a==1": "a-1-py3-none-any.whl",
        "b==2": "b-2-cp313-cp313-manylinux_2_28_x86_64.whl",
        "c==3": "c-3-cp38-abi3-manylinux2014_x86_64.whl",
    }
    cases = "".join(f"  {wanted}) wheel={wheel} ;;\n" for wanted, wheel in wheels.items())
    box.add_tool(
        "pip3",
        f'#!/bin/sh\necho "$@" >>{box.path}/pip\nwhile [ "$1" != --dest ]; do shift; done\nfolder=$2\n'
        f'case $3$* in *"a==1 b==2"*) wanted=a==1 ;; *) while [ $# -gt 1 ]; do shift; done; wanted=$1 ;; esac\n'
        f'case $wanted in\n{cases}esac\nprintf wheel >"$folder/$wheel"\n',
    )
    box.add_target()
    for wanted, wheel in wheels.items():
        box.add_derivation(wheel, {"lockedFile": f"wheel {wanted} {wheel}"}, sha256(b"wheel"))
    result = box.run("build", ".#torch")
    assert result.returncode == 0, result.stderr
    assert all(box.stored(wheel) == b"wheel" for wheel in wheels.values())
    together, *alone = (box.path / "pip").read_text().splitlines()
    assert together.endswith("a==1 b==2 c==3") and "--python-version 3.13" in together
    assert "--platform any" in together and "--platform manylinux2014_x86_64" in together
    assert [line.split()[-1] for line in alone] == ["b==2", "c==3"]
    assert "--python-version 3.13" in alone[0] and "--python-version 3.8" in alone[1]


@as_root
@pytest.mark.parametrize("client, other", [("curl", "wget"), ("wget", "curl")])
def test_without_apt_curl_or_wget_will_do(box, client, other):
    if not shutil.which(client):
        pytest.skip(f"needs {client}")
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    box.hide(other, "apt-get")
    no_apt = box.in_namespace("[ ! -d /usr/lib/apt ] || mount -t tmpfs tmpfs /usr/lib/apt")
    result = box.run("build", ".#torch", prefix=no_apt)
    assert result.returncode == 0, result.stderr
    assert box.stored("a.deb") == b"a.deb"

    box.answers["/debian/pool/main/x/b.deb"] = b"hacked"
    box.add_file("b.deb")
    failed(box.run("build", ".#torch", prefix=no_apt), "b.deb", "sha256")
    box.answers.clear()
    box.add_file("gone.deb", serve=False)
    failed(box.run("build", ".#torch", prefix=no_apt), "gone.deb", "404")


def test_mirrors_are_those_of_apt_each_in_turn(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    box.add_tool(
        "apt-get",
        "#!/bin/sh\n[ \"$*\" = '--print-uris update' ] || exit 1\nprintf \"'%s/dists/x/InRelease' y 0\\n\" "
        f"{box.mirror}-security {box.mirror}-security {box.mirror}\n",
    )
    result = box.run("build", ".#torch", TORCH_DEBIAN_MIRROR="")
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("fetching") == 2
    assert box.stored("a.deb")


# Remembering


def evaluations(box):
    return len(box.calls("nix", "eval", "--raw"))


def test_a_second_run_does_not_evaluate(box):
    box.add_target()
    (box.fake / "store/torch").write_text("built")
    for _ in range(3):
        assert box.run("build", ".#torch").returncode == 0
    assert evaluations(box) == 1
    box.run("build", ".#torch", "-L", "--no-link")
    assert evaluations(box) == 1


def test_program_arguments_do_not_matter(box):
    box.add_target(f".#apps.{SYSTEM}.default")
    (box.fake / "store/torch").write_text("built")
    for number in range(3):
        box.run("run", ".", "--", "script.py", str(number))
    assert evaluations(box) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda box: (box.repository / "flake.nix").write_text("{   }\n"),
        lambda box: (box.repository / "new").write_text(""),
        lambda box: (box.repository / "flake.nix").rename(box.repository / "flake"),
        lambda box: (box.fake / "store/torch").unlink(),
        lambda box: box.add_target(".#other"),
        lambda box: box.environment.update(NIX_CONFIG="cores = 1"),
    ],
)
def test_a_change_evaluates_again(box, change):
    box.add_target()
    (box.fake / "store/torch").write_text("built")
    box.run("build", ".#torch")
    change(box)
    box.run("build", ".#other" if (box.fake / "outputs/.#other").exists() else ".#torch")
    assert evaluations(box) == 2


def test_what_cannot_be_listed_counts_as_changed(box):
    box.add_target()
    (box.fake / "store/torch").write_text("built")
    box.add_tool("find", "#!/bin/sh\necho the same; exit 1\n")
    for _ in range(2):
        box.run("build", ".#torch")
    assert evaluations(box) == 2


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_what_git_knows_evaluates_again(box):
    def git(*arguments):
        subprocess.run(
            ["git", "-C", box.repository, "-c", "user.name=x", "-c", "user.email=x@x", *arguments],
            check=True,
            capture_output=True,
        )

    git("init")
    git("add", "flake.nix")
    git("commit", "-m", "1")
    box.add_target()
    (box.fake / "store/torch").write_text("built")
    changes = [
        lambda: None,
        lambda: git("add", "nixw"),
        lambda: git("commit", "-m", "2"),
        lambda: git("reset", "--soft", "HEAD^"),
    ]
    for number, change in enumerate(changes, start=1):
        change()
        for _ in range(2):
            box.run("build", ".#torch")
        assert evaluations(box) == number


def test_a_change_that_keeps_size_and_time_evaluates_again(box):
    box.add_target()
    (box.fake / "store/torch").write_text("built")
    box.run("build", ".#torch")
    file = box.repository / "flake.nix"
    before = file.stat()
    file.write_text("{x}\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size
    box.run("build", ".#torch")
    assert evaluations(box) == 2


def test_a_collected_result_brings_its_sources_back(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    (box.fake / "store/torch").write_text("built")
    box.run("build", ".#torch")
    assert not box.stored("a.deb")
    (box.fake / "store/torch").unlink()
    box.run("build", ".#torch")
    assert box.stored("a.deb")
