// LAPACK as C++ sees it: one overloaded name per routine, for four element types. The package sets ship no
// lapacke.h, so the Fortran symbols are declared here. How long an integer is, CBLAS says; a
// character's hidden length stands last. Room for reals that only the complex routines take is a parameter of all.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <TH/THDtype.h>
#include <TH/THGeneral.h>

#include "cblas.hpp"

namespace th::lapack {

using Integer = blasint;
using Char = const char *;
using Int = const Integer *;
using Length = std::size_t;

// An array of int, as tensors have them, for a routine that takes it as its integers: the array itself, or a copy that
// is as long and, where the routine writes, goes back when the call has ended.
template <class I, class Element>
class Integers {
 public:
  Integers(Element *array, int64_t length) : array_(array), copy_(array, array + length) {}
  ~Integers() {
    if constexpr (!std::is_const_v<Element>)
      for (size_t i = 0; i < copy_.size(); i++) array_[i] = int(copy_[i]);
  }
  Integers(const Integers &) = delete;
  operator I *() { return copy_.data(); }

 private:
  Element *array_;
  std::vector<I> copy_;
};
template <class Element>
class Integers<int, Element> {
 public:
  Integers(Element *array, int64_t) : array_(array) {}
  operator Element *() { return array_; }

 private:
  Element *array_;
};
using Written = Integers<Integer, int>;
using Read = Integers<Integer, const int>;

// A single int that the routine writes.
class Single {
 public:
  explicit Single(int *to) : to_(to) {}
  ~Single() { *to_ = int(value_); }
  Single(const Single &) = delete;
  operator Integer *() { return &value_; }

