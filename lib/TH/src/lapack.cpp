// Factorisations and solvers: LAPACK for each matrix of a batch.
#include <TH/THTensorLapack.h>

#include <algorithm>
#include <vector>

#include "lapack.hpp"
#include "parallel.hpp"
#include "result.hpp"
#include "tensor.hpp"

namespace th {
namespace {

using lapack::lapackInt;

// The matrices of a tensor, stored by columns.
template <class T>
struct Matrices {
  T *data = nullptr;
  int rows = 0, columns = 0;
  int64_t count = 0;

  explicit Matrices(const THTensor *t) {
    if (!t) return;
    requireDtype(t, DtypeOf<T>::value);
    const int d = t->ndim;
    if (d < 2) THError(TH_ERROR_RUNTIME, "a matrix or a batch of matrices was expected, got %d dimensions", d);
    rows = lapackInt(t->size[d - 2]), columns = lapackInt(t->size[d - 1]);
    int64_t step = 1;
    const auto fits = [&](int dim) {
      const bool ok = t->size[dim] <= 1 || t->stride[dim] == step;
      step *= t->size[dim];
      return ok;
    };
    bool stored = fits(d - 2) & fits(d - 1);
    count = 1;
    for (int dim = d - 3; dim >= 0; dim--) count *= t->size[dim], stored &= fits(dim);
    if (!stored && t->numel)
      THError(TH_ERROR_RUNTIME, "matrices of shape %s must be stored by columns, one after the other",
              shapeString(t).c_str());
    data = elements<T>(t);
  }
  T *at(int64_t i) const { return data + i * rows * columns; }
  int leading() const { return std::max(rows, 1); }
};

// Vectors (or, with length 1, numbers) that go with the matrices.
template <class T>
struct Vectors {
  T *data = nullptr;
  int length = 0;

