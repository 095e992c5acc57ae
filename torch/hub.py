"""Models that others have published: a folder or a repository of GitHub with a file hubconf.py, whose functions make them,
and files of parameters by URL.

What is fetched goes to a temporary file or folder beside its place and is moved there when it is complete and checked:
nothing is half written, and an archive whose paths leave its folder is refused.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import re
import shutil
import sys
import tempfile
import uuid
import warnings
import zipfile
from urllib.error import HTTPError, URLError
from urllib.parse import urlparse
from urllib.request import Request, urlopen

from torch._hub_progress import tqdm

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Any


__all__ = [
    "download_url_to_file",
    "get_dir",
    "help",
    "list",
    "load",
    "load_state_dict_from_url",
    "set_dir",
]

ENV_TORCH_HOME, ENV_XDG_CACHE_HOME, DEFAULT_CACHE_DIR = "TORCH_HOME", "XDG_CACHE_HOME", "~/.cache"
ENV_GITHUB_TOKEN = "GITHUB_TOKEN"
HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")  # the first digits of the SHA-256 in a file's name: resnet18-bf5adb34.pth
MODULE_HUBCONF, VAR_DEPENDENCY = "hubconf.py", "dependencies"
READ_DATA_CHUNK = 128 * 1024
_TRIES = 4  # how often a broken download is gone on with
_TRUSTED_BEFORE_THE_LIST = ("facebookresearch", "facebookincubator", "pytorch", "fairinternal")

_hub_dir = None


# ---- folders -----------------------------------------------------------------------------------------------
def _get_torch_home():
    default = os.path.join(os.getenv(ENV_XDG_CACHE_HOME, DEFAULT_CACHE_DIR), "torch")
    return os.path.expanduser(os.getenv(ENV_TORCH_HOME, default))


def get_dir() -> str:
    """The folder for what is fetched: `set_dir`'s, else $TORCH_HOME/hub, $XDG_CACHE_HOME/torch/hub, ~/.cache/torch/hub."""
    if os.getenv("TORCH_HUB"):
        warnings.warn("TORCH_HUB is deprecated, please use env TORCH_HOME instead", stacklevel=2)
    return os.path.join(_get_torch_home(), "hub") if _hub_dir is None else _hub_dir


def set_dir(d: str | os.PathLike) -> None:
    """Sets the folder for what is fetched."""
    global _hub_dir
    _hub_dir = os.path.expanduser(d)


# ---- files by URL ------------------------------------------------------------------------------------------
class _Interrupted(Exception):
    """The connection broke before all had come."""


def _pieces(url, done):
    """(bytes in all or None, the bytes from `done` on in pieces, whether the server began there) of what a URL gives."""
    headers = {"User-Agent": "torch.hub"}
    if done:
        headers["Range"] = f"bytes={done}-"
    try:
        answer = urlopen(Request(url, headers=headers))
    except HTTPError:
        raise
    except (URLError, OSError) as error:
        raise URLError(f"{url} cannot be reached: {getattr(error, 'reason', error)}") from error
    length = answer.headers.get("Content-Length")
    goes_on = bool(done) and getattr(answer, "status", None) == 206
    total = int(length) + (done if goes_on else 0) if length else None
    return total, answer, goes_on


def _fetch(url, file, digest, progress):
    """Writes what the URL gives into `file`; a connection that breaks is made again where it broke."""
    bar = total = None
    done = 0
    try:
        for attempt in range(_TRIES):
            total, answer, goes_on = _pieces(url, done)
            if done and not goes_on:  # the server cannot begin in the middle
                file.seek(0)
                file.truncate()
                digest.__init__()
                done = 0
            if bar is None:
                bar = tqdm(total=total, disable=not progress, unit="B", unit_scale=True, unit_divisor=1024)
            with answer:
                broken = None
                while True:
                    try:
                        piece = answer.read(READ_DATA_CHUNK)
                    except Exception as error:
                        broken = error
                        break
                    if not piece:
                        break
                    file.write(piece)
                    digest.update(piece)
                    done += len(piece)
                    bar.update(len(piece))
            if broken is None and (total is None or done >= total):
                return
            if attempt == _TRIES - 1:
                raise URLError(f"{url}: the connection broke after {done} of {total or 'unknown'} bytes: {broken}")
    finally:
        if bar is not None:
            bar.close()


