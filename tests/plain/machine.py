"""A clean Debian in a folder, with this machine's network, apt and pip settings and nothing else of it."""

import ast
import configparser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
USER, HOME = "builder", "/home/builder"
# What stands for the way to the network in the environment; each file that they name comes along.
ENVIRONMENT = re.compile(r"(PIP_\w+|(https?|no|all)_proxy|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE)", re.I)
APT_SETTINGS = re.compile(
    r"Acquire::((https?|ftp)::|Retries|Check-|Allow|.*[Pp]roxy|ForceIPv)|APT::Get::AllowUnauthenticated"
)


class Impossible(Exception):
    """The test cannot run here; the text says why."""


class CommandFailed(Exception):
    """A command in the machine failed; the text is the command and the end of what it wrote."""


def output(*command: str) -> str:
    """What a command of the host writes, "" where it fails or does not exist."""
    try:
        return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


@dataclass(frozen=True)
class Mirror:
    """A Debian archive as this machine's apt names it."""

    address: str
    keyring: str  # "" where apt trusts it as it is

    @staticmethod
    def of_host() -> "Mirror | None":
        if given := os.environ.get("TORCH_DEBIAN_MIRROR"):
            return Mirror(given.rstrip("/"), KEYRING)
        for line in output(
            "apt-get",
            "indextargets",
            "--format",
            "$(LABEL)|$(SITE)|$(TRUSTED)|$(SIGNED_BY)",
            "Created-By: Packages",
        ).splitlines():
            label, site, trusted, signed_by = line.split("|")
            if label == "Debian":
                keyring = signed_by if os.path.isfile(signed_by) else KEYRING
                return Mirror(site.rstrip("/"), "" if trusted == "yes" else keyring)
        # Before the first `apt-get update` there are no targets, but apt knows what it would fetch.
        found = re.search(r"^'(.*/debian)/dists/", output("apt-get", "--print-uris", "update"), re.M)
        return Mirror(found[1], KEYRING) if found else None


def checkout_files(checkout: pathlib.Path) -> list[str]:
    """The files that git knows or would add, sorted."""
    listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={checkout}", "-C", checkout, *listing], check=True, stdout=subprocess.PIPE
    ).stdout
    return sorted(set(os.fsdecode(listed).split("\0")) - {""})


def prepare_host(suites: list[str]) -> dict[str, str]:
    """Brings in what this machine lacks for making others, and returns each suite's release file. Raises Impossible where
    that cannot be."""
    if os.getuid() != 0:
        raise Impossible("making a clean machine (debootstrap, chroot) needs root")
    if not shutil.which("apt-get"):
        raise Impossible("there is no apt here, whose mirror and settings the clean machine would get")
    if (
        not shutil.which("unshare")
        or subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], stderr=subprocess.DEVNULL).returncode
    ):
        raise Impossible("this machine, perhaps a container, forbids mount and process namespaces")
    mirror = Mirror.of_host()
    if not mirror:
        raise Impossible("apt knows no Debian mirror here; set TORCH_DEBIAN_MIRROR=<address of a Debian archive>")
    releases = {}
    helper = shutil.which("apt-helper") or "/usr/lib/apt/apt-helper"
    with tempfile.TemporaryDirectory() as folder:
        for suite in suites:
            address = f"{mirror.address}/dists/{suite}/InRelease"
            done = subprocess.run(
                [
                    helper,
                    "-qq",
                    "-o",
                    "APT::Sandbox::User=root",
                    "-o",
                    "Acquire::Retries=1",
                    "download-file",
                    address,
                    f"{folder}/{suite}",
                ],
                text=True,
                capture_output=True,
            )
            if done.returncode:
                raise Impossible(f"cannot get {address}: {' '.join(done.stderr.split())}")
            releases[suite] = pathlib.Path(folder, suite).read_text()
    wanted = {"debootstrap": shutil.which("debootstrap"), "debian-archive-keyring": os.path.exists(KEYRING)}
    lacking = [package for package, there in wanted.items() if not there]
    if lacking:
        install = [
            "apt-get",
            "-qq",
            "-o",
            "DPkg::Lock::Timeout=300",
            "install",
            "-y",
            "--no-install-recommends",
            *lacking,
        ]
        quiet = {
            "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
            "text": True,
            "capture_output": True,
        }
        if subprocess.run(install, **quiet).returncode:
            subprocess.run(["apt-get", "-qq", "update"], **quiet)
            done = subprocess.run(install, **quiet)
            if done.returncode:
                raise Impossible(f"apt cannot install {' '.join(lacking)}: {' '.join(done.stderr.split())[-300:]}")
    return releases


