// Factorisations and the equations that they solve: LU, Cholesky, LDL, QR.
#include <TH/THPrepare.h>
#include <TH/THTensorLapack.h>

#include <algorithm>
#include <cstdlib>

#include "lapack_batch.hpp"
#include "lapack_small.hpp"

namespace th {
namespace {

// ---- LU ----
template <class T>
void getrf(const THTensor *a_, const THTensor *pivots_, const THTensor *info_) {
  THLapackPlan plan;
  if (!THPrepare_getrf(&plan, DtypeOf<T>::value, a_, pivots_, info_)) return;
  const Matrices<T> a(plan.matrix[0], a_);
  const int k = std::min(a.rows, a.columns);
  const Vectors<int> pivots(pivots_, k), info(info_);
  forEach(a.count, double(a.rows) * a.columns * k, [&](int64_t i) {
    *info.at(i) = 0;
    if (std::max(a.rows, a.columns) <= kFewRows)
      *info.at(i) = a.rows == a.columns
                        ? small::withOrder(a.rows, [&](auto n) { return small::factorLu(n, n, a.at(i), pivots.at(i)); })
                        : small::factorLu(a.rows, a.columns, a.at(i), pivots.at(i));
    else if (k)
      lapack::getrf(a.rows, a.columns, a.at(i), a.leading(), pivots.at(i), info.at(i));
  });
}

template <class T>
void getrs(const THTensor *b_, const THTensor *lu_, const THTensor *pivots_, char trans) {
  THLapackPlan plan;
  if (!THPrepare_getrs(&plan, DtypeOf<T>::value, b_, lu_, pivots_, trans)) return;
  const Matrices<T> b(plan.matrix[0], b_), lu(plan.matrix[1], lu_);
  const Vectors<int> pivots(pivots_, lu.rows);
  const char how = plan.trans;
  if (!b.rows || !b.columns) return;
  const bool few = how == 'N' && b.rows <= kFewRows && b.columns <= kFewRows;
  forEach(b.count, double(lu.rows) * lu.rows * b.columns, [&](int64_t i) {
    if (few) return small::solveLu(b.rows, b.columns, lu.at(i), pivots.at(i), b.at(i));
    lapack::getrs(how, lu.rows, b.columns, lu.at(i), lu.leading(), pivots.at(i), b.at(i), b.leading());
  });
}

template <class T>
void getri(const THTensor *lu_, const THTensor *pivots_, const THTensor *info_) {
  THLapackPlan plan;
  if (!THPrepare_getri(&plan, DtypeOf<T>::value, lu_, pivots_, info_)) return;
  const Matrices<T> lu(plan.matrix[0], lu_);
  const int n = lu.rows;
  const Vectors<int> pivots(pivots_, n), info(info_);
  for (int64_t i = 0; !n && i < lu.count; i++) *info.at(i) = 0;
  if (!n) return;
  if (n <= kFewRows)
    return forEachWithWork<T>(lu.count, double(n) * n * n, size_t(n) * size_t(n),
                              [&](int64_t i, T *y) { *info.at(i) = small::invertLu(n, lu.at(i), pivots.at(i), y); });
  forEachWithRoom<T>(lu.count, double(n) * n * n, 0, 0, [&](int64_t i, const Room<T> &room) {
    lapack::getri(n, lu.at(i), n, pivots.at(i), room.work, room.length, info.at(i));
  });
}

// ---- Cholesky ----
template <class T>
void potrf(const THTensor *a_, const THTensor *info_, bool upper, bool inverse) {
  THLapackPlan plan;
  if (!THPrepare_potrf(&plan, DtypeOf<T>::value, a_, info_)) return;
  const Matrices<T> a(plan.matrix[0], a_);
  const Vectors<int> info(info_);
  const char uplo = upper ? 'U' : 'L';
  forEach(a.count, double(a.rows) * a.rows * a.rows, [&](int64_t i) {
    *info.at(i) = 0;
    if (!a.rows) return;
    if (inverse)
      lapack::potri(uplo, a.rows, a.at(i), a.leading(), info.at(i));
    else if (a.rows <= kFewRows)
      *info.at(i) = small::factorCholesky(a.rows, a.at(i), upper);
    else
      lapack::potrf(uplo, a.rows, a.at(i), a.leading(), info.at(i));
  });
}

template <class T>
void potrs(const THTensor *b_, const THTensor *factor_, bool upper) {
  THLapackPlan plan;
  if (!THPrepare_potrs(&plan, DtypeOf<T>::value, b_, factor_)) return;
  const Matrices<T> b(plan.matrix[0], b_), factor(plan.matrix[1], factor_);
  if (!b.rows || !b.columns) return;
  forEach(b.count, double(b.rows) * b.rows * b.columns, [&](int64_t i) {
    lapack::potrs(upper ? 'U' : 'L', b.rows, b.columns, factor.at(i), factor.leading(), b.at(i), b.leading());
  });
}

template <class T>
void pstrf(const THTensor *a_, const THTensor *pivots_, const THTensor *rank_, bool upper, double tol) {
  THLapackPlan plan;
  if (!THPrepare_pstrf(&plan, DtypeOf<T>::value, a_, pivots_, rank_)) return;
  const Matrices<T> a(plan.matrix[0], a_);
  const int n = a.rows;
  const Vectors<int> pivots(pivots_, n), rank(rank_);
  forRuns(a.count, double(n) * n * n, [&](int64_t begin, int64_t end) {
    std::vector<Part<T>> work(2 * size_t(n) + 1);
    for (int64_t i = begin; i < end; i++) {
      int info;  // 1 where the rank is below n, which `rank` says better
      *rank.at(i) = 0;
      if (n)
        lapack::pstrf(upper ? 'U' : 'L', n, a.at(i), n, pivots.at(i), rank.at(i), Part<T>(tol), work.data(), &info);
    }
  });
}

template <class T>
void trtrs(const THTensor *b_, const THTensor *a_, bool upper, char trans, bool unitriangular, bool left) {
  THLapackPlan plan;
  if (!THPrepare_trtrs(&plan, DtypeOf<T>::value, b_, a_, trans, left)) return;
  const Matrices<T> b(plan.matrix[0], b_), a(plan.matrix[1], a_);
  if (!b.rows || !b.columns) return;
  forEach(b.count, double(b.rows) * a.rows * b.columns, [&](int64_t i) {
    lapack::trsm(left ? 'L' : 'R', upper ? 'U' : 'L', plan.trans, unitriangular ? 'U' : 'N', b.rows, b.columns, a.at(i),
                 a.leading(), b.at(i), b.leading());
  });
}

// ---- LDL ----
template <class T>
void sytrf(const THTensor *a_, const THTensor *pivots_, const THTensor *info_, bool upper, bool hermitian) {
  THLapackPlan plan;
  if (!THPrepare_sytrf(&plan, DtypeOf<T>::value, a_, pivots_, info_)) return;
  const Matrices<T> a(plan.matrix[0], a_);
  const int n = a.rows;
  const Vectors<int> pivots(pivots_, n), info(info_);
  for (int64_t i = 0; !n && i < a.count; i++) *info.at(i) = 0;
  if (!n) return;
  forEachWithRoom<T>(a.count, double(n) * n * n, 0, 0, [&](int64_t i, const Room<T> &room) {
    lapack::sytrf(hermitian, upper ? 'U' : 'L', n, a.at(i), n, pivots.at(i), room.work, room.length, info.at(i));
  });
}

// Whether sytrs may follow these: rows that exist, and two equal negative numbers for each block of two.
bool arePivots(const int *pivots, int n) {
  for (int i = 0; i < n; i++) {
    if (!pivots[i] || std::abs(int64_t(pivots[i])) > n) return false;
    if (pivots[i] < 0 && (i + 1 == n || pivots[i + 1] != pivots[i])) return false;
    i += pivots[i] < 0;
  }
  return true;
}

template <class T>
void sytrs(const THTensor *b_, const THTensor *ld_, const THTensor *pivots_, bool upper, bool hermitian) {
  THLapackPlan plan;
  if (!THPrepare_sytrs(&plan, DtypeOf<T>::value, b_, ld_, pivots_)) return;
  const Matrices<T> b(plan.matrix[0], b_), ld(plan.matrix[1], ld_);
  const Vectors<int> pivots(pivots_, ld.rows);
  if (!b.rows || !b.columns) return;
  for (int64_t i = 0; i < ld.count; i++)
    if (!arePivots(pivots.at(i), ld.rows)) THError(TH_ERROR_RUNTIME, "sytrs: these pivots are not those of sytrf");
  forEach(b.count, double(b.rows) * b.rows * b.columns, [&](int64_t i) {
    lapack::sytrs(hermitian, upper ? 'U' : 'L', b.rows, b.columns, ld.at(i), ld.leading(), pivots.at(i), b.at(i),
                  b.leading());
  });
}

// ---- QR ----
// Up to here the blocked routines do nothing but call the others, having queried their sizes at length.
constexpr int kOneBlock = 32;

template <class T>
void geqrf(const THTensor *a_, const THTensor *tau_) {
  THLapackPlan plan;
  if (!THPrepare_geqrf(&plan, DtypeOf<T>::value, a_, tau_)) return;
  const Matrices<T> a(plan.matrix[0], a_);
  const int m = a.rows, n = a.columns, k = std::min(m, n);
  const Vectors<T> tau(tau_, k);
  if (!k) return;
  if (std::max(m, n) <= kFewRows)
    return forEach(a.count, double(m) * n * k, [&](int64_t i) { small::factorQr(m, n, a.at(i), tau.at(i)); });
  if (k <= kOneBlock)
    return forEachWithWork<T>(a.count, double(m) * n * k, size_t(n),
                              [&](int64_t i, T *work) { lapack::geqr2(m, n, a.at(i), m, tau.at(i), work); });
  forEachWithRoom<T>(a.count, double(m) * n * k, 0, 0, [&](int64_t i, const Room<T> &room) {
    int info;
    lapack::geqrf(m, n, a.at(i), m, tau.at(i), room.work, room.length, &info);
  });
}

template <class T>
void orgqr(const THTensor *a_, const THTensor *tau_) {
  THLapackPlan plan;
  if (!THPrepare_orgqr(&plan, DtypeOf<T>::value, a_, tau_)) return;
  const Matrices<T> a(plan.matrix[0], a_);
  const Vectors<T> tau(tau_, plan.reflectors);
  if (!a.rows || !a.columns) return;
  if (a.rows <= kFewRows)
    return forEach(a.count, double(a.rows) * a.columns * a.columns,
                   [&](int64_t i) { small::formQ(a.rows, a.columns, tau.length, a.at(i), tau.at(i)); });
  if (tau.length <= kOneBlock)
    return forEachWithWork<T>(a.count, double(a.rows) * a.columns * a.columns, size_t(a.columns),
                              [&](int64_t i, T *work) {
                                lapack::org2r(a.rows, a.columns, tau.length, a.at(i), a.leading(), tau.at(i), work);
                              });
  forEachWithRoom<T>(a.count, double(a.rows) * a.columns * a.columns, 0, 0, [&](int64_t i, const Room<T> &room) {
    int info;
    lapack::orgqr(a.rows, a.columns, tau.length, a.at(i), a.leading(), tau.at(i), room.work, room.length, &info);
  });
}

template <class T>
void ormqr(const THTensor *c_, const THTensor *a_, const THTensor *tau_, bool left, bool transpose) {
  THLapackPlan plan;
  if (!THPrepare_ormqr(&plan, DtypeOf<T>::value, c_, a_, tau_, left, transpose)) return;
  const Matrices<T> c(plan.matrix[0], c_), a(plan.matrix[1], a_);
  const Vectors<T> tau(tau_, plan.reflectors);
  if (!c.rows || !c.columns || !tau.length) return;
  forEachWithRoom<T>(c.count, double(c.rows) * c.columns * tau.length, 0, 0, [&](int64_t i, const Room<T> &room) {
    int info;
    lapack::ormqr(left ? 'L' : 'R', plan.trans, c.rows, c.columns, tau.length, a.at(i), a.leading(), tau.at(i), c.at(i),
                  c.leading(), room.work, room.length, &info);
  });
}

// The columns of a packed factorisation that are Q's, and the triangle that is R.
template <class T>
void qr(const THTensor *q_, const THTensor *r_, THTensor *a_) {
  THLapackPlan plan;
  if (!THPrepare_qr(&plan, DtypeOf<T>::value, q_, r_, a_)) return;
  const Matrices<T> q(plan.matrix[0], q_), r(plan.matrix[1], r_), a(plan.matrix[2], a_);
  const int m = a.rows, n = a.columns, k = std::min(m, n);
  const int64_t size[] = {a.count, k};
  const Ref tau(THTensor_newWithSize(DtypeOf<T>::value, 2, size));
  geqrf<T>(a_, tau);
  forEach(a.count, double(m) * n, [&](int64_t i) {
    for (int64_t j = 0; j < n; j++) {
      const T *const from = a.at(i) + j * m;
      T *const to = r.at(i) + j * r.rows;
      const int64_t kept = std::min<int64_t>(j + 1, k);
      std::fill(std::copy_n(from, kept, to), to + r.rows, T(0));
    }
    if (q_) std::fill(std::copy_n(a.at(i), int64_t(m) * k, q.at(i)), q.at(i) + int64_t(m) * q.columns, T(0));
  });
  if (q_) orgqr<T>(q_, tau);
}

}  // namespace
}  // namespace th

