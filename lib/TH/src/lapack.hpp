// LAPACK as C++ sees it: one overloaded name per routine. The package sets ship no lapacke.h, so the Fortran
// symbols of OpenBLAS are declared here. Integers are 32 bits; a character's hidden length stands last.
//
// Complex numbers: a line `LAPACK_ROUTINES(c, std::complex<float>, float)` (and z) gives all but syev and geev,
// whose complex forms take more arguments.
#pragma once

#include <climits>
#include <cstddef>

#include <TH/THGeneral.h>
#include "blas_thread.hpp"

namespace th::lapack {

using Char = const char *;
using Int = const int *;
using Length = std::size_t;

// clang-format off
#define LAPACK_ROUTINES(p, T, R)                                                                                   \
  extern "C" {                                                                                                     \
  void p##getrf_(Int m, Int n, T *a, Int lda, int *pivots, int *info);                                             \
  void p##getrs_(Char trans, Int n, Int nrhs, const T *a, Int lda, Int pivots, T *b, Int ldb, int *info, Length);  \
  void p##potrf_(Char uplo, Int n, T *a, Int lda, int *info, Length);                                              \
  void p##potrs_(Char uplo, Int n, Int nrhs, const T *a, Int lda, T *b, Int ldb, int *info, Length);               \
  void p##potri_(Char uplo, Int n, T *a, Int lda, int *info, Length);                                              \
  void p##trsm_(Char side, Char uplo, Char trans, Char diag, Int m, Int n, const T *alpha, const T *a, Int lda,    \
                T *b, Int ldb, Length, Length, Length, Length);                                                    \
  void p##geqrf_(Int m, Int n, T *a, Int lda, T *tau, T *work, Int lwork, int *info);                              \
  }                                                                                                                \
  inline void getrf(int m, int n, T *a, int lda, int *pivots, int *info) {                                         \
    p##getrf_(&m, &n, a, &lda, pivots, info);                                                                      \
  }                                                                                                                \
  inline void getrs(char trans, int n, int nrhs, const T *a, int lda, Int pivots, T *b, int ldb) {                 \
    int info;                                                                                                      \
    p##getrs_(&trans, &n, &nrhs, a, &lda, pivots, b, &ldb, &info, 1);                                              \
  }                                                                                                                \
  inline void potrf(char uplo, int n, T *a, int lda, int *info) { p##potrf_(&uplo, &n, a, &lda, info, 1); }        \
  inline void potri(char uplo, int n, T *a, int lda, int *info) { p##potri_(&uplo, &n, a, &lda, info, 1); }        \
  inline void potrs(char uplo, int n, int nrhs, const T *a, int lda, T *b, int ldb) {                              \
    int info;                                                                                                      \
    p##potrs_(&uplo, &n, &nrhs, a, &lda, b, &ldb, &info, 1);                                                       \
  }                                                                                                                \
  inline void trsm(char side, char uplo, char trans, char diag, int m, int n, const T *a, int lda, T *b, int ldb) { \
    const T one = 1;                                                                                               \
    p##trsm_(&side, &uplo, &trans, &diag, &m, &n, &one, a, &lda, b, &ldb, 1, 1, 1, 1);                             \
  }                                                                                                                \
  inline void geqrf(int m, int n, T *a, int lda, T *tau, T *work, int lwork, int *info) {                          \
    p##geqrf_(&m, &n, a, &lda, tau, work, &lwork, info);                                                           \
  }

// Those whose names or arguments differ for complex numbers.
#define LAPACK_REAL(p, T)                                                                                          \
  extern "C" {                                                                                                     \
  void p##orgqr_(Int m, Int n, Int k, T *a, Int lda, const T *tau, T *work, Int lwork, int *info);                 \
  void p##ormqr_(Char side, Char trans, Int m, Int n, Int k, const T *a, Int lda, const T *tau, T *c, Int ldc,     \
                 T *work, Int lwork, int *info, Length, Length);                                                   \
  void p##syevd_(Char jobz, Char uplo, Int n, T *a, Int lda, T *w, T *work, Int lwork, int *iwork, Int liwork,     \
                 int *info, Length, Length);                                                                       \
  void p##geev_(Char jobvl, Char jobvr, Int n, T *a, Int lda, T *wr, T *wi, T *vl, Int ldvl, T *vr, Int ldvr,      \
                T *work, Int lwork, int *info, Length, Length);                                                    \
  void p##gesdd_(Char jobz, Int m, Int n, T *a, Int lda, T *s, T *u, Int ldu, T *vt, Int ldvt, T *work, Int lwork, \
                 int *iwork, int *info, Length);                                                                   \
  void p##gels_(Char trans, Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, T *work, Int lwork, int *info,   \
                Length);                                                                                           \
  void p##gelsy_(Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, int *jpvt, const T *rcond, int *rank,       \
                 T *work, Int lwork, int *info);                                                                   \
  void p##gelsd_(Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, T *s, const T *rcond, int *rank, T *work,   \
                 Int lwork, int *iwork, int *info);                                                                \
  void p##gelss_(Int m, Int n, Int nrhs, T *a, Int lda, T *b, Int ldb, T *s, const T *rcond, int *rank, T *work,   \
                 Int lwork, int *info);                                                                            \
  }                                                                                                                \
  inline void orgqr(int m, int n, int k, T *a, int lda, const T *tau, T *work, int lwork, int *info) {             \
    p##orgqr_(&m, &n, &k, a, &lda, tau, work, &lwork, info);                                                       \
  }                                                                                                                \
  inline void ormqr(char side, char trans, int m, int n, int k, const T *a, int lda, const T *tau, T *c, int ldc,  \
                    T *work, int lwork, int *info) {                                                               \
    p##ormqr_(&side, &trans, &m, &n, &k, a, &lda, tau, c, &ldc, work, &lwork, info, 1, 1);                         \
  }                                                                                                                \
  inline void syevd(char jobz, char uplo, int n, T *a, int lda, T *w, T *work, int lwork, int *iwork, int liwork,  \
                    int *info) {                                                                                   \
    p##syevd_(&jobz, &uplo, &n, a, &lda, w, work, &lwork, iwork, &liwork, info, 1, 1);                             \
  }                                                                                                                \
  inline void geev(char jobvr, int n, T *a, int lda, T *wr, T *wi, T *vr, int ldvr, T *work, int lwork,            \
                   int *info) {                                                                                    \
    const int one = 1;                                                                                             \
    p##geev_("N", &jobvr, &n, a, &lda, wr, wi, nullptr, &one, vr, &ldvr, work, &lwork, info, 1, 1);                \
  }                                                                                                                \
  inline void gesdd(char jobz, int m, int n, T *a, int lda, T *s, T *u, int ldu, T *vt, int ldvt, T *work,         \
                    int lwork, int *iwork, int *info) {                                                            \
    p##gesdd_(&jobz, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork, iwork, info, 1);                        \
  }                                                                                                                \
  inline void gels(int m, int n, int nrhs, T *a, int lda, T *b, int ldb, T *work, int lwork, int *info) {          \
    p##gels_("N", &m, &n, &nrhs, a, &lda, b, &ldb, work, &lwork, info, 1);                                         \
  }                                                                                                                \
  inline void gelsy(int m, int n, int nrhs, T *a, int lda, T *b, int ldb, int *jpvt, T rcond, int *rank, T *work,  \
                    int lwork, int *info) {                                                                        \
    p##gelsy_(&m, &n, &nrhs, a, &lda, b, &ldb, jpvt, &rcond, rank, work, &lwork, info);                            \
  }                                                                                                                \
  inline void gelsd(int m, int n, int nrhs, T *a, int lda, T *b, int ldb, T *s, T rcond, int *rank, T *work,       \
                    int lwork, int *iwork, int *info) {                                                            \
    p##gelsd_(&m, &n, &nrhs, a, &lda, b, &ldb, s, &rcond, rank, work, &lwork, iwork, info);                        \
  }                                                                                                                \
  inline void gelss(int m, int n, int nrhs, T *a, int lda, T *b, int ldb, T *s, T rcond, int *rank, T *work,       \
                    int lwork, int *info) {                                                                        \
    p##gelss_(&m, &n, &nrhs, a, &lda, b, &ldb, s, &rcond, rank, work, &lwork, info);                               \
  }
// clang-format on

LAPACK_ROUTINES(s, float, float)
LAPACK_ROUTINES(d, double, double)
LAPACK_REAL(s, float)
LAPACK_REAL(d, double)

inline int lapackInt(int64_t n) {
  if (n > INT_MAX) THError(TH_ERROR_RUNTIME, "a matrix dimension of %lld is too large for LAPACK", (long long)n);
  return int(n);
}

using OneThread = OneBlasThread;

}  // namespace th::lapack
