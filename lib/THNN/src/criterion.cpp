// MSECriterion and ClassNLLCriterion.
#include "kernel.hpp"

namespace thnn {
namespace {

// A result of one element. Rounded to T here: too large is infinite, not an error.
template <class T>
void setScalar(THTensor *r, double value) {
  if (r->ndim) THTensor_resize(r, 0, nullptr);
  THScalar s;
  s.kind = TH_KIND_float;
  s.value.d = double(Compute<T>(T(Compute<T>(value))));
  THTensor_fill(r, s);
}

template <class T>
double oneElement(const THTensor *t, const char *what) {
  requireDtype(t, kDtype<T>, what);
  if (t->numel != 1)
    THError(TH_ERROR_RUNTIME, "Expected a single element %s tensor, but got: %s", what, shapeString(t).c_str());
  return double(Compute<T>(*elements<T>(t)));
}

// ---- mean squared error ---------------------------------------------------------------------------

template <class T>
void mse(const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage, bool reduce) {
  using C = Compute<T>;
  const Input<T> a(input, "input"), b(target, "target");
  requireSameShape(input, "input", target, "target");
  const T *const x = a.data(), *const y = b.data();
  const int64_t n = input->numel;
  if (reduce) {
    checkOutput(output, kDtype<T>, "output", 0, nullptr);
    const double sum = blockSum(n, [=](int64_t begin, int64_t end) {
      constexpr int lanes = 16;
      C lane[lanes] = {};
      int64_t i = begin;
      for (; i + lanes <= end; i += lanes)
        for (int l = 0; l < lanes; l++) {
          const C d = C(x[i + l]) - C(y[i + l]);
          lane[l] += d * d;
        }
      for (int l = 0; i < end; i++, l++) lane[l] += (C(x[i]) - C(y[i])) * (C(x[i]) - C(y[i]));
      double total = 0;
      for (const C l : lane) total += double(l);
      return total;
    });
    setScalar<T>(output, sizeAverage ? sum / double(n) : sum);
  } else {
    checkOutput(output, kDtype<T>, "output", input->ndim, input->size);
    Output<T> result(output, input->ndim, input->size, {input, target});
    T *const r = result.data();
    parallelFor(n, kGrain, [=](int64_t begin, int64_t end) {
#pragma GCC ivdep
      for (int64_t i = begin; i < end; i++) {
        const C d = C(x[i]) - C(y[i]);
        r[i] = T(d * d);
      }
    });
    result.finish();
  }
}

template <class T>
void mseBackward(const THTensor *input, const THTensor *target, const THTensor *gradOutput, THTensor *gradInput,
                 bool sizeAverage, bool reduce) {
  using C = Compute<T>;
  const Input<T> a(input, "input"), b(target, "target"), g(gradOutput, "gradOutput");
  requireSameShape(input, "input", target, "target");
  if (!reduce) requireSameShape(input, "input", gradOutput, "gradOutput");
  const int64_t n = input->numel;
  const C factor = reduce ? C((sizeAverage ? 2 / double(n) : 2) * oneElement<T>(gradOutput, "grad_output")) : C(2);
  checkOutput(gradInput, kDtype<T>, "gradInput", input->ndim, input->size);
  Output<T> result(gradInput, input->ndim, input->size, {input, target, gradOutput});
  const T *const x = a.data(), *const y = b.data(), *const grad = g.data();
  T *const r = result.data();
  parallelFor(n, kGrain, [=](int64_t begin, int64_t end) {
    if (reduce) {
#pragma GCC ivdep
      for (int64_t i = begin; i < end; i++) r[i] = T(factor * (C(x[i]) - C(y[i])));
    } else {
#pragma GCC ivdep
      for (int64_t i = begin; i < end; i++) r[i] = T(factor * (C(x[i]) - C(y[i])) * C(grad[i]));
    }
  });
  result.finish();
}

// ---- negative log likelihood ------------------------------------------------------------------------

// Checked arguments of both directions.
template <class T>
struct Nll {
  using C = Compute<T>;
  const Input<T> input;
  THTensor *target;
  const Input<T> weights;  // of `input`, if there are none
  const bool weighted;
  const int64_t samples, classes, ignored;

  Nll(const THTensor *x, const THIndexTensor *t, const THNullableTensor *w, int64_t ignoreIndex)
      : input(x, "input"), target(nullptr), weights(w ? w : x, "weight"), weighted(w),
        samples(x->ndim == 2 ? x->size[0] : 1), classes(x->ndim ? x->size[x->ndim - 1] : 0), ignored(ignoreIndex) {
    if (x->ndim < 1 || x->ndim > 2) THError(TH_ERROR_RUNTIME, "input tensor should be 1D or 2D");
    if (t->ndim > 1) THError(TH_ERROR_RUNTIME, "0D or 1D target tensor expected, multi-target not supported");
    if (t->numel != samples || (x->ndim == 2 && t->ndim == 0))
      THError(TH_ERROR_RUNTIME, "size mismatch (got input: %s, target: %s)", shapeString(x).c_str(),
              shapeString(t).c_str());
    if (dtypeOf(t) != TH_Long)
      THError(TH_ERROR_RUNTIME, "expected target dtype to be Long or Byte, but got %s", TH_typeName(dtypeOf(t)));
    if (w && (w->ndim != 1 || w->numel != classes))
      THError(TH_ERROR_RUNTIME,
              "weight tensor should be defined either for all %lld classes or no classes but got weight tensor of "
              "shape: %s",
              (long long)classes, shapeString(w).c_str());
    for (int64_t i = 0; i < samples; i++) {
      const int64_t c = elements<int64_t>(t)[i * (t->ndim ? t->stride[0] : 0)];
      if (c != ignored && uint64_t(c) >= uint64_t(classes))
        THError(TH_ERROR_INDEX, "Target %lld is out of bounds.", (long long)c);
    }
    target = THTensor_newContiguous(const_cast<THTensor *>(t));
  }
  ~Nll() { THTensor_free(target); }

