// Steps of optimisers.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimizer/optimizer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include <cmath>
#include <cstdint>

#ifndef THNN_OPTIMIZER_NUMBERS
#define THNN_OPTIMIZER_NUMBERS
namespace thnn {

// The numbers of a step, rounded to the parameter's dtype. Those that switch something off are compared once, before the
// loop: the compiler takes the conditions out of it.
template <class T>
struct AdamNumbers {
  T shrink, decay, rest1, beta2, rest2, root, eps, factor;
  bool maximize;
};
template <class T>
struct SgdNumbers {
  T decay, momentum, rest, factor;
  bool nesterov, maximize;
};
template <class T>
struct RmsNumbers {
  T decay, alpha, rest, eps, momentum, factor;
  bool maximize;
};
template <class T>
struct AdagradNumbers {
  T decay, eps, factor;
  bool maximize;
};

// A set of instructions' loops, by which of the tensors that may be missing are there.
template <class T>
struct Steps {
  void (*adam[2])(int64_t n, T *p, const T *grad, T *average, T *square, T *largest, AdamNumbers<T>);
  void (*sgd[2])(int64_t n, T *p, const T *grad, T *buffer, SgdNumbers<T>);
  void (*rmsprop[2][2])(int64_t n, T *p, const T *grad, T *square, T *average, T *buffer, RmsNumbers<T>);
  void (*adagrad)(int64_t n, T *p, const T *grad, T *sum, AdagradNumbers<T>);
};

}  // namespace thnn
#endif

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T, class Numbers>
inline T direction(T g, T p, const Numbers &by) {
  if (by.maximize) g = -g;
  return by.decay != 0 ? g + by.decay * p : g;
}

// As TH's lerp: from the nearer end.
template <class T>
inline T towards(T a, T b, T weight) {
  return std::fabs(weight) < T(0.5) ? a + weight * (b - a) : b - (b - a) * (T(1) - weight);
}

template <class T, bool bounded>
void adam(int64_t n, T *p, const T *grad, T *average, T *square, T *largest, const thnn::AdamNumbers<T> by) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    const T g = direction(grad[i], p[i], by);
    const T shrunk = by.shrink != 1 ? p[i] * by.shrink : p[i];
    const T m = average[i] = towards(average[i], g, by.rest1);
    T v = square[i] * by.beta2;
    v = square[i] = v + by.rest2 * g * g;
    if constexpr (bounded) {
      const T before = largest[i];
      largest[i] = v = v > before || v != v ? v : before;
    }
    p[i] = shrunk + by.factor * (m / (std::sqrt(v) / by.root + by.eps));
  }
}

template <class T, bool moving>
void sgd(int64_t n, T *p, const T *grad, T *buffer, const thnn::SgdNumbers<T> by) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    T g = direction(grad[i], p[i], by);
    if constexpr (moving) {
      const T moved = buffer[i] = buffer[i] * by.momentum + by.rest * g;
      g = by.nesterov ? g + by.momentum * moved : moved;
    }
    p[i] = p[i] + by.factor * g;
  }
}

template <class T, bool centered, bool moving>
void rmsprop(int64_t n, T *p, const T *grad, T *square, T *average, T *buffer, const thnn::RmsNumbers<T> by) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    const T g = direction(grad[i], p[i], by);
    T v = square[i] * by.alpha;
    v = square[i] = v + by.rest * g * g;
    if constexpr (centered) {
      const T m = average[i] = towards(average[i], g, by.rest);
      v = v + T(-1) * m * m;
    }
    T q = g / (std::sqrt(v) + by.eps);
    if constexpr (moving) q = buffer[i] = buffer[i] * by.momentum + q;
    p[i] = p[i] + by.factor * q;
  }
}

template <class T>
void adagrad(int64_t n, T *p, const T *grad, T *sum, const thnn::AdagradNumbers<T> by) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    const T g = direction(grad[i], p[i], by);
    const T s = sum[i] = sum[i] + g * g;
    p[i] = p[i] + by.factor * (g / (std::sqrt(s) + by.eps));
  }
}

template <class T>
constexpr thnn::Steps<T> steps = {
    {adam<T, false>, adam<T, true>},
    {sgd<T, false>, sgd<T, true>},
    {{rmsprop<T, false, false>, rmsprop<T, false, true>}, {rmsprop<T, true, false>, rmsprop<T, true, true>}},
    adagrad<T>,
};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kit/module.hpp"
#include "kit/parallel.hpp"

