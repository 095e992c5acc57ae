// Numbers of the host on their way into kernels, and where tensors are.
#pragma once

#include <TH/THTensor.h>
#include "kit/convert.cuh"
#include "kit/cuda.hpp"
#include "kit/operands.hpp"

namespace thc {

// A kernel that gives bool writes the byte.
template <class R>
using Byte = th::Stored<R>;

// Of unsigned numbers without the comparison, at which compilers wonder.
template <class C>
__device__ __forceinline__ bool isNegative(C a) {
  if constexpr (std::is_unsigned_v<C>)
    return false;
  else
    return a < 0;
}

// The device of a result, made current, and the stream on which kernels run there.
struct OnDevice {
  explicit OnDevice(const THTensor *r) : index(r->storage->device.index), guard(index), stream(currentStream(index)) {}
  int index;
  DeviceGuard guard;
  cudaStream_t stream;
};

// The address of element 0; raises if t is not on that device.
inline char *dataOf(const THTensor *t, const OnDevice &on) {
  const THDevice device = t->storage->device;
  if (device.kind != TH_CUDA || device.index != on.index) refuseDevice(t, on.index);
  return static_cast<char *>(t->storage->data) + (t->numel ? t->offset * th::elementSize(THDtype(t->dtype)) : 0);
}

// Does a one-element input of another dtype go to the compute type of a half dtype directly, as torch does it for
// arithmetic with numbers, or by the dtype?
enum class Number { rounded, exact };

template <class T, class From>
Compute<T> convertNumber(const void *p, Number number) {
  using C = Compute<T>;
  const From from = *static_cast<const From *>(p);
  // A bool is no byte: what is not 0 is true.
  if ((number == Number::exact && !std::is_same_v<T, bool>) || std::is_same_v<From, T>) return th::convertTo<C>(from);
  return th::convertTo<C>(th::convertTo<T>(from));
}

// What an input on the CPU, which has one element, is for a kernel of T. Raises if it has more.
template <class T>
Compute<T> numberOf(const THTensor *t, Number number) {
  if (t->numel != 1) refuseDevice(t, THC_getDevice());
  const void *const data = THTensor_data(t);
  switch (THDtype(t->dtype)) {
#define THC_CONVERT(Name, type, kind, kernels, name, alias) \
  case TH_##Name:                                           \
    return convertNumber<T, th::Stored<type>>(data, number);
    TH_DTYPES(THC_CONVERT)
#undef THC_CONVERT
    default: return Compute<T>();
  }
}

// What is left of x in the dtype `via`, where that has fewer digits than C.
template <class C>
__device__ __forceinline__ C roundTo(THDtype via, C x) {
  if constexpr (std::is_same_v<C, float> || std::is_same_v<C, double>) {
    if (via == TH_Half) return float(th::half(float(x)));
    if (via == TH_BFloat16) return float(th::bfloat16(float(x)));
    if (via == TH_Float) return float(x);
  }
  if constexpr (std::is_same_v<C, THComplexDouble>)
    if (via == TH_ComplexFloat) return C(THComplexFloat(x));
  return x;
}

// An element of another dtype through `via`, and a result of the dtype `via` into a tensor of another.
template <class C>
__device__ [[gnu::noinline]] C readVia(const void *p, THDtype dtype, THDtype via) {
  if constexpr (std::is_same_v<C, uint8_t>)
    if (via == TH_Bool) return readAs<bool>(p, dtype);
  const C x = readAs<C>(p, dtype);
  return dtype == via ? x : roundTo(via, x);
}
template <class R>
__device__ [[gnu::noinline]] void writeVia(void *p, THDtype dtype, THDtype via, R x) {
  writeAs<R>(p, dtype, dtype == via ? x : roundTo(via, x));
}

}  // namespace thc
