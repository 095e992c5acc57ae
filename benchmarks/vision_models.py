"""The usual networks for images of 224² in 1000 classes, in plain torch.nn: what benchmarks/train_cases.py trains.

Layers and sizes are those of the papers: AlexNet (Krizhevsky 2014), VGG (Simonyan and Zisserman 2015), ResNet (He et al.
2016), MobileNet v2 (Sandler et al. 2018), ViT (Dosovitskiy et al. 2021). Weights are PyTorch's defaults.
"""

import torch
from torch import nn


def alexnet():
    def pooled(*layers):
        return *layers, nn.ReLU(), nn.MaxPool2d(3, 2)

    return nn.Sequential(
        *pooled(nn.Conv2d(3, 64, 11, stride=4, padding=2)),
        *pooled(nn.Conv2d(64, 192, 5, padding=2)),
        *(nn.Conv2d(192, 384, 3, padding=1), nn.ReLU()),
        *(nn.Conv2d(384, 256, 3, padding=1), nn.ReLU()),
        *pooled(nn.Conv2d(256, 256, 3, padding=1)),
        nn.AdaptiveAvgPool2d(6),
        nn.Flatten(),
        *(nn.Dropout(), nn.Linear(256 * 36, 4096), nn.ReLU()),
        *(nn.Dropout(), nn.Linear(4096, 4096), nn.ReLU()),
        nn.Linear(4096, 1000),
    )


def vgg11():
    layers, before = [], 3
    for width in (64, None, 128, None, 256, 256, None, 512, 512, None, 512, 512, None):
        layers += [nn.Conv2d(before, width, 3, padding=1), nn.ReLU()] if width else [nn.MaxPool2d(2)]
        before = width or before
    layers += [nn.Flatten(), nn.Linear(512 * 49, 4096), nn.ReLU(), nn.Dropout()]
    return nn.Sequential(*layers, nn.Linear(4096, 4096), nn.ReLU(), nn.Dropout(), nn.Linear(4096, 1000))


def normalised(before, width, kernel=1, stride=1, groups=1, activation=nn.ReLU):
    """A convolution that keeps the size, apart from its stride, and batch normalisation."""
    convolution = nn.Conv2d(before, width, kernel, stride, kernel // 2, groups=groups, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(width), *([activation(inplace=True)] if activation else []))


class Residual(nn.Module):
    """The sum of `layers` and a shortcut, which is a convolution where the shapes differ."""

    def __init__(self, layers, shortcut=None, activation=None):
        super().__init__()
        self.layers, self.shortcut, self.activation = layers, shortcut, activation

    def forward(self, x):
        y = self.layers(x) + (self.shortcut(x) if self.shortcut else x)
        return self.activation(y) if self.activation else y


def resnet(depths, bottleneck):
    layers, before = [normalised(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1)], 64
    for stage, depth in enumerate(depths):
        width = 64 * 2**stage
        after = 4 * width if bottleneck else width
        for block in range(depth):
            stride = 2 if stage and not block else 1
            if bottleneck:
                parts = (normalised(before, width), normalised(width, width, 3, stride))
            else:
                parts = (normalised(before, width, 3, stride),)
            last = normalised(width, after, 1 if bottleneck else 3, activation=None)
            changes = stride > 1 or before != after
            shortcut = normalised(before, after, 1, stride, activation=None) if changes else None
            layers.append(Residual(nn.Sequential(*parts, last), shortcut, nn.ReLU(inplace=True)))
            before = after
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, 1000))


def resnet18():
    return resnet((2, 2, 2, 2), bottleneck=False)


def resnet50():
    return resnet((3, 4, 6, 3), bottleneck=True)


def mobilenet_v2():
    layers, before = [normalised(3, 32, 3, 2, activation=nn.ReLU6)], 32
    rows = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))
    for factor, after, depth, first in rows:
        for block in range(depth):
            stride, inner = first if not block else 1, before * factor
            parts = [normalised(before, inner, activation=nn.ReLU6)] if factor > 1 else []
            parts.append(normalised(inner, inner, 3, stride, groups=inner, activation=nn.ReLU6))
            parts.append(normalised(inner, after, activation=None))
            layers.append(Residual(nn.Sequential(*parts)) if stride == 1 and before == after else nn.Sequential(*parts))
            before = after
    layers += [normalised(before, 1280, activation=nn.ReLU6), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.2)]
    return nn.Sequential(*layers, nn.Linear(1280, 1000))


class VisionTransformer(nn.Module):
    def __init__(self, size=224, patch=16, width=768, heads=12, depth=12):
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, patch)
        self.first = nn.Parameter(torch.zeros(1, 1, width))
        self.places = nn.Parameter(torch.zeros(1, (size // patch) ** 2 + 1, width))
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, 0.0, "gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, depth, nn.LayerNorm(width), enable_nested_tensor=False)
        self.head = nn.Linear(width, 1000)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(len(x), -1, -1), x], 1) + self.places
        return self.head(self.encoder(x)[:, 0])


def vit_b16():
    return VisionTransformer()


NETWORKS = {
    "AlexNet": alexnet,
    "VGG-11": vgg11,
    "ResNet-18": resnet18,
    "ResNet-50": resnet50,
    "MobileNet-v2": mobilenet_v2,
    "ViT-B/16": vit_b16,
}
