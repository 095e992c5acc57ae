"""Writes tests/nn/data with PyTorch: cd /tmp && /tmp/oracle/bin/python …/tests/nn/generate.py [whole | FAMILY …]"""

import copy
import gzip
import io
import json
import pathlib
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch  # noqa: E402
from nn_cases import FUNCTIONS, MODELS, MODULES, PRINTED  # noqa: E402
from nn_errors import REFUSED  # noqa: E402
from nn_golden import DATA, FAMILIES, cases  # noqa: E402
from nn_oracle import (  # noqa: E402
    SPACE,
    ask_function,
    ask_module,
    ask_names,
    flat,
    inputs_of,
    made,
    operands_of,
    printed,
    refusal,
)


def module_rows():
    for constructor, text in MODULES.items():
        torch.manual_seed(len(constructor))
        module = made(constructor)
        inputs = inputs_of(text)
        if module._modules or module._parameters or module._buffers:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if any(torch.nn.parameter.is_lazy(p) for p in (*module.parameters(), *module.buffers())):
                    module(*inputs)
        for p in module.parameters():  # biases and norms that begin as 0 and 1 would prove little
            if p.dim() == 1:
                p.data.add_(torch.randn_like(p) * 0.1)
        row = {"inputs": inputs, "before": copy.deepcopy(dict(module.state_dict()))}
        for training in (True, False):
            row["train" if training else "eval"] = ask_module(module, inputs, training)
        yield constructor, row


def models():
    """Whole modules, as pickles, with an input and its result."""
    torch.manual_seed(2)
    for constructor, text in MODELS.items():
        module = made(constructor).eval()
        inputs = [x.detach() for x in inputs_of(text)]
        yield constructor, (module, inputs, flat(module(*inputs)))


def refused(calls):
    """{call: [type, text]}: all of PyTorch's text, or what it must share with ours."""
    answers = {}
    for call, shared in calls.items():
        kind, text = refusal(call)
        if shared is not None and not text.startswith(shared):
            raise SystemExit(f"{call}: PyTorch says {text}")
        answers[call] = [kind, text if shared is None else shared]
    return answers


def save(name, rows):
    """Compressed: most of such a file are the headers of small tensors."""
    file = io.BytesIO()
    torch.save(rows, file)
    (DATA / f"{name}.pt.gz").write_bytes(gzip.compress(file.getvalue(), mtime=0))


def tell(name, answers):
    (DATA / f"{name}.json").write_text(json.dumps(answers, indent=1) + "\n")


def whole():
    """nn_cases.py and nn_errors.py: modules with their states, which are pickled too, and functions."""
    save("modules", dict(module_rows()))
    save("models", dict(models()))
    torch.manual_seed(1)
    rows = {}
    for call, text in FUNCTIONS.items():
        operands = operands_of(text)
        rows[call] = {"operands": operands, **ask_function(call, operands)}
    save("functions", rows)
    torch.manual_seed(0)
    tell("errors", refused(REFUSED))
    tell("texts", {constructor: printed(constructor) for constructor in PRINTED})


def write(name):
    family, asked = FAMILIES[name], cases(name)
    torch.manual_seed(family.seed)
    rows, nodes, known = {}, {}, {}
    for kind, ask in family.kinds.items():
        rows[kind] = {}
        for call, text in getattr(asked, kind).items():
            operands = known.get(text) if family.shares else None
            if operands is None:
                operands = known[text] = inputs_of(text) if kind == "MODULES" else operands_of(text)
            rows[kind][call] = {"operands": operands, "answer": ask(call, operands)}
            if call in getattr(asked, "NODES", ()):
                nodes[call] = eval(call, {**SPACE, **operands}).grad_fn.name()
    save(name, rows)
    answers = {"errors": refused(asked.REFUSED)}
    if hasattr(asked, "PRINTED"):
        answers["texts"] = {expression: printed(expression) for expression in asked.PRINTED}
    if hasattr(asked, "NODES"):
        answers["nodes"] = {call: nodes.get(call) or eval(call, dict(SPACE)).grad_fn.name() for call in asked.NODES}
    if hasattr(asked, "NAMED"):
        answers["names"] = {call: ask_names(call, operands_of(asked.TWICE[call])) for call in asked.NAMED}
    tell(name, answers)


def main():
    warnings.simplefilter("ignore")
    for name in sys.argv[1:] or ["whole", *FAMILIES]:
        whole() if name == "whole" else write(name)


if __name__ == "__main__":
    main()