namespace thnn {
namespace {

bool sameOrder(const THTensor *a, const THTensor *b) {
  if (a->dtype != b->dtype || !sameShape(a->ndim, a->size, b)) return false;
  for (int d = 0; d < a->ndim; d++)
    if (a->size[d] > 1 && a->stride[d] != b->stride[d]) return false;
  return true;
}

// Raises unless a step can be made, and nothing that is written shares memory with another one of them.
template <class T>
void checkStep(std::initializer_list<const THTensor *> tensors) {
  for (const THTensor *t : tensors)
    if (t) requireDtype(t, DtypeOf<T>::value, "each tensor of a step"), requireMemory(t);
  if (!THNNPrepare_step(tensors.begin(), int(tensors.size())))
    THError(
        TH_ERROR_RUNTIME,
        "a parameter, its gradient and its state must have one shape and one order of elements without gaps, but the "
        "parameter has the shape %s",
        shapeString(*tensors.begin()).c_str());
  for (const THTensor *const *a = tensors.begin(); a != tensors.end(); ++a)
    for (const THTensor *const *b = tensors.begin(); b != a; ++b)
      if (*a && *b) requireSeparate(*a, *b);
}

template <class T>
T *from(const THTensor *t, int64_t begin) {
  return t ? elements<T>(t) + begin : nullptr;
}

}  // namespace
}  // namespace thnn

using namespace thnn;

bool THNNPrepare_step(const THTensor *const *tensors, int n) {
  const THTensor *const first = tensors[0];
  if (!isDense(first)) return false;
  for (int i = 1; i < n; i++)
    if (tensors[i] && !sameOrder(first, tensors[i])) return false;
  return true;
}

#define RUN(...) parallelFor(param->numel, kGrain / 4, [&](int64_t begin, int64_t end) { __VA_ARGS__; })

THNN_DEFINE(Adam_step, float_double,
            (THNNState *, THTensor *param, const THTensor *grad, THTensor *average, THTensor *square,
             THNullableTensor *largest, double shrink, double decay, double rest1, double beta2, double rest2,
             double root, double eps, double factor, bool maximize),
            checkStep<T>({param, grad, average, square, largest});
            const AdamNumbers<T> by{T(shrink), T(decay), T(rest1), T(beta2), T(rest2), T(root), T(eps), T(factor),
                                    maximize};
            const auto step = TH_BEST_TARGET(steps<T>).adam[largest != nullptr];
            RUN(step(end - begin, from<T>(param, begin), from<T>(grad, begin), from<T>(average, begin),
                     from<T>(square, begin), from<T>(largest, begin), by)))
THNN_DEFINE(SGD_step, float_double,
            (THNNState *, THTensor *param, const THTensor *grad, THNullableTensor *buffer, double decay,
             double momentum, double rest, double factor, bool nesterov, bool maximize),
            checkStep<T>({param, grad, buffer});
            const SgdNumbers<T> by{T(decay), T(momentum), T(rest), T(factor), nesterov, maximize};
            const auto step = TH_BEST_TARGET(steps<T>).sgd[buffer != nullptr];
            RUN(step(end - begin, from<T>(param, begin), from<T>(grad, begin), from<T>(buffer, begin), by)))
THNN_DEFINE(RMSprop_step, float_double,
            (THNNState *, THTensor *param, const THTensor *grad, THTensor *square, THNullableTensor *average,
             THNullableTensor *buffer, double decay, double alpha, double rest, double eps, double momentum,
             double factor, bool maximize),
            checkStep<T>({param, grad, square, average, buffer});
            const RmsNumbers<T> by{T(decay), T(alpha), T(rest), T(eps), T(momentum), T(factor), maximize};
            const auto step = TH_BEST_TARGET(steps<T>).rmsprop[average != nullptr][buffer != nullptr];
            RUN(step(end - begin, from<T>(param, begin), from<T>(grad, begin), from<T>(square, begin),
                     from<T>(average, begin), from<T>(buffer, begin), by)))
THNN_DEFINE(Adagrad_step, float_double,
            (THNNState *, THTensor *param, const THTensor *grad, THTensor *sum, double decay, double eps, double factor,
             bool maximize),
            checkStep<T>({param, grad, sum});
            const AdagradNumbers<T> by{T(decay), T(eps), T(factor), maximize};
            const auto step = TH_BEST_TARGET(steps<T>).adagrad;
            RUN(step(end - begin, from<T>(param, begin), from<T>(grad, begin), from<T>(sum, begin), by)))

#endif
