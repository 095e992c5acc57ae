// Sums of two tensors: lists of places, both in ascending order, become one.
#include <algorithm>

#include <THS/THSTensorMath.h>

#include "../kit/sparse.hpp"

namespace ths {
namespace {

// Entries [begin, end) of a list, whose places are `keys`.
struct Run {
  const int64_t *keys;
  int64_t begin, end;
};

// Calls both(k, key, left, right, i, j) for each place of the union, which are numbered from k on: which of the two
// lists has it, and where. Which comes next is not foreseeable, so the steps are sums and no branches. What is left of
// one list is left(k, i) or right(k, j).
template <class Both, class Left, class Right>
void eachOfBoth(const Run &a, const Run &b, int64_t k, const Both &both, const Left &left, const Right &right) {
  int64_t i = a.begin, j = b.begin;
  for (; i < a.end && j < b.end; k++) {
    const int64_t x = a.keys[i], y = b.keys[j];
    const bool inLeft = x <= y, inRight = y <= x;
    both(k, std::min(x, y), inLeft, inRight, i, j);
    i += inLeft;
    j += inRight;
  }
  for (; i < a.end; i++) left(k++, i);
  for (; j < b.end; j++) right(k++, j);
}
int64_t countBoth(const Run &a, const Run &b) {
  int64_t i = a.begin, j = b.begin, n = 0;
  for (; i < a.end && j < b.end; n++) {
    const int64_t x = a.keys[i], y = b.keys[j];
    i += x <= y;
    j += y <= x;
  }
  return n + (a.end - i) + (b.end - j);
}

// self + alpha other, block by block: entry k of the sum.
template <class T>
class Sum {
 public:
  using C = Compute<T>;
  Sum(T *to, const T *x, const T *y, C factor, int64_t block) : to_(to), x_(x), y_(y), factor_(factor), block_(block) {}
  void both(int64_t k, bool inLeft, bool inRight, int64_t i, int64_t j) const {
    if (!inRight) return left(k, i);
    if (!inLeft) return right(k, j);
    T *const to = to_ + k * block_;
    const T *const x = x_ + i * block_, *const y = y_ + j * block_;
    for (int64_t d = 0; d < block_; d++) {
      if constexpr (std::is_same_v<T, bool>)
        to[d] = x[d] || (factor_ && y[d]);
      else
        to[d] = T(C(C(x[d]) + C(factor_ * C(y[d]))));
    }
  }
  void left(int64_t k, int64_t i) const { copyBlock(to_, k, x_, i, block_); }
  void right(int64_t k, int64_t j) const {
    for (int64_t d = 0; d < block_; d++) to_[k * block_ + d] = T(C(factor_ * C(y_[j * block_ + d])));
  }

 private:
  T *const to_;
  const T *const x_, *const y_;
  const C factor_;
  const int64_t block_;
};

// The same of single floats: to add -0.0 changes nothing. It is chosen by an index and not by a condition, of which the
// compiler would make a branch.
template <class T>
class SumOfOne {
 public:
  SumOfOne(T *to, const T *x, const T *y, T factor) : to_(to), x_(x), y_(y), factor_(factor) {}
  void both(int64_t k, bool inLeft, bool inRight, int64_t i, int64_t j) const {
    const T x[] = {T(-0.0), x_[i]}, y[] = {T(-0.0), factor_ * y_[j]};
    to_[k] = x[inLeft] + y[inRight];
  }
  void left(int64_t k, int64_t i) const { to_[k] = x_[i]; }
  void right(int64_t k, int64_t j) const { to_[k] = factor_ * y_[j]; }

