from typing import Any

import torch
from torch import library
from torch.library import Library, custom_op


@custom_op("mine::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


reveal_type(double)


@double.register_fake
def double_fake(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
    return gradient * 2


reveal_type(double.register_autograd(backward))
mine = Library("mine", "FRAGMENT")
reveal_type(mine)
reveal_type(mine.define("triple(Tensor x) -> Tensor"))
reveal_type(mine.impl("triple", lambda x: x * 3, "CPU"))
reveal_type(library.infer_schema(backward, mutates_args=()))
reveal_type(library.opcheck(double, (torch.ones(3),)))
reveal_type(library.register_autograd("mine::triple", backward))
reveal_type(library.register_kernel("mine::triple", "cpu"))
Library("mine")  # an error
Library("mine", "FRAGMENT", key="CPU")  # an error
mine.defined("x")  # an error
library.register_autograd("mine::triple")  # an error
library.infer_schema(backward)  # an error
library.opcheck(double)  # an error
