// What the kernels of LAPACK check: how matrices lie, and whether the shapes of a call's tensors fit.
#include <TH/THPrepare.h>

#include <algorithm>
#include <initializer_list>

#include "kit/result.hpp"
#include "lapack.hpp"

using namespace th;

namespace {

// Do the tensors of a call (some may be NULL) have memory? All are on one device: each may be written, or read by LAPACK.
bool haveMemory(std::initializer_list<const THTensor *> tensors) {
  const THTensor *first = nullptr;
  for (const THTensor *t : tensors) {
    if (!t) continue;
    if (!first) first = t;
    if (t->device != first->device) hasMemory(t) ? refuseInputOf(t, first) : refuseInputOf(first, t);
  }
  return hasMemory(first);
}

THMatrices matricesOf(THDtype dtype, const THTensor *t) {
  if (!t) return {0, 0, 0};
  requireDtype(t, dtype);
  const int d = t->ndim;
  if (d < 2) THError(TH_ERROR_RUNTIME, "a matrix or a batch of matrices was expected, got %d dimensions", d);
  THMatrices m{lapack::lapackInt(t->size[d - 2]), lapack::lapackInt(t->size[d - 1]), 1};
  int64_t step = 1;
  const auto fits = [&](int dim) {
    const bool ok = t->size[dim] <= 1 || t->stride[dim] == step;
    step *= t->size[dim];
    return ok;
  };
  bool stored = fits(d - 2);
  stored &= fits(d - 1);
  for (int dim = d - 3; dim >= 0; dim--) m.count *= t->size[dim], stored &= fits(dim);
  if (!stored && t->numel)
    THError(TH_ERROR_RUNTIME, "matrices of shape %s must be stored by columns, one after the other",
            shapeString(t).c_str());
  return m;
}

// Vectors (or, with length 1, numbers) that go with the matrices.
void checkVectors(THDtype dtype, const THTensor *t, int64_t count, int length = 1) {
  if (!t) return;
  requireDtype(t, dtype);
  if (!THTensor_isContiguous(t) || t->numel != count * length)
    THError(TH_ERROR_RUNTIME, "%lld contiguous vectors of length %d were expected, got shape %s", (long long)count,
            length, shapeString(t).c_str());
}

void require(bool condition, const char *name) {
  if (!condition) THError(TH_ERROR_RUNTIME, "%s: shapes do not fit", name);
}

THMatrices squareOf(THDtype dtype, const THTensor *t, const char *name) {
  const THMatrices m = matricesOf(dtype, t);
  require(m.rows == m.columns, name);
  return m;
}

// Right-hand sides b of a square matrix.
void setSystem(THLapackPlan *plan, THDtype dtype, const THTensor *b_, const THTensor *a_, const char *name) {
  const THMatrices b = plan->matrix[0] = matricesOf(dtype, b_), a = plan->matrix[1] = matricesOf(dtype, a_);
  require(a.rows == a.columns && b.rows == a.rows && b.count == a.count, name);
}

void setTransposition(THLapackPlan *plan, THDtype dtype, char trans, const char *name) {
  require(trans == 'N' || trans == 'T' || trans == 'C', name);
  plan->trans = trans == 'C' && !isComplex(dtype) ? 'T' : trans;
}

// The vectors of tau that go with reflectors a.
int reflectorsOf(THDtype dtype, const THTensor *tau, const THMatrices &a) {
  const int length = int(a.count ? tau->numel / a.count : 0);
  checkVectors(dtype, tau, a.count, length);
  return length;
}

}  // namespace

// ---- LU ----
bool THPrepare_getrf(THLapackPlan *plan, THDtype dtype, const THTensor *a_, const THTensor *pivots,
                     const THTensor *info) {
  const THMatrices a = plan->matrix[0] = matricesOf(dtype, a_);
  checkVectors(TH_Int, pivots, a.count, std::min(a.rows, a.columns));
  checkVectors(TH_Int, info, a.count);
  return haveMemory({a_, pivots, info});
}

bool THPrepare_getrs(THLapackPlan *plan, THDtype dtype, const THTensor *b, const THTensor *lu, const THTensor *pivots,
                     char trans) {
  setSystem(plan, dtype, b, lu, "getrs");
  checkVectors(TH_Int, pivots, plan->matrix[1].count, plan->matrix[1].rows);
  setTransposition(plan, dtype, trans, "getrs");
  return haveMemory({b, lu, pivots});
}

