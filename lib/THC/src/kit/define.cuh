// From a template to the C functions of a list of dtypes, as kit/define.hpp of TH does it for the CPU.
#pragma once

#include <THC/THCGeneral.h>
#include "kit/define.hpp"
#include "kit/failure.cuh"
#include "kit/scalar.hpp"

// One line defines what THC_FUNCTION declares; in the last argument, T is the element type and `dtype` its THDtype:
//     THC_DEFINE(neg, number, (THTensor *r, const THTensor *t), thc::pointwise<T>(Negate{}, r, t))
#define THC_DEFINE(op, dtypes, args, ...) TH_FOR_##dtypes(THC_DEFINE_, op, args, __VA_ARGS__)
#define THC_DEFINE_(Name, op, args, ...) THC_DEFINE_AS(THC_TENSOR(Name, op), Name, op, args, __VA_ARGS__)
// The same of a function that has another name.
#define THC_DEFINE_AS(function, Name, op, args, ...)      \
  void function args {                                    \
    [[maybe_unused]] constexpr THDtype dtype = TH_##Name; \
    using T [[maybe_unused]] = th::Element<TH_##Name>;    \
    const thc::Operator named(#op);                       \
    __VA_ARGS__;                                          \
  }
