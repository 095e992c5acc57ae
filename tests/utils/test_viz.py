"""torch.utils.viz._cycles and torch.utils.bottleneck."""

import gc
import pathlib
import subprocess
import sys

import torch
from torch.utils.viz import _cycles


class Holder:
    pass


def cycle():
    holder = Holder()
    holder.itself = holder
    holder.tensor = torch.ones(2, 3)


def test_cycles_are_observed_and_drawn():
    pages, graphs = [], []

    def observer(garbage):
        if any(isinstance(obj, torch.Tensor) for obj in garbage):
            graphs.append(_cycles.create_graph(garbage, filter=lambda obj: isinstance(obj, torch.Tensor)))
            pages.append(_cycles.to_html(graphs[-1]))

    gc.collect()
    before = gc.get_debug()
    stop = _cycles.observe_garbage(observer)
    try:
        cycle()
        gc.collect()
    finally:
        stop()
    (nodes,) = graphs
    labels = [node.label for node in nodes]
    assert any("(2, 3) torch.float32 cpu" in label for label in labels) and any("Holder" in label for label in labels)
    (root,) = (node for node in nodes if node.root)
    names = {name for node in nodes for name, other in node.referrents if nodes[other] is root}
    assert any("tensor" in name for name in names)
    assert "digraph" in _cycles.to_dot(nodes) and "Holder" in pages[0]
    assert gc.get_debug() == before and not gc.garbage
    cycle()
    gc.collect()
    assert len(graphs) == 1


def test_bottleneck(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import sys, torch\n(torch.ones(3, 3) @ torch.ones(3, 3)).exp()\nprint('args', sys.argv[1:])\n")
    command = [sys.executable, "-m", "torch.utils.bottleneck", str(script), "--flag"]
    root = pathlib.Path(torch.__file__).parent.parent
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout.count("args ['--flag']") == 2
    assert "cProfile" in done.stdout and "aten::exp" in done.stdout and "function calls" in done.stdout
    missing = subprocess.run([*command[:3], "nowhere.py"], capture_output=True, text=True, cwd=root, check=False)
    assert missing.returncode == 2 and "cannot read nowhere.py" in missing.stderr
