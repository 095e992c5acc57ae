"""The processor that torch computes on."""

import torch


def get_cpu_capability():
    """The instructions that the kernels use: "DEFAULT", "AVX2" or "AVX512". TH_CPU_CAPABILITY in the environment
    (default, avx2, avx512) keeps them from using more."""
    return torch.cpu._capability()
