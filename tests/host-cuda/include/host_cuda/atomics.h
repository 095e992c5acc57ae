/* Atomic functions on memory of devices, shared memory and page-locked memory. */
#ifndef HOST_CUDA_ATOMICS_H
#define HOST_CUDA_ATOMICS_H

#include <type_traits>

namespace hostcuda {
template <class T, class... Types>
concept OneOf = (std::is_same_v<T, Types> || ...);
template <class T>
using Word = std::conditional_t<sizeof(T) == 2, unsigned short,
                                std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>>;

// Puts change(old) in old's place; returns old.
template <class T, class Change>
T exchange(T *address, Change change) {
  auto *word = reinterpret_cast<Word<T> *>(address);
  Word<T> old = __atomic_load_n(word, __ATOMIC_RELAXED), next;
  do {
    const T value = change(__builtin_bit_cast(T, old));
    next = __builtin_bit_cast(Word<T>, value);
  } while (!__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return __builtin_bit_cast(T, old);
}
}  // namespace hostcuda

/* A function for the types that CUDA has it for; the value is converted, as with overloaded functions. */
#define HOST_CUDA_ATOMIC(name, result, ...) \
  template <class T> \
    requires hostcuda::OneOf<T, __VA_ARGS__> \
  T name(T *address, std::type_identity_t<T> value) { \
    return hostcuda::exchange(address, [=](T old) { return T(result); }); \
  }
HOST_CUDA_ATOMIC(atomicAdd, old + value, int, unsigned, unsigned long long, float, double)
HOST_CUDA_ATOMIC(atomicSub, old - value, int, unsigned)
HOST_CUDA_ATOMIC(atomicExch, ((void)old, value), int, unsigned, unsigned long long, float)
HOST_CUDA_ATOMIC(atomicMin, value < old ? value : old, int, unsigned, long long, unsigned long long)
HOST_CUDA_ATOMIC(atomicMax, value > old ? value : old, int, unsigned, long long, unsigned long long)
HOST_CUDA_ATOMIC(atomicAnd, old &value, int, unsigned, unsigned long long)
HOST_CUDA_ATOMIC(atomicOr, old | value, int, unsigned, unsigned long long)
HOST_CUDA_ATOMIC(atomicXor, old ^ value, int, unsigned, unsigned long long)
HOST_CUDA_ATOMIC(atomicInc, old >= value ? 0 : old + 1, unsigned)
HOST_CUDA_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1, unsigned)
#undef HOST_CUDA_ATOMIC

template <class T>
  requires hostcuda::OneOf<T, int, unsigned, unsigned long long, unsigned short>
T atomicCAS(T *address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  return hostcuda::exchange(address, [=](T old) { return old == compare ? value : old; });
}

#define HOST_CUDA_SCOPED(name) \
  template <class... Arguments> \
  auto name##_block(Arguments... arguments) -> decltype(name(arguments...)) { \
    return name(arguments...); \
  } \
  template <class... Arguments> \
  auto name##_system(Arguments... arguments) -> decltype(name(arguments...)) { \
    return name(arguments...); \
  }
HOST_CUDA_SCOPED(atomicAdd)
HOST_CUDA_SCOPED(atomicExch)
HOST_CUDA_SCOPED(atomicMin)
HOST_CUDA_SCOPED(atomicMax)
HOST_CUDA_SCOPED(atomicAnd)
HOST_CUDA_SCOPED(atomicOr)
HOST_CUDA_SCOPED(atomicXor)
HOST_CUDA_SCOPED(atomicCAS)
#undef HOST_CUDA_SCOPED

#endif
