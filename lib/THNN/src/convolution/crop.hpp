// Kernels that are cut down to the taps that meet an element of the image at any position: of a padded kernel of 3x3 over
// images of one element that is the middle. What is cut off would be multiplied by zeros alone.
#pragma once

#include <algorithm>
#include <vector>
#include <THNN/Convolution.h>

#include "kit/computed.hpp"
#include "kit/parallel.hpp"

namespace thnn {

class Crop {
 public:
  explicit Crop(const THNNConvolutionPlan &p) : plan(p), whole_(p) {
    int64_t begin[3];
    for (int d = 0; d < 3; d++) {
      int64_t first = 0, last = p.kernel[d] - 1;
      while (first < last && !meets(d, first)) first++;
      while (last > first && !meets(d, last)) last--;
      // What is left begins inside of the padding, as the algorithms expect it.
      begin[d] = std::min(first, p.padding[d] / p.dilation[d]);
      plan.kernel[d] = last - begin[d] + 1;
      plan.padding[d] -= begin[d] * p.dilation[d];
    }
    if (!isNeeded()) return;
    for (int64_t d = begin[0]; d < begin[0] + plan.kernel[0]; d++)
      for (int64_t h = begin[1]; h < begin[1] + plan.kernel[1]; h++)
        for (int64_t w = begin[2]; w < begin[2] + plan.kernel[2]; w++)
          taps_.push_back((d * p.kernel[1] + h) * p.kernel[2] + w);
  }

  THNNConvolutionPlan plan;  // with the cropped kernel

  // Not where the zeros would be multiplied so few times that copying the other weights costs more.
  bool isNeeded() const {
    const int64_t all = taps(whole_), some = taps(plan);
    return some < all &&
           whole_.batch * whole_.output[0] * whole_.output[1] * whole_.output[2] * (all - some) > kWorth * some;
  }
  int64_t size() const { return plan.groups * plan.out * plan.in * taps(plan); }  // elements of all cropped kernels

  // The cropped kernels of `whole`.
  template <class T>
  void take(const T *whole, T *cropped) const {
    const int64_t all = taps(whole_), some = taps(plan);
    eachBlock([=, this](int64_t begin, int64_t end) {
      for (int64_t i = 0; i < some; i++) {
        const T *const from = whole + taps_[size_t(i)];
        for (int64_t k = begin; k < end; k++) cropped[k * some + i] = from[k * all];
      }
    });
  }

  // Kernels that are zero but for the cropped ones.
  template <class T>
  void put(const T *cropped, T *whole) const {
    const int64_t all = taps(whole_), some = taps(plan);
    eachBlock([=, this](int64_t begin, int64_t end) {
      std::fill(whole + begin * all, whole + end * all, T(0));
      for (int64_t i = 0; i < some; i++) {
        T *const to = whole + taps_[size_t(i)];
        for (int64_t k = begin; k < end; k++) to[k * all] = cropped[k * some + i];
      }
    });
  }

 private:
  static constexpr int64_t kWorth = 45;  // multiplications that take as long as to copy one weight

  static int64_t taps(const THNNConvolutionPlan &p) { return p.kernel[0] * p.kernel[1] * p.kernel[2]; }

  // Whether 0 <= position * stride + shift < input for a position.
  bool meets(int d, int64_t tap) const {
    const int64_t shift = tap * whole_.dilation[d] - whole_.padding[d], step = whole_.stride[d];
    const int64_t first = (std::max<int64_t>(0, -shift) + step - 1) / step;
    return first < whole_.output[d] && first * step + shift < whole_.input[d];
  }

  // block(first kernel, after the last) for as many as the nearest cache holds.
  template <class Block>
  void eachBlock(const Block &block) const {
    const int64_t kernels = plan.groups * plan.out * plan.in, some = std::max<int64_t>(1, 2048 / taps(whole_));
    th::parallelFor(kernels, std::max<int64_t>(some, th::kGrain / taps(whole_)), [=](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; k += some) block(k, std::min(end, k + some));
    });
  }

  const THNNConvolutionPlan &whole_;
  std::vector<int64_t> taps_;  // of the whole kernel: which ones are kept
};

}  // namespace thnn
