/* The device-wide algorithms of CUB that are carried out here, under the names that CCCL 3.0 (CUDA 13.0) has. */
#pragma once
#include "../host_cuda/cub_scan.h"
#include "../host_cuda/cub_sort.h"
