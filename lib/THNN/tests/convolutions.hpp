// Convolutions of random operands, in single and double precision.
#pragma once

#include <THNN/THNN.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "../../TH/tests/tensors.hpp"

namespace test {

struct Case {
  int n;  // spatial dimensions
  int64_t batch, groups, in, out;
  Shape input, kernel, stride, padding, dilation;

  Shape positions() const {
    Shape all;
    for (size_t d = 0; d < size_t(n); d++)
      all.push_back((input[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1) / stride[d] + 1);
    return all;
  }
  std::string text() const {
    std::string all = "batch " + std::to_string(batch) + " groups " + std::to_string(groups) + " in " +
                      std::to_string(in) + " out " + std::to_string(out);
    for (size_t d = 0; d < size_t(n); d++)
      for (const auto *list : {&input, &kernel, &stride, &padding, &dilation})
        all += (list == &input ? " | " : " ") + std::to_string((*list)[d]);
    return all;
  }
};

inline Shape joined(int64_t first, int64_t second, const Shape &space) {
  Shape all{first, second};
  all.insert(all.end(), space.begin(), space.end());
  return all;
}

inline Tensor filled(std::mt19937 &random, const Shape &shape) {
  Tensor t(TH_Double, shape);
  // Numbers that a float has, so that both precisions start from the same ones.
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (int64_t i = 0; i < t->numel; i++) static_cast<double *>(THTensor_data(t))[i] = double(uniform(random));
  return t;
}

// The same elements, in this precision.
inline Tensor converted(THDtype dtype, const THTensor *t) {
  Tensor copy(dtype, shapeOf(t));
  THTensor_copy(copy, t);
  return copy;
}

struct Operands {
  Tensor x, w, bias, gy;
  Operands(std::mt19937 &random, const Case &c)
      : x(filled(random, joined(c.batch, c.groups * c.in, c.input))),
        w(filled(random, joined(c.groups * c.out, c.in, c.kernel))), bias(filled(random, {c.groups * c.out})),
        gy(filled(random, joined(c.batch, c.groups * c.out, c.positions()))) {}
  Operands(THDtype dtype, const Operands &other)
      : x(converted(dtype, other.x)), w(converted(dtype, other.w)), bias(converted(dtype, other.bias)),
        gy(converted(dtype, other.gy)) {}
};

// Output, and the gradients for input and weight.
using Results = std::vector<Tensor>;

#define COMPUTE(Dtype, o, c)                                                                                          \
  Results r;                                                                                                          \
  for (int i = 0; i < 3; i++) r.emplace_back(TH_##Dtype, Shape{0});                                                   \
  const int n = (c).n;                                                                                                \
  THNN_##Dtype##Convolution_updateOutput(nullptr, (o).x, r[0], (o).w, (o).bias, n, (c).stride.data(), n,              \
                                         (c).padding.data(), n, (c).dilation.data(), (c).groups);                     \
  THNN_##Dtype##Convolution_updateGradInput(nullptr, (o).gy, r[1], (o).w, n, (c).input.data(), n, (c).stride.data(),  \
                                            n, (c).padding.data(), n, (c).dilation.data(), (c).groups);               \
  THNN_##Dtype##Convolution_updateGradWeight(nullptr, (o).x, (o).gy, r[2], n, (c).kernel.data(), n,                   \
                                             (c).stride.data(), n, (c).padding.data(), n, (c).dilation.data(),        \
                                             (c).groups);                                                             \
  return r

inline Results inDouble(const Operands &o, const Case &c) { COMPUTE(Double, o, c); }
inline Results inFloat(const Operands &o, const Case &c) { COMPUTE(Float, o, c); }

inline const float *floats(const THTensor *t) { return static_cast<const float *>(THTensor_data(t)); }

// The greatest distance of a result from the exact one, as a part of the greatest element.
inline double error(const THTensor *got, const THTensor *exact) {
  const double *const want = static_cast<const double *>(THTensor_data(exact));
  double worst = 0, most = 1e-30;
  for (int64_t i = 0; i < exact->numel; i++) {
    worst = std::max(worst, std::abs(double(floats(got)[i]) - want[i]));
    most = std::max(most, std::abs(want[i]));
  }
  return std::isnan(worst) ? INFINITY : worst / most;
}

inline void expectSameBits(const Results &a, const Results &b, const std::string &what) {
  for (size_t i = 0; i < 3; i++) {
    ASSERT_EQ(a[i]->numel, b[i]->numel);
    EXPECT_EQ(std::memcmp(floats(a[i]), floats(b[i]), size_t(a[i]->numel) * 4), 0)
        << what << ": result " << i << " differs";
  }
}

}  // namespace test
