"""For tests: comparing what tensors hold, and making tensors to try."""

from torch.testing._comparison import assert_allclose as assert_allclose, assert_close as assert_close
from torch.testing._creation import make_tensor as make_tensor
from torch.testing._file_check import FileCheck as FileCheck
