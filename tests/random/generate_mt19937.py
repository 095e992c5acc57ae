"""Writes data/mt19937.json with PyTorch's answers: cd /tmp && /tmp/oracle/bin/python …/tests/random/generate_mt19937.py"""

import base64
import json
import pathlib
import sys
import zlib

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

import mt19937_cases as cases  # noqa: E402
import torch  # noqa: E402


def state_in_the_middle():
    """A state with half a pair of normal deviates, and what comes after it."""
    torch.manual_seed(99)
    torch.rand(1001), torch.randn(3)
    state = base64.b64encode(zlib.compress(bytes(torch.get_rng_state().tolist()), 9)).decode()
    return {"state": state, "next": [torch.randn(4).tolist(), torch.rand(3).tolist(), torch.randperm(5).tolist()]}


def losses():
    """A network as it learns: layers, dropout, batches in random order."""
    torch.manual_seed(7)
    net = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.ReLU(), torch.nn.Dropout(0.2), torch.nn.Linear(16, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    inputs = torch.randn(64, 6)
    data = torch.utils.data.TensorDataset(inputs, inputs.sum(1, keepdim=True))
    found = []
    for _ in range(3):
        for x, y in torch.utils.data.DataLoader(data, batch_size=16, shuffle=True):
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
            found.append(loss.item())
    return found


def main():
    found = {"torch": torch.__version__, "middle": state_in_the_middle(), "losses": losses()}
    found["workers"] = cases.worker_draws()
    found["near"] = {line: cases.near(line) for line in cases.NEAR}
    text = "{\n" + "".join(f"{json.dumps(key)}: {json.dumps(value)},\n" for key, value in found.items())
    answers = [f"{json.dumps('; '.join(pair))}: {json.dumps(cases.answer(*pair))}" for pair in cases.lines()]
    (HERE / "data/mt19937.json").write_text(text + '"answers": {\n' + ",\n".join(answers) + "\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
