// A function of THNN in every dtype that has it, by dtype.
#pragma once

#include <vector>

#include <THNN/THNN.h>

#include "../../TH/tests/tensors.hpp"

// NN_FAMILY(floating, BatchNormalization_updateOutput): its pointers for the dtypes of TH_FOR_floating, null elsewhere.
#define NN_ENTRY(Name, op) table[TH_##Name] = THNN_##Name##op;
#define NN_FAMILY(dtypes, op)                                             \
  [] {                                                                    \
    std::vector<decltype(&THNN_Float##op)> table(TH_NUM_DTYPES, nullptr); \
    TH_FOR_##dtypes(NN_ENTRY, op)                                         \
    return table;                                                         \
  }()
