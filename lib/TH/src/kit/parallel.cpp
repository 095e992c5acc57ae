#include "parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <TH/THGeneral.h>
#ifdef __SANITIZE_THREAD__
#include <thread>
#include <vector>
#else
#include <omp.h>
#endif

namespace th {

namespace {

#ifdef __SANITIZE_THREAD__

// ThreadSanitizer cannot know that OpenMP's threads wait for each other, since the runtime is not compiled with it. With
// threads of our own it sees what two parts of a range both write to.
thread_local bool inside = false;
bool inParallel() { return inside; }

template <class Share>
void inThreads(int64_t n, const Share &share) {
  const auto run = [&](int64_t i) {
    inside = true;
    share(i, n);
    inside = false;
  };
  std::vector<std::thread> others;
  for (int64_t i = 1; i < n; i++) others.emplace_back(run, i);
  run(0);
  for (std::thread &other : others) other.join();
}

#else

bool inParallel() { return omp_in_parallel(); }

// Calls share(number, how many) in that many threads, or in fewer: the runtime may not have so many.
template <class Share>
void inThreads(int64_t n, const Share &share) {
#pragma omp parallel num_threads(int(n))
  share(omp_get_thread_num(), omp_get_num_threads());
}

#endif

}  // namespace

void parallelRun(int64_t n, int64_t grain, void (*run)(const void *body, int64_t begin, int64_t end),
                 const void *body) {
  if (n <= 0) return;
  if (n <= grain || inParallel()) return run(body, 0, n);
  const int64_t threads = std::min<int64_t>(TH_getNumThreads(), (n + grain - 1) / grain);
  if (threads <= 1) return run(body, 0, n);
  int64_t part = (n + threads - 1) / threads;
  if (part >= 64) part = (part + 63) / 64 * 64;
  std::exception_ptr error;
  std::atomic_flag failed{};
  inThreads(threads, [&](int64_t first, int64_t step) {
    for (int64_t i = first; i < threads; i += step) {
      const int64_t begin = std::min(n, i * part), end = std::min(n, begin + part);
      if (begin >= end) continue;
      try {
        run(body, begin, end);
      } catch (...) {
        if (!failed.test_and_set()) error = std::current_exception();
      }
    }
  });
  if (error) std::rethrow_exception(error);
}

}  // namespace th