  Vectors(const THTensor *t, int64_t count, int expected = 1) : length(expected) {
    if (!t) return;
    requireDtype(t, DtypeOf<T>::value);
    if (!THTensor_isContiguous(t) || t->numel != count * expected)
      THError(TH_ERROR_RUNTIME, "%lld contiguous vectors of length %d were expected, got shape %s", (long long)count,
              expected, shapeString(t).c_str());
    data = elements<T>(t);
  }
  T *at(int64_t i) const { return data ? data + i * length : nullptr; }
};

[[noreturn]] void refuseShapes(const char *name) { THError(TH_ERROR_RUNTIME, "%s: shapes do not fit", name); }
void require(bool condition, const char *name) {
  if (!condition) refuseShapes(name);
}

// body(i) for each matrix. `work`: about how many multiplications one takes.
template <class Body>
void forEach(int64_t count, double work, const Body &body) {
  const int64_t grain = std::max<int64_t>(1, int64_t((1 << 18) / (work + 64)));
  parallelFor(count, grain, [&](int64_t begin, int64_t end) {
    const lapack::OneThread one;
    for (int64_t i = begin; i < end; i++) body(i);
  });
}

// Room that a routine asks for: it is called once with lwork = -1 and writes to its first element how much.
template <class T>
struct Workspace {
  std::vector<T> memory;
  template <class Ask>
  explicit Workspace(const Ask &ask) {
    T wanted = 0;
    ask(&wanted);
    memory.resize(std::max<size_t>(1, size_t(wanted) + size_t(wanted) / 1024 + 1));  // floats round sizes
  }
  int length() const { return int(memory.size()); }
};

template <class T>
void getrf(const THTensor *a_, const THTensor *pivots_, const THTensor *info_) {
  const Matrices<T> a(a_);
  const int k = std::min(a.rows, a.columns);
  const Vectors<int> pivots(pivots_, a.count, k), info(info_, a.count);
  forEach(a.count, double(a.rows) * a.columns * k, [&](int64_t i) {
    *info.at(i) = 0;
    if (k) lapack::getrf(a.rows, a.columns, a.at(i), a.leading(), pivots.at(i), info.at(i));
  });
}

template <class T>
void getrs(const THTensor *b_, const THTensor *lu_, const THTensor *pivots_, bool transpose) {
  const Matrices<T> b(b_), lu(lu_);
  require(lu.rows == lu.columns && b.rows == lu.rows && b.count == lu.count, "getrs");
  const Vectors<int> pivots(pivots_, lu.count, lu.rows);
  if (!b.rows || !b.columns) return;
  forEach(b.count, double(lu.rows) * lu.rows * b.columns, [&](int64_t i) {
    lapack::getrs(transpose ? 'T' : 'N', lu.rows, b.columns, lu.at(i), lu.leading(), pivots.at(i), b.at(i),
                  b.leading());
  });
}

template <class T>
void potrf(const THTensor *a_, const THTensor *info_, bool upper, bool inverse) {
  const Matrices<T> a(a_);
  require(a.rows == a.columns, "potrf");
  const Vectors<int> info(info_, a.count);
  forEach(a.count, double(a.rows) * a.rows * a.rows, [&](int64_t i) {
    *info.at(i) = 0;
    if (!a.rows) return;
    if (inverse)
      lapack::potri(upper ? 'U' : 'L', a.rows, a.at(i), a.leading(), info.at(i));
    else
      lapack::potrf(upper ? 'U' : 'L', a.rows, a.at(i), a.leading(), info.at(i));
  });
}

template <class T>
void potrs(const THTensor *b_, const THTensor *factor_, bool upper) {
  const Matrices<T> b(b_), factor(factor_);
  require(factor.rows == factor.columns && b.rows == factor.rows && b.count == factor.count, "potrs");
  if (!b.rows || !b.columns) return;
  forEach(b.count, double(b.rows) * b.rows * b.columns, [&](int64_t i) {
    lapack::potrs(upper ? 'U' : 'L', b.rows, b.columns, factor.at(i), factor.leading(), b.at(i), b.leading());
  });
}

template <class T>
void trtrs(const THTensor *b_, const THTensor *a_, bool upper, bool transpose, bool unitriangular, bool left) {
  const Matrices<T> b(b_), a(a_);
  require(a.rows == a.columns && (left ? b.rows : b.columns) == a.rows && b.count == a.count, "trtrs");
  if (!b.rows || !b.columns) return;
  forEach(b.count, double(b.rows) * a.rows * b.columns, [&](int64_t i) {
    lapack::trsm(left ? 'L' : 'R', upper ? 'U' : 'L', transpose ? 'T' : 'N', unitriangular ? 'U' : 'N', b.rows,
                 b.columns, a.at(i), a.leading(), b.at(i), b.leading());
  });
}

template <class T>
void geqrf(const THTensor *a_, const THTensor *tau_) {
  const Matrices<T> a(a_);
  const int m = a.rows, n = a.columns, k = std::min(m, n);
  const Vectors<T> tau(tau_, a.count, k);
  if (!k) return;
  forEach(a.count, double(m) * n * k, [&](int64_t i) {
    const auto run = [&](T *work, int length) {
      int info;
      lapack::geqrf(m, n, a.at(i), m, tau.at(i), work, length, &info);
    };
    Workspace<T> work([&](T *wanted) { run(wanted, -1); });
    run(work.memory.data(), work.length());
  });
}

template <class T>
void orgqr(const THTensor *a_, const THTensor *tau_) {
  const Matrices<T> a(a_);
  const int64_t each = a.count ? tau_->numel / a.count : 0;
  const Vectors<T> tau(tau_, a.count, int(each));
  require(a.rows >= a.columns && a.columns >= tau.length, "orgqr");
  if (!a.rows || !a.columns) return;
  forEach(a.count, double(a.rows) * a.columns * a.columns, [&](int64_t i) {
    const auto run = [&](T *work, int length) {
      int info;
      lapack::orgqr(a.rows, a.columns, tau.length, a.at(i), a.leading(), tau.at(i), work, length, &info);
    };
    Workspace<T> work([&](T *wanted) { run(wanted, -1); });
    run(work.memory.data(), work.length());
  });
}

template <class T>
void ormqr(const THTensor *c_, const THTensor *a_, const THTensor *tau_, bool left, bool transpose) {
  const Matrices<T> c(c_), a(a_);
  const int64_t each = a.count ? tau_->numel / a.count : 0;
  const Vectors<T> tau(tau_, a.count, int(each));
  require(c.count == a.count && a.rows == (left ? c.rows : c.columns) && a.columns >= tau.length, "ormqr");
  if (!c.rows || !c.columns || !tau.length) return;
  forEach(c.count, double(c.rows) * c.columns * tau.length, [&](int64_t i) {
    const auto run = [&](T *work, int length) {
      int info;
      lapack::ormqr(left ? 'L' : 'R', transpose ? 'T' : 'N', c.rows, c.columns, tau.length, a.at(i), a.leading(),
                    tau.at(i), c.at(i), c.leading(), work, length, &info);
    };
    Workspace<T> work([&](T *wanted) { run(wanted, -1); });
    run(work.memory.data(), work.length());
  });
}

template <class T>
void syev(const THTensor *a_, const THTensor *w_, const THTensor *info_, bool vectors, bool upper) {
  const Matrices<T> a(a_);
  const int n = a.rows;
  require(n == a.columns, "syev");
  const Vectors<T> w(w_, a.count, n);
  const Vectors<int> info(info_, a.count);
  forEach(a.count, 8.0 * n * n * n, [&](int64_t i) {
    *info.at(i) = 0;
    if (!n) return;
    const auto run = [&](T *work, int length, int *integers, int integersLength) {
      lapack::syevd(vectors ? 'V' : 'N', upper ? 'U' : 'L', n, a.at(i), a.leading(), w.at(i), work, length, integers,
                    integersLength, info.at(i));
    };
    int count = 0;
    Workspace<T> work([&](T *wanted) { run(wanted, -1, &count, -1); });
    std::vector<int> integers(size_t(std::max(count, 1)));
    run(work.memory.data(), work.length(), integers.data(), int(integers.size()));
  });
}

template <class T>
void geev(const THTensor *a_, const THTensor *wr_, const THTensor *wi_, const THTensor *vr_, const THTensor *info_) {
  const Matrices<T> a(a_), vr(vr_);
  const int n = a.rows;
  require(n == a.columns && (!vr_ || (vr.rows == n && vr.columns == n && vr.count == a.count)), "geev");
  const Vectors<T> wr(wr_, a.count, n), wi(wi_, a.count, n);
  const Vectors<int> info(info_, a.count);
  forEach(a.count, 16.0 * n * n * n, [&](int64_t i) {
    *info.at(i) = 0;
    if (!n) return;
    T *const vectors = vr_ ? vr.at(i) : nullptr;
    const auto run = [&](T *work, int length) {
      lapack::geev(vr_ ? 'V' : 'N', n, a.at(i), n, wr.at(i), wi.at(i), vectors, n, work, length, info.at(i));
    };
    Workspace<T> work([&](T *wanted) { run(wanted, -1); });
    run(work.memory.data(), work.length());
  });
}

template <class T>
void gesdd(const THTensor *a_, const THTensor *s_, const THTensor *u_, const THTensor *vt_, const THTensor *info_) {
  const Matrices<T> a(a_), u(u_), vt(vt_);
  const int m = a.rows, n = a.columns, k = std::min(m, n);
  const bool vectors = u_ && vt_;
  require(!u_ == !vt_, "gesdd");
  if (vectors)
    require(u.rows == m && vt.columns == n && u.count == a.count && vt.count == a.count &&
                ((u.columns == m && vt.rows == n) || (u.columns == k && vt.rows == k)),
            "gesdd");
  const char job = !vectors ? 'N' : u.columns == m && vt.rows == n ? 'A' : 'S';
  const Vectors<T> s(s_, a.count, k);
  const Vectors<int> info(info_, a.count);
  forEach(a.count, 16.0 * m * n * k, [&](int64_t i) {
    // LAPACK tells NaNs; with infinities it may never end.
    const bool finite = std::all_of(a.at(i), a.at(i) + int64_t(m) * n, [](T x) { return x - x == T(0); });
    *info.at(i) = finite ? 0 : -4;
    if (!k || !finite) return;
    std::vector<int> integers(8 * size_t(k));
    T *const left = vectors ? u.at(i) : nullptr, *const right = vectors ? vt.at(i) : nullptr;
    const auto run = [&](T *work, int length) {
      lapack::gesdd(job, m, n, a.at(i), m, s.at(i), left, m, right, vectors ? vt.leading() : 1, work, length,
                    integers.data(), info.at(i));
    };
    Workspace<T> work([&](T *wanted) { run(wanted, -1); });
    run(work.memory.data(), work.length());
  });
}

template <class T>
void gels(const THTensor *a_, const THTensor *b_, const THTensor *s_, const THTensor *rank_, const THTensor *info_,
          int driver, double rcond) {
  const Matrices<T> a(a_), b(b_);
  const int m = a.rows, n = a.columns, k = std::min(m, n);
  require(b.rows == std::max(m, n) && b.count == a.count, "gels");
  require((driver == 0 || rank_) && (driver < 2 || s_), "gels");
  const Vectors<T> s(s_, a.count, k);
  const Vectors<int> rank(rank_, a.count), info(info_, a.count);
  forEach(a.count, 16.0 * m * n * (k + b.columns), [&](int64_t i) {
    *info.at(i) = 0;
    if (rank_) *rank.at(i) = 0;
    if (!k || !b.columns) return;
    std::vector<int> integers(driver == 1 ? size_t(n) : 1);
    const auto run = [&](T *work, int length, int *iwork) {
      switch (driver) {
        case 0: lapack::gels(m, n, b.columns, a.at(i), m, b.at(i), b.leading(), work, length, info.at(i)); break;
        case 1:
          lapack::gelsy(m, n, b.columns, a.at(i), m, b.at(i), b.leading(), iwork, T(rcond), rank.at(i), work, length,
                        info.at(i));
          break;
        case 2:
          lapack::gelsd(m, n, b.columns, a.at(i), m, b.at(i), b.leading(), s.at(i), T(rcond), rank.at(i), work, length,
                        iwork, info.at(i));
          break;
        default:
          lapack::gelss(m, n, b.columns, a.at(i), m, b.at(i), b.leading(), s.at(i), T(rcond), rank.at(i), work, length,
                        info.at(i));
      }
    };
    int more = 0;  // gelsd answers a question for its integers' number too
    Workspace<T> work([&](T *wanted) { run(wanted, -1, driver == 1 ? integers.data() : &more); });
    if (driver == 2) integers.resize(size_t(std::max(more, 1)));
    run(work.memory.data(), work.length(), integers.data());
  });
}

}  // namespace
}  // namespace th

