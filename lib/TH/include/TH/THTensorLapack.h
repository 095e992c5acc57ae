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
/* b (n, k) becomes X of A X = B (trans 'N'), A.T X = B ('T') or A' X = B ('C'); lu and pivots are getrf's */
TH_FUNCTION(getrs, lapack, (THTensor *b, const THTensor *lu, const THTensor *pivots, char trans))
TH_FUNCTION(getri, lapack, (THTensor *lu, const THTensor *pivots, THTensor *info)) /* lu becomes A's inverse */
/* a (n, n), symmetric or Hermitian, of which one triangle is read, becomes its Cholesky factor in that triangle */
TH_FUNCTION(potrf, lapack, (THTensor *a, THTensor *info, bool upper))
TH_FUNCTION(potrs, lapack, (THTensor *b, const THTensor *factor, bool upper)) /* b (n, k): solved in place */
TH_FUNCTION(potri, lapack, (THTensor *factor, THTensor *info, bool upper))    /* one triangle of the inverse */
/* The same with the rows and columns of a semidefinite a exchanged: row i of the product of the factors is row
 * pivots[i], counted from 1, of a. What is right of column `rank` is not a factor. tol below 0: n epsilon max(diag) */
TH_FUNCTION(pstrf, lapack, (THTensor *a, THTensor *pivots, THTensor *rank, bool upper, double tol))
/* b (m, n) becomes X of A X = B (left, A (m, m)) or X A = B (A (n, n)); one triangle of a is read; trans as getrs */
TH_FUNCTION(trtrs, lapack, (THTensor *b, const THTensor *a, bool upper, char trans, bool unitriangular, bool left))
/* a (n, n), symmetric (or hermitian), of which one triangle is read: L D L.T, D of blocks of one and two rows, which
 * pivots (n) tells apart */
TH_FUNCTION(sytrf, lapack, (THTensor *a, THTensor *pivots, THTensor *info, bool upper, bool hermitian))
/* b (n, k) is solved in place; pivots that sytrf cannot have written raise */
TH_FUNCTION(sytrs, lapack, (THTensor *b, const THTensor *ld, const THTensor *pivots, bool upper, bool hermitian))
/* a (m, n): R in its upper triangle, reflectors below; tau (min(m, n)) */
TH_FUNCTION(geqrf, lapack, (THTensor *a, THTensor *tau))
/* a (m, n), m >= n: reflectors become the first n columns of their product; tau (k), k <= n */
TH_FUNCTION(orgqr, lapack, (THTensor *a, const THTensor *tau))
/* c (m, n) becomes Q C, Q' C, C Q or C Q'; a's reflectors (m or n, k), tau (k) */
TH_FUNCTION(ormqr, lapack, (THTensor *c, const THTensor *a, const THTensor *tau, bool left, bool transpose))
/* q (m, w), or NULL, and r (w, n) of a (m, n) = q r, with w = m or min(m, n) */
TH_FUNCTION(qr, lapack, (THTensor *q, THTensor *r, THTensor *a))
/* a (n, n), symmetric or Hermitian: real eigenvalues w (n), ascending; with `vectors` a becomes the eigenvectors */
TH_FUNCTION(syev, lapack, (THTensor *a, THTensor *w, THTensor *info, bool vectors, bool upper))
/* a (n, n): complex eigenvalues w (n) and eigenvectors vr (n, n), or NULL, whatever a is */
TH_FUNCTION(geev, lapack, (THTensor *a, THTensor *w, THTensor *vr, THTensor *info))
/* a (m, n) = u s vt, s real; u and vt are square or (m, k), (k, n) with k = min(m, n), or both NULL. gesdd is the
 * faster one, gesvd takes less room; gesvd2 is gesvd, whose first argument always was what is left of a */
TH_FUNCTION(gesdd, lapack, (THTensor *a, THTensor *s, THTensor *u, THTensor *vt, THTensor *info))
TH_FUNCTION(gesvd, lapack, (THTensor *a, THTensor *s, THTensor *u, THTensor *vt, THTensor *info))
TH_FUNCTION(gesvd2, lapack, (THTensor *a, THTensor *s, THTensor *u, THTensor *vt, THTensor *info))
/* least squares: b (max(m, n), k) holds B above, and X then. driver: 0 gels, 1 gelsy, 2 gelsd, 3 gelss. rank (int32,
 * one for each matrix) is for all but gels, the real singular values s (min(m, n)) for the last two; else NULL. */
TH_FUNCTION(gels, lapack,
            (THTensor *a, THTensor *b, THTensor *s, THTensor *rank, THTensor *info, int driver, double rcond))
/* getrf, getrs, and the two in one */
TH_FUNCTION(btrifact, lapack, (THTensor *a, THTensor *pivots, THTensor *info))
TH_FUNCTION(btrisolve, lapack, (THTensor *b, const THTensor *lu, const THTensor *pivots))
TH_FUNCTION(gesv, lapack, (THTensor *b, THTensor *a, THTensor *pivots, THTensor *info))
/* p-norms of the differences of a's (…, m, n) and b's (…, k, n) rows: r (…, m, k). All contiguous. */
TH_FUNCTION(cdist, float_double, (THTensor *r, const THTensor *a, const THTensor *b, double p))

#endif
