"""torch.hub: models from folders and repositories, files by URL. A server on this machine stands for the network."""

import functools
import hashlib
import http.server
import os
import threading
import urllib.error
import zipfile

import pytest
import torch
from torch import hub

HUBCONF = (
    "dependencies = ['torch']\nfrom other import one\ndef model(x=1):\n    'doc'\n    return x + one\n_hidden = 3\n"
)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Breaks off each answer in the middle until it is asked for a part; `whole`: never."""

    whole = True

    def do_GET(self):
        path = os.path.join(self.directory, self.path.lstrip("/"))
        if not os.path.exists(path):
            return self.send_error(404)
        data = open(path, "rb").read()
        start = int((self.headers.get("Range") or "bytes=0-")[6:-1])
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        self.wfile.write(data[start:] if self.whole or start else data[: len(data) // 2])

    def log_message(self, *args):
        pass


@pytest.fixture
def served(tmp_path):
    """(a folder, the URL that it is served at)"""
    folder = tmp_path / "served"
    folder.mkdir()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield folder, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()
    Handler.whole = True


@pytest.fixture(autouse=True)
def hub_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, "_hub_dir", None)
    monkeypatch.setenv("TORCH_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "hub"


def test_folder(hub_folder, monkeypatch, tmp_path):
    assert hub.get_dir() == str(hub_folder)
    monkeypatch.delenv("TORCH_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert hub.get_dir() == "/x/torch/hub"
    hub.set_dir(tmp_path)
    assert hub.get_dir() == str(tmp_path)


# ---- files -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("whole", [True, False], ids=["at once", "taken up again"])
def test_download(served, tmp_path, whole, capsys):
    folder, url = served
    Handler.whole = whole
    data = os.urandom(500_000)
    (folder / "file").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    hub.download_url_to_file(f"{url}/file", tmp_path / "got", hash_prefix=digest[:8])
    assert (tmp_path / "got").read_bytes() == data and "100" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["hash", "missing", "nobody"])
def test_nothing_is_half_written(served, tmp_path, what):
    folder, url = served
    (folder / "file").write_bytes(b"abc")
    (tmp_path / "got").write_text("before")
    error, match = {
        "hash": (RuntimeError, 'invalid hash value \\(expected "00", got "ba78'),
        "missing": (urllib.error.HTTPError, "404"),
        "nobody": (urllib.error.URLError, "cannot be reached"),
    }[what]
    place = {"hash": f"{url}/file", "missing": f"{url}/none", "nobody": "http://127.0.0.1:9/x"}[what]
    with pytest.raises(error, match=match):
        hub.download_url_to_file(place, tmp_path / "got", hash_prefix="00", progress=False)
    assert (tmp_path / "got").read_text() == "before" and sorted(os.listdir(tmp_path)) == ["got", "served"]


@pytest.mark.parametrize("zipped", [False, True])
def test_state_dict(served, hub_folder, zipped, capsys):
    folder, url = served
    torch.save({"w": torch.arange(3.0)}, folder / "plain.pth")
    if zipped:
        with zipfile.ZipFile(folder / "whole.pth", "w") as archive:
            archive.write(folder / "plain.pth", "plain.pth")
    else:
        os.rename(folder / "plain.pth", folder / "whole.pth")
    digest = hashlib.sha256((folder / "whole.pth").read_bytes()).hexdigest()
    name = f"net-{digest[:8]}.pth"
    os.rename(folder / "whole.pth", folder / name)
    for _ in range(2):  # the second time without the server's file
        found = torch.utils.model_zoo.load_url(f"{url}/{name}", check_hash=True, progress=False)
        assert found["w"].tolist() == [0, 1, 2] and os.listdir(hub_folder / "checkpoints") == [name]
        (folder / name).unlink(missing_ok=True)
    shown = capsys.readouterr()  # what is fetched on one, progress on the other
    assert shown.out == f'Downloading: "{url}/{name}" to {hub_folder / "checkpoints" / name}\n' and not shown.err
    (folder / "net-00000000.pth").write_bytes(b"x")
    with pytest.raises(RuntimeError, match="invalid hash"):
        hub.load_state_dict_from_url(f"{url}/net-00000000.pth", check_hash=True, progress=False)


# ---- folders and repositories ------------------------------------------------------------------------------
def write_repository(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hubconf.py").write_text(HUBCONF)
    (folder / "other.py").write_text("one = 1\n")
    return folder


def test_a_local_folder(tmp_path):
    folder = str(write_repository(tmp_path / "repository"))
    assert hub.load(folder, "model", source="local") == 2 and hub.load(folder, "model", 4, source="local") == 5
    for wrong, error, match in (
        ("none", RuntimeError, "Cannot find callable none in hubconf"),
        (3, ValueError, "string"),
    ):
        with pytest.raises(error, match=match):
            hub.load(folder, wrong, source="local")
    with pytest.raises(ValueError, match="Unknown source"):
        hub.load(folder, "model", source="elsewhere")
    with pytest.raises(FileNotFoundError, match=r"hubconf\.py"):
        hub.load(str(tmp_path / "none"), "model", source="local")
    (tmp_path / "repository" / "hubconf.py").write_text("dependencies = ['no_such_package_here']\nmodel = print\n")
    with pytest.raises(RuntimeError, match="Missing dependencies: no_such_package_here"):
        hub.load(folder, "model", source="local")


def archive_of(path, **files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/").replace("_py", ".py"), text)


def test_a_repository(served, hub_folder, monkeypatch):
    folder, url = served
    monkeypatch.setattr(hub, "_git_archive_link", lambda owner, name, ref: f"{url}/{owner}-{name}-{ref}.zip")
    archive_of(folder / "me-nets-v1.zip", top__hubconf_py=HUBCONF, top__other_py="one = 1\n")
    how = {"trust_repo": True, "skip_validation": True}
    assert hub.load("me/nets:v1", "model", 2, **how) == 3
    (folder / "me-nets-v1.zip").unlink()
    assert hub.list("me/nets:v1", **how) == ["model"] and hub.help("me/nets:v1", "model", **how) == "doc"
    assert (hub_folder / "trusted_list").read_text() == "me_nets\n"
    assert sorted(os.listdir(hub_folder)) == ["me_nets_v1", "trusted_list"]
    archive_of(folder / "me-nets-v1.zip", top__hubconf_py="def model():\n    return 7\n")
    assert hub.load("me/nets:v1", "model", force_reload=True, **how) == 7
    with pytest.raises(ValueError, match="owner/name"):
        hub.load("nets", "model")


@pytest.mark.parametrize("path", ["../evil.py", "/evil.py", "top/../../evil.py"])
def test_archives_that_leave_their_folder(served, hub_folder, monkeypatch, path, tmp_path):
    folder, url = served
    monkeypatch.setattr(hub, "_git_archive_link", lambda *repository: f"{url}/evil.zip")
    with zipfile.ZipFile(folder / "evil.zip", "w") as archive:
        archive.writestr("top/hubconf.py", HUBCONF)
        archive.writestr(path, "evil")
    with pytest.raises(RuntimeError, match="refused.*evil.py"):
        hub.load("me/evil:v1", "model", trust_repo=True, skip_validation=True)
    assert os.listdir(hub_folder) == ["trusted_list"] and not list(tmp_path.rglob("evil.py"))


def test_without_a_network(hub_folder, monkeypatch):
    def nobody(*args, **kwargs):
        raise urllib.error.URLError("no network")

    monkeypatch.setattr(hub, "urlopen", nobody)
    with pytest.raises(RuntimeError, match="no internet connection .no network. and me/nets could not be found in"):
        hub.load("me/nets", "model", trust_repo=True)
    with pytest.raises(RuntimeError, match="cannot be fetched without a network"):
        hub.load("me/nets:v1", "model", trust_repo=True)
    write_repository(hub_folder / "me_nets_main")
    assert hub.load("me/nets", "model", trust_repo=True) == 2


def test_untrusted(monkeypatch):
    monkeypatch.setattr("builtins.input", lambda text: "n")
    with pytest.raises(Exception, match="Untrusted"):
        hub.load("me/nets:v1", "model")
