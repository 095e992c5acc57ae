#pragma once
#include "../../host_cuda/cub_sort.h"
