// A tile of sums, some channels by some vectors, stays in registers: each element that is loaded is used several times.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convolution/direct_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "direct_loops.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using thnn::Positions;

#if HWY_ARCH_X86 && HWY_TARGET != HWY_AVX3
constexpr int kMost = 4, kRegisters = 12, kVectors = 4;
#else
constexpr int kMost = 8, kRegisters = 24, kVectors = 6;
#endif

// Vectors of a tile of so many channels.
template <int channels> constexpr int kTile = std::min(kVectors, kRegisters / channels);

void copy(const float *from, int64_t lines, int64_t fromStep, int64_t width, float *to, int64_t toStep) {
  const hn::CappedTag<float, 8> d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  for (int64_t line = 0; line < lines; line++, from += fromStep, to += toStep) {
    if (width < lanes) {
      for (int64_t i = 0; i < width; i++) to[i] = from[i];
      continue;
    }
    for (int64_t i = 0; i + lanes <= width; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    hn::StoreU(hn::LoadU(d, from + width - lanes), d, to + width - lanes);
  }
}

template <class D, int channels>
void outputsOf(const float *x, const Positions *runs, int64_t n, const int64_t *offsets, int64_t rows, const float *w,
               const float *bias, bool add, float *y, int64_t ySize) {
  constexpr int tile = kTile<channels>;
  const D d;
  for (int64_t first = 0; first < n; first += tile) {
    // Where fewer are left the last one is computed several times.
    const float *from[tile];
    hn::Vec<D> sums[channels][tile];
    for (int v = 0; v < tile; v++) from[v] = x + runs[std::min(first + v, n - 1)].from;
    for (int o = 0; o < channels; o++)
      for (int v = 0; v < tile; v++) sums[o][v] = hn::Set(d, bias ? bias[o] : 0);
    for (int64_t r = 0; r < rows; r++) {
      const float *const taps = w + r * channels;
      hn::Vec<D> met[tile];
      for (int v = 0; v < tile; v++) met[v] = hn::LoadU(d, from[v] + offsets[r]);
      for (int o = 0; o < channels; o++) {
        const auto tap = hn::Set(d, taps[o]);
        for (int v = 0; v < tile; v++) sums[o][v] = hn::MulAdd(tap, met[v], sums[o][v]);
      }
    }
    for (int v = 0; v < tile && first + v < n; v++) {
      const Positions &run = runs[first + v];
      for (int o = 0; o < channels; o++) {
        float *const to = y + o * ySize + run.at;
        if (run.count == int64_t(hn::Lanes(d))) {
          hn::StoreU(add ? hn::Add(hn::LoadU(d, to), sums[o][v]) : sums[o][v], d, to);
        } else {
          HWY_ALIGN float lanes[hn::MaxLanes(d)];
          hn::Store(sums[o][v], d, lanes);
          for (int64_t i = 0; i < run.count; i++) to[i] = add ? to[i] + lanes[i] : lanes[i];
        }
      }
    }
  }
}

template <class D>
void packOf(int64_t channels, const float *gy, int64_t ySize, const Positions *runs, int64_t n, float *to) {
  const D d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  for (int64_t i = 0; i < n; i++)
    for (int64_t o = 0; o < channels; o++, to += lanes) {
      const float *const from = gy + o * ySize + runs[i].at;
      if (runs[i].count == lanes) {
        hn::StoreU(hn::LoadU(d, from), d, to);
      } else {
        std::copy_n(from, runs[i].count, to);
        std::fill_n(to + runs[i].count, lanes - runs[i].count, 0.0f);
      }
    }
}

template <class D, int channels>
void productsOf(const float *x, const Positions *runs, int64_t n, const int64_t *offsets, int64_t rows, const float *gy,
                int64_t step, float *sums) {
  constexpr int tile = kTile<channels>;
  const D d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  for (int64_t first = 0; first < rows; first += tile) {
    int64_t offset[tile];
    hn::Vec<D> all[channels][tile];
    for (int v = 0; v < tile; v++) {
      const int64_t r = std::min(first + v, rows - 1);
      offset[v] = offsets[r];
      for (int o = 0; o < channels; o++) all[o][v] = hn::LoadU(d, sums + (r * step + o) * lanes);
    }
    for (int64_t i = 0; i < n; i++) {
      // What lies beyond the line may be no number, so 0 times it may be none either.
      const auto inside = hn::FirstN(d, size_t(runs[i].count));
      const float *const from = x + runs[i].from;
      hn::Vec<D> met[tile];
      for (int v = 0; v < tile; v++) met[v] = hn::MaskedLoad(inside, d, from + offset[v]);
      for (int o = 0; o < channels; o++) {
        const auto g = hn::LoadU(d, gy + (i * step + o) * lanes);
        for (int v = 0; v < tile; v++) all[o][v] = hn::MulAdd(g, met[v], all[o][v]);
      }
    }
    for (int v = 0; v < tile && first + v < rows; v++)
      for (int o = 0; o < channels; o++) hn::StoreU(all[o][v], d, sums + ((first + v) * step + o) * lanes);
  }
}

template <int rows, int channels>
void dotsOf(const float *x, int64_t xStep, const float *gy, int64_t yStep, int64_t n, float *sums) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  hn::Vec<decltype(d)> all[rows][channels];
  for (int r = 0; r < rows; r++)
    for (int o = 0; o < channels; o++) all[r][o] = hn::LoadU(d, sums + (r * channels + o) * lanes);
  const auto add = [&](const auto &load) {
    hn::Vec<decltype(d)> met[rows];
    for (int r = 0; r < rows; r++) met[r] = load(x + r * xStep);
    for (int o = 0; o < channels; o++) {
      const auto g = load(gy + o * yStep);
      for (int r = 0; r < rows; r++) all[r][o] = hn::MulAdd(g, met[r], all[r][o]);
    }
  };
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) add([&](const float *from) { return hn::LoadU(d, from + i); });
  if (i < n) {
    const auto inside = hn::FirstN(d, size_t(n - i));
    add([&](const float *from) { return hn::MaskedLoad(inside, d, from + i); });
  }
  for (int r = 0; r < rows; r++)
    for (int o = 0; o < channels; o++) hn::StoreU(all[r][o], d, sums + (r * channels + o) * lanes);
}