  int64_t classOf(int64_t i) const { return elements<int64_t>(target)[i]; }
  C weightOf(int64_t c) const { return weighted ? C(weights.data()[c]) : C(1); }
  // The shape of losses that are not reduced.
  int lossDims() const { return input.tensor()->ndim - 1; }
};

template <class T>
void nll(const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
         const THNullableTensor *weights, THTensor *total_weight, int64_t ignore_index, bool reduce) {
  using C = Compute<T>;
  const Nll<T> p(input, target, weights, ignore_index);
  checkOutput(total_weight, kDtype<T>, "total_weight", 0, nullptr);
  const T *const x = p.input.data();
  const auto loss = [&](int64_t i) {
    const int64_t c = p.classOf(i);
    return c == p.ignored ? C(0) : -p.weightOf(c) * C(x[i * p.classes + c]);
  };
  if (reduce) {
    checkOutput(output, kDtype<T>, "output", 0, nullptr);
    const double sum = blockSum(p.samples, [&](int64_t begin, int64_t end) {
      double s = 0;
      for (int64_t i = begin; i < end; i++) s += double(loss(i));
      return s;
    });
    const double total = blockSum(p.samples, [&](int64_t begin, int64_t end) {
      double s = 0;
      for (int64_t i = begin; i < end; i++) s += p.classOf(i) == p.ignored ? 0 : double(p.weightOf(p.classOf(i)));
      return s;
    });
    setScalar<T>(output, sizeAverage ? sum / total : sum);
    setScalar<T>(total_weight, total);
  } else {
    checkOutput(output, kDtype<T>, "output", p.lossDims(), &p.samples);
    Output<T> result(output, p.lossDims(), &p.samples, {input, weights ? weights : input}, false);
    T *const r = result.data();
    parallelFor(p.samples, kGrain / 4, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) r[i] = T(loss(i));
    });
    result.finish();
    setScalar<T>(total_weight, 0);
  }
}

template <class T>
void nllBackward(const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput, THTensor *gradInput,
                 bool sizeAverage, const THNullableTensor *weights, const THTensor *total_weight, int64_t ignore_index,
                 bool reduce) {
  using C = Compute<T>;
  const Nll<T> p(input, target, weights, ignore_index);
  const Input<T> grad(gradOutput, "gradOutput");
  if (!reduce && !sameShape(p.lossDims(), &p.samples, gradOutput))
    THError(TH_ERROR_RUNTIME, "gradOutput must have one element per sample (%lld), but its shape is %s",
            (long long)p.samples, shapeString(gradOutput).c_str());
  double factor = 1;
  if (reduce) {
    factor = oneElement<T>(gradOutput, "grad_output");
    const double total = oneElement<T>(total_weight, "total_weight");
    if (sizeAverage) factor /= total;
  }
  checkOutput(gradInput, kDtype<T>, "gradInput", input->ndim, input->size);
  Output<T> result(gradInput, input->ndim, input->size, {input, gradOutput, weights ? weights : input}, false);
  THTensor_zero(result.tensor());
  T *const r = result.data();
  parallelFor(p.samples, kGrain / 4, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++)
      if (const int64_t c = p.classOf(i); c != p.ignored)
        r[i * p.classes + c] = T(-p.weightOf(c) * (reduce ? C(factor) : C(grad.data()[i])));
  });
  result.finish();
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(MSECriterion_updateOutput, floating,
            (THNNState *, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
             bool reduce),
            thnn::mse<T>(input, target, output, sizeAverage, reduce))
THNN_DEFINE(MSECriterion_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
             THTensor *gradInput, bool sizeAverage, bool reduce),
            thnn::mseBackward<T>(input, target, gradOutput, gradInput, sizeAverage, reduce))
THNN_DEFINE(ClassNLLCriterion_updateOutput, floating,
            (THNNState *, const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
             const THNullableTensor *weights, THTensor *total_weight, int64_t ignore_index, bool reduce),
            thnn::nll<T>(input, target, output, sizeAverage, weights, total_weight, ignore_index, reduce))
THNN_DEFINE(ClassNLLCriterion_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput,
             THTensor *gradInput, bool sizeAverage, const THNullableTensor *weights, const THTensor *total_weight,
             int64_t ignore_index, bool reduce),
            thnn::nllBackward<T>(input, target, gradOutput, gradInput, sizeAverage, weights, total_weight, ignore_index,
                                 reduce))
