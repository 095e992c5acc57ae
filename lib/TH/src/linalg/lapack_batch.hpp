// What the files of LAPACK's kernels share: the matrices of a batch, and what is done to each.
#pragma once

#include <algorithm>
#include <vector>

#include <TH/prepare/lapack.h>

#include "lapack.hpp"
#include "blas_thread.hpp"
#include "kit/parallel.hpp"
#include "kit/scalar.hpp"
#include "kit/tensor.hpp"

namespace th {

template <class T> using Part = Element<realDtype(DtypeOf<T>::value)>;  // of a complex number; a real one's own type

// The matrices of an argument (NULL: none), stored by columns.
template <class T>
struct Matrices : THMatrices {
  T *data;
  Matrices(const THMatrices &sizes, const THTensor *t) : THMatrices(sizes), data(t ? elements<T>(t) : nullptr) {}
  T *at(int64_t i) const { return data ? data + i * rows * columns : nullptr; }
  int leading() const { return std::max(rows, 1); }
};

// Vectors (or, with length 1, numbers) that go with the matrices.
template <class T>
struct Vectors {
  T *data;
  int length;
  explicit Vectors(const THTensor *t, int n = 1) : data(t ? elements<T>(t) : nullptr), length(n) {}
  T *at(int64_t i) const { return data ? data + i * length : nullptr; }
};

// Calls body(begin, end) for runs of matrices. `work`: about how many multiplications one takes.
template <class Body>
void forRuns(int64_t count, double work, const Body &body) {
  const int64_t grain = std::max<int64_t>(1, int64_t((1 << 18) / (work + 64)));
  parallelFor(count, grain, [&](int64_t begin, int64_t end) {
    const OneBlasThread one;
    body(begin, end);
  });
}

// body(i) for each matrix
template <class Body>
void forEach(int64_t count, double work, const Body &body) {
  forRuns(count, work, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) body(i);
  });
}

// Room that a routine works in. Where a length is -1 the routine answers, in the first element, how much it wants.
template <class T>
struct Room {
  T *work;
  int length;
  Part<T> *reals;
  int realsLength;
  lapack::Integer *integers;
  int integersLength;
};

// body(i, room) for each matrix, having asked once for all of them, which have one shape. `reals` and `integers`
// are what routines take without being asked.
template <class T, class Body>
void forEachWithRoom(int64_t count, double work, size_t reals, size_t integers, const Body &body) {
  if (!count) return;
  T wanted{};
  Part<T> wantedReals = 0;
  lapack::Integer wantedIntegers = 0;
  std::vector<lapack::Integer> some(std::max<size_t>(integers, 1));  // a few routines look at them before they answer
  some[0] = 0;
  body(int64_t(0), Room<T>{&wanted, -1, &wantedReals, -1, some.data(), -1});
  wantedIntegers = some[0];
  const auto above = [](auto n) { return size_t(n) + size_t(n) / 1024 + 1; };  // floats round sizes
  size_t length;
  if constexpr (isComplexType<T>)
    length = above(wanted.real());
  else
    length = above(wanted);
  reals = std::max(reals, above(wantedReals)), integers = std::max(integers, size_t(wantedIntegers) + 1);
  forRuns(count, work, [&](int64_t begin, int64_t end) {
    std::vector<T> room(length);
    std::vector<Part<T>> realRoom(reals);
    std::vector<lapack::Integer> integerRoom(integers);
    for (int64_t i = begin; i < end; i++)
      body(i, Room<T>{room.data(), int(length), realRoom.data(), int(reals), integerRoom.data(), int(integers)});
  });
}

// The same for routines that take this many elements and do not have to be asked.
template <class T, class Body>
void forEachWithWork(int64_t count, double work, size_t length, const Body &body) {
  forRuns(count, work, [&](int64_t begin, int64_t end) {
    std::vector<T> room(length);
    for (int64_t i = begin; i < end; i++) body(i, room.data());
  });
}

}  // namespace th
