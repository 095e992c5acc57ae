"""Objects that are pickled, and the names that their pickles hold: what must be there where they are loaded. Run by hand,
from a folder without torch/:

    PYTHON_WITH_OURS …/tests/serialization/pickled.py names >FILE
    cd /tmp && /tmp/oracle/bin/python …/tests/serialization/pickled.py known FILE >…/data/pickled_names.txt

writes those of our pickles' names that PyTorch has, and

    PYTHON_WITH_OURS …/tests/serialization/pickled.py write FOLDER
    cd /tmp && /tmp/oracle/bin/python …/tests/serialization/pickled.py read FOLDER

loads our pickles there, or, the other way round, its own here. `pack FOLDER` writes those to data/pickles.zip.
"""

import importlib
import pathlib
import pickle
import pickletools
import sys
import warnings
import zipfile

import torch
import torch.distributions
import torch.nn as nn
import torch.optim
import torch.utils.data
from objects import same, stored, tensors
from torch.nn.utils.rnn import pack_sequence

HERE = pathlib.Path(__file__).parent
OURS = not hasattr(torch._C, "_jit_init")
# PyTorch does not read these back from what it has pickled itself, but from our pickles.
ONLY_OURS = ("stored.", "untyped", "empty untyped", "memory format")
PROTOCOLS = range(6)


class _Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten())
        self.last = nn.Linear(8, 2)
        self.drop = nn.Dropout()


class _Derived(torch.Tensor):
    """A tensor of a type of the user's."""


def values():
    """{name: object} of what pickle.loads gives back as it was, comparable by `same`."""
    base = torch.arange(12.0).view(3, 4)
    made = {f"tensor.{name}": value for name, value in tensors().items()}
    made |= {f"stored.{name}": value for name, value in stored().items()}
    made |= {
        "bool": torch.tensor([True, False]),
        "complex": torch.tensor([1 + 2j]),
        "recorded leaf": torch.ones(2, requires_grad=True),
        "two of one storage": [base, base[1:, ::2]],
        "parameter": nn.Parameter(base.clone()),
        "frozen parameter": nn.Parameter(base.clone(), requires_grad=False),
        "buffer": nn.Buffer(base.clone()),
        "typed storage": base.storage(),
        "empty typed storage": torch.FloatStorage(0),
        "size": base.shape,
        "dtype": [torch.float32, torch.bfloat16, torch.uint16],
        "device": torch.device("cuda", 1),
        "layout": torch.strided,
        "memory format": torch.channels_last,
        "named tuple": torch.max(base, 0),
        "untyped storage": base.untyped_storage(),
        "empty untyped storage": torch.UntypedStorage(0),
    }
    attributed = torch.ones(2)
    attributed.note = "mine"
    return made | {"with attributes": attributed}


def others():
    """{name: object} of what has no elements to compare."""
    net = _Net()
    optimizer = torch.optim.Adam(net.parameters())
    data = torch.utils.data.TensorDataset(torch.ones(4, 2))
    return {
        "net": net,
        "state": net.state_dict(),
        "recurrent": nn.LSTM(2, 3),
        "transformer": nn.TransformerEncoderLayer(4, 2, 3),
        "packed": pack_sequence([torch.ones(3), torch.ones(2)]),
        "optimizer": optimizer,
        "optimizer's state": optimizer.state_dict(),
        "scheduler's state": torch.optim.lr_scheduler.StepLR(optimizer, 3).state_dict(),
        "dataset": torch.utils.data.ConcatDataset([data, torch.utils.data.Subset(data, [1, 2])]),
        "loader": torch.utils.data.DataLoader(data, batch_size=2, shuffle=True),
        "normal": torch.distributions.Normal(torch.zeros(2), torch.ones(2)),
        # Streams of random numbers are not PyTorch's, and generators not exchanged.
        **({"generator": torch.Generator()} if OURS else {}),
        "meta": torch.empty(2, 3, device="meta"),
        "derived": torch.ones(2).as_subclass(_Derived),
    }


