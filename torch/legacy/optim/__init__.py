"""Lua's optimisers: functions of (opfunc, x, config, state=None) that move `x`. opfunc(x) gives the value and the gradient
at x; `config` holds numbers such as "learningRate", `state` (config, where it is not given) what is remembered from
call to call. They return x and the value before the move; some return more."""

from torch.legacy.optim._lines import cg as cg
from torch.legacy.optim._lines import lbfgs as lbfgs
from torch.legacy.optim._steps import adadelta as adadelta
from torch.legacy.optim._steps import adagrad as adagrad
from torch.legacy.optim._steps import adam as adam
from torch.legacy.optim._steps import adamax as adamax
from torch.legacy.optim._steps import asgd as asgd
from torch.legacy.optim._steps import nag as nag
from torch.legacy.optim._steps import rmsprop as rmsprop
from torch.legacy.optim._steps import rprop as rprop
from torch.legacy.optim._steps import sgd as sgd
