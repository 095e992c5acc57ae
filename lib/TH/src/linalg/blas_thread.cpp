#include "blas_thread.hpp"

#include <cerrno>
#include <sys/mman.h>

#include <TH/THGeneral.h>

namespace th {

// OpenBLAS keeps a buffer of at most 128 MiB (and some more for tables) for each thread that is in it at a time.
constexpr size_t kBuffer = size_t(160) << 20;

void requireBlasMemory() {
  static thread_local bool known = false;
  if (known) return;
  void *const probe = mmap(nullptr, kBuffer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                           0);
  if (probe == MAP_FAILED)
    THError(TH_ERROR_RUNTIME, "BLAS: can't allocate memory: its buffers need %zu bytes. Error code %d", kBuffer, errno);
  munmap(probe, kBuffer);
  known = true;
}

}  // namespace th