class _Digest:
    """A SHA-256 that can begin anew."""

    def __init__(self):
        self.sum = hashlib.sha256()

    def update(self, piece):
        self.sum.update(piece)

    def hexdigest(self):
        return self.sum.hexdigest()


def download_url_to_file(url: str, dst: str, hash_prefix: str | None = None, progress: bool = True) -> None:
    """Fetches a URL, also file://…, into the file `dst`.

    hash_prefix: what its SHA-256 must begin with, in hexadecimal. progress: whether a bar is shown on stderr.
    A broken connection is taken up again where it broke. RuntimeError for another hash, URLError without a network, HTTPError
    for what the server refuses; `dst` is then as it was."""
    dst = os.path.expanduser(os.fspath(dst))
    partial = f"{dst}.{uuid.uuid4().hex}.partial"
    digest = _Digest()
    try:
        with open(partial, "xb") as file:
            _fetch(url, file, digest, progress)
        found = digest.hexdigest()
        if hash_prefix is not None and not found.startswith(hash_prefix):
            raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{found}") of {url}')
        shutil.move(partial, dst)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(partial)


def _one_zipped_file(path):
    """The name of the only file in a zip archive, as PyTorch 1.5 and older models were published; None for others."""
    if not zipfile.is_zipfile(path):
        return None
    with zipfile.ZipFile(path) as archive:
        names = [info for info in archive.infolist() if not info.is_dir()]
    return names[0].filename if len(names) == 1 else None


def load_state_dict_from_url(
    url: str,
    model_dir: str | None = None,
    map_location=None,
    progress: bool = True,
    check_hash: bool = False,
    file_name: str | None = None,
    weights_only: bool = False,
) -> dict[str, Any]:
    """torch.load() of the file that a URL gives, which is fetched once.

    model_dir: the folder for it, get_dir()/checkpoints by default. file_name: its name there, the URL's by default.
    check_hash: whether its SHA-256 must begin with the digits in the name of the URL, as in resnet18-bf5adb34.pth."""
    import torch

    if os.getenv("TORCH_MODEL_ZOO"):
        warnings.warn("TORCH_MODEL_ZOO is deprecated, please use env TORCH_HOME instead", stacklevel=2)
    folder = os.path.join(get_dir(), "checkpoints") if model_dir is None else os.fspath(model_dir)
    os.makedirs(folder, exist_ok=True)
    name = os.path.basename(urlparse(url).path) if file_name is None else file_name
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        sys.stdout.write(f'Downloading: "{url}" to {path}\n')
        found = HASH_REGEX.search(os.path.basename(urlparse(url).path)) if check_hash else None
        download_url_to_file(url, path, found.group(1) if found else None, progress=progress)
    inner = _one_zipped_file(path)
    if inner is None:
        return torch.load(path, map_location=map_location, weights_only=weights_only)
    with tempfile.TemporaryDirectory(dir=folder) as unpacked:
        _unpack(path, unpacked)
        return torch.load(os.path.join(unpacked, inner), map_location=map_location, weights_only=weights_only)


# ---- archives ----------------------------------------------------------------------------------------------
def _unpack(path, folder):
    """Unpacks a zip archive. RuntimeError, before anything is written, if a path in it leaves the folder or is a link."""
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            parts = pathlib.PurePosixPath(info.filename.replace("\\", "/"))
            if parts.is_absolute() or ".." in parts.parts or re.match(r"[A-Za-z]:", info.filename):
                raise RuntimeError(f"{path}: the archive is refused, its path {info.filename!r} leaves the folder")
            if (info.external_attr >> 28) == 0xA:
                raise RuntimeError(f"{path}: the archive is refused, {info.filename!r} is a link")
        archive.extractall(folder)


# ---- repositories ------------------------------------------------------------------------------------------
def _git_archive_link(owner, name, ref):
    return f"https://github.com/{owner}/{name}/zipball/{ref}"


def _cached(owner, name, ref):
    return os.path.join(get_dir(), "_".join((owner, name, ref.replace("/", "_"))))


