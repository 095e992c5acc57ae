// PyTorch's name of a header, for what of it is here. Of TorchScript, nothing.
#pragma once

#include <torch/library.h>
