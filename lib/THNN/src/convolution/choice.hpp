// Which of our own kernels is the fastest for a convolution: nanoseconds that each is estimated to take, by the shape alone.
// The factors were fitted to 1,236 measured passes over 412 points of benchmarks/conv_grid.py, one thread of an AMD
// machine with AVX-512; half of the estimates are within 14 %, nine of ten within a factor of 1.7.
#pragma once

#include <algorithm>
#include <cstdint>
#include <THNN/Convolution.h>

#include "columns.hpp"
#include "patches.hpp"

namespace thnn::choice {

enum class Pass { Output, GradInput, GradWeight };
enum class Kernel { Direct, Patches, Columns };

constexpr int64_t kNear = 1 << 15;  // elements that a near cache holds

inline double blocks(double n, int64_t of) { return double((int64_t(n) + of - 1) / of); }

// direct.cpp: vectors of positions for each tap, weights, and a copy of the image with zeros around it.
inline double direct(const THNNConvolutionPlan &p, Pass pass) {
  const double images = double(p.batch * p.groups), in = double(p.in), out = double(p.out),
               rows = in * double(product(p.kernel));
  const int64_t width = p.output[2], step = product(p.stride);
  const int64_t lanes = (width + 7) / 8 <= (width + 15) / 16 ? 8 : 16, vectors = (width + lanes - 1) / lanes;
  const double runs = double(product(p.output) / width * vectors);
  double lines = double(p.stride[2]);
  for (int d = 0; d < 2; d++) lines *= double((p.output[d] - 1) * p.stride[d] + p.dilation[d] * (p.kernel[d] - 1) + 1);
  const double line = double(vectors * lanes + p.dilation[2] * (p.kernel[2] - 1) / p.stride[2]);
  const double image = in * (0.12 * lines * line + 0.17 * lines + (step > 1 ? 0.2 * double(product(p.input)) : 0));
  const double sums = pass == Pass::GradWeight ? 3.8 * runs * out : 0;
  const double weights = double(p.groups) * rows * out *
                         (pass == Pass::GradWeight ? double(std::min<int64_t>(p.batch, 8)) : 1);
  return images * (runs * rows * (0.126 * out + 0.19 * blocks(out, 8)) + image + sums + 36) + weights;
}

// convolution.cpp: for each image the columns, and a product of matrices.
inline double columns(const THNNConvolutionPlan &p, Pass pass) {
  const double rows = double(p.in * product(p.kernel)), out = double(p.out), positions = double(product(p.output));
  const double m = pass == Pass::GradWeight ? rows : positions, n = pass == Pass::GradInput ? rows : out,
               k = pass == Pass::Output      ? rows
                   : pass == Pass::GradInput ? out
                                             : positions;
  const double multiply = 0.234 * blocks(m, 16) * 16 * blocks(n, 4) * 4 * k / 32 + 0.076 * (m * k + k * n + m * n);
  const double lines = positions / double(p.output[2]), each = product(p.stride) > 1 ? 0.3 : 0.06;
  const double copy = isPlain(p) ? 0 : rows * (5.2 * lines + each * positions + 4.2);
  return double(p.batch * p.groups) * (multiply + copy + 44);
}

// patches.hpp: patches of all images as rows, and one product for each group.
inline double patches(const THNNConvolutionPlan &p) {
  const double rows = double(p.in * product(p.kernel)), out = double(p.out), positions = double(product(p.output));
  const double images = double(p.batch * p.groups), work = rows * out;
  const bool small = thnn::patches::isSmall(p);
  // The lines of an image that a near cache does not hold come anew for each position.
  const double far = p.in * product(p.input) > kNear ? 8 * double(p.in * p.kernel[0] * p.kernel[1]) : 0;
  return images * positions * ((small ? 0.177 * work + 2.7 : 0.232 / 32 * work) + 0.5 * rows + far + 0.39 * out) +
         12.7 * positions * double(product(p.kernel)) + (small ? 0 : 329 * double(p.groups));
}

// `p` as the convolution of the gradient by the kernel turned around.
inline THNNConvolutionPlan turned(const THNNConvolutionPlan &p) {
  THNNConvolutionPlan turned = p;
  std::swap(turned.in, turned.out);
  std::swap(turned.input, turned.output);
  for (int d = 0; d < 3; d++) turned.padding[d] = p.dilation[d] * (p.kernel[d] - 1) - p.padding[d];
  return turned;
}

// The fastest; direct.cpp is there where `floats` are computed with.
inline Kernel fastest(const THNNConvolutionPlan &p, Pass pass, bool floats) {
  const double products = columns(p, pass), rows = patches(p);
  const bool possible = floats && !isPlain(p) && (pass != Pass::GradInput || product(p.stride) == 1);
  if (possible && direct(pass == Pass::GradInput ? turned(p) : p, pass) < std::min(products, rows))
    return Kernel::Direct;
  return rows < products ? Kernel::Patches : Kernel::Columns;
}

}  // namespace thnn::choice
