// What the kernels of this family share: tensors as (batch, channels, inner), and elements of half types as float.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include "kit/computed.hpp"
#include "kit/convert.hpp"
#include "kit/parallel.hpp"
#include "normalization.hpp"

namespace thnn {

// Tasks that one thread should have, of `size` elements each.
inline int64_t grainOf(int64_t size) { return std::max<int64_t>(1, kGrain / 4 / std::max<int64_t>(size, 1)); }

// `into` of a result that may not be wanted.
template <class C, class Fill>
void intoWanted(THResult &result, std::initializer_list<const THTensor *> inputs, const Fill &fill) {
  if (result.tensor)
    into<C>(result, inputs, fill);
  else
    fill(static_cast<C *>(nullptr));
}

// ---- elements of half types, which the loops see as float -------------------------------------------
// `lines` runs of n elements, `stride` apart, for a loop to read: themselves, or converted and without gaps.
template <class C, class T>
class Read {
 public:
  Read(const T *x, int64_t n, int64_t lines = 1, int64_t stride = 0) : data_(nullptr), stride_(stride) {
    if constexpr (std::is_same_v<C, T>) {
      data_ = x;
    } else {
      const Convert run = converter(DtypeOf<C>::value, DtypeOf<T>::value);
      own_ = memory<C>(n * lines);
      for (int64_t k = 0; k < lines; k++) run(own_.get() + k * n, x + k * stride, n);
      data_ = own_.get();
      stride_ = n;
    }
  }
  const C *data() const { return data_; }
  int64_t stride() const { return stride_; }

 private:
  const C *data_;
  std::unique_ptr<C[]> own_;
  int64_t stride_;
};
// For a loop to write; finish() converts back.
template <class C, class T>
class Write {
 public:
  Write(T *to, int64_t n) : to_(to), n_(n) {
    if constexpr (!std::is_same_v<C, T>) own_ = memory<C>(n);
  }
  C *data() const {
    if constexpr (std::is_same_v<C, T>)
      return to_;
    else
      return own_.get();
  }
  void finish() const {
    if constexpr (!std::is_same_v<C, T>) converter(DtypeOf<T>::value, DtypeOf<C>::value)(to_, own_.get(), n_);
  }

 private:
  T *to_;
  int64_t n_;
  std::unique_ptr<C[]> own_;
};
// Calls run(begin, end) for [begin, end) in runs of about as many lines of n elements as a cache holds, if they are
// converted.
template <bool converted, class Run>
void inBlocks(int64_t begin, int64_t end, int64_t n, const Run &run) {
  const int64_t block = converted ? std::max<int64_t>(1, 8192 / std::max<int64_t>(n, 1)) : end - begin;
  for (int64_t at = begin; at < end; at += block) run(at, std::min(end, at + block));
}

// ---- (batch, channels, inner), or with the channels innermost ----------------------------------------
constexpr int64_t kShort = 16;  // planes smaller than this are columns, too

struct Layout {
  int64_t batch, channels, inner;
  bool columns;  // lines of columns, else batch * channels planes
  int64_t fold;  // neighbouring columns that are one channel
  int64_t count() const { return batch * inner; }  // of numbers in a channel
  int64_t lines() const { return count() / fold; }
  int64_t width() const { return channels * fold; }
  // What is summed by itself: a plane, or of a column kLines lines.
  int64_t parts() const { return columns ? (lines() + kLines - 1) / kLines : batch; }
  int64_t countOf(int64_t part) const { return columns ? std::min(kLines, lines() - part * kLines) : inner; }
};

// values(channel) of each column.
template <class C, class Value>
void spread(const Layout &layout, C *to, const Value &value) {
  for (int64_t c = 0; c < layout.channels; c++) std::fill_n(to + c * layout.fold, layout.fold, C(value(c)));
}

}  // namespace thnn
