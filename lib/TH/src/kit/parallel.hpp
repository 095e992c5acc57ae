// Splitting work over OpenMP's threads. What is computed must not depend on where the range is cut.
#pragma once

#include <cstdint>

namespace th {

// Elements below which one thread is faster than waking others.
constexpr int64_t kGrain = 32768;

// parallelFor of a body that is called by a pointer.
void parallelRun(int64_t n, int64_t grain, void (*run)(const void *body, int64_t begin, int64_t end), const void *body);

// Calls body(begin, end) for parts of [0, n), each of at least `grain` (but the last); cuts are at
// multiples of 64, so that threads do not write to one cache line. An exception in any part is
// thrown again by the caller's thread. The body is compiled once, apart from what shares it out.
template <class Body>
void parallelFor(int64_t n, int64_t grain, const Body &body) {
  parallelRun(
      n, grain,
      [](const void *erased, int64_t begin, int64_t end) { (*static_cast<const Body *>(erased))(begin, end); }, &body);
}

}  // namespace th
