/* Factorisations and solvers, by LAPACK.
 *
 * A matrix argument holds the matrices of a batch in its last two dimensions, each stored by columns, one after the
 * other: strides (…, m * n, 1, m), what a contiguous tensor with its last two dimensions transposed has. Other
 * arguments (pivots, tau, eigenvalues, info) are contiguous. All have as many matrices, and the shapes that each
 * comment says; nothing is resized. The matrix that is factorised is overwritten. pivots and info are int32, and
 * info is LAPACK's answer for each matrix: 0, or what went wrong with it; nothing raises for that.
 * Matrices are spread over threads; each is one thread's work. */
#ifndef TH_TENSOR_LAPACK_H
#define TH_TENSOR_LAPACK_H

#include <TH/THTensor.h>

/* a (m, n) = P L U; pivots (min(m, n)), counted from 1 */
TH_FUNCTION(getrf, lapack, (THTensor *a, THTensor *pivots, THTensor *info))
/* b (n, k) becomes X of A X = B, or of A' X = B; lu and pivots are getrf's */
TH_FUNCTION(getrs, lapack, (THTensor *b, const THTensor *lu, const THTensor *pivots, bool transpose))
/* a (n, n), symmetric, of which one triangle is read, becomes its Cholesky factor in that triangle */
TH_FUNCTION(potrf, lapack, (THTensor *a, THTensor *info, bool upper))
TH_FUNCTION(potrs, lapack, (THTensor *b, const THTensor *factor, bool upper)) /* b (n, k): solved in place */
TH_FUNCTION(potri, lapack, (THTensor *factor, THTensor *info, bool upper))    /* one triangle of the inverse */
/* b (m, n) becomes X of A X = B (left, A (m, m)) or X A = B (A (n, n)); one triangle of a is read */
TH_FUNCTION(trtrs, lapack, (THTensor *b, const THTensor *a, bool upper, bool transpose, bool unitriangular, bool left))
/* a (m, n): R in its upper triangle, reflectors below; tau (min(m, n)) */
TH_FUNCTION(geqrf, lapack, (THTensor *a, THTensor *tau))
/* a (m, n), m >= n: reflectors become the first n columns of their product; tau (k), k <= n */
TH_FUNCTION(orgqr, lapack, (THTensor *a, const THTensor *tau))
/* c (m, n) becomes Q C, Q' C, C Q or C Q'; a's reflectors (m or n, k), tau (k) */
TH_FUNCTION(ormqr, lapack, (THTensor *c, const THTensor *a, const THTensor *tau, bool left, bool transpose))
/* a (n, n), symmetric: eigenvalues w (n), ascending; with `vectors` a becomes the eigenvectors */
TH_FUNCTION(syev, lapack, (THTensor *a, THTensor *w, THTensor *info, bool vectors, bool upper))
/* a (n, n): real and imaginary parts wr, wi (n) of the eigenvalues; vr (n, n) as LAPACK packs pairs, or NULL */
TH_FUNCTION(geev, lapack, (THTensor *a, THTensor *wr, THTensor *wi, THTensor *vr, THTensor *info))
/* a (m, n) = u s vt; u and vt are square or (m, k), (k, n) with k = min(m, n), or both NULL */
TH_FUNCTION(gesdd, lapack, (THTensor *a, THTensor *s, THTensor *u, THTensor *vt, THTensor *info))
/* least squares: b (max(m, n), k) holds B above, and X then. driver: 0 gels, 1 gelsy, 2 gelsd, 3 gelss. rank (int32,
 * one for each matrix) is for all but gels, the singular values s (min(m, n)) for the last two; else NULL. */
TH_FUNCTION(gels, lapack,
            (THTensor *a, THTensor *b, THTensor *s, THTensor *rank, THTensor *info, int driver, double rcond))
/* p-norms of the differences of a's (…, m, n) and b's (…, k, n) rows: r (…, m, k). All contiguous. */
TH_FUNCTION(cdist, lapack, (THTensor *r, const THTensor *a, const THTensor *b, double p))

#endif
