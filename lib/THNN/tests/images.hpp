// What the tests of kernels over images share: a linear map and its gradient meet in Σ y g = Σ x r.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <THNN/THNN.h>

#include "families.hpp"

namespace test {

using Numbers = std::vector<double>;

inline double tolerance(THDtype dtype) {
  return dtype == TH_Half ? 4e-3 : dtype == TH_BFloat16 ? 3e-2 : dtype == TH_Float ? 1e-5 : 1e-12;
}

inline void expectNear(const THTensor *t, const Shape &shape, const Numbers &expected, double tolerance) {
  ASSERT_EQ(shapeOf(t), shape);
  for (int64_t i = 0; i < t->numel; i++)
    ASSERT_NEAR(get(t, i), expected[size_t(i)], tolerance * (1 + std::fabs(expected[size_t(i)]))) << "element " << i;
}

inline double dot(const THTensor *a, const THTensor *b) {
  double sum = 0;
  for (int64_t i = 0; i < a->numel; i++) sum += get(a, i) * get(b, i);
  return sum;
}

// A map of one tensor to another that is linear: results do not depend on where operands and results lie, nor on the
// number of threads, and `back` is the transposed map.
using Map = std::function<void(const THTensor *from, THTensor *to)>;
inline void expectLinear(THDtype dtype, const Shape &in, const Shape &out, const Map &forward, const Map &back) {
  const Tensor x = random(dtype, in), g = random(dtype, out, 9);
  Tensor y(dtype), r(dtype);
  forward(x, y);
  back(g, r);
  ASSERT_EQ(shapeOf(y), out);
  ASSERT_EQ(shapeOf(r), in);
  for (Layout layout : kLayouts) {
    Tensor again(dtype), strided = uninitialised(dtype, out, layout), gradient = uninitialised(dtype, in, layout);
    forward(relayout(x, layout), again);
    expectSame(again, y);
    forward(x, strided);
    expectSame(strided, y);
    back(relayout(g, layout), gradient);
    expectSame(gradient, r);
    Tensor both = relayout(x, layout);
    forward(both, both);
    expectSame(both, y);
  }
  const double left = dot(y, g), right = dot(x, r);
  EXPECT_NEAR(left, right, 30 * tolerance(dtype) * (1 + std::fabs(left) + std::sqrt(double(y->numel))));
}

}  // namespace test