 private:
  T *const to_;
  const T *const x_, *const y_;
  const T factor_;
};

// Calls body with the sum that serves.
template <class T, class Body>
void withSum(const THTensor *to, const THTensor *x, const THTensor *y, THScalar alpha, const Body &body) {
  const auto factor = scalarTo<Compute<T>>(alpha);
  const int64_t block = blockOf(x);
  if constexpr (std::is_floating_point_v<T>)
    if (block == 1) return body(SumOfOne<T>(elements<T>(to), elements<T>(x), elements<T>(y), factor));
  body(Sum<T>(elements<T>(to), elements<T>(x), elements<T>(y), factor, block));
}

// begin[k + 1] holds what run k has; afterwards begin[k] says where it begins, and the last what there is.
void addUp(int64_t *begin, int64_t n) {
  begin[0] = 0;
  for (int64_t k = 0; k < n; k++) begin[k + 1] += begin[k];
}

template <class T>
void cadd(THTensor *indices, THTensor *values, const THSTensor *self, THScalar alpha, const THSTensor *other) {
  const THSMembers &mine = *THSTensor_members(self), &theirs = *THSTensor_members(other);
  const Ref from(contiguousAs(DtypeOf<T>::value, mine.values)), more(contiguousAs(DtypeOf<T>::value, theirs.values));
  const Ref leftAt(contiguous(mine.indices)), rightAt(contiguous(theirs.indices));
  const Places a(leftAt, self->size), b(rightAt, self->size);
  const int64_t n = a.count(), m = b.count();
  const int ndim = mine.sparse_dim;
  // Lists in order are cut at places of the longer one, for several threads; others are read through.
  constexpr int64_t kShare = 1 << 16;
  const int64_t shares = mine.coalesced && theirs.coalesced ? std::max<int64_t>(1, std::max(n, m) / kShare) : 1;
  const auto cut = [&](int64_t share) {
    const bool byLeft = n >= m;
    const Places &longer = byLeft ? a : b, &shorter = byLeft ? b : a;
    const int64_t at = share * kShare;
    if (share == 0) return std::pair<int64_t, int64_t>(0, 0);
    if (share == shares) return std::pair(n, m);
    const int64_t *const found = std::lower_bound(shorter.data(), shorter.data() + shorter.count(), longer[at]);
    return byLeft ? std::pair(at, found - shorter.data()) : std::pair(found - shorter.data(), at);
  };
  const auto eachShare = [&](const auto &body) {
    parallelFor(shares, 1, [&](int64_t first, int64_t last) {
      for (int64_t s = first; s < last; s++) {
        const auto [i, j] = cut(s);
        const auto [iEnd, jEnd] = cut(s + 1);
        // What is said to be in order may not be: no run ends before it begins.
        body(s, Run{a.data(), i, std::max(i, iEnd)}, Run{b.data(), j, std::max(j, jEnd)});
      }
    });
  };
  const Array<int64_t> begin = array<int64_t>(shares + 1);
  eachShare([&](int64_t s, const Run &x, const Run &y) { begin[size_t(s + 1)] = countBoth(x, y); });
  addUp(begin.get(), shares);
  const int64_t count = begin[size_t(shares)];
  shapeLike(values, count, from);
  shape(indices, {ndim, count});
  int64_t *const to = elements<int64_t>(indices);
  const int64_t *const left = elements<int64_t>(leftAt), *const right = elements<int64_t>(rightAt);
  withSum<T>(values, from, more, alpha, [&](const auto &sum) {
    const auto place = [=](int64_t k, const int64_t *at, int64_t entries) {
      for (int d = 0; d < ndim; d++) to[d * count + k] = at[d * entries];
    };
    eachShare([&](int64_t s, const Run &x, const Run &y) {
      eachOfBoth(
          x, y, begin[size_t(s)],
          [=](int64_t k, int64_t, bool inLeft, bool inRight, int64_t i, int64_t j) {
            const int64_t *const at[] = {right + j, left + i}, entries[] = {m, n};
            place(k, at[inLeft], entries[inLeft]);
            sum.both(k, inLeft, inRight, i, j);
          },
          [=](int64_t k, int64_t i) {
            place(k, left + i, n);
            sum.left(k, i);
          },
          [=](int64_t k, int64_t j) {
            place(k, right + j, m);
            sum.right(k, j);
          });
    });
  });
}

template <class T>
void caddCompressed(THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *self, THScalar alpha,
                    const THSTensor *other) {
  const THSMembers &mine = *THSTensor_members(self), &theirs = *THSTensor_members(other);
  if (self->layout != other->layout || mine.indices->ndim != 1 || theirs.indices->ndim != 1 ||
      mine.indices->numel != theirs.indices->numel || mine.values->ndim != theirs.values->ndim ||
      !std::equal(mine.values->size + 1, mine.values->size + mine.values->ndim, theirs.values->size + 1))
    THError(TH_ERROR_RUNTIME, "lines of tensors of sizes %s and %s, of layouts %s and %s, cannot be joined",
            shapeString(self).c_str(), shapeString(other).c_str(), TH_layoutName(THLayout(self->layout)),
            TH_layoutName(THLayout(other->layout)));
  THSTensor_checkBounds(self);
  THSTensor_checkBounds(other);
  const Ref from(contiguousAs(DtypeOf<T>::value, mine.values)), more(contiguousAs(DtypeOf<T>::value, theirs.values));
  const Ref leftBegins(contiguousAs(TH_Long, mine.indices)), rightBegins(contiguousAs(TH_Long, theirs.indices));
  const Ref leftAt(contiguousAs(TH_Long, mine.plain)), rightAt(contiguousAs(TH_Long, theirs.plain));
  const int64_t lines = leftBegins->numel - 1;
  const int64_t *const a = elements<int64_t>(leftBegins), *const b = elements<int64_t>(rightBegins);
  const int64_t *const left = elements<int64_t>(leftAt), *const right = elements<int64_t>(rightAt);
  shape(compressed, {lines + 1});
  int64_t *const begin = elements<int64_t>(compressed);
  constexpr int64_t kLines = 1024;
  parallelFor(lines, kLines, [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; r++) begin[r + 1] = countBoth({left, a[r], a[r + 1]}, {right, b[r], b[r + 1]});
  });
  addUp(begin, lines);
  shapeLike(values, begin[lines], from);
  shape(plain, {begin[lines]});
  int64_t *const to = elements<int64_t>(plain);
  withSum<T>(values, from, more, alpha, [&](const auto &sum) {
    parallelFor(lines, kLines, [&](int64_t first, int64_t last) {
      for (int64_t r = first; r < last; r++)
        eachOfBoth(
            {left, a[r], a[r + 1]}, {right, b[r], b[r + 1]}, begin[r],
            [=](int64_t k, int64_t key, bool inLeft, bool inRight, int64_t i, int64_t j) {
              to[k] = key;
              sum.both(k, inLeft, inRight, i, j);
            },
            [=](int64_t k, int64_t i) {
              to[k] = left[i];
              sum.left(k, i);
            },
            [=](int64_t k, int64_t j) {
              to[k] = right[j];
              sum.right(k, j);
            });
    });
  });
}

}  // namespace
}  // namespace ths

THS_DEFINE(cadd, all_complex,
           (THTensor *indices, THTensor *values, const THSTensor *self, THScalar alpha, const THSTensor *other),
           ths::cadd<T>(indices, values, self, alpha, other))
THS_DEFINE(caddCompressed, all_complex,
           (THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *self, THScalar alpha,
            const THSTensor *other),
           ths::caddCompressed<T>(compressed, plain, values, self, alpha, other))
