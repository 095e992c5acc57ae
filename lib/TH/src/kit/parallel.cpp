#include "parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <omp.h>
#include <TH/THGeneral.h>

namespace th {

void parallelRun(int64_t n, int64_t grain, void (*run)(const void *body, int64_t begin, int64_t end),
                 const void *body) {
  if (n <= 0) return;
  if (n <= grain || omp_in_parallel()) return run(body, 0, n);
  const int64_t threads = std::min<int64_t>(TH_getNumThreads(), (n + grain - 1) / grain);
  if (threads <= 1) return run(body, 0, n);
  int64_t part = (n + threads - 1) / threads;
  if (part >= 64) part = (part + 63) / 64 * 64;
  std::exception_ptr error;
  std::atomic_flag failed{};
#pragma omp parallel num_threads(int(threads))
  {
    // The runtime may give fewer threads than asked for.
    for (int64_t i = omp_get_thread_num(); i < threads; i += omp_get_num_threads()) {
      const int64_t begin = std::min(n, i * part), end = std::min(n, begin + part);
      if (begin >= end) continue;
      try {
        run(body, begin, end);
      } catch (...) {
        if (!failed.test_and_set()) error = std::current_exception();
      }
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace th