template <class D>
void addLanesOf(const float *sums, int64_t n, float *to) {
  const D d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  for (int64_t i = 0; i < n; i++) to[i] += hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, sums + i * lanes)));
}

// Half of what AVX-512 has, for narrow images; elsewhere all of a vector.
using Wide = hn::ScalableTag<float>;
using Narrow = hn::CappedTag<float, 8>;

int lanesFor(int64_t width) {
  const int narrow = int(hn::Lanes(Narrow())), wide = int(hn::Lanes(Wide()));
  const auto vectors = [width](int lanes) { return (width + lanes - 1) / lanes; };
  return vectors(narrow) <= vectors(wide) ? narrow : wide;
}

bool isWide(int lanes) { return lanes == int(hn::Lanes(Wide())); }

// Of()<tag, channels>(arguments...). Not the argument of that type: gcc 12 finds it not constant.
template <class Of, class... Arguments>
void dispatch(Of, int lanes, int channels, Arguments... arguments) {
  [&]<int... k>(std::integer_sequence<int, k...>) {
    using Function = void (*)(Arguments...);
    static constexpr Function wide[] = {Of().template operator()<Wide, k + 1>()...},
                              narrow[] = {Of().template operator()<Narrow, k + 1>()...};
    (isWide(lanes) ? wide : narrow)[channels - 1](arguments...);
  }(std::make_integer_sequence<int, kMost>());
}

void outputs(int lanes, int channels, const float *x, const Positions *runs, int64_t n, const int64_t *offsets,
             int64_t rows, const float *w, const float *bias, bool add, float *y, int64_t ySize) {
  dispatch([]<class D, int c>() { return outputsOf<D, c>; }, lanes, channels, x, runs, n, offsets, rows, w, bias, add,
           y, ySize);
}

void pack(int lanes, int64_t channels, const float *gy, int64_t ySize, const Positions *runs, int64_t n, float *to) {
  (isWide(lanes) ? packOf<Wide> : packOf<Narrow>)(channels, gy, ySize, runs, n, to);
}

void products(int lanes, int channels, const float *x, const Positions *runs, int64_t n, const int64_t *offsets,
              int64_t rows, const float *gy, int64_t step, float *sums) {
  dispatch([]<class D, int c>() { return productsOf<D, c>; }, lanes, channels, x, runs, n, offsets, rows, gy, step,
           sums);
}

void dots(int rows, int channels, const float *x, int64_t xStep, const float *gy, int64_t yStep, int64_t n,
          float *sums) {
  using Function = void (*)(const float *, int64_t, const float *, int64_t, int64_t, float *);
  [&]<int... k>(std::integer_sequence<int, k...>) {
    static constexpr Function all[] = {dotsOf<k / thnn::kDots + 1, k % thnn::kDots + 1>...};
    all[(rows - 1) * thnn::kDots + channels - 1](x, xStep, gy, yStep, n, sums);
  }(std::make_integer_sequence<int, thnn::kDots * thnn::kDots>());
}

void addLanes(int lanes, const float *sums, int64_t n, float *to) {
  (isWide(lanes) ? addLanesOf<Wide> : addLanesOf<Narrow>)(sums, n, to);
}

constexpr thnn::DirectLoops directLoops = {kMost, lanesFor, copy, outputs, pack, products, dots, addLanes};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thnn {

const DirectLoops &directLoops() { return TH_BEST_TARGET(directLoops); }

}  // namespace thnn
#endif
