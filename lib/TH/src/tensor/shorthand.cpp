// Shorthands for C programs: see the header.
#include <TH/TH.h>

#include "kit/result.hpp"
#include "kit/messages.hpp"
#include "kit/scalar.hpp"

using namespace th;

// ---- fields --------------------------------------------------------------------------------------------
int THTensor_nDimension(const THTensor *self) { return self->ndim; }
int64_t THTensor_nElement(const THTensor *self) { return self->numel; }
int64_t THTensor_storageOffset(const THTensor *self) { return self->offset; }
THStorage *THTensor_storage(const THTensor *self) { return self->storage; }
bool THTensor_isSize(const THTensor *self, int ndim, const int64_t *size) { return sameShape(ndim, size, self); }

// ---- a fixed number of dimensions: X(n, the declarations of n numbers, their names) ------------------------
#define TH_FIXED_1(X) X(1, (int64_t a), a)
#define TH_FIXED_2(X) X(2, (int64_t a, int64_t b), a, b)
#define TH_FIXED_3(X) X(3, (int64_t a, int64_t b, int64_t c), a, b, c)
#define TH_FIXED_4(X) X(4, (int64_t a, int64_t b, int64_t c, int64_t d), a, b, c, d)
#define TH_FIXED_5(X) X(5, (int64_t a, int64_t b, int64_t c, int64_t d, int64_t e), a, b, c, d, e)
#define TH_UP_TO_4(X) TH_FIXED_1(X) TH_FIXED_2(X) TH_FIXED_3(X) TH_FIXED_4(X)
#define TH_INSIDE(...) __VA_ARGS__

#define TH_NEW(n, declared, ...)                                           \
  THTensor *THTensor_newWithSize##n##d(THDtype dtype, TH_INSIDE declared) { \
    const int64_t size[] = {__VA_ARGS__};                                  \
    return THTensor_newWithSize(dtype, n, size);                           \
  }
TH_UP_TO_4(TH_NEW)

#define TH_RESIZE(n, declared, ...)                                    \
  void THTensor_resize##n##d(THTensor *self, TH_INSIDE declared) {      \
    const int64_t size[] = {__VA_ARGS__};                              \
    THTensor_resize(self, n, size);                                    \
  }
TH_UP_TO_4(TH_RESIZE)
TH_FIXED_5(TH_RESIZE)

static char *element(const THTensor *t, int n, const int64_t *index) {
  if (t->ndim != n) THError(TH_ERROR_INDEX, "a tensor with %d dimensions is indexed with %d numbers", t->ndim, n);
  int64_t offset = 0;
  for (int d = 0; d < n; d++) {
    if (index[d] < 0 || index[d] >= t->size[d])
      THError(TH_ERROR_INDEX, TH_INDEX_OUTSIDE, (long long)index[d], d, (long long)t->size[d]);
    offset += index[d] * t->stride[d];
  }
  return dataOf(t) + offset * elementSize(dtypeOf(t));
}

#define TH_SET(n, declared, ...)                                                  \
  void THTensor_set##n##d(THTensor *self, TH_INSIDE declared, THScalar value) {    \
    const int64_t index[] = {__VA_ARGS__};                                        \
    scalarToBytes(dtypeOf(self), value, element(self, n, index));                 \
  }
TH_UP_TO_4(TH_SET)

#define TH_GET(n, declared, ...)                                             \
  THScalar THTensor_get##n##d(const THTensor *self, TH_INSIDE declared) {     \
    const int64_t index[] = {__VA_ARGS__};                                   \
    return scalarFromBytes(dtypeOf(self), element(self, n, index));          \
  }
TH_UP_TO_4(TH_GET)

// ---- views -------------------------------------------------------------------------------------------------
void THTensor_select(THTensor *self, THTensor *src, int dim, int64_t index) {
  THTensor_set(self, Ref(THTensor_newSelect(src ? src : self, dim, index)));
}
void THTensor_narrow(THTensor *self, THTensor *src, int dim, int64_t first, int64_t length) {
  THTensor_set(self, Ref(THTensor_newNarrow(src ? src : self, dim, first, length)));
}
void THTensor_transpose(THTensor *self, THTensor *src, int dim0, int dim1) {
  THTensor_set(self, Ref(THTensor_newTranspose(src ? src : self, dim0, dim1)));
}
void THTensor_unfold(THTensor *self, THTensor *src, int dim, int64_t size, int64_t step) {
  THTensor_set(self, Ref(THTensor_newUnfold(src ? src : self, dim, size, step)));
}
void THTensor_expand(THTensor *self, THTensor *src, int ndim, const int64_t *size) {
  THTensor_set(self, Ref(THTensor_newExpand(src ? src : self, ndim, size)));
}
void THTensor_squeeze(THTensor *self, THTensor *src) { THTensor_set(self, Ref(THTensor_newSqueeze(src ? src : self))); }
void THTensor_squeeze1d(THTensor *self, THTensor *src, int dim) {
  THTensor_set(self, Ref(THTensor_newSqueeze1d(src ? src : self, dim)));
}
void THTensor_unsqueeze1d(THTensor *self, THTensor *src, int dim) {
  THTensor_set(self, Ref(THTensor_newUnsqueeze1d(src ? src : self, dim)));
}
void THTensor_setStorage(THTensor *self, THStorage *storage, int64_t offset, int ndim, const int64_t *size,
                         const int64_t *stride) {
  THTensor_set(self, Ref(THTensor_newWithStorage(dtypeOf(self), storage, offset, ndim, size, stride)));
}

