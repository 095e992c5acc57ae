// A kernel for each dtype from one piece of code:
//
//     AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "lltm_forward", [&] {
//       kernel<scalar_t>(x.data_ptr<scalar_t>(), x.numel());
//     });
//
// `scalar_t` is the C++ type. A dtype without a case is a NotImplementedError that names the kernel.
#pragma once

#include <torch/types.h>

namespace torch::detail {

template <ScalarType dtype>
struct Element;
#define TORCH_ROW(Name, cpp, kind, kernels, name, alias) \
  template <>                                   \
  struct Element<k##Name> {                     \
    using type = cpp;                           \
  };
TH_DTYPES(TORCH_ROW)
#undef TORCH_ROW

}  // namespace torch::detail

#define TORCH_CASE(dtype, ...)                                                        \
  case dtype: {                                                                       \
    using scalar_t [[maybe_unused]] = typename ::torch::detail::Element<dtype>::type; \
    return __VA_ARGS__();                                                             \
  }
#define TORCH_SWITCH(dtype, name, ...)                                                                        \
  [&] {                                                                                                       \
    switch (const ::torch::ScalarType torch_dtype = (dtype)) {                                                \
      __VA_ARGS__                                                                                             \
      default:                                                                                                \
        ::torch::detail::fail(TH_ERROR_NOT_IMPLEMENTED, "", '"', name, "\" not implemented for '", torch_dtype, \
                              "'");                                                                           \
    }                                                                                                         \
  }()
#define TORCH_FLOATING(...) TORCH_CASE(::torch::kFloat, __VA_ARGS__) TORCH_CASE(::torch::kDouble, __VA_ARGS__)
#define TORCH_INTEGRAL(...)                                                                      \
  TORCH_CASE(::torch::kByte, __VA_ARGS__)                                                        \
  TORCH_CASE(::torch::kChar, __VA_ARGS__)                                                        \
  TORCH_CASE(::torch::kShort, __VA_ARGS__)                                                       \
  TORCH_CASE(::torch::kInt, __VA_ARGS__)                                                         \
  TORCH_CASE(::torch::kLong, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES(dtype, name, ...) TORCH_SWITCH(dtype, name, TORCH_FLOATING(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(dtype, name, ...) TORCH_SWITCH(dtype, name, TORCH_INTEGRAL(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(dtype, name, ...) \
  TORCH_SWITCH(dtype, name, TORCH_FLOATING(__VA_ARGS__) TORCH_INTEGRAL(__VA_ARGS__))
// One dtype more: AT_DISPATCH_ALL_TYPES_AND(torch::kBool, x.scalar_type(), "name", …).
#define AT_DISPATCH_FLOATING_TYPES_AND(more, dtype, name, ...) \
  TORCH_SWITCH(dtype, name, TORCH_FLOATING(__VA_ARGS__) TORCH_CASE(more, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(more, dtype, name, ...) \
  TORCH_SWITCH(dtype, name, TORCH_FLOATING(__VA_ARGS__) TORCH_INTEGRAL(__VA_ARGS__) TORCH_CASE(more, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(one, other, dtype, name, ...)     \
  TORCH_SWITCH(dtype, name, TORCH_FLOATING(__VA_ARGS__) TORCH_CASE(one, __VA_ARGS__) TORCH_CASE(other, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(one, other, dtype, name, ...)                                                  \
  TORCH_SWITCH(dtype, name,                                                                                       \
               TORCH_FLOATING(__VA_ARGS__) TORCH_INTEGRAL(__VA_ARGS__) TORCH_CASE(one, __VA_ARGS__) TORCH_CASE(other, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(dtype, name, ...) \
  AT_DISPATCH_FLOATING_TYPES_AND(::torch::kHalf, dtype, name, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_HALF(dtype, name, ...) \
  AT_DISPATCH_ALL_TYPES_AND(::torch::kHalf, dtype, name, __VA_ARGS__)
