#include "grid_taps.h"

#include <array>

#include <THNN/Grid.h>

#include "operators.h"

namespace thpp {

namespace {

// One tap of a dimension, each (batch, 1, places); slope: of the weight, by the coordinate.
struct Tap {
  Tensor element, inside, weight, slope;
};

// What a sample is made of in one dimension, as lib/THNN/src/grid/grid_loops.cpp has it.
class Axis {
 public:
  Axis(int64_t size, int64_t mode, int64_t padding, bool align_corners)
      : size_(size), mode_(mode), padding_(padding), factor_(double(align_corners ? size - 1 : size) / 2),
        shift_(align_corners ? 0 : 0.5), low_(align_corners ? 0 : -0.5),
        span_(double(align_corners ? size - 1 : size)) {}

  std::vector<Tap> taps(const Tensor &coordinate) const {
    Tensor sign;
    const Tensor whole_place = (coordinate + 1) * factor_ - shift_;
    if (mode_ == THNN_GRID_CUBIC) return cubic_taps(whole_place);
    const Tensor place = padded(whole_place, sign);
    if (mode_ == THNN_GRID_NEAREST)
      return {tap(thpp::round(thpp::detach(place)), thpp::ones_like(place), thpp::zeros_like(place))};
    const Tensor first = thpp::floor(thpp::detach(place)), share = place - first, slope = sign * factor_;
    return {tap(first, 1 - share, -slope), tap(first + 1, share, slope)};
  }

 private:
  Tap tap(const Tensor &element, const Tensor &weight, const Tensor &slope) const {
    const Tensor inside = thpp::logical_and(thpp::ge(element, wrapped_number(0.)),
                                            thpp::lt(element, wrapped_number(double(size_))));
    return {thpp::to(or_else(inside, element, 0), TH_Long), inside, weight, slope};
  }

  std::vector<Tap> cubic_taps(const Tensor &place) const {
    std::vector<Tap> taps;
    const Tensor whole = thpp::floor(thpp::detach(place)), share = place - whole;
    for (int k = -1; k <= 2; ++k) {
      Tensor unused;
      const Tensor away = share - double(k), x = k <= 0 ? away : -away;  // a distance
      const bool near = k == 0 || k == 1;
      constexpr double a = -0.75;
      const Tensor weight = near ? (x * (a + 2) - (a + 3)) * x * x + 1 : (((x - 5) * x + 8) * x - 4) * a;
      const Tensor slope = near ? (x * (3 * (a + 2)) - 2 * (a + 3)) * x : ((x * 3 - 10) * x + 8) * a;
      taps.push_back(tap(padded(whole + double(k), unused), weight, slope * (k <= 0 ? factor_ : -factor_)));
    }
    return taps;
  }

  // Into the image, as its padding has it; sign: what the slope is multiplied by.
  Tensor padded(Tensor place, Tensor &sign) const {
    const Tensor one = thpp::ones_like(thpp::detach(place));
    sign = one;
    if (padding_ == THNN_GRID_ZEROS) return place;
    if (padding_ == THNN_GRID_REFLECTION) {
      const Tensor away = place - low_, distance = thpp::abs(away);
      if (span_ == 0) {
        place = thpp::zeros_like(place);
      } else {
        const Tensor flips = thpp::floor(thpp::detach(distance) / span_);
        const Tensor rest = distance - flips * span_;
        const Tensor odd = thpp::ne(flips, thpp::floor(flips / 2) * 2);
        const Tensor turned = thpp::ne(thpp::lt(thpp::detach(away), wrapped_number(0.)), odd);
        sign = thpp::where(turned, -one, one);
        place = thpp::where(odd, span_ - rest, rest) + low_;
      }
    }
    const double last = double(size_ - 1);
    const Tensor fixed = thpp::detach(place), above = thpp::gt(fixed, wrapped_number(0.));
    const Tensor moves = thpp::logical_and(above, thpp::lt(fixed, wrapped_number(last)));
    sign = or_else(moves, sign, 0);
    // No number is 0, as the kernel has it.
    return thpp::where(moves, place, thpp::clamp(or_else(above, fixed, 0), Tensor(), wrapped_number(last)));
  }

  int64_t size_, mode_, padding_;
  double factor_, shift_, low_, span_;
};

}  // namespace

std::vector<GridTap> grid_taps(const Tensor &grid, IntList size, int64_t mode, int64_t padding, bool align_corners,
                               bool slopes) {
  const int n = int(size.size());
  std::vector<std::vector<Tap>> axes;
  size_t count = 1;
  int64_t places = 1;
  for (int d = 1; d <= n; ++d) places *= grid.size(d);
  for (int d = 0; d < n; ++d) {
    const Tensor coordinate = thpp::reshape(thpp::select(grid, -1, n - 1 - d), {grid.size(0), 1, places});
    axes.push_back(Axis(size[size_t(d)], mode, padding, align_corners).taps(coordinate));
    count *= axes.back().size();
  }
  std::vector<GridTap> made;
  for (size_t t = 0; t < count; ++t) {
    std::array<const Tap *, 3> taps{};
    size_t rest = t;
    for (int d = n - 1; d >= 0; --d, rest /= axes[0].size()) taps[size_t(d)] = &axes[size_t(d)][rest % axes[0].size()];
    // The product of weights, that of dimension `sloped` being its slope.
    const auto product = [&](int sloped) {
      const auto factor = [&](int d) { return d == sloped ? taps[size_t(d)]->slope : taps[size_t(d)]->weight; };
      Tensor w = factor(0);
      for (int d = 1; d < n; ++d) w = w * factor(d);
      return w;
    };
    Tensor index = taps[0]->element, inside = taps[0]->inside;
    for (int d = 1; d < n; ++d) {
      index = thpp::mul(index, wrapped_number(size[size_t(d)])) + taps[size_t(d)]->element;
      inside = thpp::logical_and(inside, taps[size_t(d)]->inside);
    }
    made.push_back({index, inside, product(-1), {}});
    for (int d = 0; slopes && d < n; ++d) made.back().slopes.push_back(product(d));
  }
  return made;
}

}  // namespace thpp
