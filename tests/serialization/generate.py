"""Writes tests/serialization/data: files that real PyTorch has made, in every format.

cd /tmp && /tmp/oracle/bin/python …/tests/serialization/generate.py
"""

import io
import pathlib
import pickle
import struct
import tarfile
import warnings
import zipfile

import torch
from objects import containers, dtypes, storages, stored, subclassed, tensors, typed_storages

HERE = pathlib.Path(__file__).parent / "data"


def parameters():
    """What a module's state may hold."""
    return {
        "p": torch.nn.Parameter(torch.ones(2), requires_grad=False),
        "g": torch.nn.Parameter(torch.ones(2)),
        "r": torch.ones(2, requires_grad=True),
    }


def tar(path):
    """The format of 2016, which no PyTorch writes any more: three files of pickles and bytes."""
    floats = struct.pack("<q6f", 6, *range(6))
    parts = {
        "storages": [pickle.dumps(1, 2), pickle.dumps((10, "cpu", torch.FloatStorage), 2), floats]
        + [pickle.dumps([(11, 10, 2, 3)], 2)],
        "tensors": [pickle.dumps(2, 2)]
        + [pickle.dumps((20, 10, torch.FloatTensor), 2), struct.pack("<ii2q2qq", 2, 0, 2, 3, 3, 1, 0)]
        + [pickle.dumps((21, 11, torch.FloatTensor), 2), struct.pack("<ii1q1qq", 1, 0, 2, 1, 1)],
    }

    class Named:
        def __init__(self, key):
            self.key = key

    class Pickler(pickle.Pickler):
        def persistent_id(self, obj):
            return str(obj.key) if isinstance(obj, Named) else None

    data = io.BytesIO()
    pickler = Pickler(data, 2)
    pickler.dump({"a": Named(20), "b": Named(21)})
    parts["pickle"] = [data.getvalue()]
    with tarfile.open(path, "w:", format=tarfile.PAX_FORMAT) as out:
        for name, pieces in parts.items():
            info = tarfile.TarInfo(name)
            info.size = sum(map(len, pieces))
            out.addfile(info, io.BytesIO(b"".join(pieces)))


def main():
    """Writes the files."""
    warnings.simplefilter("ignore")
    HERE.mkdir(exist_ok=True)
    every = dtypes()
    torch.save(containers(), HERE / "containers.pt")
    torch.save(tensors(), HERE / "tensors.pt")
    torch.save(every, HERE / "dtypes.pt")
    torch.save(subclassed(), HERE / "attributes.pt")
    torch.save(parameters(), HERE / "parameters.pt")
    torch.save(storages(), HERE / "storages.pt")
    torch.save(torch.arange(3), HERE / "tensor.v2.pt")
    complexes = {n: torch.tensor([1 + 2j, -1j], dtype=getattr(torch, n)) for n in ("complex64", "complex128")}
    torch.save(complexes, HERE / "complex.pt")
    torch.save(stored(), HERE / "stored.pt")
    big = torch.load(HERE / "dtypes.pt")
    for tensor in big.values():
        tensor.untyped_storage().byteswap(tensor.dtype)
    # A file of an old PyTorch on a big-endian machine: the bytes of elements the other way round, and no word about it.
    torch.save(big, data := io.BytesIO())
    with zipfile.ZipFile(data) as source, zipfile.ZipFile(HERE / "big_endian.pt", "w") as target:
        for info in source.infolist():
            if not info.filename.endswith("/byteorder"):
                target.writestr(info.filename, source.read(info))
    # The same objects as another zip program packs them.
    with zipfile.ZipFile(HERE / "tensors.pt") as source:
        with zipfile.ZipFile(HERE / "deflated.pt", "w", zipfile.ZIP_DEFLATED) as target:
            for info in source.infolist():
                target.writestr(info.filename, source.read(info))
    torch.load(HERE / "deflated.pt")
    for name, obj in (("tensors", tensors()), ("dtypes", every), ("stored", stored()), ("storages", typed_storages())):
        torch.save(obj, HERE / f"{name}.legacy.pt", _use_new_zipfile_serialization=False)
    (HERE / "pickled.pkl").write_bytes(pickle.dumps(tensors()["view"], 2))
    tar(HERE / "tensors.tar.pt")
    loaded = torch.load(HERE / "tensors.tar.pt", weights_only=False)
    assert loaded["a"].tolist() == [[0, 1, 2], [3, 4, 5]] and loaded["b"].tolist() == [3, 4], loaded


if __name__ == "__main__":
    main()
