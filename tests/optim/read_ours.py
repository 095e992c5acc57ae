"""Whether real PyTorch goes on from the state that our optimisers and schedulers save. Run by hand, from a folder
without torch/:

    PYTHON_WITH_OURS …/tests/optim/read_ours.py write FOLDER
    cd /tmp && /tmp/oracle/bin/python …/tests/optim/read_ours.py read FOLDER

and the other way round, which the tests do with the files of data/, too.
"""

import pathlib
import sys

import schedules
import steps
import torch


def write(folder):
    """Saves what three steps and 30 epochs have left, and what follows in the next two and 30."""
    for kind in steps.OPTIMIZERS:
        params = steps.parameters(kind, torch.float32)
        optimizer = steps.make(kind, params, steps.SAVED.get(kind, {}))
        walk = steps.steps(kind, params, optimizer, 5)
        for _ in range(3):
            next(walk)
        torch.save(([param.detach() for param in params], optimizer.state_dict()), folder / f"{kind}.pt")
        for _ in walk:
            pass
        torch.save(steps.flat(params), folder / f"{kind}.after.pt")
    for name, make in schedules.SCHEDULES.items():
        owner = schedules.optimizer()
        scheduler = make(owner)
        for epoch in range(30):
            schedules.advance(scheduler, epoch)
        torch.save((scheduler.state_dict(), owner.state_dict()), folder / f"{name}.pt")
        for epoch in range(30, 60):
            schedules.advance(scheduler, epoch)
        torch.save(schedules.options(owner), folder / f"{name}.after.pt")


def read(folder):
    """Goes on from there and compares."""
    for kind in steps.OPTIMIZERS:
        params = steps.parameters(kind, torch.float32)
        optimizer = steps.make(kind, params, {})
        walk = steps.steps(kind, params, optimizer, 5)
        if kind != "LBFGS":
            for _ in range(3):
                next(walk)
        values, state = torch.load(folder / f"{kind}.pt")
        with torch.no_grad():
            for param, value in zip(params, values):
                param.copy_(value)
        optimizer.load_state_dict(state)
        if kind == "LBFGS":
            walk = steps.steps(kind, params, optimizer, 2)
        for _ in walk:
            pass
        error = (steps.flat(params) - torch.load(folder / f"{kind}.after.pt")).abs().max().item()
        if error > {"Muon": 1e-2, "LBFGS": 1e-4}.get(kind, 2e-6):
            raise SystemExit(f"{kind}: {error}")
    for name, make in schedules.SCHEDULES.items():
        owner = schedules.optimizer()
        scheduler = make(owner)
        state, options = torch.load(folder / f"{name}.pt", weights_only=False)
        scheduler.load_state_dict(state)
        owner.load_state_dict(options)
        for epoch in range(30, 60):
            schedules.advance(scheduler, epoch)
        if schedules.options(owner) != torch.load(folder / f"{name}.after.pt"):
            raise SystemExit(f"{name}: {schedules.options(owner)}")
    count = len(steps.OPTIMIZERS) + len(schedules.SCHEDULES)
    print(f"torch {torch.__version__} goes on from all {count} states of {folder}")


if __name__ == "__main__":
    where = pathlib.Path(sys.argv[2])
    where.mkdir(exist_ok=True)
    {"write": write, "read": read}[sys.argv[1]](where)
