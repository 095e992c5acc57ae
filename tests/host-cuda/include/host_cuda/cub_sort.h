/* Sorts: of the whole, of segments; by bits, by a comparison. All are stable. */
#ifndef HOST_CUDA_CUB_SORT_H
#define HOST_CUDA_CUB_SORT_H

#include "cub.h"

namespace hostcuda {

// Sorts [begin[s], end[s]) for each segment s; the rest is left as it is.
template <class K, class V, class Less, class Begin, class End>
cudaError_t sortSegments(void *storage, size_t &bytes, const K *keysIn, K *keys, const V *valuesIn, V *values,
                         int64_t n, int64_t segments, Begin begin, End end, Less less, cudaStream_t stream) {
  if (n < 0 || segments < 0) return cudaErrorInvalidValue;
  return runAlgorithm(storage, bytes, stream, [=](Room &room) {
    K *otherKeys = room.take<K>(n);
    V *otherValues = room.take<V>(std::is_same_v<V, cub::NullType> ? 0 : n);
    return [=] {
      for (int64_t s = 0; s < segments; s++) {
        const int64_t low = int64_t(begin[s]), count = int64_t(end[s]) - low;
        if (count <= 0) continue;
        for (int64_t i = low; i < low + count; i++) {
          keys[i] = keysIn[i];
          if constexpr (!std::is_same_v<V, cub::NullType>) values[i] = valuesIn[i];
        }
        mergeSort<K, V>(keys + low, values + (values ? low : 0), count, otherKeys, otherValues, less);
      }
    };
  });
}

struct Constant {  // an iterator over one number
  int64_t value;
  int64_t operator[](int64_t) const { return value; }
};

template <class K, class V>
void flip(const void *storage, cub::DoubleBuffer<K> &keys, cub::DoubleBuffer<V> *values) {
  if (!storage) return;
  keys.selector ^= 1;
  if (values) values->selector ^= 1;
}

}  // namespace hostcuda

namespace cub {

/* The four functions of a radix sort, with `extra` parameters between the count and the bits. */
#define HOST_CUDA_RADIX(suffix, descending) \
  template <class K, class V, class N> \
  static cudaError_t SortPairs##suffix(void *storage, size_t &bytes, const K *keysIn, K *keysOut, const V *valuesIn, \
                                       V *valuesOut, N n, int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0) { \
    return hostcuda::sortSegments(storage, bytes, keysIn, keysOut, valuesIn, valuesOut, int64_t(n), 1, \
                                  hostcuda::Constant{0}, hostcuda::Constant{int64_t(n)}, \
                                  hostcuda::RadixLess<K, descending>{begin, end}, stream); \
  } \
  template <class K, class V, class N> \
  static cudaError_t SortPairs##suffix(void *storage, size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, N n, \
                                       int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0) { \
    const cudaError_t error = SortPairs##suffix(storage, bytes, static_cast<const K *>(keys.Current()), keys.Alternate(), \
                                                static_cast<const V *>(values.Current()), values.Alternate(), n, begin, end, \
                                                stream); \
    if (!error) hostcuda::flip(storage, keys, &values); \
    return error; \
  } \
  template <class K, class N> \
  static cudaError_t SortKeys##suffix(void *storage, size_t &bytes, const K *keysIn, K *keysOut, N n, int begin = 0, \
                                      int end = sizeof(K) * 8, cudaStream_t stream = 0) { \
    NullType *none = nullptr; \
    return SortPairs##suffix(storage, bytes, keysIn, keysOut, static_cast<const NullType *>(none), none, n, begin, end, \
                             stream); \
  } \
  template <class K, class N> \
  static cudaError_t SortKeys##suffix(void *storage, size_t &bytes, DoubleBuffer<K> &keys, N n, int begin = 0, \
                                      int end = sizeof(K) * 8, cudaStream_t stream = 0) { \
    const cudaError_t error = SortKeys##suffix(storage, bytes, static_cast<const K *>(keys.Current()), keys.Alternate(), n, \
                                               begin, end, stream); \
    if (!error) hostcuda::flip<K, NullType>(storage, keys, nullptr); \
    return error; \
  }
struct DeviceRadixSort {
  HOST_CUDA_RADIX(, false)
  HOST_CUDA_RADIX(Descending, true)
};
#undef HOST_CUDA_RADIX

