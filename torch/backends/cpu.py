"""The processor that torch computes on.

`rng` says whose numbers the generators of the CPU draw: "philox", the same numbers on every device and for any number of
threads, or "mt19937", those of PyTorch for the same seed, one after the other in one thread. To set it starts
`torch.default_generator` anew, from its seed; other generators follow when they are seeded. The environment variable
TORCH_CPU_RNG sets it from the start. Docs: differences.md, "PyTorch's random numbers".
"""

import torch
from torch.backends._settings import Setting, has_settings


class _Rng(Setting):
    def read(self, owner):
        return torch._C._cpu_rng()

    def write(self, owner, value):
        torch._C._set_cpu_rng(value)

    def keep(self, owner):
        value = self.read(owner)
        return lambda: self.write(owner, value)


has_settings(__name__, {"rng": _Rng("philox")})


def get_cpu_capability():
    """The instructions that the kernels use: "DEFAULT", "AVX2" or "AVX512". TH_CPU_CAPABILITY in the environment
    (default, avx2, avx512) keeps them from using more."""
    return torch.cpu._capability()
