// Notes for the caller of an operator.
#include <atomic>
#include <string>
#include <utility>

#include <THPP/Tensor.h>

namespace thpp {

namespace {

std::atomic<int> noted{0};  // by all threads, so that the common answer costs one load
thread_local bool has_note = false;
thread_local std::string note;

}  // namespace

void warn(std::string text) {
  note = std::move(text);
  if (!std::exchange(has_note, true)) noted.fetch_add(1, std::memory_order_relaxed);
}

const char *take_warning() {
  if (!noted.load(std::memory_order_relaxed) || !has_note) [[likely]]
    return nullptr;
  noted.fetch_sub(1, std::memory_order_relaxed);
  has_note = false;
  return note.c_str();
}

}  // namespace thpp