 private:
  int *to_;
  Integer value_ = 0;
};

// p: the letter that stands for the element type T; R: the type of its parts; kind: real or complex; or_, sy: what
// the names of orthogonal and symmetric matrices' routines begin with, `un` and `he` for complex ones.
// clang-format off
#define LAPACK_FOR_real(...)
#define LAPACK_FOR_complex(...) __VA_ARGS__
#define LAPACK_ROUTINES(p, T, R, kind, or_, sy)                                                                        \
  extern "C" {                                                                                                         \
  void p##getrf_(Int m, Int n, T *a, Int lda, Integer *pivots, Integer *info);                                         \
  void p##getrs_(Char trans, Int n, Int nrhs, const T *a, Int lda, Int pivots, T *b, Int ldb, Integer *info, Length);  \
  void p##getri_(Int n, T *a, Int lda, Int pivots, T *work, Int lwork, Integer *info);                                 \
  void p##potrf_(Char uplo, Int n, T *a, Int lda, Integer *info, Length);                                              \
  void p##potrs_(Char uplo, Int n, Int nrhs, const T *a, Int lda, T *b, Int ldb, Integer *info, Length);               \
  void p##potri_(Char uplo, Int n, T *a, Int lda, Integer *info, Length);                                              \
  void p##pstrf_(Char uplo, Int n, T *a, Int lda, Integer *pivots, Integer *rank, const R *tol, R *work,               \
                 Integer *info, Length);                                                                               \
  void p##trsm_(Char side, Char uplo, Char trans, Char diag, Int m, Int n, const T *alpha, const T *a, Int lda,        \
                T *b, Int ldb, Length, Length, Length, Length);                                                        \
  void p##sytrf_(Char uplo, Int n, T *a, Int lda, Integer *pivots, T *work, Int lwork, Integer *info, Length);         \
  void p##sytrs_(Char uplo, Int n, Int nrhs, const T *a, Int lda, Int pivots, T *b, Int ldb, Integer *info, Length);   \
  void p##sy##trf_(Char uplo, Int n, T *a, Int lda, Integer *pivots, T *work, Int lwork, Integer *info, Length);       \
  void p##sy##trs_(Char uplo, Int n, Int nrhs, const T *a, Int lda, Int pivots, T *b, Int ldb, Integer *info, Length); \
  void p##geqr2_(Int m, Int n, T *a, Int lda, T *tau, T *work, Integer *info);                                         \
  void p##or_##g2r_(Int m, Int n, Int k, T *a, Int lda, const T *tau, T *work, Integer *info);                         \
  void p##geqrf_(Int m, Int n, T *a, Int lda, T *tau, T *work, Int lwork, Integer *info);                              \
  void p##or_##gqr_(Int m, Int n, Int k, T *a, Int lda, const T *tau, T *work, Int lwork, Integer *info);              \
  void p##or_##mqr_(Char side, Char trans, Int m, Int n, Int k, const T *a, Int lda, const T *tau, T *c, Int ldc,      \
                    T *work, Int lwork, Integer *info, Length, Length);                                                \
  void p##sy##evd_(Char jobz, Char uplo, Int n, T *a, Int lda, R *w, T *work, Int lwork,                               \
                   LAPACK_FOR_##kind(R *rwork, Int lrwork,) Integer *iwork, Int liwork, Integer *info,                 \
                   Length, Length);                                                                                    \
  void p##gesdd_(Char jobz, Int m, Int n, T *a, Int lda, R *s, T *u, Int ldu, T *vt, Int ldvt, T *work, Int lwork,     \
                 LAPACK_FOR_##kind(R *rwork,) Integer *iwork, Integer *info, Length);                                  \
  void p##gesvd_(Char jobu, Char jobvt, Int m, Int n, T *a, Int lda, R *s, T *u, Int ldu, T *vt, Int ldvt, T *work,    \
                 Int lwork, LAPACK_FOR_##kind(R *rwork,) Integer *info, Length, Length);                               \
  void p##gels_(Char trans, Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, T *work, Int lwork, Integer *info,   \
                Length);                                                                                               \
  void p##gelsy_(Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, Integer *jpvt, const R *rcond, Integer *rank,   \
                 T *work, Int lwork, LAPACK_FOR_##kind(R *rwork,) Integer *info);                                      \
  void p##gelsd_(Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, R *s, const R *rcond, Integer *rank, T *work,   \
                 Int lwork, LAPACK_FOR_##kind(R *rwork,) Integer *iwork, Integer *info);                               \
  void p##gelss_(Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, R *s, const R *rcond, Integer *rank, T *work,   \
                 Int lwork, LAPACK_FOR_##kind(R *rwork,) Integer *info);                                               \
  }                                                                                                                    \
  inline void getrf(Integer m, Integer n, T *a, Integer lda, int *pivots, int *info) {                                 \
    p##getrf_(&m, &n, a, &lda, Written(pivots, std::min(m, n)), Single(info));                                         \
  }                                                                                                                    \
  inline void getrs(char trans, Integer n, Integer nrhs, const T *a, Integer lda, const int *pivots, T *b,             \
                    Integer ldb) {                                                                                     \
    Integer info;                                                                                                      \
    p##getrs_(&trans, &n, &nrhs, a, &lda, Read(pivots, n), b, &ldb, &info, 1);                                         \
  }                                                                                                                    \
  inline void getri(Integer n, T *a, Integer lda, const int *pivots, T *work, Integer lwork, int *info) {              \
    p##getri_(&n, a, &lda, Read(pivots, n), work, &lwork, Single(info));                                               \
  }                                                                                                                    \
  inline void potrf(char uplo, Integer n, T *a, Integer lda, int *info) {                                              \
    p##potrf_(&uplo, &n, a, &lda, Single(info), 1);                                                                    \
  }                                                                                                                    \
  inline void potri(char uplo, Integer n, T *a, Integer lda, int *info) {                                              \
    p##potri_(&uplo, &n, a, &lda, Single(info), 1);                                                                    \
  }                                                                                                                    \
  inline void potrs(char uplo, Integer n, Integer nrhs, const T *a, Integer lda, T *b, Integer ldb) {                  \
    Integer info;                                                                                                      \
    p##potrs_(&uplo, &n, &nrhs, a, &lda, b, &ldb, &info, 1);                                                           \
  }                                                                                                                    \
  inline void pstrf(char uplo, Integer n, T *a, Integer lda, int *pivots, int *rank, R tol, R *work, int *info) {      \
    p##pstrf_(&uplo, &n, a, &lda, Written(pivots, n), Single(rank), &tol, work, Single(info), 1);                      \
  }                                                                                                                    \
  inline void trsm(char side, char uplo, char trans, char diag, Integer m, Integer n, const T *a, Integer lda, T *b,   \
                   Integer ldb) {                                                                                      \
    const T one = 1;                                                                                                   \
    p##trsm_(&side, &uplo, &trans, &diag, &m, &n, &one, a, &lda, b, &ldb, 1, 1, 1, 1);                                 \
  }                                                                                                                    \
  inline void sytrf(bool hermitian, char uplo, Integer n, T *a, Integer lda, int *pivots, T *work, Integer lwork,      \
                    int *info) {                                                                                       \
    (hermitian ? p##sy##trf_ : p##sytrf_)(&uplo, &n, a, &lda, Written(pivots, n), work, &lwork, Single(info), 1);      \
  }                                                                                                                    \
  inline void sytrs(bool hermitian, char uplo, Integer n, Integer nrhs, const T *a, Integer lda, const int *pivots,    \
                    T *b, Integer ldb) {                                                                               \
    Integer info;                                                                                                      \
    (hermitian ? p##sy##trs_ : p##sytrs_)(&uplo, &n, &nrhs, a, &lda, Read(pivots, n), b, &ldb, &info, 1);              \
  }                                                                                                                    \
  inline void geqr2(Integer m, Integer n, T *a, Integer lda, T *tau, T *work) {                                        \
    Integer info;                                                                                                      \
    p##geqr2_(&m, &n, a, &lda, tau, work, &info);                                                                      \
  }                                                                                                                    \
  inline void org2r(Integer m, Integer n, Integer k, T *a, Integer lda, const T *tau, T *work) {                       \
    Integer info;                                                                                                      \
    p##or_##g2r_(&m, &n, &k, a, &lda, tau, work, &info);                                                               \
  }                                                                                                                    \
  inline void geqrf(Integer m, Integer n, T *a, Integer lda, T *tau, T *work, Integer lwork, int *info) {              \
    p##geqrf_(&m, &n, a, &lda, tau, work, &lwork, Single(info));                                                       \
  }                                                                                                                    \
  inline void orgqr(Integer m, Integer n, Integer k, T *a, Integer lda, const T *tau, T *work, Integer lwork,          \
                    int *info) {                                                                                       \
    p##or_##gqr_(&m, &n, &k, a, &lda, tau, work, &lwork, Single(info));                                                \
  }                                                                                                                    \
  inline void ormqr(char side, char trans, Integer m, Integer n, Integer k, const T *a, Integer lda, const T *tau,     \
                    T *c, Integer ldc, T *work, Integer lwork, int *info) {                                            \
    p##or_##mqr_(&side, &trans, &m, &n, &k, a, &lda, tau, c, &ldc, work, &lwork, Single(info), 1, 1);                  \
  }                                                                                                                    \
  inline void syevd(char jobz, char uplo, Integer n, T *a, Integer lda, R *w, T *work, Integer lwork,                  \
                    [[maybe_unused]] R *rwork, [[maybe_unused]] Integer lrwork, Integer *iwork, Integer liwork,        \
                    int *info) {                                                                                       \
    p##sy##evd_(&jobz, &uplo, &n, a, &lda, w, work, &lwork, LAPACK_FOR_##kind(rwork, &lrwork,) iwork, &liwork,         \
                Single(info), 1, 1);                                                                                   \
  }                                                                                                                    \
  inline void gesdd(char jobz, Integer m, Integer n, T *a, Integer lda, R *s, T *u, Integer ldu, T *vt, Integer ldvt,  \
                    T *work, Integer lwork, [[maybe_unused]] R *rwork, Integer *iwork, int *info) {                    \
    p##gesdd_(&jobz, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork, LAPACK_FOR_##kind(rwork,) iwork,            \
              Single(info), 1);                                                                                        \
  }                                                                                                                    \
  inline void gesvd(char job, Integer m, Integer n, T *a, Integer lda, R *s, T *u, Integer ldu, T *vt, Integer ldvt,   \
                    T *work, Integer lwork, [[maybe_unused]] R *rwork, int *info) {                                    \
    p##gesvd_(&job, &job, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork, LAPACK_FOR_##kind(rwork,)              \
              Single(info), 1, 1);                                                                                     \
  }                                                                                                                    \
  inline void gels(Integer m, Integer n, Integer nrhs, T *a, Integer lda, T *b, Integer ldb, T *work, Integer lwork,   \
                   int *info) {                                                                                        \
    p##gels_("N", &m, &n, &nrhs, a, &lda, b, &ldb, work, &lwork, Single(info), 1);                                     \
  }                                                                                                                    \
  inline void gelsy(Integer m, Integer n, Integer nrhs, T *a, Integer lda, T *b, Integer ldb, Integer *jpvt, R rcond,  \
                    int *rank, T *work, Integer lwork, [[maybe_unused]] R *rwork, int *info) {                         \
    p##gelsy_(&m, &n, &nrhs, a, &lda, b, &ldb, jpvt, &rcond, Single(rank), work, &lwork, LAPACK_FOR_##kind(rwork,)     \
              Single(info));                                                                                           \
  }                                                                                                                    \
  inline void gelsd(Integer m, Integer n, Integer nrhs, T *a, Integer lda, T *b, Integer ldb, R *s, R rcond,           \
                    int *rank, T *work, Integer lwork, [[maybe_unused]] R *rwork, Integer *iwork, int *info) {         \
    p##gelsd_(&m, &n, &nrhs, a, &lda, b, &ldb, s, &rcond, Single(rank), work, &lwork, LAPACK_FOR_##kind(rwork,) iwork, \
              Single(info));                                                                                           \
  }                                                                                                                    \
  inline void gelss(Integer m, Integer n, Integer nrhs, T *a, Integer lda, T *b, Integer ldb, R *s, R rcond,           \
                    int *rank, T *work, Integer lwork, [[maybe_unused]] R *rwork, int *info) {                         \
    p##gelss_(&m, &n, &nrhs, a, &lda, b, &ldb, s, &rcond, Single(rank), work, &lwork, LAPACK_FOR_##kind(rwork,)        \
              Single(info));                                                                                           \
  }

