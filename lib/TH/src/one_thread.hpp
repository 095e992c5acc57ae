// Keeping BLAS and LAPACK to the calling thread.
#pragma once

#include <omp.h>

namespace th {

// While it lives, OpenBLAS uses one thread for calls of this thread: its own threads cut matrices by how many they
// are, and round differently at the cuts. Tiles and batches are what we split.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread &) = delete;

 private:
  int before_;
};

}  // namespace th
