"""The functions of torch.nn by the names of 2017, as attributes of `backend`."""

import torch


class THNNFunctionBackend:
    """backend.Linear and the like: functions of torch.nn.functional."""

    _NAMES = {
        "ELU": "elu",
        "LeakyReLU": "leaky_relu",
        "LogSigmoid": "logsigmoid",
        "LogSoftmax": "log_softmax",
        "NLLLoss": "nll_loss",
        "PReLU": "prelu",
        "RReLU": "rrelu",
        "SELU": "selu",
        "Softmax": "softmax",
        "Softplus": "softplus",
        "Softshrink": "softshrink",
        "Threshold": "threshold",
        "CrossEntropyLoss": "cross_entropy",
        "Dropout": "dropout",
        "Embedding": "embedding",
        "Linear": "linear",
    }

    def __getattr__(self, name):
        if name not in self._NAMES:
            raise AttributeError(f"torch.nn.backends.thnn.backend has no '{name}'")
        return getattr(torch.nn.functional, self._NAMES[name])


backend = THNNFunctionBackend()
