// Eigenvalues, singular values, and least squares.
#include <TH/THPrepare.h>
#include <TH/THTensorLapack.h>

#include <algorithm>

#include "lapack_batch.hpp"

namespace th {
namespace {

template <class T>
void syev(const THTensor *a_, const THTensor *w_, const THTensor *info_, bool vectors, bool upper) {
  THLapackPlan plan;
  if (!THPrepare_syev(&plan, DtypeOf<T>::value, a_, w_, info_)) return;
  const Matrices<T> a(plan.matrix[0], a_);
  const int n = a.rows;
  const Vectors<Part<T>> w(w_, n);
  const Vectors<int> info(info_);
  for (int64_t i = 0; !n && i < a.count; i++) *info.at(i) = 0;
  if (!n) return;
  forEachWithRoom<T>(a.count, 8.0 * n * n * n, 0, 0, [&](int64_t i, const Room<T> &room) {
    lapack::syevd(vectors ? 'V' : 'N', upper ? 'U' : 'L', n, a.at(i), n, w.at(i), room.work, room.length, room.reals,
                  room.realsLength, room.integers, room.integersLength, info.at(i));
  });
}

// Two real numbers as a complex one, of real matrices' eigenvalues and vectors.
template <class R>
void unpackEigen(int n, const R *values, const R *packed, complex<R> *w, complex<R> *vectors) {
  for (int j = 0; j < n; j++) w[j] = {values[j], values[n + j]};
  if (!vectors) return;
  for (int64_t j = 0; j < n; j++) {
    const bool pair = values[n + j] != 0 && j + 1 < n;  // two columns: the real parts, then the imaginary ones
    const R *const real = packed + j * n, *const imag = real + n;
    complex<R> *const to = vectors + j * n;
    for (int64_t i = 0; i < n; i++) {
      to[i] = {real[i], pair ? imag[i] : R(0)};
      if (pair) to[n + i] = {real[i], -imag[i]};
    }
    j += pair;
  }
}

// Of 64x64, 55 % of the time is LAPACK's QR iteration (lahqr), numbers one by one as compiled for every processor: it takes
// 1.25 times as long as by MKL, as 128x128 does; 512x512 takes as long.
template <class T>
void geev(const THTensor *a_, const THTensor *w_, const THTensor *vr_, const THTensor *info_) {
  using Complex = complex<Part<T>>;
  THLapackPlan plan;
  if (!THPrepare_geev(&plan, DtypeOf<T>::value, a_, w_, vr_, info_)) return;
  const Matrices<T> a(plan.matrix[0], a_);
  const Matrices<Complex> vr(plan.matrix[1], vr_);
  const int n = a.rows;
  const Vectors<Complex> w(w_, n);
  const Vectors<int> info(info_);
  for (int64_t i = 0; !n && i < a.count; i++) *info.at(i) = 0;
  if (!n) return;
  const char job = vr_ ? 'V' : 'N';
  const size_t square = vr_ ? size_t(n) * size_t(n) : 0;
  // What real matrices' eigenvalues are unpacked from is of the same size as the room that complex ones need.
  const size_t reals = 2 * size_t(n) + (isComplexType<T> ? 0 : square);
  forEachWithRoom<T>(a.count, 16.0 * n * n * n, reals, 0, [&](int64_t i, const Room<T> &room) {
    if constexpr (isComplexType<T>) {
      lapack::geev(job, n, a.at(i), n, w.at(i), vr.at(i), n, room.work, room.length, room.reals, info.at(i));
    } else {
      T *const packed = room.reals + 2 * n;
      lapack::geev(job, n, a.at(i), n, room.reals, packed, n, room.work, room.length, room.reals, info.at(i));
      if (room.length >= 0) unpackEigen(n, room.reals, packed, w.at(i), vr.at(i));
    }
  });
}

// a = u s vt, by `divide`: gesdd, which is fast, else gesvd, which takes less room.
template <class T>
void singular(const THTensor *a_, const THTensor *s_, const THTensor *u_, const THTensor *vt_, const THTensor *info_,
              bool divide) {
  THLapackPlan plan;
  if (!THPrepare_gesdd(&plan, divide ? "gesdd" : "gesvd", DtypeOf<T>::value, a_, s_, u_, vt_, info_)) return;
  const Matrices<T> a(plan.matrix[0], a_), u(plan.matrix[1], u_), vt(plan.matrix[2], vt_);
  const int m = a.rows, n = a.columns, k = std::min(m, n);
  const char job = plan.job;
  const Vectors<Part<T>> s(s_, k);
  const Vectors<int> info(info_);
  for (int64_t i = 0; !k && i < a.count; i++) *info.at(i) = 0;
  if (!k) return;
  const size_t least = size_t(k), most = size_t(std::max(m, n));
  const size_t reals = !isComplexType<T> ? 0 : divide ? least * (5 * least + 2 * most + 7) : 5 * least;
  forEachWithRoom<T>(a.count, 16.0 * m * n * k, reals, divide ? 8 * least : 0, [&](int64_t i, const Room<T> &room) {
    const int ldvt = vt_ ? vt.leading() : 1;
    // LAPACK recognises NaNs; with infinities it may never end.
    const bool finite = room.length < 0 ||
                        std::all_of(a.at(i), a.at(i) + int64_t(m) * n, [](T x) { return x - x == T(0); });
    if (!finite)
      *info.at(i) = -4;
    else if (divide)
      lapack::gesdd(job, m, n, a.at(i), m, s.at(i), u.at(i), m, vt.at(i), ldvt, room.work, room.length, room.reals,
                    room.integers, info.at(i));
    else
      lapack::gesvd(job, m, n, a.at(i), m, s.at(i), u.at(i), m, vt.at(i), ldvt, room.work, room.length, room.reals,
                    info.at(i));
  });
}

template <class T>
void gels(const THTensor *a_, const THTensor *b_, const THTensor *s_, const THTensor *rank_, const THTensor *info_,
          int driver, double rcond_) {
  THLapackPlan plan;
  if (!THPrepare_gels(&plan, DtypeOf<T>::value, a_, b_, s_, rank_, info_, driver)) return;
  const Matrices<T> a(plan.matrix[0], a_), b(plan.matrix[1], b_);
  const int m = a.rows, n = a.columns, k = std::min(m, n), nrhs = b.columns, ldb = b.leading();
  const Vectors<Part<T>> s(s_, k);
  const Vectors<int> ranks(rank_), infos(info_);
  for (int64_t i = 0; i < a.count; i++) {
    *infos.at(i) = 0;
    if (rank_) *ranks.at(i) = 0;
  }
  if (!k && !driver && nrhs) std::fill_n(b.data, b.count * b.rows * nrhs, T(0));  // as gels does, alone of the four
  if (!k || !nrhs) return;
  const Part<T> rcond = Part<T>(rcond_);
  const size_t integers = driver == 1 ? size_t(n) : 0, reals = driver == 1 ? 2 * size_t(n) : 5 * size_t(k);
  forEachWithRoom<T>(a.count, 16.0 * m * n * (k + nrhs), reals, integers, [&](int64_t i, const Room<T> &room) {
    T *const x = a.at(i), *const y = b.at(i), *const work = room.work;
    int *const info = infos.at(i), *const rank = ranks.at(i), length = room.length;
    if (driver == 1) std::fill_n(room.integers, n, 0);  // gelsy: no column is fixed
    switch (driver) {
      case 0: return lapack::gels(m, n, nrhs, x, m, y, ldb, work, length, info);
      case 1:
        return lapack::gelsy(m, n, nrhs, x, m, y, ldb, room.integers, rcond, rank, work, length, room.reals, info);
      case 2:
        return lapack::gelsd(m, n, nrhs, x, m, y, ldb, s.at(i), rcond, rank, work, length, room.reals, room.integers,
                             info);
      default: return lapack::gelss(m, n, nrhs, x, m, y, ldb, s.at(i), rcond, rank, work, length, room.reals, info);
    }
  });
}

}  // namespace
}  // namespace th

TH_DEFINE(syev, lapack, (THTensor *a, THTensor *w, THTensor *info, bool vectors, bool upper),
          th::syev<T>(a, w, info, vectors, upper))
TH_DEFINE(geev, lapack, (THTensor *a, THTensor *w, THTensor *vr, THTensor *info), th::geev<T>(a, w, vr, info))
TH_DEFINE(gesdd, lapack, (THTensor *a, THTensor *s, THTensor *u, THTensor *vt, THTensor *info),
          th::singular<T>(a, s, u, vt, info, true))
TH_DEFINE(gesvd, lapack, (THTensor *a, THTensor *s, THTensor *u, THTensor *vt, THTensor *info),
          th::singular<T>(a, s, u, vt, info, false))
TH_DEFINE(gesvd2, lapack, (THTensor *a, THTensor *s, THTensor *u, THTensor *vt, THTensor *info),
          th::singular<T>(a, s, u, vt, info, false))
TH_DEFINE(gels, lapack,
          (THTensor *a, THTensor *b, THTensor *s, THTensor *rank, THTensor *info, int driver, double rcond),
          th::gels<T>(a, b, s, rank, info, driver, rcond))
