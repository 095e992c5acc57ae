/* make_float2(x, y) and so on. */
#ifndef HOST_CUDA_VECTOR_FUNCTIONS_H
#define HOST_CUDA_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define HOST_CUDA_MAKE(name, type, two, four) \
  static inline name##1 make_##name##1(type x) { return name##1{x}; } \
  static inline name##2 make_##name##2(type x, type y) { return name##2{x, y}; } \
  static inline name##3 make_##name##3(type x, type y, type z) { return name##3{x, y, z}; } \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return name##4{x, y, z, w}; }
HOST_CUDA_VECTORS(HOST_CUDA_MAKE)
#undef HOST_CUDA_MAKE

#endif
