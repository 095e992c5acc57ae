#include "architecture.hpp"

#include <string_view>

namespace {

bool nameRunsOn(std::string_view name, int major, int minor) {
  const size_t underscore = name.find('_');
  if (underscore == name.npos) return false;
  const bool code = name.substr(0, underscore) == "sm";
  const std::string_view number = name.substr(underscore + 1);
  char suffix = 0;
  int value = 0;
  for (const char c : number)
    if (c >= '0' && c <= '9')
      value = value * 10 + (c - '0');
    else
      suffix = c;
  if (suffix == 'a') return value == major * 10 + minor;
  if (code || suffix == 'f') return value / 10 == major && value % 10 <= minor;
  return value <= major * 10 + minor;
}

}  // namespace

bool thc::runsOn(const char *list, int major, int minor) {
  std::string_view rest = list;
  while (!rest.empty()) {
    const size_t space = rest.find(' ');
    if (nameRunsOn(rest.substr(0, space), major, minor)) return true;
    rest = space == rest.npos ? std::string_view() : rest.substr(space + 1);
  }
  return false;
}