bool THPrepare_getri(THLapackPlan *plan, THDtype dtype, const THTensor *lu_, const THTensor *pivots,
                     const THTensor *info) {
  const THMatrices lu = plan->matrix[0] = squareOf(dtype, lu_, "getri");
  checkVectors(TH_Int, pivots, lu.count, lu.rows);
  checkVectors(TH_Int, info, lu.count);
  return haveMemory({lu_, pivots, info});
}

// ---- Cholesky ----
bool THPrepare_potrf(THLapackPlan *plan, THDtype dtype, const THTensor *a, const THTensor *info) {
  plan->matrix[0] = squareOf(dtype, a, "potrf");
  checkVectors(TH_Int, info, plan->matrix[0].count);
  return haveMemory({a, info});
}

bool THPrepare_potrs(THLapackPlan *plan, THDtype dtype, const THTensor *b, const THTensor *factor) {
  setSystem(plan, dtype, b, factor, "potrs");
  return haveMemory({b, factor});
}

bool THPrepare_pstrf(THLapackPlan *plan, THDtype dtype, const THTensor *a_, const THTensor *pivots,
                     const THTensor *rank) {
  const THMatrices a = plan->matrix[0] = squareOf(dtype, a_, "pstrf");
  checkVectors(TH_Int, pivots, a.count, a.rows);
  checkVectors(TH_Int, rank, a.count);
  return haveMemory({a_, pivots, rank});
}

bool THPrepare_trtrs(THLapackPlan *plan, THDtype dtype, const THTensor *b_, const THTensor *a_, char trans, bool left) {
  const THMatrices b = plan->matrix[0] = matricesOf(dtype, b_), a = plan->matrix[1] = matricesOf(dtype, a_);
  require(a.rows == a.columns && (left ? b.rows : b.columns) == a.rows && b.count == a.count, "trtrs");
  setTransposition(plan, dtype, trans, "trtrs");
  return haveMemory({b_, a_});
}

// ---- LDL ----
bool THPrepare_sytrf(THLapackPlan *plan, THDtype dtype, const THTensor *a_, const THTensor *pivots,
                     const THTensor *info) {
  const THMatrices a = plan->matrix[0] = squareOf(dtype, a_, "sytrf");
  checkVectors(TH_Int, pivots, a.count, a.rows);
  checkVectors(TH_Int, info, a.count);
  return haveMemory({a_, pivots, info});
}

bool THPrepare_sytrs(THLapackPlan *plan, THDtype dtype, const THTensor *b, const THTensor *ld, const THTensor *pivots) {
  setSystem(plan, dtype, b, ld, "sytrs");
  checkVectors(TH_Int, pivots, plan->matrix[1].count, plan->matrix[1].rows);
  return haveMemory({b, ld, pivots});
}

// ---- QR ----
bool THPrepare_geqrf(THLapackPlan *plan, THDtype dtype, const THTensor *a_, const THTensor *tau) {
  const THMatrices a = plan->matrix[0] = matricesOf(dtype, a_);
  checkVectors(dtype, tau, a.count, std::min(a.rows, a.columns));
  return haveMemory({a_, tau});
}

bool THPrepare_orgqr(THLapackPlan *plan, THDtype dtype, const THTensor *a_, const THTensor *tau) {
  const THMatrices a = plan->matrix[0] = matricesOf(dtype, a_);
  plan->reflectors = reflectorsOf(dtype, tau, a);
  require(a.rows >= a.columns && a.columns >= plan->reflectors, "orgqr");
  return haveMemory({a_, tau});
}

bool THPrepare_ormqr(THLapackPlan *plan, THDtype dtype, const THTensor *c_, const THTensor *a_, const THTensor *tau,
                     bool left, bool transpose) {
  const THMatrices c = plan->matrix[0] = matricesOf(dtype, c_), a = plan->matrix[1] = matricesOf(dtype, a_);
  plan->reflectors = reflectorsOf(dtype, tau, a);
  require(c.count == a.count && a.rows == (left ? c.rows : c.columns) && a.columns >= plan->reflectors, "ormqr");
  setTransposition(plan, dtype, transpose ? 'C' : 'N', "ormqr");
  return haveMemory({c_, a_, tau});
}

