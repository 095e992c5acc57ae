// Convolutions of few positions: the patches of many images that the kernel meets, one a row, times the weights. An image's
// own matrix of columns would have too few for a product of matrices to be fast.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <THNN/Convolution.h>

#include "columns.hpp"
#include "direct.hpp"
#include "kit/computed.hpp"
#include "kit/parallel.hpp"

namespace thnn::patches {

using th::kGrain;
using th::parallelFor;

constexpr int64_t kMinWork = 256;  // multiplications of a group and position that are worth a product of matrices
constexpr int64_t kMinTerms = 32;  // of sums of few rows that are worth lanes
constexpr int64_t kMatrix = 1 << 20;  // elements of patches, of some images, that are made at a time
constexpr int64_t kMinRows = 64;

// Whether the patches are the images themselves.
inline bool isWholeImage(const THNNConvolutionPlan &p) {
  if (product(p.output) != 1) return false;
  for (int d = 0; d < 3; d++)
    if (p.padding[d] || p.kernel[d] != p.input[d] || (p.kernel[d] > 1 && p.dilation[d] > 1)) return false;
  return true;
}

// Whether there is one position: the product has the layout of the result, and nothing else is as fast.
inline bool areRows(const THNNConvolutionPlan &p) { return product(p.output) == 1; }

// Images (channels, positions) as (positions, channels), or the other way round.
template <class T>
void transpose(const T *x, int64_t images, int64_t rows, int64_t columns, T *to) {
  constexpr int64_t kBlock = 16;
  const int64_t blocks = (rows + kBlock - 1) / kBlock;
  parallelFor(images * blocks, std::max<int64_t>(1, kGrain / (kBlock * columns + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      const int64_t image = i / blocks * rows * columns, from = i % blocks * kBlock,
                    last = std::min(rows, from + kBlock);
      for (int64_t column = 0; column < columns; column++)
        for (int64_t row = from; row < last; row++) to[image + column * rows + row] = x[image + row * columns + column];
    }
  });
}

template <class T>
std::unique_ptr<T[]> withChannelsInnermost(const T *x, int64_t images, int64_t channels, int64_t positions) {
  auto turned = memory<T>(images * channels * positions);
  transpose(x, images, channels, positions, turned.get());
  return turned;
}

// The elements of a plane that each position meets, by tap; -1: the padding.
inline std::unique_ptr<int64_t[]> placesOf(const THNNConvolutionPlan &p) {
  const int64_t taps = product(p.kernel), positions = product(p.output);
  auto places = memory<int64_t>(positions * taps);
  const auto part = [](const int64_t (&size)[3], int64_t i, int d) {
    return d == 0 ? i / (size[1] * size[2]) : d == 1 ? i / size[2] % size[1] : i % size[2];
  };
  for (int64_t i = 0; i < positions * taps; i++) {
    int64_t place = 0;
    bool inside = true;
    for (int d = 0; d < 3; d++) {
      const int64_t at = part(p.output, i / taps, d) * p.stride[d] + part(p.kernel, i % taps, d) * p.dilation[d] -
                         p.padding[d];
      inside = inside && at >= 0 && at < p.input[d];
      place = place * p.input[d] + at;
    }
    places[size_t(i)] = inside ? place : -1;
  }
  return places;
}

// move(element of an image, element of its patch) for all elements of all patches of so many images; the former is NULL in
// the padding. before(channels of an image) comes before their patches.
template <class Image, class Patch, class Before, class Move>
void forPatches(const THNNConvolutionPlan &p, const int64_t *places, Image *x, int64_t images, Patch *patches,
                const Before &before, const Move &move) {
  const int64_t taps = product(p.kernel), size = product(p.input), positions = product(p.output);
  parallelFor(images * p.groups, std::max<int64_t>(1, kGrain / (p.in * (positions * taps + size))),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; i++) {
                  Image *const group = x + i * p.in * size;
                  before(group);
                  for (int64_t position = 0; position < positions; position++) {
                    Patch *to = patches +
                                ((i / p.groups * positions + position) * p.groups + i % p.groups) * p.in * taps;
                    const int64_t *const some = places + position * taps;
                    for (int64_t c = 0; c < p.in; c++, to += taps)
                      for (int64_t tap = 0; tap < taps; tap++)
                        move(some[tap] < 0 ? nullptr : group + c * size + some[tap], to[tap]);
                  }
                }
              });
}

