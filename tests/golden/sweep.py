"""Asks this library and PyTorch every name with every dtype, and lists what they answer differently.

    python tests/golden/sweep.py --ours PYTHON --torch PYTHON [--only TEXT]

A search for gaps, not a test: the calls are made by rule (every public function of torch, torch.linalg, torch.special,
torch.fft and every method, with the operands of FORMS), so most of them mean nothing, and then both should refuse.
What it finds becomes a row in cases/. Run it from a folder that holds no torch/.
"""

import argparse
import collections
import json
import subprocess
import sys
import warnings

DTYPES = """
    bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz
    float16 bfloat16 float32 float64 complex32 complex64 complex128
""".split()
MODULES = ("", "linalg", "special", "fft", "Tensor")
# Not asked: what is random, changes the process, reads files, hands out uninitialised memory, or is no matter of
# tensors on CPU (a word of the name says it); later layers (nn, autograd, sparse, quantization).
LEFT_OUT = """
    set_ get_ compile cuda cpu_ xpu mtia ipu hpu vulkan mkldnn cudnn miopen quant q_ per_ fake_ load save file seed
    manual fork rng jit export vmap grad backward register hook share_memory pin_memory autocast interop import hub
    empty resize new sparse nested rnn lstm gru conv pool dropout embedding bernoulli rand multinomial normal poisson
    uniform exponential cauchy geometric storage data_ptr values indices crow ccol row_ col_ sym_ names apply_ map_
    numpy threads vitals trace_ wait futures grid_sampler loss affine fbgemm parse_ is_tracing anomaly binomial
    memory_format refine align rename segment_reduce typename prelu rrelu celu selu hardshrink batch_norm group_norm
    instance_norm layer_norm rms_norm channel_shuffle pixel native threshold while cond alpha_dropout unify addr_
    hash_tensor result_type reinforce record_stream dequantize int_repr qscheme
""".split()


def value(torch, dtype, shape):
    """Small mixed numbers, the same in both libraries."""
    count = 1
    for size in shape:
        count *= size
    low = 1 if dtype.is_signed or dtype.is_complex else 0
    base = torch.tensor([(i * 7) % 5 - low for i in range(count)], dtype=torch.float64)
    if dtype == torch.bool:
        base = base > 1
    elif dtype.is_complex:
        base = torch.complex(base, base.flip(0) * 0.5)
    elif dtype.is_floating_point:
        base = base * 0.75 + 0.1
    return base.to(dtype).reshape(shape)


def forms(torch, d):
    """Operands by name: x a matrix, m a regular one, v a vector, s 0-dim, e empty, i indices, k a mask."""
    x, v, s = value(torch, d, (2, 3)), value(torch, d, (3,)), value(torch, d, ())
    square = value(torch, d, (3, 3))
    m = square if d == torch.bool else (square.to(torch.complex64) + torch.eye(3) * 4).to(d)
    k, row = value(torch, torch.bool, (2, 3)), value(torch, d, (1, 3))
    return {
        "x": (x,), "m": (m,), "s": (s,), "e": (torch.empty(0, 3, dtype=d),),
        "x,x": (x, x), "m,m": (m, m), "v,v": (v, v), "x,1": (x, 1), "x,k": (x, k), "k,x,x": (k, x, x),
        "m,m,m": (m, m, m), "x,0,i,x": (x, 0, torch.tensor([[0, 1, 0]]), row), "x,0,1,x": (x, 0, torch.tensor([1]), row),
    }  # fmt: skip


def describe(torch, result):
    """The answer as JSON: dtype, shape and elements."""
    if isinstance(result, torch.Tensor):
        numbers = result.flatten().tolist() if result.numel() <= 40 else []
        parts = [[z.real, z.imag] if isinstance(z, complex) else z for z in numbers]
        return [str(result.dtype), list(result.shape), parts]
    if isinstance(result, (tuple, list)):
        return [describe(torch, item) for item in result]
    if isinstance(result, complex):
        return [result.real, result.imag]
    return result if isinstance(result, (bool, int, float, str, type(None))) else type(result).__name__


def public(torch):
    """Every name that is asked, with its function."""
    for module in MODULES:
        owner = getattr(torch, module, None) if module else torch
        for name in dir(owner):
            function = getattr(owner, name)
            plain = not name.startswith("_") and callable(function) and not isinstance(function, type)
            if plain and not any(word in name for word in LEFT_OUT):
                yield f"{module}.{name}".lstrip("."), function


def ask(only):
    """All answers of the torch that this interpreter imports, as one JSON object on standard output."""
    import torch

    warnings.simplefilter("ignore")
    answers = {}
    for name, function in public(torch):
        answers[name] = {}
        if only not in name:
            continue
        for dtype in DTYPES:
            for form in forms(torch, getattr(torch, dtype)):
                operands = forms(torch, getattr(torch, dtype))[form]
                try:
                    answer = describe(torch, function(*operands))
                except Exception as error:
                    answer = {"error": type(error).__name__, "text": str(error).partition("\n")[0]}
                answers[name][f"{form} {dtype}"] = answer
    json.dump(answers, sys.stdout)


def alike(a, b, tolerance):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(alike(x, y, tolerance) for x, y in zip(a, b))
    if isinstance(a, float) and isinstance(b, float):
        return (a != a and b != b) or a == b or abs(a - b) <= tolerance * (1 + abs(b))
    return a == b


def verdict(ours, theirs, dtype):
    """What is wrong with an answer, in two or three words; None if nothing is."""
    failed, should_fail = (isinstance(answer, dict) for answer in (ours, theirs))
    if failed and should_fail:
        classes = {ours["error"], theirs["error"]}
        # NotImplementedError is a RuntimeError, which is all that users are told.
        same = len(classes) == 1 or classes == {"RuntimeError", "NotImplementedError"}
        return None if same else f"raises {ours['error']}, not {theirs['error']}"
    if failed:
        return f"is refused: {ours['text'][:100]}"
    if should_fail:
        return "is not refused"
    coarse = dtype in ("float16", "bfloat16", "complex32") or dtype.startswith("float8")
    return None if alike(ours, theirs, 0.02 if coarse else 2e-4) else "differs"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", metavar="PYTHON", help="interpreter that imports our torch")
    parser.add_argument("--torch", metavar="PYTHON", help="interpreter that imports PyTorch")
    parser.add_argument("--only", metavar="TEXT", default="", help="names that contain this")
    parser.add_argument("--ask", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        return ask(options.only)
    ours, theirs = (
        json.loads(
            subprocess.run([python, __file__, "--ask", "--only", options.only], check=True, capture_output=True).stdout
        )
        for python in (options.ours, options.torch)
    )
    print("missing:", " ".join(name for name in theirs if name not in ours))
    found = collections.defaultdict(list)
    for name in sorted(theirs.keys() & ours.keys()):
        for case, answer in theirs[name].items():
            wrong = verdict(ours[name][case], answer, case.split()[1])
            if wrong:
                found[f"{name} {wrong}"].append(case)
    for what, cases in found.items():
        print(f"{what}  [{len(cases)}: {'; '.join(cases[:4])}]")
    print(f"{sum(map(len, theirs.values()))} calls, {sum(map(len, found.values()))} differ")


if __name__ == "__main__":
    sys.exit(main())
