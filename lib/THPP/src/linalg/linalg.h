// What the functions of torch.linalg share. A matrix on its way to LAPACK is a copy stored by columns.
#pragma once

#include <THPP/Guard.h>
#include <THPP/Meta.h>

#include "creation.h"

#include "bodies.h"

namespace thpp {

using Sizes = std::vector<int64_t>;

// ---- checks, with torch's texts. `f` is the name that the message begins with. ----
void check_matrix(const Tensor &a, const char *f, const char *name = "A");
void check_square(const Tensor &a, const char *f, const char *name = "A");
void check_inexact(const Tensor &a, const char *f, bool low = true);  // low: half types will do
void check_pair(const Tensor &a, const Tensor &b, const char *f, const char *a_name, const char *b_name);
void check_fits(const Tensor &a, const Tensor &b, bool left, const char *f);

// b and A of the older functions, which take them in the other order.
void check_system(const Tensor &b, const Tensor &a, const char *what);

// Raises if an info is not 0. `text` has a place for its value; the first word of the message is `f`.
enum class LapackFailure { Singular, Solver, Definite, Block, Eigen, Svd, LeastSquares };
void check_info(const Tensor &info, const char *f, LapackFailure failure);

// ---- shapes ----
Sizes batch_of(const Tensor &a, int last = 2);         // the sizes before the last ones
Sizes joined(Sizes batch, std::initializer_list<int64_t> more);
Sizes broadcast_batch(const Tensor &a, const Tensor &b);
Tensor with_batch(const Tensor &a, const Sizes &batch);  // a's matrices, expanded to that batch
inline Tensor mT(const Tensor &a) { return thpp::transpose(a, -2, -1); }
inline Tensor mH(const Tensor &a) { return thpp::conj(mT(a)); }
inline int64_t rows(const Tensor &a) { return a.size(a.dim() - 2); }
inline int64_t columns(const Tensor &a) { return a.size(a.dim() - 1); }

// Whether what is made of it may be recorded: then a composite computes what gradients need, too.
inline bool is_recorded(const Tensor &t) { return grad_mode() && (guard_flags(t) & TH_RECORDED); }

// ---- tensors ----
Tensor by_columns(const Tensor &a);                                // a copy stored by columns
Tensor empty_by_columns(const Tensor &like, THDtype dtype, const Sizes &batch, int64_t m, int64_t n);
Tensor identity(const Tensor &like, THDtype dtype, const Sizes &batch, int64_t m, int64_t n);  // stored by columns
inline Tensor number(double x) { return wrapped_number(x); }
double epsilon(THDtype dtype);  // of a complex one's parts
// Elements outside one triangle become 0; as torch.triu(a, diagonal) and torch.tril.
Tensor upper_triangle(const Tensor &a, int64_t diagonal = 0);
Tensor lower_triangle(const Tensor &a, int64_t diagonal = 0);
// b as columns: a vector, or a batch of them, gets one more dimension.
bool is_vector(const Tensor &a, const Tensor &b);

// The result, in `out` if that is given. Its dtype has been computed by now, so errors come before.
void write_matrix(Tensor &out, const Tensor &result);
// The same in out's dtype, if that can hold it.
void write_matrix_converted(Tensor &out, const Tensor &result);
// Raises, before anything is written, if `out` is given and has another dtype, or elements that share memory.
void check_out(const Tensor &out, THDtype dtype);

// ---- factorisations, used by several files ----
struct Lu {
  Tensor lu, pivots, info;
};
Lu factor_lu(const Tensor &a);
// X of A X = B, with A's factors; `b` is a copy by columns and is overwritten.
// X of A.T X = B or A' X = B with trans 'T' or 'C'.
void solve_lu(const Tensor &lu, const Tensor &pivots, const Tensor &b, char trans = 'N');
struct Svd {
  Tensor u, s, vh;
};
Svd factor_svd(const Tensor &a, bool full, bool vectors, const char *f = "linalg.svd");

}  // namespace thpp
