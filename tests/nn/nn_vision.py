"""What is asked of functions over images, as nn_cases.py has it."""

# ---- other sizes: (mode, dimensions) ----------------------------------------------------------------------------------
_MODES = {
    "nearest": (1, 2, 3),
    "nearest-exact": (1, 2, 3),
    "linear": (1,),
    "bilinear": (2,),
    "bicubic": (2,),
    "trilinear": (3,),
    "area": (1, 2, 3),
}
_INPUT = {1: "r(2, 2, 5)", 2: "r(1, 2, 4, 5)", 3: "r(1, 2, 3, 4, 3)"}
_SIZES = {1: "(8,)", 2: "(7, 3)", 3: "(5, 3, 7)"}

FUNCTIONS = {
    **{
        f"F.interpolate(x, {how}, mode={mode!r})": f"x = {_INPUT[n]}"
        for mode, dims in _MODES.items()
        for n in dims
        for how in (_SIZES[n], "scale_factor=2", "scale_factor=1.7", "scale_factor=0.6, recompute_scale_factor=True")
    },
    **{
        f"F.interpolate(x, {how}, mode={mode!r}, align_corners=True)": f"x = {_INPUT[n]}"
        for mode, n in (("linear", 1), ("bilinear", 2), ("bicubic", 2), ("trilinear", 3))
        for how in (_SIZES[n], "scale_factor=0.7", "1")
    },
    **{
        f"F.interpolate(x, {how}, mode={mode!r}, antialias=True{corners})": "x = r(1, 2, 9, 8)"
        for mode in ("bilinear", "bicubic", "lanczos")
        for how in ("(4, 11)", "scale_factor=0.3", "scale_factor=(1.5, 0.5)")
        for corners in ("", ", align_corners=True")
        if not (corners and mode == "lanczos")
    },
    "F.interpolate(x, (4, 6))": "x = r(0, 2, 3, 3)",
    "F.interpolate(x[:, ::2, 1:], (4, 6), mode='bilinear')": "x = r(2, 4, 4, 3)",
    "F.interpolate(x.expand(2, 3, -1, -1), scale_factor=2, mode='bicubic')": "x = r(1, 1, 3, 3)",
    # ---- places of a grid ----
    **{
        f"F.grid_sample(x, y, {mode!r}, {padding!r}, {align})": "x = r(2, 2, 3, 4); y = 2.6 * u(2, 3, 12, 2) - 1.3"
        for mode in ("bilinear", "nearest", "bicubic")
        for padding in ("zeros", "border", "reflection")
        for align in (False, True)
    },
    **{
        f"F.grid_sample(x, y, {mode!r}, {padding!r}, {align})": "x = r(1, 2, 3, 4, 3); y = 2.6 * u(1, 2, 3, 10, 3) - 1.3"
        for mode in ("bilinear", "nearest")
        for padding in ("zeros", "border", "reflection")
        for align in (False, True)
    },
    "F.grid_sample(x, y, 'bilinear', 'reflection', True)": "x = r(1, 2, 1, 3); y = 8 * u(1, 1, 40, 2) - 4",
    "F.grid_sample(x, y, 'bicubic', 'reflection', False)": "x = r(1, 2, 2, 3); y = 8 * u(1, 1, 40, 2) - 4",
    "F.grid_sample(x[:, ::2], y.transpose(1, 2), align_corners=False)": "x = r(1, 4, 3, 3); y = 2 * u(1, 3, 2, 2) - 1",
    "F.grid_sample(x, y, align_corners=False)": "x = r(0, 2, 3, 3); y = u(0, 2, 2, 2)",
    "F.affine_grid(x, (2, 3, 4, 5), align_corners=False)": "x = r(2, 2, 3)",
    "F.affine_grid(x, (2, 3, 1, 5), align_corners=True)": "x = r(2, 2, 3)",
    "F.affine_grid(x, (2, 3, 4, 5, 2), align_corners=True)": "x = r(2, 3, 4)",
    # ---- padding ----
    **{
        f"F.pad(x, {pad}, {mode!r})": f"x = {given}"
        for mode in ("reflect", "replicate", "circular")
        for pad, given in (
            ((2, 1), "r(2, 3, 4)"),
            ((2, -1), "r(3, 4)"),
            ((-2, 2), "r(3, 4)"),
            ((-1, -1), "r(1, 1, 4)"),
            ((1, 2, 0, 1), "r(2, 2, 3, 4)"),
            ((0, -2, 2, 2), "r(2, 3, 4)"),
            ((1, 1, 2, 0, 0, 1), "r(1, 2, 2, 3, 4)"),
            ((1, 0, -1, 1, 1, 1), "r(2, 2, 3, 4)"),
            ((0, 0), "r(2, 3, 4)"),
            ((1, 1), "r(0, 2, 3)"),
        )
    },
    "F.pad(x, (3, 9, 7, 0), 'replicate')": "x = r(2, 2, 2)",
    "F.pad(x.transpose(1, 2), (1, 1, 2, 0), 'reflect')": "x = r(2, 4, 3)",
    # ---- blocks ----
    "F.unfold(x, (2, 3), dilation=(2, 1), padding=(1, 0), stride=(1, 2))": "x = r(2, 3, 5, 7)",
    "F.unfold(x, 2)": "x = r(3, 3, 4)",
    "F.unfold(x, 2, padding=2, stride=3)": "x = r(0, 2, 3, 4)",
    "F.unfold(x.transpose(2, 3), 3, padding=1)": "x = r(1, 2, 4, 3)",
    "F.fold(x, (5, 7), (2, 3), dilation=(2, 1), padding=(1, 0), stride=(1, 2))": "x = r(2, 12, 15)",
    "F.fold(x, 3, 2)": "x = r(8, 4)",
    "F.fold(x, 4, 2, stride=2)": "x = r(0, 8, 4)",
    "F.pixel_shuffle(x, 2)": "x = r(3, 2, 8, 2, 3)",
    "F.pixel_unshuffle(x, 2)": "x = r(2, 4, 6)",
    "F.channel_shuffle(x, 3)": "x = r(2, 6, 2, 3)",
    "F.channel_shuffle(x, 2)": "x = r(0, 4, 3)",
    # ---- integers ----
    "F.avg_pool2d(x, 2, padding=1, count_include_pad=False)": "x = i(9, 1, 2, 5, 4)",
    "F.avg_pool1d(x - 5, 2)": "x = i(9, 2, 6)",
    "F.avg_pool3d(x - 5, 2, divisor_override=3)": "x = i(9, 2, 4, 4, 2)",
    **{f"F.pad(x, (1, 2, 1, 0), {mode!r})": "x = i(9, 2, 3, 4)" for mode in ("reflect", "replicate", "circular")},
}

