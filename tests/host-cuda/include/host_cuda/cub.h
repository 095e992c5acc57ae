/* How the device-wide algorithms run: as a kernel of one thread, in stream order, under the checks of all kernels.
 * Their room is the caller's: a call without any tells how much it needs, a call with too little is refused. */
#ifndef HOST_CUDA_CUB_H
#define HOST_CUDA_CUB_H

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <type_traits>

#ifndef __CUDACC__
#error "CUB is for translation units of kernels: compile them with nvcc"
#endif

namespace cub {
struct NullType {};
}  // namespace cub

namespace hostcuda {

template <class Iterator>
using ValueOf = typename std::iterator_traits<Iterator>::value_type;
// What an output iterator takes, or `Otherwise` where it does not tell.
template <class Iterator, class Otherwise>
using WrittenOf = std::conditional_t<std::is_void_v<ValueOf<Iterator>>, Otherwise, ValueOf<Iterator>>;
template <class Operation, class A, class B = A>
using ResultOf = std::decay_t<std::invoke_result_t<Operation, A, B>>;

// Hands out the caller's room. With no memory it only counts.
class Room {
 public:
  explicit Room(void *data) : begin_(static_cast<char *>(data)) {}
  template <class T>
  T *take(int64_t count) {
    used_ = (used_ + 255) / 256 * 256;
    char *at = begin_ ? begin_ + used_ : nullptr;
    used_ += sizeof(T) * size_t(count > 0 ? count : 0);
    return reinterpret_cast<T *>(at);
  }
  size_t used() const { return used_ ? used_ : 1; }

 private:
  char *begin_;
  size_t used_ = 0;
};

template <class Body>
__global__ void algorithm(Body body) {
  body();
}

// body: of a Room that has memory; what it takes there are the things that it works with.
template <class Make>
cudaError_t runAlgorithm(void *storage, size_t &bytes, cudaStream_t stream, Make make) {
  Room room(storage);
  auto body = make(room);
  if (!storage) {
    bytes = room.used();
    return cudaSuccess;
  }
  if (bytes < room.used()) return cudaErrorInvalidValue;
  void *arguments[] = {&body};
  return cudaLaunchKernel(algorithm<decltype(body)>, dim3(1), dim3(1), arguments, 0, stream);
}

// A stable merge sort from the bottom up: keys[i] with values[i], with as much room again. V may be NullType.
template <class K, class V, class KeyIterator, class ValueIterator, class Less>
void mergeSort(KeyIterator keys, ValueIterator values, int64_t n, K *otherKeys, V *otherValues, Less less) {
  constexpr bool pairs = !std::is_same_v<V, cub::NullType>;
  for (int64_t width = 1; width < n; width *= 2) {
    for (int64_t low = 0; low < n; low += 2 * width) {
      const int64_t middle = low + width < n ? low + width : n, high = middle + width < n ? middle + width : n;
      int64_t a = low, b = middle;
      for (int64_t i = low; i < high; i++) {
        const int64_t from = a < middle && (b >= high || !less(K(keys[b]), K(keys[a]))) ? a++ : b++;
        otherKeys[i] = keys[from];
        if constexpr (pairs) otherValues[i] = values[from];
      }
    }
    for (int64_t i = 0; i < n; i++) {
      keys[i] = otherKeys[i];
      if constexpr (pairs) values[i] = otherValues[i];
    }
  }
}

// The bits of a key by which a radix sort orders it: unsigned, so that they grow with the key. -0 and 0 are alike.
template <class K>
auto radixBits(K key) {
  using U = std::conditional_t<
      sizeof(K) == 1, uint8_t,
      std::conditional_t<sizeof(K) == 2, uint16_t, std::conditional_t<sizeof(K) == 4, uint32_t, uint64_t>>>;
  static_assert(std::is_arithmetic_v<K>, "radix sort: a fundamental type, or a decomposer");
  constexpr U sign = U(U(1) << (8 * sizeof(K) - 1));
  if constexpr (std::is_floating_point_v<K>) {
    const U bits = __builtin_bit_cast(U, key == K(0) ? K(0) : key);
    return U(bits & sign ? ~bits : bits | sign);
  } else if constexpr (std::is_signed_v<K>) {
    return U(U(key) ^ sign);
  } else {
    return U(key);
  }
}

// Orders keys by their bits [begin, end).
template <class K, bool descending>
struct RadixLess {
  int begin, end;
  bool operator()(K a, K b) const {
    const auto x = part(radixBits(a)), y = part(radixBits(b));
    return descending ? y < x : x < y;
  }
  template <class U>
  uint64_t part(U bits) const {
    const uint64_t rest = end - begin >= 64 ? uint64_t(bits)
                                            : uint64_t(bits) >> begin & ((uint64_t(1) << (end - begin)) - 1);
    return rest;
  }
};

}  // namespace hostcuda

namespace cub {

template <class T>
struct DoubleBuffer {
  T *d_buffers[2]{};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {}
  T *Current() { return d_buffers[selector]; }
  T *Alternate() { return d_buffers[selector ^ 1]; }
};

}  // namespace cub

#endif
