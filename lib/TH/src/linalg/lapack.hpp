// LAPACK as C++ sees it: one overloaded name per routine, for four element types. The package sets ship no
// lapacke.h, so the Fortran symbols of OpenBLAS are declared here. Integers are 32 bits; a character's hidden length
// stands last. Room for reals that only the complex routines take is a parameter of all.
#pragma once

#include <climits>
#include <cstddef>

#include <TH/THDtype.h>
#include <TH/THGeneral.h>

namespace th::lapack {

using Char = const char *;
using Int = const int *;
using Length = std::size_t;

// p: the letter that stands for the element type T; R: the type of its parts; kind: real or complex; or_, sy: what
// the names of orthogonal and symmetric matrices' routines begin with, `un` and `he` for complex ones.
// clang-format off
#define LAPACK_FOR_real(...)
#define LAPACK_FOR_complex(...) __VA_ARGS__
#define LAPACK_ROUTINES(p, T, R, kind, or_, sy)                                                                        \
  extern "C" {                                                                                                         \
  void p##getrf_(Int m, Int n, T *a, Int lda, int *pivots, int *info);                                                 \
  void p##getrs_(Char trans, Int n, Int nrhs, const T *a, Int lda, Int pivots, T *b, Int ldb, int *info, Length);      \
  void p##getri_(Int n, T *a, Int lda, Int pivots, T *work, Int lwork, int *info);                                     \
  void p##potrf_(Char uplo, Int n, T *a, Int lda, int *info, Length);                                                  \
  void p##potrs_(Char uplo, Int n, Int nrhs, const T *a, Int lda, T *b, Int ldb, int *info, Length);                   \
  void p##potri_(Char uplo, Int n, T *a, Int lda, int *info, Length);                                                  \
  void p##pstrf_(Char uplo, Int n, T *a, Int lda, int *pivots, int *rank, const R *tol, R *work, int *info, Length);   \
  void p##trsm_(Char side, Char uplo, Char trans, Char diag, Int m, Int n, const T *alpha, const T *a, Int lda,        \
                T *b, Int ldb, Length, Length, Length, Length);                                                        \
  void p##sytrf_(Char uplo, Int n, T *a, Int lda, int *pivots, T *work, Int lwork, int *info, Length);                 \
  void p##sytrs_(Char uplo, Int n, Int nrhs, const T *a, Int lda, Int pivots, T *b, Int ldb, int *info, Length);       \
  void p##sy##trf_(Char uplo, Int n, T *a, Int lda, int *pivots, T *work, Int lwork, int *info, Length);               \
  void p##sy##trs_(Char uplo, Int n, Int nrhs, const T *a, Int lda, Int pivots, T *b, Int ldb, int *info, Length);     \
  void p##geqr2_(Int m, Int n, T *a, Int lda, T *tau, T *work, int *info);                                             \
  void p##or_##g2r_(Int m, Int n, Int k, T *a, Int lda, const T *tau, T *work, int *info);                             \
  void p##geqrf_(Int m, Int n, T *a, Int lda, T *tau, T *work, Int lwork, int *info);                                  \
  void p##or_##gqr_(Int m, Int n, Int k, T *a, Int lda, const T *tau, T *work, Int lwork, int *info);                  \
  void p##or_##mqr_(Char side, Char trans, Int m, Int n, Int k, const T *a, Int lda, const T *tau, T *c, Int ldc,      \
                    T *work, Int lwork, int *info, Length, Length);                                                    \
  void p##sy##evd_(Char jobz, Char uplo, Int n, T *a, Int lda, R *w, T *work, Int lwork,                               \
                   LAPACK_FOR_##kind(R *rwork, Int lrwork,) int *iwork, Int liwork, int *info, Length, Length);        \
  void p##gesdd_(Char jobz, Int m, Int n, T *a, Int lda, R *s, T *u, Int ldu, T *vt, Int ldvt, T *work, Int lwork,     \
                 LAPACK_FOR_##kind(R *rwork,) int *iwork, int *info, Length);                                          \
  void p##gesvd_(Char jobu, Char jobvt, Int m, Int n, T *a, Int lda, R *s, T *u, Int ldu, T *vt, Int ldvt, T *work,    \
                 Int lwork, LAPACK_FOR_##kind(R *rwork,) int *info, Length, Length);                                   \
  void p##gels_(Char trans, Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, T *work, Int lwork, int *info,       \
                Length);                                                                                               \
  void p##gelsy_(Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, int *jpvt, const R *rcond, int *rank,           \
                 T *work, Int lwork, LAPACK_FOR_##kind(R *rwork,) int *info);                                          \
  void p##gelsd_(Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, R *s, const R *rcond, int *rank, T *work,       \
                 Int lwork, LAPACK_FOR_##kind(R *rwork,) int *iwork, int *info);                                       \
  void p##gelss_(Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, R *s, const R *rcond, int *rank, T *work,       \
                 Int lwork, LAPACK_FOR_##kind(R *rwork,) int *info);                                                   \
  }                                                                                                                    \
  inline void getrf(int m, int n, T *a, int lda, int *pivots, int *info) {                                             \
    p##getrf_(&m, &n, a, &lda, pivots, info);                                                                          \
  }                                                                                                                    \
  inline void getrs(char trans, int n, int nrhs, const T *a, int lda, Int pivots, T *b, int ldb) {                     \
    int info;                                                                                                          \
    p##getrs_(&trans, &n, &nrhs, a, &lda, pivots, b, &ldb, &info, 1);                                                  \
  }                                                                                                                    \
  inline void getri(int n, T *a, int lda, Int pivots, T *work, int lwork, int *info) {                                 \
    p##getri_(&n, a, &lda, pivots, work, &lwork, info);                                                                \
  }                                                                                                                    \
  inline void potrf(char uplo, int n, T *a, int lda, int *info) { p##potrf_(&uplo, &n, a, &lda, info, 1); }            \
  inline void potri(char uplo, int n, T *a, int lda, int *info) { p##potri_(&uplo, &n, a, &lda, info, 1); }            \
  inline void potrs(char uplo, int n, int nrhs, const T *a, int lda, T *b, int ldb) {                                  \
    int info;                                                                                                          \
    p##potrs_(&uplo, &n, &nrhs, a, &lda, b, &ldb, &info, 1);                                                           \
  }                                                                                                                    \
  inline void pstrf(char uplo, int n, T *a, int lda, int *pivots, int *rank, R tol, R *work, int *info) {              \
    p##pstrf_(&uplo, &n, a, &lda, pivots, rank, &tol, work, info, 1);                                                  \
  }                                                                                                                    \
  inline void trsm(char side, char uplo, char trans, char diag, int m, int n, const T *a, int lda, T *b, int ldb) {    \
    const T one = 1;                                                                                                   \
    p##trsm_(&side, &uplo, &trans, &diag, &m, &n, &one, a, &lda, b, &ldb, 1, 1, 1, 1);                                 \
  }                                                                                                                    \
  inline void sytrf(bool hermitian, char uplo, int n, T *a, int lda, int *pivots, T *work, int lwork, int *info) {     \
    (hermitian ? p##sy##trf_ : p##sytrf_)(&uplo, &n, a, &lda, pivots, work, &lwork, info, 1);                          \
  }                                                                                                                    \
  inline void sytrs(bool hermitian, char uplo, int n, int nrhs, const T *a, int lda, Int pivots, T *b, int ldb) {      \
    int info;                                                                                                          \
    (hermitian ? p##sy##trs_ : p##sytrs_)(&uplo, &n, &nrhs, a, &lda, pivots, b, &ldb, &info, 1);                       \
  }                                                                                                                    \
  inline void geqr2(int m, int n, T *a, int lda, T *tau, T *work) {                                                    \
    int info;                                                                                                          \
    p##geqr2_(&m, &n, a, &lda, tau, work, &info);                                                                      \
  }                                                                                                                    \
  inline void org2r(int m, int n, int k, T *a, int lda, const T *tau, T *work) {                                       \
    int info;                                                                                                          \
    p##or_##g2r_(&m, &n, &k, a, &lda, tau, work, &info);                                                               \
  }                                                                                                                    \
  inline void geqrf(int m, int n, T *a, int lda, T *tau, T *work, int lwork, int *info) {                              \
    p##geqrf_(&m, &n, a, &lda, tau, work, &lwork, info);                                                               \
  }                                                                                                                    \
  inline void orgqr(int m, int n, int k, T *a, int lda, const T *tau, T *work, int lwork, int *info) {                 \
    p##or_##gqr_(&m, &n, &k, a, &lda, tau, work, &lwork, info);                                                        \
  }                                                                                                                    \
  inline void ormqr(char side, char trans, int m, int n, int k, const T *a, int lda, const T *tau, T *c, int ldc,      \
                    T *work, int lwork, int *info) {                                                                   \
    p##or_##mqr_(&side, &trans, &m, &n, &k, a, &lda, tau, c, &ldc, work, &lwork, info, 1, 1);                          \
  }                                                                                                                    \
  inline void syevd(char jobz, char uplo, int n, T *a, int lda, R *w, T *work, int lwork,                              \
                    [[maybe_unused]] R *rwork, [[maybe_unused]] int lrwork, int *iwork, int liwork, int *info) {       \
    p##sy##evd_(&jobz, &uplo, &n, a, &lda, w, work, &lwork, LAPACK_FOR_##kind(rwork, &lrwork,) iwork, &liwork, info,   \
                1, 1);                                                                                                 \
  }                                                                                                                    \
  inline void gesdd(char jobz, int m, int n, T *a, int lda, R *s, T *u, int ldu, T *vt, int ldvt, T *work,             \
                    int lwork, [[maybe_unused]] R *rwork, int *iwork, int *info) {                                     \
    p##gesdd_(&jobz, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork, LAPACK_FOR_##kind(rwork,) iwork, info, 1);  \
  }                                                                                                                    \
  inline void gesvd(char job, int m, int n, T *a, int lda, R *s, T *u, int ldu, T *vt, int ldvt, T *work, int lwork,   \
                    [[maybe_unused]] R *rwork, int *info) {                                                            \
    p##gesvd_(&job, &job, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork, LAPACK_FOR_##kind(rwork,) info, 1, 1); \
  }                                                                                                                    \
  inline void gels(int m, int n, int nrhs, T *a, int lda, T *b, int ldb, T *work, int lwork, int *info) {              \
    p##gels_("N", &m, &n, &nrhs, a, &lda, b, &ldb, work, &lwork, info, 1);                                             \
  }                                                                                                                    \
  inline void gelsy(int m, int n, int nrhs, T *a, int lda, T *b, int ldb, int *jpvt, R rcond, int *rank, T *work,      \
                    int lwork, [[maybe_unused]] R *rwork, int *info) {                                                 \
    p##gelsy_(&m, &n, &nrhs, a, &lda, b, &ldb, jpvt, &rcond, rank, work, &lwork, LAPACK_FOR_##kind(rwork,) info);      \
  }                                                                                                                    \
  inline void gelsd(int m, int n, int nrhs, T *a, int lda, T *b, int ldb, R *s, R rcond, int *rank, T *work,           \
                    int lwork, [[maybe_unused]] R *rwork, int *iwork, int *info) {                                     \
    p##gelsd_(&m, &n, &nrhs, a, &lda, b, &ldb, s, &rcond, rank, work, &lwork, LAPACK_FOR_##kind(rwork,) iwork, info);  \
  }                                                                                                                    \
  inline void gelss(int m, int n, int nrhs, T *a, int lda, T *b, int ldb, R *s, R rcond, int *rank, T *work,           \
                    int lwork, [[maybe_unused]] R *rwork, int *info) {                                                 \
    p##gelss_(&m, &n, &nrhs, a, &lda, b, &ldb, s, &rcond, rank, work, &lwork, LAPACK_FOR_##kind(rwork,) info);         \
  }

LAPACK_ROUTINES(s, float, float, real, or, sy)
LAPACK_ROUTINES(d, double, double, real, or, sy)
LAPACK_ROUTINES(c, THComplexFloat, float, complex, un, he)
LAPACK_ROUTINES(z, THComplexDouble, double, complex, un, he)

// The eigenvalues of a general matrix. Real matrices have them in two parts, and pairs of vectors share columns, as
// LAPACK packs them; both take 2 n elements of `values`.
#define LAPACK_GEEV(p, T, R, kind)                                                                                     \
  extern "C" void p##geev_(Char jobvl, Char jobvr, Int n, T *a, Int lda, T *w, LAPACK_UNLESS_##kind(T *wi,) T *vl,     \
                           Int ldvl, T *vr, Int ldvr, T *work, Int lwork, LAPACK_FOR_##kind(R *rwork,) int *info,      \
                           Length, Length);                                                                            \
  inline void geev(char jobvr, int n, T *a, int lda, T *values, T *vr, int ldvr, T *work, int lwork,                   \
                   [[maybe_unused]] R *rwork, int *info) {                                                             \
    const int one = 1;                                                                                                 \
    p##geev_("N", &jobvr, &n, a, &lda, values, LAPACK_UNLESS_##kind(values + n,) nullptr, &one, vr, &ldvr, work,       \
             &lwork, LAPACK_FOR_##kind(rwork,) info, 1, 1);                                                            \
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