// ---- made and copied -----------------------------------------------------------------------------------------
void THTensor_zeros(THTensor *r, int ndim, const int64_t *size) {
  THTensor_resize(r, ndim, size);
  THTensor_zero(r);
}
void THTensor_ones(THTensor *r, int ndim, const int64_t *size) {
  THTensor_resize(r, ndim, size);
  THTensor_fill(r, scalar(int64_t(1)));
}

#define TH_DRAW(Name, op, fill, low, high)                                                            \
  void TH##Name##Tensor_##op(THTensor *r, THGenerator *generator, int ndim, const int64_t *size) {    \
    requireDtype(r, TH_##Name, "result");                                                             \
    THTensor_resize(r, ndim, size);                                                                   \
    TH##Name##Tensor_##fill(r, generator, low, high);                                                 \
  }
TH_FOR_floating(TH_DRAW, rand, uniform, 0, 1)
TH_FOR_floating(TH_DRAW, randn, normal, 0, 1)

void THTensor_reshape(THTensor *r, THTensor *t, int ndim, const int64_t *size) {
  const Ref view(THTensor_newReshape(t, ndim, size));
  requireSeparate(r, t, view->ndim, view->size);
  THTensor_resize(r, view->ndim, view->size);
  THTensor_copy(r, view);
}

void THTensor_freeCopyTo(THTensor *self, THTensor *to) {
  THTensor_copy(to, self);
  THTensor_free(self);
}

// ---- a number as the second operand ----------------------------------------------------------------------------
// A tensor of it: in the dtype that is computed in, half types in float.
static Ref operand(THDtype dtype, THScalar value) {
  Ref number(THTensor_newWithScalar(isHalf(dtype) ? TH_Float : dtype, value));
  number->flags |= TH_WRAPPED_NUMBER;
  return number;
}

#define TH_VALUE(Name, op, of)                                                    \
  void TH##Name##Tensor_##op(THTensor *r, const THTensor *t, THScalar value) {    \
    TH##Name##Tensor_##of(r, t, operand(TH_##Name, value));                       \
  }
TH_FOR_number_complex(TH_VALUE, mul, cmul) TH_FOR_floating_complex(TH_VALUE, div, cdiv)
    TH_FOR_integral(TH_VALUE, div, cdivTrunc)
TH_FOR_number(TH_VALUE, fmod, cfmod)
TH_FOR_number(TH_VALUE, remainder, cremainder)
TH_FOR_number_complex(TH_VALUE, pow, cpow) TH_FOR_integral(TH_VALUE, lshift, clshift)
TH_FOR_integral(TH_VALUE, rshift, crshift)
TH_FOR_bits(TH_VALUE, bitand, cbitand)
TH_FOR_bits(TH_VALUE, bitor, cbitor)
TH_FOR_bits(TH_VALUE, bitxor, cbitxor)
TH_FOR_all(TH_VALUE, cmaxValue, cmax)
TH_FOR_all(TH_VALUE, cminValue, cmin)
TH_FOR_all(TH_VALUE, ltValue, ltTensor)
TH_FOR_all(TH_VALUE, leValue, leTensor)
TH_FOR_all(TH_VALUE, gtValue, gtTensor)
TH_FOR_all(TH_VALUE, geValue, geTensor)
TH_FOR_all_complex(TH_VALUE, eqValue, eqTensor) TH_FOR_all_complex(TH_VALUE, neValue, neTensor)

#define TH_VALUE_SCALED(Name, op, of)                                             \
  void TH##Name##Tensor_##op(THTensor *r, const THTensor *t, THScalar value) {    \
    TH##Name##Tensor_##of(r, t, scalar(int64_t(1)), operand(TH_##Name, value));   \
  }
    TH_FOR_number_complex(TH_VALUE_SCALED, add, cadd) TH_FOR_number_complex(TH_VALUE_SCALED, sub, csub)

