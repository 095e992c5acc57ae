/* THNN: neural-network kernels on the CPU, forward and backward. A header per family. */
#ifndef THNN_H
#define THNN_H

#include <THNN/Activation.h>
#include <THNN/Attention.h>
#include <THNN/CTC.h>
#include <THNN/Check.h>
#include <THNN/Convolution.h>
#include <THNN/Criterion.h>
#include <THNN/Grid.h>
#include <THNN/LookupTable.h>
#include <THNN/Normalization.h>
#include <THNN/OneDNN.h>
#include <THNN/Optimizer.h>
#include <THNN/Padding.h>
#include <THNN/Pooling.h>
#include <THNN/Recurrent.h>
#include <THNN/SoftMax.h>
#include <THNN/Unfolding.h>
#include <THNN/Upsampling.h>

/* The same, and a few others, as the field's modules have them. */
#include <THNN/modules/Linear.h>
#include <THNN/modules/Spatial.h>
#include <THNN/modules/Temporal.h>
#include <THNN/modules/Volumetric.h>

#endif