TH_DEFINE(getrf, lapack, (THTensor *a, THTensor *pivots, THTensor *info), th::getrf<T>(a, pivots, info))
TH_DEFINE(getrs, lapack, (THTensor *b, const THTensor *lu, const THTensor *pivots, char trans),
          th::getrs<T>(b, lu, pivots, trans))
TH_DEFINE(getri, lapack, (THTensor *lu, const THTensor *pivots, THTensor *info), th::getri<T>(lu, pivots, info))
TH_DEFINE(potrf, lapack, (THTensor *a, THTensor *info, bool upper), th::potrf<T>(a, info, upper, false))
TH_DEFINE(potri, lapack, (THTensor *a, THTensor *info, bool upper), th::potrf<T>(a, info, upper, true))
TH_DEFINE(potrs, lapack, (THTensor *b, const THTensor *factor, bool upper), th::potrs<T>(b, factor, upper))
TH_DEFINE(pstrf, lapack, (THTensor *a, THTensor *pivots, THTensor *rank, bool upper, double tol),
          th::pstrf<T>(a, pivots, rank, upper, tol))
TH_DEFINE(trtrs, lapack, (THTensor *b, const THTensor *a, bool upper, char trans, bool unitriangular, bool left),
          th::trtrs<T>(b, a, upper, trans, unitriangular, left))
