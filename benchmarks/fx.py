"""How long torch.fx takes to record a ResNet-18, and to make its module; and what a call of the recorded module costs beside
a call of the original.

    python benchmarks/fx.py              milliseconds of processor time, the best of `--repeat`
"""

import argparse
import statistics
import time

import torch
from torch import fx, nn


class Block(nn.Module):
    """Two convolutions and a way around them."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        y += identity
        return self.relu(y)


class ResNet18(nn.Module):
    """The classifier of images, as torchvision has it."""

    def __init__(self, classes=1000):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        sizes = (64, 64, 128, 256, 512)
        for i in range(1, 5):
            stride = 1 if i == 1 else 2
            layer = nn.Sequential(Block(sizes[i - 1], sizes[i], stride), Block(sizes[i], sizes[i], 1))
            setattr(self, f"layer{i}", layer)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512, classes)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


class Small(nn.Module):
    """Work so small that what a call costs is seen."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(*(layer for _ in range(20) for layer in (nn.Linear(8, 8), nn.Tanh())))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x) + x
        return x


def milliseconds(function, repeat):
    """(the best, the median)"""
    taken = []
    for _ in range(repeat):
        start = time.process_time()
        function()
        taken.append((time.process_time() - start) * 1000)
    return min(taken), statistics.median(taken)


def interleaved(first, second, repeat):
    """The medians of two functions that are called in turn."""
    taken = ([], [])
    for _ in range(repeat):
        for function, found in zip((first, second), taken):
            found.append(milliseconds(function, 1)[0])
    return tuple(map(statistics.median, taken))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=20)
    repeat = parser.parse_args().repeat
    torch.manual_seed(0)
    model = ResNet18().eval()
    tracer = fx.Tracer()
    graph = tracer.trace(model)
    rows = {
        "Tracer.trace(ResNet-18)": lambda: fx.Tracer().trace(model),
        "symbolic_trace(ResNet-18)": lambda: fx.symbolic_trace(model),
        "Graph.python_code": lambda: graph.python_code("self"),
    }
    for name, function in rows.items():
        best, median = milliseconds(function, repeat)
        print(f"{name:30} {best:8.2f} ms (median {median:.2f})")
    small, x = Small().eval(), torch.ones(4, 8)
    traced = fx.symbolic_trace(small)
    with torch.no_grad():
        original, recorded = interleaved(lambda: small(x), lambda: traced(x), 50 * repeat)
    print(
        f"{'20 small layers, eager':30} {original:8.4f} ms; recorded {recorded:.4f} ms, ratio {recorded / original:.3f}"
    )


if __name__ == "__main__":
    main()