struct DeviceSegmentedRadixSort {
#define HOST_CUDA_SEGMENTED_RADIX(suffix, descending) \
  template <class K, class V, class Begin, class End> \
  static cudaError_t SortPairs##suffix(void *storage, size_t &bytes, const K *keysIn, K *keysOut, const V *valuesIn, \
                                       V *valuesOut, int64_t n, int64_t segments, Begin begins, End ends, int begin = 0, \
                                       int end = sizeof(K) * 8, cudaStream_t stream = 0) { \
    return hostcuda::sortSegments(storage, bytes, keysIn, keysOut, valuesIn, valuesOut, n, segments, begins, ends, \
                                  hostcuda::RadixLess<K, descending>{begin, end}, stream); \
  } \
  template <class K, class Begin, class End> \
  static cudaError_t SortKeys##suffix(void *storage, size_t &bytes, const K *keysIn, K *keysOut, int64_t n, \
                                      int64_t segments, Begin begins, End ends, int begin = 0, int end = sizeof(K) * 8, \
                                      cudaStream_t stream = 0) { \
    NullType *none = nullptr; \
    return SortPairs##suffix(storage, bytes, keysIn, keysOut, static_cast<const NullType *>(none), none, n, segments, \
                             begins, ends, begin, end, stream); \
  }
  HOST_CUDA_SEGMENTED_RADIX(, false)
  HOST_CUDA_SEGMENTED_RADIX(Descending, true)
#undef HOST_CUDA_SEGMENTED_RADIX
};

struct DeviceSegmentedSort {
#define HOST_CUDA_SEGMENTED(name, suffix) \
  template <class K, class V, class Begin, class End> \
  static cudaError_t name##Pairs##suffix(void *storage, size_t &bytes, const K *keysIn, K *keysOut, const V *valuesIn, \
                                         V *valuesOut, int64_t n, int64_t segments, Begin begins, End ends, \
                                         cudaStream_t stream = 0) { \
    return DeviceSegmentedRadixSort::SortPairs##suffix(storage, bytes, keysIn, keysOut, valuesIn, valuesOut, n, segments, \
                                                       begins, ends, 0, sizeof(K) * 8, stream); \
  } \
  template <class K, class Begin, class End> \
  static cudaError_t name##Keys##suffix(void *storage, size_t &bytes, const K *keysIn, K *keysOut, int64_t n, \
                                        int64_t segments, Begin begins, End ends, cudaStream_t stream = 0) { \
    return DeviceSegmentedRadixSort::SortKeys##suffix(storage, bytes, keysIn, keysOut, n, segments, begins, ends, 0, \
                                                      sizeof(K) * 8, stream); \
  }
  HOST_CUDA_SEGMENTED(Sort, )
  HOST_CUDA_SEGMENTED(Sort, Descending)
  HOST_CUDA_SEGMENTED(StableSort, )
  HOST_CUDA_SEGMENTED(StableSort, Descending)
#undef HOST_CUDA_SEGMENTED
};

struct DeviceMergeSort {
  template <class Keys, class Items, class N, class Less>
  static cudaError_t StableSortPairs(void *storage, size_t &bytes, Keys keys, Items items, N n, Less less,
                                     cudaStream_t stream = 0) {
    using K = hostcuda::ValueOf<Keys>;
    using V = hostcuda::ValueOf<Items>;
    return hostcuda::runAlgorithm(storage, bytes, stream, [=](hostcuda::Room &room) {
      K *otherKeys = room.take<K>(n);
      V *otherValues = room.take<V>(std::is_same_v<V, NullType> ? 0 : n);
      return [=] { hostcuda::mergeSort<K, V>(keys, items, int64_t(n), otherKeys, otherValues, less); };
    });
  }
  template <class Keys, class N, class Less>
  static cudaError_t StableSortKeys(void *storage, size_t &bytes, Keys keys, N n, Less less, cudaStream_t stream = 0) {
    return StableSortPairs(storage, bytes, keys, static_cast<NullType *>(nullptr), n, less, stream);
  }
  template <class Keys, class Items, class N, class Less>
  static cudaError_t SortPairs(void *storage, size_t &bytes, Keys keys, Items items, N n, Less less,
                               cudaStream_t stream = 0) {
    return StableSortPairs(storage, bytes, keys, items, n, less, stream);
  }
  template <class Keys, class N, class Less>
  static cudaError_t SortKeys(void *storage, size_t &bytes, Keys keys, N n, Less less, cudaStream_t stream = 0) {
    return StableSortKeys(storage, bytes, keys, n, less, stream);
  }
};

}  // namespace cub

#endif
