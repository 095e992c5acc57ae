import torch
from common import wave
from einops import einsum, pack, rearrange, reduce, repeat, unpack
from einops.layers.torch import EinMix, Rearrange


def run():
    images = wave(2, 3, 4, 6).requires_grad_()
    mixed = EinMix("b c h w -> b h w d", weight_shape="c d", c=3, d=5)
    with torch.no_grad():
        mixed.weight.copy_(wave(*mixed.weight.shape))
    result = mixed(images)
    result.sum().backward()
    packed, shapes = pack([images[0], images[0, :1]], "* h w")
    return {
        "rearrange": rearrange(images, "b c (h h2) (w w2) -> (b h w) (c h2 w2)", h2=2, w2=2),
        "reduce": reduce(images, "b c h w -> b c", "max"),
        "repeat": repeat(images[0], "c h w -> c (h 2) (w 3)"),
        "einsum": einsum(images, images, "b c h w, b d h w -> b c d"),
        "layer": result,
        "gradient": images.grad,
        "pack": [list(each.shape) for each in unpack(packed, shapes, "* h w")],
        "sequential": torch.nn.Sequential(Rearrange("b c h w -> b (c h w)"))(images),
    }