def classes():
    """Classes and functions that pickles know by name."""
    places = (nn, torch.optim, torch.optim.lr_scheduler, torch.utils.data, torch.distributions, nn.functional, nn.init)
    found = []
    for place in places:
        for name in sorted(set(getattr(place, "__all__", dir(place)))):
            value = getattr(place, name, None)
            if name == "boolean_dispatch":  # a tool of PyTorch's own, which lives elsewhere there
                continue
            if not hasattr(
                value, "__qualname__"
            ):  # an object that can be called, such as torch.distributions.biject_to
                continue
            if not name.startswith("_") and callable(value) and getattr(value, "__module__", "").startswith("torch"):
                found.append(value)
    return [*found, torch.OutOfMemoryError, torch.linalg.LinAlgError, torch.float32, torch.FloatStorage, torch.Tensor]


def names_in(data):
    """{(module, name)} that a pickle asks for."""
    found, strings, memo = set(), [], {}
    for operation, argument, _ in pickletools.genops(data):
        code = operation.name
        if code in ("GLOBAL", "INST"):
            found.add(tuple(argument.split(" ", 1)))
        elif code == "STACK_GLOBAL":
            found.add(tuple(strings[-2:]))
        elif code in ("PUT", "BINPUT", "LONG_BINPUT"):
            memo[argument] = strings[-1] if strings else None
        elif code == "MEMOIZE":
            memo[len(memo)] = strings[-1] if strings else None
        elif code in ("GET", "BINGET", "LONG_BINGET"):
            strings.append(memo[argument])
        if isinstance(argument, str) and "UNICODE" in code:
            strings.append(argument)
        elif code not in ("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE", "GET", "BINGET", "LONG_BINGET"):
            strings.append(None)
    return found


def pickled():
    """(name, protocol, pickle) of all of them."""
    objects = (
        values()
        | others()
        | {f"class {getattr(c, '__module__', None)}.{getattr(c, '__qualname__', c)}": c for c in classes()}
    )
    for name, value in objects.items():
        for protocol in PROTOCOLS:
            yield name, protocol, pickle.dumps(value, protocol)


def names():
    """Those of torch that our pickles hold, as lines."""
    found = set().union(*(names_in(data) for _, _, data in pickled()))
    return sorted(f"{module} {name}" for module, name in found if module.split(".")[0] == "torch")


def _is_there(module, name):
    try:
        value = importlib.import_module(module)
        for part in name.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError):
        return False
    return True


def main(mode, path=None):
    """See above."""
    warnings.simplefilter("ignore")
    if mode == "names":
        print("\n".join(names()))
    elif mode == "known":
        lines = pathlib.Path(path).read_text().split("\n")
        print("\n".join(line for line in lines if line and _is_there(*line.split(" "))))
    elif mode == "pack":
        with zipfile.ZipFile(HERE / "data" / "pickles.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(pathlib.Path(path).iterdir()):
                archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)
    else:
        folder = pathlib.Path(path)
        folder.mkdir(exist_ok=True)
        done = 0
        for name, value in (values() | others()).items():
            for protocol in PROTOCOLS:
                file = folder / f"{name.replace(' ', '_')}.{protocol}.pkl"
                if mode == "write" and (OURS or not name.startswith(ONLY_OURS)):
                    file.write_bytes(pickle.dumps(value, protocol))
                elif mode == "read" and file.exists():
                    got = pickle.loads(file.read_bytes())
                    if name in values() and not same(got, value):
                        raise SystemExit(f"{file} differs: {got} instead of {value}")
                else:
                    continue
                done += 1
        print(f"torch {torch.__version__}: {mode} {done} pickles")


if __name__ == "__main__":
    from pickled import main  # so that the classes above are not __main__'s

    main(*sys.argv[1:])
