#include <THD/ProcessGroup.h>

#include <atomic>
#include <cstdlib>

namespace thd {
namespace {

DebugLevel from_environment() {
  const char *value = std::getenv("TORCH_DISTRIBUTED_DEBUG");
  const std::string text = value ? value : "OFF";
  if (text == "OFF") return DebugLevel::Off;
  if (text == "INFO") return DebugLevel::Info;
  if (text == "DETAIL") return DebugLevel::Detail;
  throw Error(ErrorKind::Value, "TORCH_DISTRIBUTED_DEBUG is OFF, INFO or DETAIL, not " + text);
}

std::atomic<int> level{-1};  // not known yet

}  // namespace

DebugLevel debug_level() {
  if (level < 0) set_debug_level_from_environment();
  return DebugLevel(level.load());
}
void set_debug_level(DebugLevel now) { level = int(now); }
void set_debug_level_from_environment() { level = int(from_environment()); }

}  // namespace thd