// multiply(group) for each of them; a product of one group alone is cut by itself.
template <class Product>
void forGroups(const THNNConvolutionPlan &p, int64_t rows, const Product &multiply) {
  const int64_t work = std::max<int64_t>(1, rows * p.in * p.out * product(p.kernel));
  parallelFor(p.groups, std::max<int64_t>(1, (1 << 17) / work), [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; group++) multiply(group);
  });
}

// Groups whose products are too small for a product of matrices, such as depthwise ones: term(row of patches, output
// channel, element of the row, element of the weights) in order, one thread for each of so many rows or groups.
inline bool isSmall(const THNNConvolutionPlan &p) { return p.in * p.out * product(p.kernel) < kMinWork; }

template <class Term>
void forSmall(const THNNConvolutionPlan &p, int64_t rows, bool byRows, const Term &term) {
  const int64_t terms = p.in * product(p.kernel), all = byRows ? rows : p.groups;
  const int64_t work = std::max<int64_t>(1, (byRows ? p.groups : rows) * p.out * terms);
  parallelFor(all, std::max<int64_t>(1, kGrain / work), [&](int64_t begin, int64_t end) {
    for (int64_t row = byRows ? begin : 0; row < (byRows ? end : rows); row++)
      for (int64_t group = byRows ? 0 : begin; group < (byRows ? p.groups : end); group++)
        for (int64_t o = group * p.out; o < (group + 1) * p.out; o++)
          for (int64_t l = 0; l < terms; l++) term(row, o, group * terms + l, o * terms + l);
  });
}

// What is the same for all three passes: so many images at a time, and how far apart rows of patches and of outputs are.
struct Blocks {
  explicit Blocks(const THNNConvolutionPlan &p)
      : positions(product(p.output)), terms(p.in * product(p.kernel)), line(p.groups * terms),
        channels(p.groups * p.out), whole(isWholeImage(p)),
        // Whole images need no room.
        images(whole
                   ? std::max<int64_t>(p.batch, 1)
                   : std::clamp<int64_t>(kMatrix / std::max<int64_t>(1, positions * line),
                                         (kMinRows + positions - 1) / positions, std::max<int64_t>(p.batch, kMinRows))),
        size(p.groups * p.in * product(p.input)) {}

  // work(first image, how many)
  template <class Work>
  void each(const THNNConvolutionPlan &p, const Work &work) const {
    for (int64_t i = 0; i < p.batch; i += images) work(i, std::min(images, p.batch - i));
  }
  // Elements of a block's patches.
  int64_t room(const THNNConvolutionPlan &p) const { return std::min(images, p.batch) * positions * line; }

  const int64_t positions, terms, line, channels;
  const bool whole;
  const int64_t images, size;
};

// The patches of blocks of images.
template <class T>
class Gathered {
 public:
  Gathered(const THNNConvolutionPlan &p, const Blocks &blocks)
      : plan_(p), blocks_(blocks), places_(placesOf(p)), own_(memory<T>(blocks.whole ? 0 : blocks.room(p))) {}
  const T *of(const T *x, int64_t first, int64_t images) {
    x += first * blocks_.size;
    if (blocks_.whole) return x;
    forPatches(
        plan_, places_.get(), x, images, own_.get(), [](const T *) {},
        [](const T *from, T &to) { to = from ? *from : T(0); });
    return own_.get();
  }

 private:
  const THNNConvolutionPlan &plan_;
  const Blocks &blocks_;
  std::unique_ptr<int64_t[]> places_;
  std::unique_ptr<T[]> own_;
};

