"""Masks for scaled_dot_product_attention() that are known by their kind, so that no matrix need be made."""

from __future__ import annotations

import enum

import torch
import torch.nn.functional as F

__all__ = ["CausalBias", "CausalVariant", "causal_lower_right", "causal_upper_left"]


class CausalVariant(enum.IntEnum):
    """Where the diagonal of a causal mask lies if there are more keys than queries: it begins in the upper left corner, or
    it ends in the lower right one."""

    UPPER_LEFT = enum.auto()
    LOWER_RIGHT = enum.auto()


class CausalBias(torch.Tensor):
    """A causal mask (seq_len_q, seq_len_kv) as attn_mask of scaled_dot_product_attention(). In any other function it stands for
    the matrix of bool."""

    def __new__(cls, variant: CausalVariant, seq_len_q: int, seq_len_kv: int):
        if not isinstance(variant, CausalVariant):
            raise AssertionError(f"variant must be a CausalVariant, got {type(variant).__name__}")
        return torch.empty((seq_len_q, seq_len_kv), dtype=torch.bool, device="meta").as_subclass(cls)

    def __init__(self, variant: CausalVariant, seq_len_q: int, seq_len_kv: int) -> None:
        self.variant, self.seq_len_q, self.seq_len_kv = variant, seq_len_q, seq_len_kv

    def _diagonal(self):
        return self.seq_len_kv - self.seq_len_q if self.variant is CausalVariant.LOWER_RIGHT else 0

    def _materialize(self, device=None):
        """The matrix: True where a query sees a key."""
        with torch._C.DisableTorchFunctionSubclass():
            ones = torch.ones((self.seq_len_q, self.seq_len_kv), dtype=torch.bool, device=device)
            return ones.tril(diagonal=self._diagonal())

    def __repr__(self, *, tensor_contents=None) -> str:
        return repr(self._materialize())

    @staticmethod
    def _dispatch(query, key, value, attn_mask, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        if is_causal:
            raise ValueError("CausalBias should not be used with causal=True: it says itself what is seen")
        options = {"dropout_p": dropout_p, "scale": scale, "enable_gqa": enable_gqa}
        square = attn_mask.seq_len_q == attn_mask.seq_len_kv
        fits = query.shape[-2] == attn_mask.seq_len_q and key.shape[-2] == attn_mask.seq_len_kv
        if fits and (square or attn_mask.variant is CausalVariant.UPPER_LEFT):
            return F.scaled_dot_product_attention(query, key, value, is_causal=True, **options)
        return F.scaled_dot_product_attention(query, key, value, attn_mask._materialize(query.device), **options)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name == "scaled_dot_product_attention":
            return cls._dispatch(*args, **kwargs)
        if name == "__get__":
            if getattr(getattr(func, "__self__", None), "__name__", "") == "device":
                return torch.get_default_device()
            return super().__torch_function__(func, types, args, kwargs)
        if name in ("size", "dim", "numel", "__len__", "stride"):
            return super().__torch_function__(func, types, args, kwargs)
        made = [arg._materialize() if isinstance(arg, cls) else arg for arg in args]
        return func(*made, **{key: v._materialize() if isinstance(v, cls) else v for key, v in kwargs.items()})


def causal_upper_left(*size) -> CausalBias:
    """The causal mask of `size`, queries and keys, whose diagonal begins in the upper left corner: is_causal=True's."""
    if len(size) != 2:
        raise AssertionError(f"causal_upper_left only supports 2D tensors, got {size}")
    return CausalBias(CausalVariant.UPPER_LEFT, *size)


def causal_lower_right(*size) -> CausalBias:
    """The causal mask of `size`, queries and keys, whose diagonal ends in the lower right corner: the last query sees all."""
    if len(size) != 2:
        raise AssertionError(f"causal_lower_right only supports 2D tensors, got {size}")
    return CausalBias(CausalVariant.LOWER_RIGHT, *size)