def _parse_repo_info(github):
    """(owner, name, ref) of "owner/name:ref"; without a ref the repository's branch main or master."""
    repository, _, ref = github.partition(":")
    owner, _, name = repository.partition("/")
    if not owner or not name or "/" in name:
        raise ValueError(f"a repository of GitHub is owner/name or owner/name:ref, not {github!r}")
    if ref:
        return owner, name, ref
    try:
        with urlopen(f"https://github.com/{owner}/{name}/tree/main/"):
            return owner, name, "main"
    except HTTPError as error:
        if error.code != 404:
            raise
        return owner, name, "master"
    except URLError as error:
        for branch in ("main", "master"):
            if os.path.exists(_cached(owner, name, branch)):
                return owner, name, branch
        raise RuntimeError(
            f"It looks like there is no internet connection ({error.reason}) and {github} could not be found in {get_dir()}"
        ) from None


def _read_url(url):
    headers = {"Accept": "application/vnd.github.v3+json"}
    if os.environ.get(ENV_GITHUB_TOKEN):
        headers["Authorization"] = f"token {os.environ[ENV_GITHUB_TOKEN]}"
    with urlopen(Request(url, headers=headers)) as answer:
        return answer.read().decode(answer.headers.get_content_charset("utf-8"))


def _validate_not_a_forked_repo(owner, name, ref):
    """ValueError unless the ref is a branch or tag of the repository itself: GitHub also serves those of its forks."""
    import json

    for kind in ("branches", "tags"):
        page = 0
        while True:
            page += 1
            url = f"https://api.github.com/repos/{owner}/{name}/{kind}?per_page=100&page={page}"
            found = json.loads(_read_url(url))
            if not found:
                break
            for entry in found:
                if ref in (entry["name"], entry["commit"]["sha"]) or entry["commit"]["sha"].startswith(ref):
                    return
    raise ValueError(
        f"Cannot find {ref} in https://github.com/{owner}/{name}: a commit of a fork is loaded from the fork, owner/name:ref"
    )


def _check_repo_is_trusted(owner, name, trust_repo, calling_fn="load"):
    """Asks the user, or raises, whether code of a repository that has not been used before may run."""
    path = os.path.join(get_dir(), "trusted_list")
    os.makedirs(get_dir(), exist_ok=True)
    pathlib.Path(path).touch()
    trusted = pathlib.Path(path).read_text().split()
    known = f"{owner}_{name}"
    if known in trusted or owner in _TRUSTED_BEFORE_THE_LIST:
        return
    if trust_repo is False or trust_repo == "check":
        answer = (
            input(
                f"No code of {owner}/{name} has run here before. Is the repository to be trusted, now and later (y/N)? "
            )
            .strip()
            .lower()
        )
        if answer in ("", "n", "no"):
            raise Exception("Untrusted repository.")  # noqa: TRY002 - PyTorch's
        if answer not in ("y", "yes"):
            raise ValueError(f"Unrecognized response {answer}.")
    elif trust_repo is None:
        warnings.warn(
            f"You are about to download and run code from an untrusted repository, {owner}/{name}: pass trust_repo=True "
            f"to {calling_fn} if you trust it",
            stacklevel=4,
        )
        return
    with open(path, "a") as file:
        file.write(known + "\n")


def _get_cache_or_reload(github, force_reload, trust_repo, calling_fn, verbose=True, skip_validation=False):
    """The folder with the repository, fetched if it is not there."""
    if trust_repo not in (True, False, None, "check"):
        raise ValueError(f"trust_repo must be True, False, None or 'check', not {trust_repo!r}")
    owner, name, ref = _parse_repo_info(github)
    folder = _cached(owner, name, ref)
    _check_repo_is_trusted(owner, name, trust_repo, calling_fn)
    if os.path.exists(folder) and not force_reload:
        if verbose:
            sys.stderr.write(f"Using cache found in {folder}\n")
        return folder
    try:
        if not skip_validation:
            _validate_not_a_forked_repo(owner, name, ref)
        with tempfile.TemporaryDirectory(dir=get_dir()) as work:
            archive = os.path.join(work, "archive.zip")
            url = _git_archive_link(owner, name, ref)
            sys.stdout.write(f'Downloading: "{url}" to {archive}\n')
            download_url_to_file(url, archive, progress=False)
            _install(archive, os.path.join(work, "unpacked"), folder)
    except HTTPError as error:
        if error.code == 300:
            raise Exception(  # noqa: TRY002 - PyTorch's
                f"The ref {ref} of {owner}/{name} is both a tag and a branch: write refs/heads/{ref} or refs/tags/{ref}"
            ) from None
        raise
    except URLError as error:
        raise RuntimeError(f"{github} cannot be fetched without a network: {error.reason}") from None
    return folder


