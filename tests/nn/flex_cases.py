"""Calls of flex_attention() that PyTorch's answers are recorded of: data/flex_attention.json, by generate_flex.py."""

import torch
from torch.nn.attention.flex_attention import (
    and_masks,
    create_block_mask,
    create_mask,
    flex_attention,
    or_masks,
)

Q, K = 40, 56
B, H = 2, 4


def wave(*shape, step=0.37, shift=0.0):
    """Numbers that look like noise, and are the same everywhere."""
    count = torch.Size(shape).numel()
    return (torch.arange(count, dtype=torch.float64) * step * 7.13 + shift).sin().mul(2).reshape(shape).float()


documents = torch.arange(K) // 13
lengths = torch.tensor([31, 50])
slopes = torch.tensor([0.5, 0.25, 0.125, 0.0625])
table = wave(H, 2 * K)
biases = wave(H, Q, K)
keep = wave(B, Q, K) > -0.5


def causal(b, h, q, k):
    return q >= k


def window(b, h, q, k):
    return (q - k).abs() <= 9


def document(b, h, q, k):
    return documents[q] == documents[k]


def prefix(b, h, q, k):
    return k < 8


def padded(b, h, q, k):
    return k < lengths[b]


def per_head(b, h, q, k):
    return (q - k) % (h + 2) == 0


def dense(b, h, q, k):
    return keep[b, q, k]


def row_by_row(b, h, q, k):
    return keep[b][q][k]


def nothing(b, h, q, k):
    return q < -k - 1


MASKS = {
    "causal": causal,
    "window": window,
    "document": document,
    "padded": padded,
    "per_head": per_head,
    "dense": dense,
    "row_by_row": row_by_row,
    "nothing": nothing,
    "causal_window": and_masks(causal, window),
    "prefix": or_masks(causal, prefix),
    "all": and_masks(or_masks(causal, prefix), padded, document),
}


def relative(score, b, h, q, k):
    return score + (q - k)


def alibi(score, b, h, q, k):
    return score + slopes[h] * (k - q)


def soft_cap(score, b, h, q, k):
    return 3 * torch.tanh(score / 3)


def learned(score, b, h, q, k):
    return score + table[h, q - k + K]


def rows_of_table(score, b, h, q, k):
    return score * (1 + table[h][q]) + biases[h, q][k]


def row_sums(score, b, h, q, k):
    return score + biases[h, q].sum() / 10


def masked(score, b, h, q, k):
    return torch.where(q >= k, score, -float("inf"))


SCORES = {f.__name__: f for f in (relative, alibi, soft_cap, learned, rows_of_table, row_sums, masked)}


def operands(heads=H, dtype=torch.float32):
    shapes = (B, H, Q, 8), (B, heads, K, 8), (B, heads, K, 6)
    return [wave(*shape, shift=i).to(dtype) for i, shape in enumerate(shapes)]


def sampled(tensor):
    values = tensor.detach().double().flatten()[::29].tolist()
    return [value if abs(value) != float("inf") else str(value) for value in values]


def mask_of(name, size=16):
    per_batch = name in ("padded", "dense", "row_by_row", "all")
    of_heads = H if name == "per_head" else None
    return create_block_mask(MASKS[name], B if per_batch else None, of_heads, Q, K, device="cpu", BLOCK_SIZE=size)


def answers(mask=None, score=None, heads=H, size=16, dtype=torch.float32, **options):
    """Samples of the result and of the log-sum-exp. (PyTorch's has no gradients on the CPU.)"""
    options |= {"enable_gqa": heads != H, "score_mod": SCORES[score] if score else None}
    options |= {"block_mask": mask_of(mask, size) if mask else None}
    found, lse = flex_attention(*operands(heads, dtype), return_lse=True, **options)
    alone = flex_attention(*operands(heads, dtype), **options)
    return {"output": sampled(found), "alone": sampled(alone), "lse": sampled(lse)}


CASES = {
    "plain": {},
    **{f"mask {name}": {"mask": name} for name in MASKS},
    **{f"score {name}": {"score": name} for name in SCORES},
    "grouped heads": {"heads": 2, "mask": "causal", "score": "alibi"},
    "one head of keys": {"heads": 1, "scale": 0.7},
    "float64": {"dtype": torch.float64, "mask": "document"},
    "blocks of 128": {"mask": "all", "size": 128, "score": "learned"},
    "blocks of two sizes": {"mask": "causal_window", "size": (8, 16)},
}


def mask_answers(name):
    """What a BlockMask says of itself."""
    mask = create_block_mask(MASKS[name], B, H, Q, K, device="cpu", BLOCK_SIZE=(8, 16))
    tensors = {
        attribute: getattr(mask, attribute).flatten(0, 1).sum(0).tolist()
        for attribute in ("kv_num_blocks", "full_kv_num_blocks", "q_num_blocks", "full_q_num_blocks")
    }
    return {
        "tensors": tensors,
        "kv_indices": mask.kv_indices[0, 1].tolist(),
        "q_indices": mask.q_indices[1, 0].tolist(),
        "dense": mask.to_dense().sum((0, 1)).tolist(),
        "shape": list(mask.shape),
        "numel": mask.numel(),
        "sparsity": mask.sparsity(),
        "picture": str(mask[0, 1].to_string()),
        "part": list(mask[:, 1].shape),
        "adjusted": mask._adjust(24, K).kv_num_blocks[0, 0].tolist(),
        "mask": create_mask(MASKS[name], B, H, Q, K, device="cpu").sum((1, 3)).tolist(),
    }
