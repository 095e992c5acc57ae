"""Where yours begins: torch, and two packages beside it."""

import einops
import matplotlib
import torch

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 - after the choice of where to draw

x = torch.linspace(0, 6.3, 100)
plt.plot(x, einops.rearrange(torch.stack([x.sin(), x.cos()]), "curve x -> x curve"))
plt.savefig("curves.png")
print("curves.png")