def _install(archive, work, folder):
    """Moves the one folder of an archive to `folder`, whose place it takes."""
    _unpack(archive, work)
    (content,) = os.listdir(work)
    old = f"{folder}.{uuid.uuid4().hex}.old"
    if os.path.exists(folder):
        os.rename(folder, old)
    shutil.move(os.path.join(work, content), folder)
    shutil.rmtree(old, ignore_errors=True)


# ---- hubconf.py --------------------------------------------------------------------------------------------
@contextlib.contextmanager
def _add_to_sys_path(path):
    sys.path.insert(0, os.fspath(path))
    try:
        yield
    finally:
        sys.path.remove(os.fspath(path))


def _import_module(name, path):
    """A module of a file, under a name."""
    import importlib.util

    if not os.path.exists(path):
        raise FileNotFoundError(f"{path} is missing: a repository or folder for torch.hub has a file {MODULE_HUBCONF}")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


import_module = _import_module


def _hubconf(folder):
    module = _import_module(MODULE_HUBCONF, os.path.join(folder, MODULE_HUBCONF))
    _check_dependencies(module)
    return module


def _check_dependencies(module):
    """RuntimeError unless the packages are there that hubconf.py names in `dependencies`."""
    import importlib.util

    missing = [name for name in getattr(module, VAR_DEPENDENCY, None) or () if importlib.util.find_spec(name) is None]
    if missing:
        raise RuntimeError(f"Missing dependencies: {', '.join(missing)}")


def _entry(module, model):
    if not isinstance(model, str):
        raise ValueError("Invalid input: model should be a string of function name")
    function = getattr(module, model, None)
    if function is None or not callable(function):
        raise RuntimeError(f"Cannot find callable {model} in hubconf")
    return function


def list(github, force_reload=False, skip_validation=False, trust_repo="check", verbose=True):  # noqa: A001
    """The names of the models in the repository "owner/name:ref" of GitHub: the public functions of its hubconf.py."""
    folder = _get_cache_or_reload(github, force_reload, trust_repo, "list", verbose, skip_validation)
    with _add_to_sys_path(folder):
        module = _import_module(MODULE_HUBCONF, os.path.join(folder, MODULE_HUBCONF))
    return [name for name in dir(module) if callable(getattr(module, name)) and not name.startswith("_")]


def help(github, model, force_reload=False, skip_validation=False, trust_repo="check"):  # noqa: A001
    """The docstring of a model in a repository."""
    folder = _get_cache_or_reload(github, force_reload, trust_repo, "help", True, skip_validation)
    with _add_to_sys_path(folder):
        return _entry(_hubconf(folder), model).__doc__


def load(
    repo_or_dir,
    model,
    *args,
    source="github",
    trust_repo="check",
    force_reload=False,
    verbose=True,
    skip_validation=False,
    **kwargs,
):
    """What the function `model` of a hubconf.py returns for the arguments.

    source: "github", where `repo_or_dir` is "owner/name:ref", or "local", where it is a folder. force_reload: fetch the
    repository again. trust_repo: True, to run code of a repository not used before; "check", to be asked."""
    source = source.lower()
    if source not in ("github", "local"):
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    if source == "github":
        repo_or_dir = _get_cache_or_reload(repo_or_dir, force_reload, trust_repo, "load", verbose, skip_validation)
    return _load_local(repo_or_dir, model, *args, **kwargs)


def _load_local(folder, model, *args, **kwargs):
    with _add_to_sys_path(folder):
        return _entry(_hubconf(folder), model)(*args, **kwargs)
