// The number of threads. OpenMP keeps it per thread; we keep one for the process.
#include <TH/THGeneral.h>

#include <atomic>
#include <omp.h>
#include <pthread.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace {

std::atomic<int> wanted{0};  // 0: not set yet

// A forked child has none of its parent's OpenMP threads, but the runtime's pool still lists them
// and would wait for them for ever. So a child computes in one thread, whatever number it sets.
bool forked = false;
void afterFork() {
  forked = true;
  wanted.store(1, std::memory_order_relaxed);
  omp_set_num_threads(1);
}

int firstNumber() {
  pthread_atfork(nullptr, nullptr, afterFork);
  const int n = omp_get_max_threads();
  int none = 0;
  return wanted.compare_exchange_strong(none, n) ? n : none;
}

}  // namespace

int TH_getNumThreads(void) {
  const int n = wanted.load(std::memory_order_relaxed);
  return n ? n : firstNumber();
}

void TH_setNumThreads(int n) {
  if (n < 1) THError(TH_ERROR_RUNTIME, "set_num_threads expects a positive integer");
  TH_getNumThreads();
  if (forked) n = 1;
  wanted.store(n, std::memory_order_relaxed);
  omp_set_num_threads(n);  // for BLAS
}

bool TH_setFlushDenormal([[maybe_unused]] bool on) {
#ifdef __SSE__
  constexpr unsigned flushToZero = 0x8000, denormalsAreZero = 0x0040;
#pragma omp parallel num_threads(TH_getNumThreads())
  {
    const unsigned flags = _mm_getcsr() & ~(flushToZero | denormalsAreZero);
    _mm_setcsr(on ? flags | flushToZero | denormalsAreZero : flags);
  }
  return true;
#else
  return false;
#endif
}
