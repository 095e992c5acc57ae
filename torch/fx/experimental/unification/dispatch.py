"""Functions of several bodies, of unification."""

from functools import partial

from torch.fx.experimental.unification.multipledispatch import dispatch as _dispatch

namespace = {}
dispatch = partial(_dispatch, namespace=namespace)