_LINEAR = {
    **{
        f"F.interpolate(x, scale_factor=1.6, mode={mode!r})": f"x = {_INPUT[n]}"
        for mode, dims in _MODES.items()
        for n in dims
        if mode != "area"
    },
    **{
        f"F.interpolate(x, (2, 5), mode={mode!r}, antialias=True)": "x = r(1, 2, 4, 3)"
        for mode in ("bilinear", "bicubic", "lanczos")
    },
    **{
        f"torch._C._nn.{kind}_pad{n}d(x, {(1, 2) * n})": f"x = {_INPUT[n]}"
        for kind in ("reflection", "replication")
        for n in (1, 2, 3)
    },
    "F.unfold(x, 2, padding=1)": "x = r(1, 2, 3, 3)",
    "F.fold(x, (3, 3), 2)": "x = r(1, 8, 4)",
    "F.pixel_shuffle(x, 2)": "x = r(1, 4, 2, 2)",
    "F.pixel_unshuffle(x, 2)": "x = r(1, 1, 4, 4)",
    "F.channel_shuffle(x, 2)": "x = r(1, 4, 2)",
    "F.affine_grid(x, (1, 1, 2, 3), align_corners=False)": "x = r(1, 2, 3)",
}
_GRID = "torch.tensor([[[[-0.83, 0.21], [0.4, -1.12], [1.3, 0.9]]]], dtype=torch.float64)"
_GRID3 = "torch.tensor([[[[[-0.83, 0.21, 0.4], [0.3, -1.12, 0.8]]]]], dtype=torch.float64)"
TWICE = {
    **_LINEAR,
    **{
        f"F.grid_sample(x, {_GRID}, {mode!r}, {padding!r}, False)": "x = r(1, 2, 3, 4)"
        for mode in ("bilinear", "nearest", "bicubic")
        for padding in ("zeros", "border", "reflection")
    },
    f"F.grid_sample(x, {_GRID3}, align_corners=True)": "x = r(1, 2, 3, 4, 2)",
    # By the grid.
    **{
        f"F.grid_sample({shown}, x, {mode!r}, {padding!r}, {align})": f"x = {grid}"
        for shown, grid in (
            ("torch.arange(24.0, dtype=torch.float64).sin().view(1, 2, 3, 4)", "2.6 * u(1, 2, 5, 2) - 1.3"),
            ("torch.arange(48.0, dtype=torch.float64).sin().view(1, 2, 3, 4, 2)", "2.6 * u(1, 1, 2, 5, 3) - 1.3"),
        )
        for mode in ("bilinear", "bicubic")
        for padding in ("zeros", "border", "reflection")
        for align in (False, True)
        if "48" not in shown or mode == "bilinear"
    },
}
# Whose graph is compared by the nodes' names, of the result and of its gradient.
NAMED = [call for call in _LINEAR if "affine" not in call]

