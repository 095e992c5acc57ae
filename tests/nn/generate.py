"""Writes tests/nn/data with PyTorch: cd /tmp && /tmp/oracle/bin/python …/tests/nn/generate.py"""

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
from nn_asking import SPACE, ask_function, ask_module, flat, inputs_of, made, operands_of  # noqa: E402
from nn_cases import FUNCTIONS, MODELS, MODULES, PRINTED  # noqa: E402
from nn_errors import REFUSED  # noqa: E402


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


def refused():
    torch.manual_seed(0)
    for call in REFUSED:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                eval(call, dict(SPACE))
        except Exception as error:
            text, shared = str(error), REFUSED[call]
            if shared is not None and not text.startswith(shared):
                raise SystemExit(f"{call}: PyTorch says {text}") from error
            yield call, [type(error).__name__, text if shared is None else shared]
        else:
            raise SystemExit(f"PyTorch does not refuse {call}")


def texts():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {constructor: repr(eval(constructor, dict(SPACE))) for constructor in PRINTED}


def save(name, rows):
    """Compressed: most of such a file are the headers of small tensors."""
    file = io.BytesIO()
    torch.save(rows, file)
    (HERE / f"data/{name}.pt.gz").write_bytes(gzip.compress(file.getvalue(), mtime=0))


def main():
    save("modules", dict(module_rows()))
    save("models", dict(models()))
    torch.manual_seed(1)
    rows = {}
    for call, text in FUNCTIONS.items():
        operands = operands_of(text)
        rows[call] = {"operands": operands, **ask_function(call, operands)}
    save("functions", rows)
    for name, answers in (("errors", dict(refused())), ("texts", texts())):
        (HERE / f"data/{name}.json").write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
