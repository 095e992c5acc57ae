// Kernels that are compiled for few dtypes: what lies in others is converted before they run, and their results after.
#pragma once

#include <memory>
#include <optional>

#include "module.hpp"

namespace thnn {

// A tensor as contiguous elements of C, converted where it is of another dtype.
template <class C>
class Elements {
 public:
  explicit Elements(const THTensor *t) : tensor_(nullptr) {
    if (!t) return;
    if (dtypeOf(t) == DtypeOf<C>::value) {
      tensor_ = Ref(THTensor_newContiguous(const_cast<THTensor *>(t)));
    } else {
      tensor_ = Ref(newLike(t, DtypeOf<C>::value, t->ndim, t->size));
      THTensor_copy(tensor_, t);
    }
  }
  const C *data() const { return tensor_ ? elements<C>(tensor_) : nullptr; }

 private:
  Ref tensor_;
};

// Memory for a result of a plan in the type that T computes in. finish() gives the result its shape, and converts; to be
// made when all has been checked.
template <class C>
class Computed {
 public:
  Computed(const THResult &result, std::initializer_list<const THTensor *> inputs) : result_(result) {
    if (dtypeOf(result.tensor) == DtypeOf<C>::value)
      output_.emplace(&result_, 1, inputs, false);
    else
      own_ = Ref(newLike(result.tensor, DtypeOf<C>::value, result.ndim, result.size));
  }
  C *data() const { return output_ ? output_->template data<C>() : elements<C>(own_); }
  void finish() {
    if (output_) return output_->finish();
    resizeResults(&result_);
    THTensor_copy(result_.tensor, own_);
  }

 private:
  const THResult &result_;
  Ref own_;
  std::optional<Output> output_;
};

// A tensor that is changed in place, as contiguous elements of C.
template <class C>
class InPlace {
 public:
  explicit InPlace(THTensor *t)
      : target_(t), work_(dtypeOf(t) == DtypeOf<C>::value && THTensor_isContiguous(t)
                              ? Ref()
                              : Ref(newLike(t, DtypeOf<C>::value, t->ndim, t->size))) {
    if (work_) THTensor_copy(work_, t);
  }
  C *data() const { return elements<C>(work_ ? static_cast<THTensor *>(work_) : target_); }
  void finish() {
    if (work_)
      THTensor_copy(target_, work_);
    else
      THTensor_bumpVersion(target_);
  }

 private:
  THTensor *target_;
  Ref work_;
};

// Runs fill(result's elements) in that type.
template <class C, class Fill>
void into(THResult &result, std::initializer_list<const THTensor *> inputs, const Fill &fill) {
  Computed<C> computed(result, inputs);
  fill(computed.data());
  computed.finish();
}

// Products of plain memory, column by column as in BLAS: c = alpha a b + beta c.
inline void gemm(char ta, char tb, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda, const float *b,
                 int64_t ldb, float beta, float *c, int64_t ldc, float alpha = 1) {
  THFloatBlas_gemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
inline void gemm(char ta, char tb, int64_t m, int64_t n, int64_t k, const double *a, int64_t lda, const double *b,
                 int64_t ldb, double beta, double *c, int64_t ldc, double alpha = 1) {
  THDoubleBlas_gemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

// Not cleared, as std::vector would.
template <class T>
std::unique_ptr<T[]> memory(int64_t n) {
  return std::unique_ptr<T[]>(new T[size_t(n)]);
}

}  // namespace thnn