class Machine:
    """Debian `suite` in `root`. Paths that its methods take and give are those inside."""

    def __init__(self, root: pathlib.Path, suite: str):
        self.root, self.suite = root, suite
        self.environment: dict[str, str] = {}  # what every command sees, besides PATH and HOME

    def path(self, inside: str) -> pathlib.Path:
        return self.root / inside.lstrip("/")

    def bootstrap(self) -> None:
        """The smallest Debian, and in it a user and this machine's network and apt settings."""
        mirror = Mirror.of_host()
        proxy = re.search(r'^Acquire::http::Proxy "(.+)";', output("apt-config", "dump"), re.M)
        trust = [f"--keyring={mirror.keyring}"] if mirror.keyring else ["--no-check-gpg"]
        self._run(
            ["debootstrap", "--variant=minbase", *trust, self.suite, str(self.root), mirror.address],
            os.environ | ({"http_proxy": proxy[1]} if proxy and "http_proxy" not in os.environ else {}),
        )
        for kind, place in (("proc", "proc"), ("tmpfs", "dev/shm")):
            self.path(place).mkdir(exist_ok=True)
            subprocess.run(["mount", "-t", kind, kind, self.path(place)], check=True)
        for file in ("/etc/resolv.conf", "/etc/hosts"):
            self.path(file).unlink(missing_ok=True)
            shutil.copyfile(file, self.path(file))
        signed = f"[signed-by={mirror.keyring}]" if mirror.keyring else "[trusted=yes]"
        if mirror.keyring:
            shutil.copyfile(mirror.keyring, self.path(mirror.keyring))
        self.path("/etc/apt/sources.list").write_text(f"deb {signed} {mirror.address} {self.suite} main\n")
        settings = [line for line in output("apt-config", "dump").splitlines() if APT_SETTINGS.match(line)]
        # A message's command is run as it stands, so apt must not ask; what it says must be enough.
        settings += [
            'APT::Get::Assume-Yes "true";',
            'APT::Install-Recommends "false";',
            'Acquire::Languages "none";',
        ]
        self.path("/etc/apt/apt.conf.d/90host").write_text("\n".join(settings) + "\n")
        self.as_root("useradd", "--create-home", "--shell", "/bin/sh", USER)

    def carry_pip_settings(self) -> None:
        """Index, proxies and certificates, and the files and folders that they name. After that packages
        may no longer change /etc/ssl."""
        self.environment = {name: value for name, value in os.environ.items() if ENVIRONMENT.fullmatch(name)}
        config = configparser.RawConfigParser()
        for line in output(sys.executable, "-m", "pip", "config", "list").splitlines():
            key, _, value = line.partition("=")
            section, _, name = key.rpartition(".")
            if section and section != ":env:":
                config.setdefault(section, {})[name] = ast.literal_eval(value)
        with self.path("/etc/pip.conf").open("w") as file:
            config.write(file)
        values = [
            *self.environment.values(),
            *(value for section in config.values() for value in section.values()),
        ]
        for word in " ".join(values).split():
            # A local index has its files beside the folder that it is named by.
            path = word if not word.startswith("file://") else os.path.dirname(word.removeprefix("file://").rstrip("/"))
            if path.startswith("/") and os.path.exists(path):
                self._carry(path)

    def _carry(self, path: str) -> None:
        """The host's file as a copy, its folder as a view that cannot be written to."""
        target = self.path(path)
        if os.path.isfile(path):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        elif not target.exists():
            target.mkdir(parents=True)
            subprocess.run(["mount", "--bind", path, target], check=True)
            subprocess.run(["mount", "-o", "remount,bind,ro", target], check=True)

    def copy_checkout(self, checkout: pathlib.Path, target: str) -> None:
        """The files that git knows or would add, with their present content: no build, no ignored file."""
        for name in checkout_files(checkout):
            source, copy = checkout / name, self.path(target) / name
            if source.is_symlink() or source.is_file():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, copy, follow_symlinks=False)
        self.give(target)

    def give(self, target: str) -> None:
        """To the user."""
        self.as_root("chown", "-R", f"{USER}:{USER}", target)

    def as_root(self, *command: str) -> str:
        """Runs a command, returns what it wrote (both streams). Raises CommandFailed."""
        return self._enter(["--userspec=0:0"], command, "/", {"HOME": "/root", "DEBIAN_FRONTEND": "noninteractive"})

    def as_user(self, *command: str, cwd: str = "/", **environment: str) -> str:
        """The same as an unprivileged user who works in the virtual environment `venv` at home."""
        path = f"{HOME}/venv/bin:/usr/local/bin:/usr/bin:/bin"
        return self._enter(
            [f"--userspec={USER}:{USER}"],
            command,
            cwd,
            {"HOME": HOME, "USER": USER, "PATH": path} | environment,
        )

    def _enter(self, who: list[str], command: tuple, cwd: str, environment: dict) -> str:
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        environment = {"PATH": path, "LC_ALL": "C.UTF-8", "TERM": "dumb"} | self.environment | environment
        words = [f"{name}={value}" for name, value in environment.items()]
        return self._run(
            [
                "chroot",
                *who,
                str(self.root),
                "/usr/bin/env",
                "-i",
                *words,
                "/bin/sh",
                "-c",
                'cd "$0" && exec "$@"',
                cwd,
                *map(str, command),
            ],
            None,
            show=command,
        )

    def _run(self, command: list[str], environment: dict | None, show=None) -> str:
        done = subprocess.run(
            command,
            env=environment,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if done.returncode:
            end = "\n".join(done.stdout.splitlines()[-60:])
            error = CommandFailed(f"{' '.join(map(str, show or command))}\n{end}\nexit status {done.returncode}")
            error.output = done.stdout
            raise error
        return done.stdout

    def remove(self) -> None:
        """Frees the memory or the disk before the next machine is made."""
        mounts = [line.split()[1] for line in pathlib.Path("/proc/mounts").read_text().splitlines()]
        for place in sorted((place for place in mounts if pathlib.Path(place).is_relative_to(self.root)), reverse=True):
            subprocess.run(["umount", place], check=True)
        shutil.rmtree(self.root)
