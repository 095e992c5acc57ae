"""Whether real PyTorch reads what ours writes. Run by hand, from a folder without torch/:

    PYTHON_WITH_OURS …/tests/serialization/read_ours.py write FOLDER
    cd /tmp && /tmp/oracle/bin/python …/tests/serialization/read_ours.py read FOLDER

and the other way round, which the tests do with the files of data/, too.
"""

import pathlib
import pickle
import sys
import warnings

import torch
from objects import containers, dtypes, same, storages, subclassed, tensors

OBJECTS = [containers, dtypes, storages, subclassed, tensors]


def main(mode, folder):
    """Writes or reads a file for each object, at the protocols that weights_only knows and those that it does not."""
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    warnings.simplefilter("ignore")
    for make in OBJECTS:
        for protocol in (2, 4):
            path = folder / f"{make.__name__}.{protocol}.pt"
            if mode == "write":
                torch.save(make(), path, pickle_protocol=protocol)
                continue
            for options in [{"weights_only": False}, {"weights_only": True}, {"mmap": True}][
                : 3 if protocol == 2 else 1
            ]:
                if not same(torch.load(path, **options), make()):
                    raise SystemExit(f"{path} differs with {options}")
    if mode == "read":
        print(f"torch {torch.__version__} reads all {len(OBJECTS) * 2} files of {folder}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except pickle.UnpicklingError as error:
        raise SystemExit(str(error)) from None
