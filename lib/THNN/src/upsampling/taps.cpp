// Which elements a result is made of, and by which weights. Places are computed in the precision of the elements, as
// users' boundaries between two of them have always been.
#include "taps.hpp"

#include <algorithm>
#include <cmath>

namespace thnn {
namespace {

// Elements of the input per one of the result.
template <class C>
C stepOf(const THNNUpSamplingPlan &plan, int d) {
  const int64_t in = plan.input[d], out = plan.output[d];
  if (plan.align_corners) return out > 1 ? C(in - 1) / C(out - 1) : C(0);
  return plan.scale[d] > 0 ? C(1 / plan.scale[d]) : C(in) / C(out);
}

template <class C>
C placeOf(const THNNUpSamplingPlan &plan, C step, int64_t o) {
  return plan.align_corners ? C(o) * step : (C(o) + C(0.5)) * step - C(0.5);
}

// floor(place) as an element, whatever the scale.
template <class C>
int64_t elementAt(C place, int64_t last) {
  return place >= C(last) ? last : place > 0 ? int64_t(place) : 0;
}

template <class C>
Taps<C> nearest(const THNNUpSamplingPlan &plan, int d) {
  const float step = stepOf<float>(plan, d), shift = plan.mode == THNN_NEAREST_EXACT ? 0.5f : 0.f;
  Taps<C> taps(plan.output[d], 1);
  taps.plain = true;
  for (int64_t o = 0; o < taps.rows; o++) taps.add(o, elementAt((float(o) + shift) * step, plan.input[d] - 1), 1);
  return taps;
}

template <class C>
Taps<C> linear(const THNNUpSamplingPlan &plan, int d) {
  const int64_t last = plan.input[d] - 1;
  const C step = stepOf<C>(plan, d);
  if (plan.input[d] == plan.output[d] && step == 1) {  // nothing moves
    Taps<C> taps(plan.output[d], 1);
    taps.plain = true;
    for (int64_t o = 0; o < taps.rows; o++) taps.add(o, o, 1);
    return taps;
  }
  Taps<C> taps(plan.output[d], 2);
  for (int64_t o = 0; o < taps.rows; o++) {
    const C place = placeOf(plan, step, o);
    const int64_t first = elementAt(place, last);
    const C share = std::clamp(place - C(first), C(0), C(1));
    taps.add(o, first, 1 - share);
    taps.add(o, std::min(first + 1, last), share);
  }
  return taps;
}

// Keys 1981, "Cubic convolution interpolation for digital image processing".
template <class C>
C keys(C distance, C a) {
  const C x = std::abs(distance);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : C(0);
}

template <class C>
Taps<C> cubic(const THNNUpSamplingPlan &plan, int d) {
  const C step = stepOf<C>(plan, d);
  Taps<C> taps(plan.output[d], 4);
  for (int64_t o = 0; o < taps.rows; o++) {
    const C place = std::clamp(placeOf(plan, step, o), C(-2), C(plan.input[d] + 2)), first = std::floor(place);
    for (int64_t k = -1; k <= 2; k++)
      taps.add(o, std::clamp<int64_t>(int64_t(first) + k, 0, plan.input[d] - 1), keys(place - first - C(k), C(-0.75)));
  }
  return taps;
}

template <class C>
C sinc(C x) {
  const C angle = x * C(3.14159265358979323846);
  return x == 0 ? C(1) : std::sin(angle) / angle;
}

template <class C>
C filter(THNNUpSamplingMode mode, C x) {
  if (mode == THNN_CUBIC_ANTIALIASED) return keys(x, C(-0.5));
  if (mode == THNN_LINEAR_ANTIALIASED) return std::max(1 - std::abs(x), C(0));
  return std::abs(x) < 3 ? sinc(x) * sinc(x / 3) : C(0);
}

// Where the result is smaller, the kernel is as much wider, so that no element goes unseen.
template <class C>
Taps<C> antialiased(const THNNUpSamplingPlan &plan, int d) {
  const C step = stepOf<C>(plan, d), wide = std::max(step, C(1));
  const C support = C(plan.mode == THNN_LINEAR_ANTIALIASED ? 1 : plan.mode == THNN_CUBIC_ANTIALIASED ? 2 : 3) * wide;
  const int64_t size = plan.input[d];
  Taps<C> taps(plan.output[d], support < C(size) ? std::min(int64_t(std::ceil(support)) * 2 + 1, size) : size);
  std::vector<C> weights;
  for (int64_t o = 0; o < taps.rows; o++) {
    const C centre = (C(o) + C(0.5)) * step;
    const int64_t first = elementAt(centre - support + C(0.5), size);
    const int64_t last = std::min(elementAt(centre + support + C(0.5), size), first + taps.most);
    C total = 0;
    weights.clear();
    for (int64_t i = first; i < last; i++) {
      weights.push_back(filter(plan.mode, (C(i) - centre + C(0.5)) / wide));
      total += weights.back();
    }
    for (int64_t i = first; i < last; i++) taps.add(o, i, total == 0 ? C(0) : weights[size_t(i - first)] / total);
  }
  return taps;
}

template <class C>
void setEven(Taps<C> &taps) {
  taps.even = std::ranges::all_of(taps.count, [&](int32_t n) { return n == taps.most; });
}

}  // namespace

template <class C>
Taps<C> tapsOf(const THNNUpSamplingPlan &plan, int d) {
  Taps<C> taps = plan.mode <= THNN_NEAREST_EXACT ? nearest<C>(plan, d)
                 : plan.mode == THNN_LINEAR      ? linear<C>(plan, d)
                 : plan.mode == THNN_CUBIC       ? cubic<C>(plan, d)
                                                 : antialiased<C>(plan, d);
  setEven(taps);
  return taps;
}

template <class C>
Taps<C> transposed(const Taps<C> &taps, int64_t elements) {
  std::vector<int64_t> count(size_t(elements), 0);
  const auto forEntries = [&](const auto &visit) {
    for (int64_t o = 0; o < taps.rows; o++)
      for (int64_t k = 0; k < taps.count[size_t(o)]; k++) {
        const size_t at = size_t(k * taps.rows + o);
        if (taps.weight[at] != 0) visit(o, taps.index[at], taps.weight[at]);
      }
  };
  forEntries([&](int64_t, int64_t element, C) { count[size_t(element)]++; });
  Taps<C> result(elements, *std::ranges::max_element(count));
  forEntries([&](int64_t o, int64_t element, C w) { result.add(element, o, w); });
  setEven(result);
  result.plain = taps.plain && result.even && result.most == 1;
  return result;
}

FixedTaps::FixedTaps(const Taps<double> &taps) : taps(taps), weight(taps.weight.size()) {
  double greatest = 0;
  for (double w : taps.weight) greatest = std::max(greatest, w);
  while (bits < 22 && std::floor(greatest * double(2 << bits) + 0.5) < 32768) bits++;
  for (size_t i = 0; i < weight.size(); i++)
    weight[i] = int32_t(std::round(taps.weight[i] * double(int64_t(1) << bits)));
}

// weights: taps', or what stands for them, in units of `unit`.
template <class C, class W>
static int64_t writeTaps(const Taps<C> &taps, const std::vector<W> &weights, double unit, int64_t *index,
                         double *weight) {
  for (int64_t o = 0; index && o < taps.rows; o++)
    for (int64_t k = 0; k < taps.most; k++) {
      const size_t at = size_t(k * taps.rows + o);
      const bool has = k < taps.count[size_t(o)];
      index[o * taps.most + k] = has ? taps.index[at] : -1;
      weight[o * taps.most + k] = has ? double(weights[at]) * unit : 0;
    }
  return taps.most;
}

template Taps<float> tapsOf(const THNNUpSamplingPlan &, int);
template Taps<double> tapsOf(const THNNUpSamplingPlan &, int);
template Taps<float> transposed(const Taps<float> &, int64_t);
template Taps<double> transposed(const Taps<double> &, int64_t);

}  // namespace thnn

int64_t THNNPrepare_UpSampling_taps(const THNNUpSamplingPlan *plan, int d, THDtype dtype, int64_t *index,
                                    double *weight) {
  using namespace thnn;
  if (dtype != TH_Double && dtype != TH_Byte) {
    const Taps<float> taps = tapsOf<float>(*plan, d);
    return writeTaps(taps, taps.weight, 1, index, weight);
  }
  const Taps<double> taps = tapsOf<double>(*plan, d);
  if (dtype == TH_Double) return writeTaps(taps, taps.weight, 1, index, weight);
  const FixedTaps fixed(taps);
  return writeTaps(taps, fixed.weight, 1 / double(int64_t(1) << fixed.bits), index, weight);
}
