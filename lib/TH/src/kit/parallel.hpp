// Splitting work over OpenMP's threads. What is computed must not depend on where the range is cut.
#pragma once

#include <cstdint>
#include <exception>
#include <omp.h>
#include <TH/THGeneral.h>

namespace th {

// Elements below which one thread is faster than waking others.
constexpr int64_t kGrain = 32768;

// Calls body(begin, end) for parts of [0, n), each of at least `grain` (but the last); cuts are at
// multiples of 64, so that threads do not write to one cache line. An exception in any part is
// thrown again by the caller's thread.
template <class Body>
void parallelFor(int64_t n, int64_t grain, const Body &body) {
  if (n <= 0) return;
  if (n <= grain || omp_in_parallel()) return body(int64_t(0), n);
  // Written without <algorithm> and <atomic>, as nearly every file includes this one.
  const auto least = [](int64_t a, int64_t b) { return a < b ? a : b; };
  const int64_t threads = least(TH_getNumThreads(), (n + grain - 1) / grain);
  if (threads <= 1) return body(int64_t(0), n);
  int64_t part = (n + threads - 1) / threads;
  if (part >= 64) part = (part + 63) / 64 * 64;
  std::exception_ptr error;
#pragma omp parallel num_threads(int(threads))
  {
    // The runtime may give fewer threads than asked for.
    for (int64_t i = omp_get_thread_num(); i < threads; i += omp_get_num_threads()) {
      const int64_t begin = least(n, i * part), end = least(n, begin + part);
      if (begin >= end) continue;
      try {
        body(begin, end);
      } catch (...) {
#pragma omp critical(th_parallel_for)
        error = std::current_exception();
      }
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace th
