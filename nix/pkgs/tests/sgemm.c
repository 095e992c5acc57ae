#include <cblas.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, c[4];
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, a, 2, b, 2, 0, c, 2);
  printf("%s: %g %g %g %g\n", openblas_get_config(), c[0], c[1], c[2], c[3]);
  return !(c[0] == 19 && c[1] == 22 && c[2] == 43 && c[3] == 50 && openblas_get_parallel() == OPENBLAS_OPENMP);
}
