"""What is asked of attention, as nn_cases.py has it."""

_SAME = "q = r(2, 2, 5, 3); k = r(2, 2, 6, 3); v = r(2, 2, 6, 3)"
_TURNED = "q = r(2, 5, 2, 3).transpose(1, 2); k = r(2, 6, 2, 3).transpose(1, 2); v = r(2, 6, 2, 3).permute(0, 2, 1, 3)"
_GROUPED = "q = r(2, 4, 5, 2); k = r(2, 2, 6, 2); v = r(2, 2, 6, 2)"
_LONG = "q = r(1, 1, 36, 3); k = r(1, 1, 140, 3); v = r(1, 1, 140, 3)"
_MASK = "; m = torch.tensor([[True, False] * 3, [False] * 6, [True] * 6, [False] * 5 + [True], [True] + [False] * 5])"
_HEADS = (
    "x = r(4, 2, 6); w = r(18, 6); b = r(18); o = r(6, 6); c = r(6); m = torch.ones(4, 4).tril().log(); "
    "p = torch.tensor([[False, False, True, False], [False, True, True, True]])"
)
_FORWARD = "F.multi_head_attention_forward(x, x, x, 6, 2, w, b, None, None, False, 0.0, o, c, need_weights=False"

# Results and gradients, and the name of the result's node.
FUNCTIONS = {
    "F.scaled_dot_product_attention(q, k, v)": _SAME,
    "F.scaled_dot_product_attention(q, k, v, scale=-0.7)": _TURNED,
    "F.scaled_dot_product_attention(q, k, v, scale=2.0, is_causal=True)": _SAME,
    "F.scaled_dot_product_attention(k, q, v[:, :, :5], is_causal=True)": _TURNED,
    "F.scaled_dot_product_attention(q, k, v, is_causal=True)": _LONG,
    "F.scaled_dot_product_attention(q, k, v, m)": _SAME + _MASK,
    "F.scaled_dot_product_attention(q, k, v, m.double().log())": _TURNED + _MASK,
    "F.scaled_dot_product_attention(q, k, v, m.float().log(), 0.0, False)": _SAME + _MASK,
    "F.scaled_dot_product_attention(q, k, v, m.expand(2, 1, 5, 6))": _SAME + _MASK,
    "F.scaled_dot_product_attention(q, k, v, m[:1])": _SAME + _MASK,
    "F.scaled_dot_product_attention(q, k, v, m[2:, :1])": "q = r(2, 1, 3, 2); k = r(2, 1, 6, 2); v = r(2, 1, 6, 2)"
    + _MASK,
    "F.scaled_dot_product_attention(q, k, v, m, is_causal=True)": _SAME + "; m = torch.ones(5, 6)",
    "F.scaled_dot_product_attention(q, k, v, m.detach())": _SAME + "; m = r(2, 2, 5, 6)",
    "F.scaled_dot_product_attention(q, k, v, attn_mask=m)": _SAME + "; m = r(5, 6)",
    "F.scaled_dot_product_attention(q, k, v, enable_gqa=True)": _GROUPED,
    "F.scaled_dot_product_attention(q, k, v, enable_gqa=True, is_causal=True)": _GROUPED,
    "F.scaled_dot_product_attention(q, k, v[:, :1], enable_gqa=True)": _GROUPED,
    "F.scaled_dot_product_attention(q[0], k[0], v[0], enable_gqa=True)": _GROUPED,
    "F.scaled_dot_product_attention(q[0], k[0], v[0], m)": _SAME + _MASK,
    "F.scaled_dot_product_attention(q[0, 0], k[0, 0], v[0, 0])": _SAME,
    "F.scaled_dot_product_attention(q, k[:1], v[:1])": _SAME,
    "F.scaled_dot_product_attention(q, k[:, :1], v[:, :1], m)": _SAME + _MASK,
    "F.scaled_dot_product_attention(query=q, key=k, value=v)": "q = r(1, 2, 5, 2); k = r(1, 2, 6, 2); v = r(1, 2, 6, 3)",
    "F.scaled_dot_product_attention(q, k, v.transpose(2, 3))": "q = r(1, 2, 5, 2); k = r(1, 2, 6, 2); v = r(1, 2, 2, 6)",
    "F.scaled_dot_product_attention(q, k, v, dropout_p=1.0)": _SAME,
    "torch.nn.functional.scaled_dot_product_attention(q.detach(), k, v)": _SAME,
    "F.scaled_dot_product_attention(q.detach(), k, v, m)": _SAME + "; m = r(5, 6)",
    "torch._scaled_dot_product_flash_attention_for_cpu(q, k, v, is_causal=True)[0]": _SAME,
    "torch._scaled_dot_product_attention_math(q, k, v)[0]": _SAME,
    _FORWARD + ")[0]": _HEADS,
    _FORWARD + ", attn_mask=m)[0]": _HEADS,
    _FORWARD + ", attn_mask=m, is_causal=True)[0]": _HEADS,
    _FORWARD + ", key_padding_mask=p)[0]": _HEADS,
    _FORWARD + ", attn_mask=m, is_causal=True, key_padding_mask=p)[0]": _HEADS,
    _FORWARD + ", attn_mask=m.expand(4, 4, 4))[0]": _HEADS,
}
NODES = list(FUNCTIONS)
# The same without elements: PyTorch's node there is an accident of its padding.
FUNCTIONS |= {
    f"F.scaled_dot_product_attention(q[{places}], k[{others}], v[{others}])": _SAME
    for places, others in (
        (":, :, :0", ":"),
        (":", ":, :, :0"),
        (":0", ":0"),
        (":, :0", ":, :0"),
        ("..., :0", "..., :0"),
    )
}

