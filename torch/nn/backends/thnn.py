"""The functions of torch.nn by the names of 2017, as attributes of `backend`: classes with `apply`."""

from torch.nn._functions import dropout, linear, loss, rnn, thnn
from torch.nn.backends.backend import FunctionBackend


class THNNFunctionBackend(FunctionBackend):
    """There is one; its copies and pickles are itself."""

    def __reduce__(self):
        return _the_backend, ()

    def __deepcopy__(self, memo):
        return self

    def __copy__(self):
        return self


def _the_backend():
    return backend


backend = THNNFunctionBackend()
for _function in [*thnn._all_functions, linear.Linear, linear.Bilinear, dropout.Dropout, *vars(loss).values()]:
    if hasattr(_function, "after_first") and _function.__name__ not in backend.function_classes:
        backend.register_function(_function.__name__, _function)
for _name in ("RNN", "RNNTanhCell", "RNNReLUCell", "LSTMCell", "GRUCell"):
    backend.register_function(_name, getattr(rnn, _name))
for _name in ("Dropout2d", "Dropout3d"):
    backend.register_function(_name, dropout.FeatureDropout)
