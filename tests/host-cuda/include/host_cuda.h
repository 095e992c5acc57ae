/* What nvcc knows without being told, for translation units of kernels: bin/nvcc includes this first. */
#ifndef HOST_CUDA_H
#define HOST_CUDA_H

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime.h"
#include "host_cuda/device.h"
#include "host_cuda/atomics.h"
#include "host_cuda/intrinsics.h"
#include "host_cuda/math.h"

#endif
