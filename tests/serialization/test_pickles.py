"""Plain pickles: ours name only what PyTorch has, and are loaded there (pickled.py, by hand); PyTorch's are loaded here."""

import pathlib
import pickle
import subprocess
import sys
import zipfile

import pickled
import pytest
import torch
from objects import same

DATA = pathlib.Path(__file__).parent / "data"
KNOWN = set((DATA / "pickled_names.txt").read_text().splitlines())
VALUES, OTHERS = pickled.values(), pickled.others()
ours = pytest.mark.skipif(not pickled.OURS, reason="PyTorch's own are named otherwise, or are not read back")


def test_every_kind_of_pickle_is_asked():
    assert len(KNOWN) > 400 and {"torch._utils _rebuild_tensor_v2", "torch.storage TypedStorage"} <= KNOWN
    names = pickled.names_in(pickle.dumps([VALUES["bool"], torch.float32, torch.float32], 4))
    assert {("torch._utils", "_rebuild_tensor_v2"), ("torch", "float32")} <= names
    assert pickled.names_in(pickle.dumps(pickled.names, 0)) == {("pickled", "names")}


@ours
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("protocol", pickled.PROTOCOLS)
@pytest.mark.parametrize("name", [*VALUES, *OTHERS])
def test_pickles_name_only_what_pytorch_has(name, protocol):
    data = pickle.dumps((VALUES | OTHERS)[name], protocol)
    found = {f"{module} {own}" for module, own in pickled.names_in(data) if module.split(".")[0] == "torch"}
    assert found <= KNOWN


@ours
def test_classes_and_functions_are_where_pytorch_has_them():
    found = set()
    for value in pickled.classes():
        found |= {f"{module} {own}" for module, own in pickled.names_in(pickle.dumps(value))}
    assert len(found) > 300 and found <= KNOWN


@ours
@pytest.mark.parametrize("protocol", pickled.PROTOCOLS)
@pytest.mark.parametrize("name", VALUES)
def test_they_come_back(name, protocol):
    assert same(pickle.loads(pickle.dumps(VALUES[name], protocol)), VALUES[name])


@ours
@pytest.mark.parametrize("protocol", pickled.PROTOCOLS)
def test_storages_are_shared_still_and_can_grow(protocol):
    base = torch.arange(6.0)
    a, b, storage = pickle.loads(pickle.dumps((base, base[1:3], base.untyped_storage()), protocol))
    b[0] = 7
    assert a[1] == 7 and a.untyped_storage() is b.untyped_storage() is storage
    if protocol < 5:  # else it lies in the pickle's buffer
        assert a.resize_(100).numel() == 100


def test_pickles_of_pytorch():
    loaded = 0
    with zipfile.ZipFile(DATA / "pickles.zip") as archive:
        for name, value in (VALUES | OTHERS).items():
            for protocol in pickled.PROTOCOLS:
                file = f"{name.replace(' ', '_')}.{protocol}.pkl"
                if file not in archive.namelist():
                    assert name.startswith((*pickled.ONLY_OURS, "generator"))
                    continue
                got = pickle.loads(archive.read(file))
                assert name in OTHERS or same(got, value), file
                loaded += 1
    assert loaded > 200


def test_a_new_process_knows_the_named_tuples():
    data = pickle.dumps((torch.ones(2, 2).max(0), torch.linalg.eigh(torch.eye(2))))
    program = f"import pickle, torch; print([type(t).__name__ for t in pickle.loads({data!r})])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "['torch.return_types.max', 'torch.return_types.linalg_eigh']\n" or (
        done.stdout == "['max', 'linalg_eigh']\n"
    ), done.stderr
    assert torch.return_types.topk.__match_args__ == ("values", "indices")
    with pytest.raises(AttributeError):
        repr(torch.return_types.add)
