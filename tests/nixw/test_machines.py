"""nixw: a machine without Nix, and one with the real Nix and a store of its own."""

import os
import pathlib
import shutil
import subprocess

import pytest
from box import SYSTEM, as_root, failed, sha256, with_nix

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
