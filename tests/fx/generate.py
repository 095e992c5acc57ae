"""Records what PyTorch 2.13 makes of programs.py: their graphs and their code.

python tests/fx/generate.py          with PyTorch's interpreter, which must not find this library
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def recorded(program, concrete):
    """{"code", "graph"} of a program."""
    from torch import fx

    traced = fx.symbolic_trace(program, concrete_args=concrete or None)
    return {"code": traced.code, "graph": str(traced.graph)}


def main():
    sys.path.insert(0, str(HERE))
    import torch
    from programs import PROGRAMS

    if not torch.__version__.startswith("2.13.0+cpu"):
        raise SystemExit(f"{torch.__file__} is version {torch.__version__}; the data are of PyTorch 2.13.0")
    data = {name: recorded(program, concrete) for name, (program, _, concrete) in PROGRAMS.items()}
    (HERE / "data" / "programs.json").write_text(json.dumps(data, indent=0) + "\n")
    torch.save(saved(), HERE / "data" / "modules.pt")


def saved():
    """Two GraphModules, what they are called with, and what they return."""
    import torch
    from torch import fx, nn

    torch.manual_seed(0)
    module = fx.symbolic_trace(nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.ReLU()).eval())
    trees = fx.symbolic_trace(lambda d: {"r": torch.relu(d["a"]) + 1}, concrete_args={"d": {"a": fx.PH}})
    x = torch.ones(2, 2)
    return module, trees, x, module(x).detach(), trees({"a": x})


if __name__ == "__main__":
    main()