# In other dtypes; how far off.
DTYPES = {
    **{
        f"F.interpolate(x.to(torch.{dtype}), {how}, mode={mode!r})": f"x = {_INPUT[n]}"
        for mode, n in (("nearest", 2), ("linear", 1), ("bilinear", 2), ("bicubic", 2), ("trilinear", 3))
        for how in ("scale_factor=2",)
        for dtype in ("float16", "bfloat16", "float32")
    },
    **{
        f"F.interpolate(x.to(torch.uint8), (7, 9), mode={mode!r}, antialias={antialias})": "x = i(256, 1, 3, 11, 6)"
        for mode in ("bilinear", "bicubic")
        for antialias in (False, True)
    },
    "F.interpolate(x.to(torch.uint8), (3, 4), mode='bilinear', antialias=True)": "x = i(256, 1, 3, 11, 16)",
    "F.interpolate(x.to(torch.uint8), (13, 14), mode='nearest')": "x = i(256, 1, 3, 11, 16)",
    **{
        f"F.{call}": f"x = {given}"
        for dtype in ("float16", "bfloat16", "complex64")
        for call, given in (
            (f"pad(x.to(torch.{dtype}), (1, 2), 'reflect')", "r(2, 3)"),
            (f"unfold(x.to(torch.{dtype}), 2)", "r(1, 3, 3)"),
            (f"fold(x.to(torch.{dtype}), (3, 3), 2)", "r(4, 4)"),
        )
    },
    **{
        f"F.grid_sample(x.to(torch.{dtype}), y.to(torch.{dtype}), align_corners=False)": (
            "x = r(1, 2, 3, 4); y = 2 * u(1, 2, 3, 2) - 1"
        )
        for dtype in ("float16", "bfloat16", "float32")
    },
    "F.unfold(x > 0, 2)": "x = r(1, 3, 3)",
}

