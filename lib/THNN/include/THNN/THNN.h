/* THNN: neural-network kernels on the CPU, forward and backward. A header per family. */
#ifndef THNN_H
#define THNN_H

#include <THNN/Activation.h>
#include <THNN/Convolution.h>
#include <THNN/Criterion.h>
#include <THNN/Optimizer.h>
#include <THNN/Pooling.h>
#include <THNN/SoftMax.h>

#endif