LAPACK_ROUTINES(s, float, float, real, or, sy)
LAPACK_ROUTINES(d, double, double, real, or, sy)
LAPACK_ROUTINES(c, THComplexFloat, float, complex, un, he)
LAPACK_ROUTINES(z, THComplexDouble, double, complex, un, he)

// The eigenvalues of a general matrix. Real matrices have them in two parts, and pairs of vectors share columns, as
// LAPACK packs them; both take 2 n elements of `values`.
#define LAPACK_GEEV(p, T, R, kind)                                                                                     \
  extern "C" void p##geev_(Char jobvl, Char jobvr, Int n, T *a, Int lda, T *w, LAPACK_UNLESS_##kind(T *wi,) T *vl,     \
                           Int ldvl, T *vr, Int ldvr, T *work, Int lwork, LAPACK_FOR_##kind(R *rwork,) Integer *info,  \
                           Length, Length);                                                                            \
  inline void geev(char jobvr, Integer n, T *a, Integer lda, T *values, T *vr, Integer ldvr, T *work, Integer lwork,   \
                   [[maybe_unused]] R *rwork, int *info) {                                                             \
    const Integer one = 1;                                                                                             \
    p##geev_("N", &jobvr, &n, a, &lda, values, LAPACK_UNLESS_##kind(values + n,) nullptr, &one, vr, &ldvr, work,       \
             &lwork, LAPACK_FOR_##kind(rwork,) Single(info), 1, 1);                                                    \
  }
#define LAPACK_UNLESS_real(...) __VA_ARGS__
#define LAPACK_UNLESS_complex(...)
LAPACK_GEEV(s, float, float, real)
LAPACK_GEEV(d, double, double, real)
LAPACK_GEEV(c, THComplexFloat, float, complex)
LAPACK_GEEV(z, THComplexDouble, double, complex)
// clang-format on

inline int lapackInt(int64_t n) {
  if (n > INT_MAX) THError(TH_ERROR_RUNTIME, "a matrix dimension of %lld is too large for LAPACK", (long long)n);
  return int(n);
}

}  // namespace th::lapack
