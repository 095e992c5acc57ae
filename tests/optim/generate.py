"""Writes tests/optim/data: what PyTorch's optimisers and schedules do, and state that they have saved.

cd /tmp && /tmp/oracle/bin/python …/tests/optim/generate.py
"""

import pathlib

import schedules
import steps
import torch

HERE = pathlib.Path(__file__).parent / "data"


def saved(kind):
    """Parameters and state after three steps, and the parameters two steps later."""
    params = steps.parameters(kind, torch.float32)
    optimizer = steps.make(kind, params, steps.SAVED.get(kind, {}))
    walk = steps.steps(kind, params, optimizer, 5)
    for _ in range(3):
        next(walk)
    kept = {"params": [param.detach().clone() for param in params]}
    torch.save(optimizer.state_dict(), HERE / "state.tmp")  # a copy: the state goes on changing
    kept["state"] = torch.load(HERE / "state.tmp")
    (HERE / "state.tmp").unlink()
    for _ in walk:
        pass
    kept["after"] = steps.flat(params)
    return kept


def saved_schedule(make):
    """The state of a scheduler and of its optimiser after 30 epochs, and the options that follow."""
    owner = schedules.optimizer()
    scheduler = make(owner)
    for epoch in range(30):
        schedules.advance(scheduler, epoch)
    kept = {"scheduler": scheduler.state_dict(), "optimizer": owner.state_dict()}
    torch.save(kept, HERE / "state.tmp")
    kept = torch.load(HERE / "state.tmp", weights_only=False)
    (HERE / "state.tmp").unlink()
    kept["after"] = []
    for epoch in range(30, 60):
        schedules.advance(scheduler, epoch)
        kept["after"].append(schedules.options(owner))
    return kept


def main():
    """Writes the files."""
    HERE.mkdir(exist_ok=True)
    torch.set_num_threads(1)
    torch.save(
        {name: steps.path(kind, options, dtype) for name, kind, options, dtype in steps.names()}, HERE / "steps.pt"
    )
    torch.save(
        {name: steps.half_path(kind, options, dtype) for name, kind, options, dtype in steps.half_names()},
        HERE / "halves.pt",
    )
    torch.save({kind: saved(kind) for kind in steps.OPTIMIZERS}, HERE / "states.pt")
    torch.save(
        {name: schedules.path(make, kind, jumps) for name, make, kind, jumps in schedules.names()},
        HERE / "schedules.pt",
    )
    torch.save({name: saved_schedule(make) for name, make in schedules.SCHEDULES.items()}, HERE / "schedulers.pt")


if __name__ == "__main__":
    main()
