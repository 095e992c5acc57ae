"""A machine for nixw: `Box` is a repository with nothing but nixw, a fake Nix (fake_nix.py), a mirror on
127.0.0.1, an empty home."""

import functools
import hashlib
import http.server
import json
import os
import pathlib
import platform
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


def failed(result, *words):
    """nixw stopped with status 1, and its last line says why."""
    assert result.returncode == 1, result
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("nixw: "), result.stderr
    for word in words:
        assert word in last, result.stderr
