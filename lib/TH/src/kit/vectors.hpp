// The compiler's vectors: operators work lane by lane, on every target. They name no target, so that files that are
// compiled once and files that are compiled for each of them can have them alike.
#pragma once

namespace th {

template <class T, int bytes>
struct VectorTypes {
  typedef T Register __attribute__((vector_size(bytes)));
  typedef T InMemory __attribute__((vector_size(bytes), aligned(alignof(T)), may_alias));
};
template <class T, int bytes> using VectorOf = typename VectorTypes<T, bytes>::Register;
// The same over elements in memory, wherever they begin.
template <class T, int bytes> using VectorInMemory = typename VectorTypes<T, bytes>::InMemory;

template <class T, class V> constexpr int kLanesOf = sizeof(V) / sizeof(T);

}  // namespace th