TH_DEFINE(getrf, lapack, (THTensor *a, THTensor *pivots, THTensor *info), th::getrf<T>(a, pivots, info))
TH_DEFINE(getrs, lapack, (THTensor *b, const THTensor *lu, const THTensor *pivots, bool transpose),
          th::getrs<T>(b, lu, pivots, transpose))
TH_DEFINE(potrf, lapack, (THTensor *a, THTensor *info, bool upper), th::potrf<T>(a, info, upper, false))
TH_DEFINE(potri, lapack, (THTensor *a, THTensor *info, bool upper), th::potrf<T>(a, info, upper, true))
TH_DEFINE(potrs, lapack, (THTensor *b, const THTensor *factor, bool upper), th::potrs<T>(b, factor, upper))
TH_DEFINE(trtrs, lapack, (THTensor *b, const THTensor *a, bool upper, bool transpose, bool unitriangular, bool left),
          th::trtrs<T>(b, a, upper, transpose, unitriangular, left))
TH_DEFINE(geqrf, lapack, (THTensor *a, THTensor *tau), th::geqrf<T>(a, tau))
TH_DEFINE(orgqr, lapack, (THTensor *a, const THTensor *tau), th::orgqr<T>(a, tau))
TH_DEFINE(ormqr, lapack, (THTensor *c, const THTensor *a, const THTensor *tau, bool left, bool transpose),
          th::ormqr<T>(c, a, tau, left, transpose))
TH_DEFINE(syev, lapack, (THTensor *a, THTensor *w, THTensor *info, bool vectors, bool upper),
          th::syev<T>(a, w, info, vectors, upper))
TH_DEFINE(geev, lapack, (THTensor *a, THTensor *wr, THTensor *wi, THTensor *vr, THTensor *info),
          th::geev<T>(a, wr, wi, vr, info))
TH_DEFINE(gesdd, lapack, (THTensor *a, THTensor *s, THTensor *u, THTensor *vt, THTensor *info),
          th::gesdd<T>(a, s, u, vt, info))
TH_DEFINE(gels, lapack,
          (THTensor *a, THTensor *b, THTensor *s, THTensor *rank, THTensor *info, int driver, double rcond),
          th::gels<T>(a, b, s, rank, info, driver, rcond))
