#include <omp.h>
#include <stdio.h>

int main(void) {
  long sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
  for (int i = 1; i <= 1000; i++) sum += i * (omp_get_num_threads() == 4);
  printf("%ld\n", sum);
  return sum != 500500;
}