bool THPrepare_qr(THLapackPlan *plan, THDtype dtype, const THTensor *q_, const THTensor *r_, const THTensor *a_) {
  const THMatrices a = plan->matrix[2] = matricesOf(dtype, a_), q = plan->matrix[0] = matricesOf(dtype, q_),
                   r = plan->matrix[1] = matricesOf(dtype, r_);
  require(r.columns == a.columns && r.count == a.count && (r.rows == std::min(a.rows, a.columns) || r.rows == a.rows),
          "qr");
  require(!q_ || (q.rows == a.rows && q.columns == r.rows && q.count == a.count), "qr");
  return haveMemory({q_, r_, a_});
}

// ---- eigenvalues, singular values, least squares ----
bool THPrepare_syev(THLapackPlan *plan, THDtype dtype, const THTensor *a_, const THTensor *w, const THTensor *info) {
  const THMatrices a = plan->matrix[0] = squareOf(dtype, a_, "syev");
  checkVectors(realDtype(dtype), w, a.count, a.rows);
  checkVectors(TH_Int, info, a.count);
  return haveMemory({a_, w, info});
}

bool THPrepare_geev(THLapackPlan *plan, THDtype dtype, const THTensor *a_, const THTensor *w, const THTensor *vr_,
                    const THTensor *info) {
  const THDtype values = realDtype(dtype) == TH_Double ? TH_ComplexDouble : TH_ComplexFloat;
  const THMatrices a = plan->matrix[0] = matricesOf(dtype, a_), vr = plan->matrix[1] = matricesOf(values, vr_);
  const int n = a.rows;
  require(n == a.columns && (!vr_ || (vr.rows == n && vr.columns == n && vr.count == a.count)), "geev");
  checkVectors(values, w, a.count, n);
  checkVectors(TH_Int, info, a.count);
  return haveMemory({a_, w, vr_, info});
}

bool THPrepare_gesdd(THLapackPlan *plan, const char *name, THDtype dtype, const THTensor *a_, const THTensor *s,
                     const THTensor *u_, const THTensor *vt_, const THTensor *info) {
  const THMatrices a = plan->matrix[0] = matricesOf(dtype, a_), u = plan->matrix[1] = matricesOf(dtype, u_),
                   vt = plan->matrix[2] = matricesOf(dtype, vt_);
  const int m = a.rows, n = a.columns, k = std::min(m, n);
  const bool all = u.columns == m && vt.rows == n;
  require(!u_ == !vt_, name);
  if (u_)
    require(u.rows == m && vt.columns == n && u.count == a.count && vt.count == a.count &&
                (all || (u.columns == k && vt.rows == k)),
            name);
  plan->job = !u_ ? 'N' : all ? 'A' : 'S';
  checkVectors(realDtype(dtype), s, a.count, k);
  checkVectors(TH_Int, info, a.count);
  return haveMemory({a_, s, u_, vt_, info});
}

bool THPrepare_gels(THLapackPlan *plan, THDtype dtype, const THTensor *a_, const THTensor *b_, const THTensor *s,
                    const THTensor *rank, const THTensor *info, int driver) {
  const THMatrices a = plan->matrix[0] = matricesOf(dtype, a_), b = plan->matrix[1] = matricesOf(dtype, b_);
  require(b.rows == std::max(a.rows, a.columns) && b.count == a.count, "gels");
  require((driver == 0 || rank) && (driver < 2 || s), "gels");
  checkVectors(realDtype(dtype), s, a.count, std::min(a.rows, a.columns));
  checkVectors(TH_Int, rank, a.count);
  checkVectors(TH_Int, info, a.count);
  return haveMemory({a_, b_, s, rank, info});
}

// ---- distances ----
bool THPrepare_cdist(THDtype dtype, const THTensor *r, const THTensor *a, const THTensor *b) {
  for (const THTensor *t : {r, a, b}) {
    requireDtype(t, dtype);
    if (t->ndim < 2 || !THTensor_isContiguous(t)) THError(TH_ERROR_RUNTIME, "cdist: contiguous matrices are needed");
  }
  if (b->size[b->ndim - 1] != a->size[a->ndim - 1] || r->size[r->ndim - 2] != a->size[a->ndim - 2] ||
      r->size[r->ndim - 1] != b->size[b->ndim - 2])
    THError(TH_ERROR_RUNTIME, "cdist: shapes do not fit");
  requireMemory(r, a);
  requireMemory(r, b);
  return r->numel && hasMemory(r);
}
