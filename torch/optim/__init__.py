"""Optimisers: they move parameters by their gradients.

An optimiser is made of parameters, or of groups of parameters with options of their own; after gradients are computed
its ``step`` moves them. Schedulers (:mod:`torch.optim.lr_scheduler`) change the learning rate as training goes on;
:mod:`torch.optim.swa_utils` averages models.
"""

from torch.optim._adafactor import Adafactor
from torch.optim._muon import Muon
from torch.optim._stateless import swap_in_optimizer_params_and_state
from torch.optim.adadelta import Adadelta
from torch.optim.adagrad import Adagrad
from torch.optim.adam import Adam
from torch.optim.adamax import Adamax
from torch.optim.adamw import AdamW
from torch.optim.asgd import ASGD
from torch.optim.lbfgs import LBFGS
from torch.optim.nadam import NAdam
from torch.optim.optimizer import Optimizer
from torch.optim.radam import RAdam
from torch.optim.rmsprop import RMSprop
from torch.optim.rprop import Rprop
from torch.optim.sgd import SGD
from torch.optim.sparse_adam import SparseAdam

from torch.optim import lr_scheduler  # isort: skip - it stands on Optimizer

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SparseAdam",
    "lr_scheduler",
    "swa_utils",
    "swap_in_optimizer_params_and_state",
]


TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.optim import swa_utils as swa_utils

if not TYPE_CHECKING:

    def __getattr__(name):
        if name == "swa_utils":  # it brings in torch.nn
            import importlib

            return importlib.import_module("torch.optim.swa_utils")
        raise AttributeError(f"module 'torch.optim' has no attribute '{name}'")
