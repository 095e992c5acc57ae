"""nixw: what it hands to nix, what it brings in, and how it fails. One helper, `Box`, is a machine:
a repository with nothing but nixw, a fake Nix (fake_nix.py), a mirror on 127.0.0.1, an empty home."""

import functools
import hashlib
import http.server
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import threading

import pytest

HERE = pathlib.Path(__file__).parent
NIXW = HERE.parent.parent / "nixw"
SYSTEM = f"{platform.machine()}-linux"

as_root = pytest.mark.skipif(os.getuid() != 0, reason="needs root, for a mount namespace")
with_nix = pytest.mark.skipif(not shutil.which("nix"), reason="needs Nix")


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class Box:
    def __init__(self, path):
        self.path, self.repository, self.fake = path, path / "repository", path / "fake"
        self.home, self.bin, self.pool = path / "home", path / "bin", path / "mirror"
        for folder in (
            self.repository / "nix/pkgs",
            self.fake / "outputs",
            self.fake / "store",
            self.home,
            self.bin,
            self.pool,
        ):
            folder.mkdir(parents=True)
        shutil.copy(NIXW, self.repository / "nixw")
        (self.repository / "flake.nix").write_text("{ }\n")
        (self.fake / "closure").write_text("")
        (self.fake / "calls").write_text("")
        for name in ("nix", "nix-store"):
            self.add_tool(name, f"#!{sys.executable} -S\n" + (HERE / "fake_nix.py").read_text())
        self.add_tool("unshare", "#!/bin/sh\nexit 0\n")
        self.mirror, self.asked, self.answers = None, [], {}
        self.environment = {
            "HOME": str(self.home),
            "FAKE": str(self.fake),
            "TORCH_PACKAGE_SET": "debian",
            "PATH": f"{self.bin}:/usr/sbin:/usr/bin:/sbin:/bin",
            "GIT_CEILING_DIRECTORIES": str(path),
        }

    def add_tool(self, name, text):
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def hide(self, *names):
        """From now on the machine has every tool of this one, but not these."""
        tools = self.path / "tools"
        tools.mkdir()
        for tool in (
            tool for folder in ("/usr/sbin", "/usr/bin", "/sbin", "/bin") for tool in pathlib.Path(folder).iterdir()
        ):
            if tool.name not in names and not (tools / tool.name).is_symlink():
                (tools / tool.name).symlink_to(tool)
        self.environment["PATH"] = f"{self.bin}:{tools}"

    def in_namespace(self, script):
        """A prefix for run: as root, mounts of the script's that only this run sees."""
        return [shutil.which("unshare"), "--mount", "sh", "-ec", f'{script}\nexec "$@"', "sh"]

    def serve(self):
        box = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                box.asked.append(self.path)
                if self.path in box.answers:
                    body = box.answers[self.path]
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                else:
                    super().do_GET()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=self.pool))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.server = server
        self.mirror = f"http://127.0.0.1:{server.server_port}/debian"
        self.environment["TORCH_DEBIAN_MIRROR"] = self.mirror

    def add_derivation(self, name, env, hash_="", in_closure=True):
        """A derivation as Nix writes it, its output, and a line in the closure of every target."""
        derivation, output = self.fake / f"{name}.drv", self.fake / "store" / name
        pairs = ",".join(f'("{key}","{value}")' for key, value in sorted({"name": name, "out": output, **env}.items()))
        derivation.write_text(
            f'Derive([("out","{output}","sha256","{hash_}")],[],[],"{SYSTEM}","/b",["-c","exit 1"],[{pairs}])'
        )
        pathlib.Path(f"{derivation}.out").write_text(str(output))
        if in_closure:
            with open(self.fake / "closure", "a") as closure:
                closure.write(f"{derivation}\n")
        return derivation

    def add_file(self, name, data=None, serve=True):
        """A locked file of the target, on the mirror if asked for."""
        data = name.encode() if data is None else data
        where = f"pool/main/x/{name}"
        if serve:
            (self.pool / "debian" / where).parent.mkdir(parents=True, exist_ok=True)
            (self.pool / "debian" / where).write_bytes(data)
        self.add_derivation(name, {"lockedFile": f"deb {where}", "outputHash": sha256(data)}, sha256(data))

    def add_target(self, *outputs, name="torch"):
        derivation = self.add_derivation(name, {}, in_closure=not (self.fake / f"{name}.drv").exists())
        for output in outputs or (".#torch",):
            (self.fake / "outputs" / output.replace("/", "_")).write_text(f"{derivation}\n")
        return derivation

    def run(self, *arguments, prefix=(), cwd=None, **environment):
        command = [*prefix, str(self.repository / "nixw"), *arguments]
        return subprocess.run(
            command,
            cwd=cwd or self.repository,
            env={**self.environment, **environment},
            text=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=120,
        )

    def calls(self, *start):
        """The calls of nix and nix-store so far whose words begin like this."""
        calls = [json.loads(line) for line in (self.fake / "calls").read_text().splitlines()]
        return [call for call in calls if [call["tool"], *call["args"]][: len(start)] == list(start)]

    def last(self):
        return self.calls()[-1]

    def stored(self, name):
        path = self.fake / "store" / name
        return path.read_bytes() if path.exists() else None

    def kept(self):
        """The files that wait in the cache, whether whole or not."""
        return sorted(path.name for path in (self.home / ".cache/torch-nixw/files").rglob("*") if path.is_file())

    @property
    def override(self):
        return ["--override-input", "nixpkgs", f"path:{self.repository}/nix/pkgs"]


