// What every call of BLAS and LAPACK needs: one thread of its own, and memory for OpenBLAS.
#pragma once

#include <omp.h>

namespace th {

// Raises if OpenBLAS could not get the memory that this thread's first call makes it take: it would try for ever.
void requireBlasMemory();

// While it lives, OpenBLAS uses one thread for calls of this thread: its own threads cut matrices by how many they are,
// and round differently at the cuts. We cut by shape, and split batches.
class OneBlasThread {
 public:
  OneBlasThread() : before_(omp_get_max_threads()) {
    requireBlasMemory();
    omp_set_num_threads(1);
  }
  ~OneBlasThread() { omp_set_num_threads(before_); }
  OneBlasThread(const OneBlasThread &) = delete;

 private:
  int before_;
};

}  // namespace th