_R = "torch.rand"
REFUSED = {
    f"F.scaled_dot_product_attention({_R}(3), {_R}(3, 4), {_R}(3, 4))": None,
    f"F.scaled_dot_product_attention({_R}(3, 4), {_R}(3, 4).double(), {_R}(3, 4))": None,
    f"F.scaled_dot_product_attention({_R}(3, 4), {_R}(3, 4), {_R}(3, 4).half())": None,
    f"F.scaled_dot_product_attention({_R}(3, 4), {_R}(3, 4), {_R}(3, 4), {_R}(3, 3).double())": None,
    f"F.scaled_dot_product_attention({_R}(3, 4), {_R}(3, 4), {_R}(3, 4), {_R}(3, 3).long())": None,
    f"F.scaled_dot_product_attention({_R}(3, 4), {_R}(3, 4), {_R}(3, 4), {_R}(3, 3), is_causal=True)": None,
    f"F.scaled_dot_product_attention({_R}(3, 4), {_R}(3, 4), {_R}(3, 4), dropout_p=1.5)": None,
    f"F.scaled_dot_product_attention({_R}(3, 4), {_R}(5, 3), {_R}(5, 4))": "",
    f"F.scaled_dot_product_attention({_R}(1, 3, 4), {_R}(1, 5, 4), {_R}(1, 6, 4))": "",
    f"F.scaled_dot_product_attention({_R}(1, 2, 3, 4), {_R}(1, 2, 5, 4), {_R}(1, 2, 5, 4), {_R}(3, 4))": None,
    f"F.scaled_dot_product_attention({_R}(1, 4, 3, 4), {_R}(1, 2, 5, 4), {_R}(1, 2, 5, 4))": None,
    f"F.scaled_dot_product_attention({_R}(1, 4, 3, 4), {_R}(1, 3, 5, 4), {_R}(1, 3, 5, 4), enable_gqa=True)": (
        "Number of heads in key and value must divide the number of heads in "
    ),
    f"F.scaled_dot_product_attention({_R}(3, 4), {_R}(5, 4), {_R}(5, 4), enable_gqa=True)": None,
    f"F.scaled_dot_product_attention({_R}(3, 4))": "",
    f"F.scaled_dot_product_attention({_R}(3, 4), 1, 2)": "",
    f"F.scaled_dot_product_attention({_R}(3, 4), {_R}(3, 4), {_R}(3, 4), None, 0.0, False, 0.5)": "",
}