template <class T>
void forward(const THNNConvolutionPlan &p, const T *x, const T *w, const T *bias, T *y) {
  const Blocks b(p);
  Gathered<T> gathered(p, b);
  const bool turned = b.positions == 1 || b.channels == 1;  // rows of patches are the result
  const auto own = memory<T>(turned ? 0 : std::min(b.images, p.batch) * b.positions * b.channels);
  b.each(p, [&](int64_t first, int64_t images) {
    const T *const patches = gathered.of(x, first, images);
    T *const result = y + first * b.positions * b.channels, *const rows = turned ? result : own.get();
    const int64_t n = images * b.positions;
    if (bias)
      for (int64_t i = 0; i < n; i++) std::copy_n(bias, b.channels, rows + i * b.channels);
    if (isSmall(p)) {
      if (!bias) std::fill_n(rows, n * b.channels, T(0));
      forSmall(p, n, true, [=, &b](int64_t row, int64_t o, int64_t l, int64_t weight) {
        rows[row * b.channels + o] += patches[row * b.line + l] * w[weight];
      });
    } else {
      forGroups(p, n, [&](int64_t group) {
        if constexpr (std::is_same_v<T, float>)
          if (n <= direct::kFewRows && b.terms >= kMinTerms)
            return direct::fewRows(p.out, b.terms, w + group * p.out * b.terms, n, patches + group * b.terms, b.line,
                                   bias, rows + group * p.out, b.channels);
        gemm('t', 'n', p.out, n, b.terms, w + group * p.out * b.terms, b.terms, patches + group * b.terms, b.line,
             T(bias ? 1 : 0), rows + group * p.out, b.channels);
      });
    }
    if (!turned) transpose(rows, images, b.positions, b.channels, result);
  });
}

template <class T>
void backwardInput(const THNNConvolutionPlan &p, const T *gy, const T *w, T *gx) {
  const Blocks b(p);
  const auto places = placesOf(p);
  const auto own = memory<T>(b.whole ? 0 : b.room(p));
  b.each(p, [&](int64_t first, int64_t images) {
    T *const image = gx + first * b.size, *const patches = b.whole ? image : own.get();
    const T *const gradients = gy + first * b.positions * b.channels;
    const int64_t n = images * b.positions;
    const auto turned = b.positions == 1 ? nullptr : withChannelsInnermost(gradients, images, b.channels, b.positions);
    const T *const rows = turned ? turned.get() : gradients;
    if (isSmall(p)) {
      std::fill_n(patches, n * b.line, T(0));
      forSmall(p, n, true, [=, &b](int64_t row, int64_t o, int64_t l, int64_t weight) {
        patches[row * b.line + l] += rows[row * b.channels + o] * w[weight];
      });
    } else {
      forGroups(p, n, [&](int64_t group) {
        if constexpr (std::is_same_v<T, float>)
          if (n <= direct::kFewRows && b.terms >= kMinTerms)
            return direct::fewRowsBack(p.out, b.terms, w + group * p.out * b.terms, n, rows + group * p.out, b.channels,
                                       patches + group * b.terms, b.line);
        gemm('n', 'n', b.terms, n, p.out, w + group * p.out * b.terms, b.terms, rows + group * p.out, b.channels, T(0),
             patches + group * b.terms, b.line);
      });
    }
    if (!b.whole)
      forPatches(
          p, places.get(), image, images, patches,
          [&](T *channels) { std::fill_n(channels, p.in * product(p.input), T(0)); },
          [](T *to, T from) {
            if (to) *to += from;
          });
  });
}

template <class T>
void backwardWeight(const THNNConvolutionPlan &p, const T *x, const T *gy, T *gw) {
  const Blocks b(p);
  if (!p.batch) std::fill_n(gw, b.channels * b.terms, T(0));
  Gathered<T> gathered(p, b);
  b.each(p, [&](int64_t first, int64_t images) {
    const T *const patches = gathered.of(x, first, images);
    const T *const gradients = gy + first * b.positions * b.channels;
    const int64_t n = images * b.positions;
    const auto turned = b.positions == 1 ? nullptr : withChannelsInnermost(gradients, images, b.channels, b.positions);
    const T *const rows = turned ? turned.get() : gradients;
    if (isSmall(p)) {
      if (!first) std::fill_n(gw, b.channels * b.terms, T(0));
      forSmall(p, n, false, [=, &b](int64_t row, int64_t o, int64_t l, int64_t weight) {
        gw[weight] += rows[row * b.channels + o] * patches[row * b.line + l];
      });
      return;
    }
    forGroups(p, n, [&](int64_t group) {
      gemm('n', 't', b.terms, p.out, n, patches + group * b.terms, b.line, rows + group * p.out, b.channels,
           T(first ? 1 : 0), gw + group * p.out * b.terms, b.terms);
    });
  });
}

}  // namespace thnn::patches
