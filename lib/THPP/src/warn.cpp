// Notes for the caller of an operator.
#include <atomic>
#include <utility>

#include <THPP/Tensor.h>

namespace thpp {

namespace {

std::atomic<int> noted{0};  // by all threads, so that the common answer costs one load
thread_local const char *note = nullptr;

}  // namespace

void warn(const char *text) {
  if (!std::exchange(note, text)) noted.fetch_add(1, std::memory_order_relaxed);
}

const char *take_warning() {
  if (!noted.load(std::memory_order_relaxed) || !note) [[likely]]
    return nullptr;
  noted.fetch_sub(1, std::memory_order_relaxed);
  return std::exchange(note, nullptr);
}

}  // namespace thpp