@pytest.fixture
def box(tmp_path):
    box = Box(tmp_path)
    yield box
    if box.mirror:
        box.server.shutdown()


def failed(result, *words):
    """nixw stopped with status 1, and its last line says why."""
    assert result.returncode == 1, result
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("nixw: "), result.stderr
    for word in words:
        assert word in last, result.stderr


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


def test_substituters(box):
    box.run("eval", TORCH_SUBSTITUTERS="file:///cache")
    assert "substituters = file:///cache" in box.last()["config"].splitlines()
    box.run("eval", TORCH_PACKAGE_SET="nixpkgs")
    assert "substituters" not in box.last()["config"]


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
    assert "--platform manylinux2014_x86_64 --platform manylinux_2_17_x86_64" in asked


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


# Failures: a last line that says why, nothing left broken, and the next run continues


def test_a_file_that_the_mirror_does_not_have(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    box.add_file("gone.deb", serve=False)
    failed(box.run("build", ".#torch"), "gone.deb", "404")
    assert not box.calls("nix", "build") and box.kept() == ["a.deb"] and not box.stored("a.deb")

    box.asked.clear()
    (box.pool / "debian/pool/main/x/gone.deb").write_bytes(b"gone.deb")
    assert box.run("build", ".#torch").returncode == 0
    assert box.asked == ["/debian/pool/main/x/gone.deb"]
    assert box.stored("a.deb") and box.stored("gone.deb") and not box.kept()


def test_a_file_with_other_content(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    box.answers["/debian/pool/main/x/a.deb"] = b"hacked"
    failed(box.run("build", ".#torch"), "a.deb", "Hash Sum mismatch")
    assert not box.stored("a.deb") and not box.calls("nix-store", "--add-fixed")
    box.answers.clear()
    assert box.run("build", ".#torch").returncode == 0
    assert box.stored("a.deb") == b"a.deb"


def test_half_a_file_from_an_earlier_run(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb", b"a" * 9999)
    half = box.home / ".cache/torch-nixw/files" / (sha256(b"a" * 9999) + "-a.deb") / "a.deb"
    half.parent.mkdir(parents=True)
    half.write_bytes(b"a" * 5000)
    assert box.run("build", ".#torch").returncode == 0
    assert box.stored("a.deb") == b"a" * 9999


def test_no_network(box):
    box.add_target()
    box.add_file("a.deb")
    failed(box.run("build", ".#torch", TORCH_DEBIAN_MIRROR="http://127.0.0.1:9/debian"), "a.deb", "onnect")
    # Debian 12's apt says "Connection refused", Debian 13's "Unable to connect"


def test_no_mirror(box):
    box.add_target()
    box.add_file("a.deb")
    box.add_tool("apt-get", "#!/bin/sh\n")
    failed(box.run("build", ".#torch"), "a.deb", "TORCH_DEBIAN_MIRROR")


@as_root
def test_full_disk(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb", b"a" * 500_000)
    tiny = box.in_namespace(f"mkdir -p {box.home}/.cache; mount -t tmpfs -o size=64k tmpfs {box.home}/.cache")
    failed(box.run("build", ".#torch", prefix=tiny), "a.deb", "No space left on device")
    assert not box.stored("a.deb")
    assert box.run("build", ".#torch").returncode == 0
    assert box.stored("a.deb")


@as_root
def test_full_disk_without_a_single_byte(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    full = box.in_namespace(f"mkdir -p {box.home}/.cache; mount -t tmpfs -o nr_inodes=1 tmpfs {box.home}/.cache")
    failed(box.run("build", ".#torch", prefix=full), "cannot write", "torch-nixw")


def test_full_store(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    (box.fake / "store-is-full").write_text("")
    failed(box.run("build", ".#torch"), "store")
    box.asked.clear()
    (box.fake / "store-is-full").unlink()
    assert box.run("build", ".#torch").returncode == 0
    assert box.stored("a.deb") and not box.asked


def test_a_lock_that_contradicts_itself(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    derivation = box.fake / "a.deb.drv"
    derivation.write_text(derivation.read_text().replace('store/a.deb"', 'store/b.deb"'))
    failed(box.run("build", ".#torch"), "lock", "b.deb")


def test_an_evaluation_error_is_left_to_nix(box):
    result = box.run("build", ".#nonsense")
    assert result.returncode == 0 and box.last()["args"] == ["build", *box.override, ".#nonsense"]


def test_two_at_once(box):
    box.serve()
    box.add_target()
    for number in range(20):
        box.add_file(f"{number}.deb")
    results = []
    threads = [threading.Thread(target=lambda: results.append(box.run("build", ".#torch"))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.returncode for result in results] == [0, 0, 0], results
    assert len(box.asked) == 20 and not box.kept()


def test_a_machine_that_forbids_the_sandbox(box):
    box.add_tool("unshare", "#!/bin/sh\nexit 1\n")
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    result = box.run("build", ".#torch")
    failed(result, "NIX_CONFIG='sandbox = false'")
    assert "namespaces" in result.stderr and not box.asked
    for by_hand in ({"NIX_CONFIG": "sandbox = false"}, {}):
        (box.fake / "store/a.deb").unlink(missing_ok=True)
        assert box.run("build", ".#torch", *([] if by_hand else ["--no-sandbox"]), **by_hand).returncode == 0
        assert box.stored("a.deb")


# Where there is no Nix

no_nix = pytest.mark.skipif(
    os.path.exists("/nix/var/nix/profiles/default/bin/nix"), reason="nixw finds this machine's Nix"
)
APT_GET = """#!/bin/sh
echo "$*" >>{path}/apt
case $* in
  *update*) touch {path}/updated ;;
  *install*nix-bin*) [ -e {path}/{needs} ] || exit 100; cp {path}/nix {path}/nix-store {path}/bin/ ;;
esac
"""


def without_nix(box):
    for name in ("nix", "nix-store"):
        (box.bin / name).rename(box.path / name)
    box.hide("nix", "nix-store", "apt-get")


@no_nix
def test_a_user_without_nix_is_told_what_to_do(box):
    without_nix(box)
    box.add_tool("id", "#!/bin/sh\necho 1000\n")
    box.add_tool("apt-get", APT_GET.format(path=box.path, needs="nix"))
    result = box.run("build")
    failed(result, "install Nix", "run this command again")
    assert len(result.stderr.splitlines()) == 3 and "apt-get install nix-bin" in result.stderr
    assert not (box.path / "apt").exists()


@no_nix
@as_root
def test_nobody_without_nix_is_told_what_to_do(box):
    without_nix(box)
    subprocess.run(["chmod", "-R", "a+rX", box.path], check=True)
    for folder in list(box.path.parents)[:3]:
        if str(folder).startswith("/tmp/pytest-of"):
            folder.chmod(0o755)
    nobody = [shutil.which("setpriv"), "--reuid=65534", "--clear-groups"]
    failed(box.run("build", prefix=nobody), "install Nix")


@no_nix
def test_root_of_another_distribution_is_told_what_to_do(box):
    without_nix(box)
    box.add_tool("id", "#!/bin/sh\necho 0\n")
    failed(box.run("build"), "install Nix")


@no_nix
@pytest.mark.parametrize("needs, updates", [("nix", 0), ("updated", 1)])
def test_root_gets_nix_from_apt(box, needs, updates):
    without_nix(box)
    box.add_tool("id", "#!/bin/sh\necho 0\n")
    box.add_tool("apt-get", APT_GET.format(path=box.path, needs=needs))
    result = box.run("eval", ".#x")
    assert result.returncode == 0, result.stderr
    asked = (box.path / "apt").read_text().splitlines()
    assert sum("update" in line for line in asked) == updates
    assert all("--no-install-recommends" in line for line in asked if "install" in line)
    assert box.last()["args"] == ["eval", *box.override, ".#x"]


@no_nix
def test_apt_that_fails(box):
    without_nix(box)
    box.add_tool("id", "#!/bin/sh\necho 0\n")
    box.add_tool("apt-get", APT_GET.format(path=box.path, needs="never"))
    failed(box.run("build"), "apt could not install nix-bin")


@no_nix
def test_nix_in_the_profile_is_found(box):
    without_nix(box)
    profile = box.home / ".nix-profile/bin"
    profile.mkdir(parents=True)
    for name in ("nix", "nix-store"):
        (box.path / name).rename(profile / name)
    assert box.run("eval", ".#x").returncode == 0
    assert box.last()["args"] == ["eval", *box.override, ".#x"]


# With the real Nix, in a store of its own


@with_nix
@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="needs dpkg-deb, to make a deb")
def test_real_nix_finds_what_was_brought_in(box):
    for name in ("nix", "nix-store", "unshare"):
        (box.bin / name).unlink()
    box.serve()
    box.add_file("a_1~2.deb")
    (box.repository / "nix/pkgs/flake.nix").write_text(
        """{ outputs = { self }: { legacyPackages.SYSTEM.a = derivation {
      name = "a_1-2.deb"; system = "SYSTEM"; builder = "/none"; lockedFile = "deb pool/main/x/a_1~2.deb";
      outputHashMode = "flat"; outputHashAlgo = "sha256"; outputHash = "HASH"; }; }; }
      """.replace("SYSTEM", SYSTEM).replace("HASH", sha256(b"a_1~2.deb"))
    )
    (box.repository / "flake.nix").write_text(
        """{ inputs.nixpkgs.url = "path:/nonexistent"; outputs = { self, nixpkgs }: {
      packages.SYSTEM.default = nixpkgs.legacyPackages.SYSTEM.a; checks.SYSTEM.a = nixpkgs.legacyPackages.SYSTEM.a; }; }
      """.replace("SYSTEM", SYSTEM)
    )
    store = ["--store", str(box.path / "real")]
    result = box.run("build", "--no-link", *store)
    assert result.returncode == 0, result.stderr
    assert box.asked == ["/debian/pool/main/x/a_1%7e2.deb"] or box.asked == ["/debian/pool/main/x/a_1~2.deb"]
    path = box.run("path-info", *store).stdout.strip()
    assert pathlib.Path(f"{box.path}/real{path}").read_bytes() == b"a_1~2.deb"
    assert box.run("flake", "check", *store).returncode == 0
    assert len(box.asked) == 1

    subprocess.run(["nix-store", *store, "--delete", path], check=True, capture_output=True)
    assert box.run("flake", "check", *store).returncode == 0
    assert len(box.asked) == 2
    subprocess.run(["chmod", "-R", "u+w", box.path / "real"], check=True)
