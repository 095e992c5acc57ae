"""Lua's optimisers: functions of (opfunc, x, config, state=None) that move `x`. opfunc(x) gives the value and the gradient
at x; `config` holds numbers such as "learningRate", `state` (config, where it is not given) what is remembered from
call to call. They return x and the value before the move; some return more."""

from torch.legacy.optim._lines import cg as cg, lbfgs as lbfgs
from torch.legacy.optim._steps import (
    adadelta as adadelta,
    adagrad as adagrad,
    adam as adam,
    adamax as adamax,
    asgd as asgd,
    nag as nag,
    rmsprop as rmsprop,
    rprop as rprop,
    sgd as sgd,
)
