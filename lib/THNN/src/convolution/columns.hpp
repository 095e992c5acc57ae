// Patches of an image as the columns of a matrix: row (c, kernel position) of column p is the input element that this
// weight meets at output position p.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <THNN/Convolution.h>

namespace thnn {

inline int64_t product(const int64_t (&size)[3]) { return size[0] * size[1] * size[2]; }

// Whether the image is its own matrix of columns.
inline bool isPlain(const THNNConvolutionPlan &p) {
  for (int d = 0; d < 3; d++)
    if (p.kernel[d] != 1 || p.stride[d] != 1 || p.padding[d]) return false;
  return true;
}

// Calls run(at, count, from, column) for output positions [begin, end) in runs along the last dimension that the weight at
// kernel position (kd, kh, kw) meets inside the input: `at` is the first one's index among them, `from` its element's in
// the channel, `column` the distance of elements. gap(at, count) for the others, which meet padding.
template <class Run, class Gap>
void eachRun(const THNNConvolutionPlan &p, int64_t kd, int64_t kh, int64_t kw, int64_t begin, int64_t end,
             const Run &run, const Gap &gap) {
  const int64_t width = p.output[2], shift = kw * p.dilation[2] - p.padding[2], step = p.stride[2];
  // The columns that meet the input: 0 <= column * step + shift < input.
  const int64_t first = std::clamp<int64_t>((std::max<int64_t>(0, -shift) + step - 1) / step, 0, width);
  const int64_t last = p.input[2] > shift ? std::clamp<int64_t>((p.input[2] - shift + step - 1) / step, first, width)
                                          : first;
  for (int64_t at = begin; at < end;) {
    const int64_t line = at / width, column = at % width, stop = std::min(width, column + end - at);
    const int64_t d = line / p.output[1] * p.stride[0] - p.padding[0] + kd * p.dilation[0];
    const int64_t h = line % p.output[1] * p.stride[1] - p.padding[1] + kh * p.dilation[1];
    const bool inside = d >= 0 && d < p.input[0] && h >= 0 && h < p.input[1];
    const int64_t lo = inside ? std::clamp(first, column, stop) : stop, hi = inside ? std::clamp(last, lo, stop) : stop;
    const int64_t to = at - begin - column;
    if (lo > column) gap(to + column, lo - column);
    if (hi > lo) run(to + lo, hi - lo, (d * p.input[1] + h) * p.input[2] + lo * step + shift, step);
    if (stop > hi) gap(to + hi, stop - hi);
    at += stop - column;
  }
}

// Calls f(row, kd, kh, kw, c) for the rows of channels [from, to).
template <class F>
void eachRow(const THNNConvolutionPlan &p, int64_t from, int64_t to, const F &f) {
  int64_t row = 0;
  for (int64_t c = from; c < to; c++)
    for (int64_t kd = 0; kd < p.kernel[0]; kd++)
      for (int64_t kh = 0; kh < p.kernel[1]; kh++)
        for (int64_t kw = 0; kw < p.kernel[2]; kw++) f(row++, kd, kh, kw, c);
}

// The matrix of channels [from, to) and positions [begin, end) of one image's group at `x`.
template <class T>
void toColumns(const THNNConvolutionPlan &p, const T *x, int64_t from, int64_t to, int64_t begin, int64_t end,
               T *columns) {
  const int64_t size = product(p.input), n = end - begin;
  eachRow(p, from, to, [&](int64_t row, int64_t kd, int64_t kh, int64_t kw, int64_t c) {
    T *const line = columns + row * n;
    const T *const channel = x + c * size;
    eachRun(
        p, kd, kh, kw, begin, end,
        [=](int64_t at, int64_t count, int64_t source, int64_t step) {
          if (step == 1)
            std::memcpy(line + at, channel + source, size_t(count) * sizeof(T));
          else
            for (int64_t i = 0; i < count; i++) line[at + i] = channel[source + i * step];
        },
        [=](int64_t at, int64_t count) { std::fill_n(line + at, count, T(0)); });
  });
}

// Adds the columns of all positions to the elements that they came from.
template <class T>
void addColumns(const THNNConvolutionPlan &p, const T *columns, int64_t from, int64_t to, T *x) {
  const int64_t size = product(p.input), n = product(p.output);
  eachRow(p, from, to, [&](int64_t row, int64_t kd, int64_t kh, int64_t kw, int64_t c) {
    const T *const line = columns + row * n;
    T *const channel = x + c * size;
    eachRun(
        p, kd, kh, kw, 0, n,
        [=](int64_t at, int64_t count, int64_t source, int64_t step) {
          for (int64_t i = 0; i < count; i++) channel[source + i * step] += line[at + i];
        },
        [](int64_t, int64_t) {});
  });
}

}  // namespace thnn
