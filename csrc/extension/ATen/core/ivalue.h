// PyTorch's name of a header, for what of it is here.
#pragma once

#include <torch/torch.h>