TH_DEFINE(sytrf, lapack, (THTensor *a, THTensor *pivots, THTensor *info, bool upper, bool hermitian),
          th::sytrf<T>(a, pivots, info, upper, hermitian))
TH_DEFINE(sytrs, lapack, (THTensor *b, const THTensor *ld, const THTensor *pivots, bool upper, bool hermitian),
          th::sytrs<T>(b, ld, pivots, upper, hermitian))
TH_DEFINE(geqrf, lapack, (THTensor *a, THTensor *tau), th::geqrf<T>(a, tau))
TH_DEFINE(orgqr, lapack, (THTensor *a, const THTensor *tau), th::orgqr<T>(a, tau))
TH_DEFINE(ormqr, lapack, (THTensor *c, const THTensor *a, const THTensor *tau, bool left, bool transpose),
          th::ormqr<T>(c, a, tau, left, transpose))
TH_DEFINE(qr, lapack, (THTensor *q, THTensor *r, THTensor *a), th::qr<T>(q, r, a))

// Names of 2017, for what is one or two of the above. None of them raises for a singular matrix.
TH_DEFINE(btrifact, lapack, (THTensor *a, THTensor *pivots, THTensor *info), th::getrf<T>(a, pivots, info))
TH_DEFINE(btrisolve, lapack, (THTensor *b, const THTensor *lu, const THTensor *pivots),
          th::getrs<T>(b, lu, pivots, 'N'))
TH_DEFINE(gesv, lapack, (THTensor *b, THTensor *a, THTensor *pivots, THTensor *info), {
  THLapackPlan plan;  // before a changes
  THPrepare_getrs(&plan, dtype, b, a, pivots, 'N');
  th::getrf<T>(a, pivots, info);
  th::getrs<T>(b, a, pivots, 'N');
})