#define TH_VALUE_FIRST(Name, op, of)                                              \
  void TH##Name##Tensor_##op(THTensor *r, THScalar value, const THTensor *t) {    \
    TH##Name##Tensor_##of(r, operand(TH_##Name, value), t);                       \
  }
        TH_FOR_number_complex(TH_VALUE_FIRST, tpow, cpow)

// ---- the whole tensor -------------------------------------------------------------------------------------------
#define TH_WHOLE_IN(Name, Accumulated, op, of)                          \
  THScalar TH##Name##Tensor_##op(const THTensor *t) {                   \
    const Ref r(THTensor_new(TH_##Accumulated));                        \
    TH##Accumulated##Tensor_##of(r, t, TH_ALL_DIMS, false);             \
    return THTensor_item(r);                                            \
  }
#define TH_WHOLE(Name, op, of) TH_WHOLE_IN(Name, Name, op, of)
#define TH_WHOLE_AS_LONG(Name, op, of) TH_WHOLE_IN(Name, Long, op, of)
            TH_FOR_integral(TH_WHOLE_AS_LONG, sumall, sum)
TH_FOR_floating_complex(TH_WHOLE, sumall, sum) TH_FOR_integral(TH_WHOLE_AS_LONG, prodall, prod)
TH_FOR_floating_complex(TH_WHOLE, prodall, prod) TH_FOR_floating_complex(TH_WHOLE, meanall, mean)
    TH_FOR_all(TH_WHOLE, minall, amin)
TH_FOR_all(TH_WHOLE, maxall, amax)

#define TH_WHOLE_DEVIATION(Name, op, of)                                    \
  THScalar TH##Name##Tensor_##op(const THTensor *t, double correction) {    \
    const Ref r(THTensor_new(TH_##Name));                                   \
    TH##Name##Tensor_##of(r, nullptr, t, TH_ALL_DIMS, false, correction);   \
    return THTensor_item(r);                                                \
  }
TH_FOR_floating(TH_WHOLE_DEVIATION, varall, var)
TH_FOR_floating(TH_WHOLE_DEVIATION, stdall, std)

#define TH_WHOLE_NORM(Name, _)                                      \
  THScalar TH##Name##Tensor_normall(const THTensor *t, double p) {  \
    const Ref r(THTensor_new(TH_##Name));                           \
    TH##Name##Tensor_norm(r, t, p, TH_ALL_DIMS, false);             \
    return THTensor_item(r);                                        \
  }
TH_FOR_floating(TH_WHOLE_NORM, )

#define TH_WHOLE_TRUTH(Name, op, of)                        \
  bool TH##Name##Tensor_##op(const THTensor *t) {           \
    const Ref r(THTensor_new(TH_Bool));                     \
    TH##Name##Tensor_##of(r, t, TH_ALL_DIMS, false);        \
    return *elements<bool>(r);                              \
  }
TH_FOR_all_complex(TH_WHOLE_TRUTH, logicalall, all) TH_FOR_all_complex(TH_WHOLE_TRUTH, logicalany, any)

    template <class Histc>
    static void rowsHistc(const Histc &histc, THDtype dtype, THTensor *r, const THTensor *t, int64_t bins, double low,
                          double high) {
  if (t->ndim != 2)
    THError(TH_ERROR_RUNTIME, "bhistc: expected a matrix, but got a tensor with %d dimensions", t->ndim);
  requireDtype(r, dtype, "result");
  requireDtype(t, dtype);
  const int64_t size[] = {t->size[0], bins};
  requireMemory(r, t);
  // Into a tensor of its own, so that a row that is refused leaves r as it is.
  const Ref counts(newLike(r, dtype, 2, size));
  for (int64_t i = 0; i < size[0]; i++)
    histc(Ref(THTensor_newSelect(counts, 0, i)), Ref(THTensor_newSelect(const_cast<THTensor *>(t), 0, i)), bins, low,
          high);
  requireSeparate(r, t, 2, size);
  THTensor_resize(r, 2, size);
  THTensor_copy(r, counts);
}
#define TH_BHISTC(Name, _)                                                                                  \
  void TH##Name##Tensor_bhistc(THTensor *r, const THTensor *t, int64_t bins, double low, double high) {     \
    rowsHistc(TH##Name##Tensor_histc, TH_##Name, r, t, bins, low, high);                                    \
  }
TH_FOR_floating(TH_BHISTC, )