_NN = "torch._C._nn"
_Z = "torch.zeros"
REFUSED = {
    f"{_NN}.upsample_nearest2d({_Z}(1, 2, 3, 3), [3])": None,
    f"{_NN}.upsample_nearest2d({_Z}(1, 2, 3, 3), [0, 3])": None,
    f"{_NN}.upsample_nearest2d({_Z}(1, 0, 3, 3), [3, 3])": None,
    f"{_NN}.upsample_nearest2d({_Z}(1, 2, 3, 0), [3, 3])": None,
    f"{_NN}.upsample_nearest2d({_Z}(2, 3, 3), [3, 3])": None,
    f"{_NN}.upsample_nearest1d({_Z}(2, 2, 3), [0])": None,
    f"{_NN}.upsample_nearest1d({_Z}(2, 0, 3), [2])": None,
    f"{_NN}.upsample_linear1d({_Z}(2, 3), [2], False)": None,
    f"{_NN}.upsample_nearest3d({_Z}(1, 2, 3, 3, 3), [3, 0, 3])": None,
    f"{_NN}.upsample_trilinear3d({_Z}(1, 0, 3, 3, 3), [3, 1, 3], False)": None,
    f"{_NN}.upsample_nearest2d({_Z}(1, 2, 3, 3), None, None)": None,
    f"{_NN}.upsample_nearest2d({_Z}(1, 2, 3, 3), [3, 3], [2.0, 2.0])": None,
    **{
        f"{_NN}.{name}({_Z}({', '.join('2' * (n + 2))}).{dtype}(), {[3] * n}{more})": None
        for name, n, more in (
            ("upsample_nearest1d", 1, ""),
            ("upsample_nearest2d", 2, ""),
            ("upsample_linear1d", 1, ", False"),
            ("upsample_bilinear2d", 2, ", False"),
            ("upsample_trilinear3d", 3, ", False"),
            ("upsample_bicubic2d", 2, ", False"),
            ("_upsample_bilinear2d_aa", 2, ", False"),
            ("_upsample_bicubic2d_aa", 2, ", False"),
        )
        for dtype in ("int", "bool", "cfloat", "half", "byte")
        if dtype in ("int", "bool", "cfloat")
        or (dtype == "half" and "aa" in name)
        or (dtype == "byte" and name in ("upsample_linear1d", "upsample_trilinear3d"))
    },
    f"F.interpolate({_Z}(1, 2, 3, 3), [3, 4.5])": "expected size to be one of int or Tuple[int]",
    f"F.interpolate({_Z}(1, 2, 3, 3), [3])": None,
    f"F.interpolate({_Z}(1, 2, 3, 3), scale_factor=[3.0])": None,
    f"F.interpolate({_Z}(1, 2, 3, 3), 3, mode='linear')": None,
    f"F.interpolate({_Z}(1, 2, 3), 3, mode='bilinear')": None,
    f"F.interpolate({_Z}(1, 2, 3), 3, mode='bicubic')": None,
    f"F.interpolate({_Z}(1, 2, 3, 3), 3, mode='foo')": None,
    f"F.interpolate({_Z}(1, 2, 3, 3), 3, mode='area', antialias=True)": None,
    f"F.interpolate({_Z}(1, 2, 3, 3))": None,
    f"F.interpolate({_Z}(1, 2, 3, 3), 3, 2)": None,
    f"F.interpolate({_Z}(1, 2, 3, 3), 3, recompute_scale_factor=True)": None,
    f"F.interpolate({_Z}(1, 2, 3), 3, mode='nearest', align_corners=True)": None,
    f"F.interpolate({_Z}(2, 3), 3)": None,
    f"F.interpolate({_Z}(1, 2, 3, 3), 3, mode='lanczos')": None,
    f"F.interpolate({_Z}(1, 2, 3, 3), 3, mode='lanczos', align_corners=True, antialias=True)": None,
    f"F.interpolate({_Z}(1, 2, 3, 3), scale_factor=0.1)": None,
    f"F.interpolate({_Z}(1, 2, 3, 3), scale_factor=-1)": None,
    f"F.grid_sample({_Z}(2, 2, 4), {_Z}(2, 2, 4), mode='x')": None,
    f"F.grid_sample({_Z}(2, 2, 4), {_Z}(2, 2, 4), padding_mode='x')": None,
    f"torch.grid_sampler({_Z}(1, 1, 2, 2, 2), {_Z}(1, 2, 2, 2, 3), 2, 0, False)": None,
    f"torch.grid_sampler({_Z}(1, 1, 2, 2, 2), {_Z}(1, 2, 2, 2), 0, 0, False)": None,
    f"torch.grid_sampler({_Z}(2, 1, 2, 2), {_Z}(1, 2, 2, 2), 0, 0, False)": None,
    f"torch.grid_sampler({_Z}(1, 1, 2, 2), {_Z}(1, 2, 2, 1), 0, 0, False)": None,
    f"torch.grid_sampler({_Z}(1, 1, 2, 2), {_Z}(1, 2, 2, 2).double(), 0, 0, False)": None,
    f"torch.grid_sampler({_Z}(1, 1, 2, 2).long(), {_Z}(1, 2, 2, 2).long(), 0, 0, False)": None,
    f"torch.grid_sampler({_Z}(1, 1, 0, 2), {_Z}(1, 2, 2, 2), 0, 0, False)": None,
    f"torch.grid_sampler_2d({_Z}(1, 1, 2, 2, 2), {_Z}(1, 2, 2, 2, 3), 0, 0, False)": None,
    f"torch.grid_sampler_3d({_Z}(1, 1, 2, 2), {_Z}(1, 2, 2, 2), 0, 0, False)": None,
    f"torch.affine_grid_generator({_Z}(2, 2, 3), [3, 3, 4], False)": None,
    f"torch.affine_grid_generator({_Z}(2, 2, 3), [3, 3, 4, 5], False)": None,
    f"F.affine_grid({_Z}(2, 2, 3).long(), [2, 3, 4, 5], False)": None,
    f"F.affine_grid({_Z}(2, 2, 3), [2, 3, 4], False)": None,
    f"F.affine_grid({_Z}(2, 2, 3), [2, 3, 4, 0], False)": None,
    f"F.affine_grid({_Z}(2, 2, 4), [2, 3, 4, 5], False)": None,
    **{
        f"{_NN}.{kind}_pad{n}d({_Z}({given}){more}, {pad})": None
        for kind in ("reflection", "replication")
        for n, given, more, pad in (
            (1, "2, 3, 5", "", [1, 2, 3]),
            (1, "2, 3, 5", "", [-9, 1]),
            (1, "5", "", [1, 1]),
            (1, "2, 0, 5", "", [1, 1]),
            (1, "2, 3, 5", ".bool()", [1, 1]),
            (2, "2, 3, 5, 6", "", [1, 2, 3]),
            (2, "2, 3, 5, 6", "", [-9, 1] * 2),
            (2, "2, 3, 0, 6", "", [1, 1] * 2),
            (3, "2, 3, 4, 5, 6", "", [-9, 1] * 3),
            (3, "2, 3, 4", "", [1, 1] * 3),
            (3, "1, 1, 2, 2, 2", ".bool()", [1, 1] * 3),
        )
    },
    f"{_NN}.reflection_pad1d({_Z}(2, 3, 5), [7, 7])": None,
    f"{_NN}.reflection_pad2d({_Z}(2, 3, 5, 6), [1, 1, 5, 0])": None,
    f"{_NN}.reflection_pad3d({_Z}(3, 4, 5, 6), [7] * 6)": None,
    f"{_NN}._pad_circular({_Z}(2, 3, 5, 6), [7, 1, 1, 1])": None,
    f"{_NN}._pad_circular({_Z}(2, 3, 5, 6), [-4, -4, 0, 0])": None,
    f"F.pad({_Z}(2, 3, 5, 6), [1, 1], 'circular')": None,
    f"F.pad({_Z}(2, 3, 5, 6), [1, 2, 3], 'reflect')": None,
    f"F.pad({_Z}(2, 3, 5, 6), [], 'reflect')": None,
    f"F.pad({_Z}(2, 3, 5, 6), [1, 1], 'q')": None,
    f"F.pad({_Z}(2, 3, 5, 6), [1, 1, 1, 1], 'reflect', 1)": None,
    **{
        f"{_NN}.im2col({_Z}(2, 3, 5, 6), {lists})": None
        for lists in (
            "[2], [1, 1], [0, 1], [1, 2]",
            "[2, 2], [1, 1], [0], [1, 2]",
            "[0, 2], [1, 1], [0, 1], [1, 2]",
            "[2, 2], [0, 1], [0, 1], [1, 2]",
            "[2, 2], [1, 1], [-1, 1], [1, 2]",
            "[2, 2], [1, 1], [0, 1], [0, 2]",
            "[20, 2], [1, 1], [0, 1], [1, 2]",
        )
    },
    f"F.unfold({_Z}(2, 0, 5, 6), 2)": None,
    f"F.unfold({_Z}(5, 6), 2)": None,
    f"F.unfold({_Z}(2, 3, 5, 6).long(), 2)": None,
    f"F.unfold({_Z}(2, 3, 5, 6), (2,))": None,
    f"F.fold({_Z}(2, 8, 3), (5, 6), 2)": None,
    f"F.fold({_Z}(2, 18, 3), (5, 6), 2)": None,
    f"F.fold({_Z}(2, 8, 20, 1), (5, 6), 2)": None,
    f"F.fold({_Z}(2, 8, 0), (5, 6), 2)": None,
    f"F.fold({_Z}(2, 8, 20), (5,), 2)": None,
    f"F.fold({_Z}(2, 8, 20), (1, 6), 2)": None,
    f"F.fold({_Z}(2, 8, 20).byte(), (5, 6), 2)": None,
    f"F.avg_pool2d({_Z}(1, 2, 4, 4).int(), 2)": None,
    f"F.avg_pool3d({_Z}(1, 2, 4, 4, 4).int(), 2)": None,
    f"torch.pixel_shuffle({_Z}(1, 4, 2, 2), -1)": None,
    f"torch.pixel_unshuffle({_Z}(1, 4, 2, 2), 5)": None,
    f"torch.channel_shuffle({_Z}(1, 4, 2, 2), 0)": None,
    f"torch.channel_shuffle({_Z}(1, 4, 2, 2), 3)": None,
}
