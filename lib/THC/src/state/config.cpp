#include "config.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include <THC/THCGeneral.h>

namespace {

using std::string_view;

const char
    *source = "PYTORCH_CUDA_ALLOC_CONF";  // the variable that is read, for messages; PYTORCH_ALLOC_CONF goes before it

string_view trimmed(string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The text before the first `mark` outside brackets, taken off `rest`.
string_view takeUpTo(string_view &rest, char mark) {
  int depth = 0;
  size_t i = 0;
  for (; i < rest.size() && (rest[i] != mark || depth); i++) depth += (rest[i] == '[') - (rest[i] == ']');
  const string_view taken = rest.substr(0, i);
  rest.remove_prefix(std::min(rest.size(), i + 1));
  return trimmed(taken);
}

[[noreturn]] void refuse(string_view key, string_view value, const char *expected) {
  THError(TH_ERROR_RUNTIME, "%s: %.*s must be %s, got '%.*s'", source, int(key.size()), key.data(), expected,
          int(value.size()), value.data());
}

double number(string_view key, string_view value, const char *expected) {
  const std::string text(value);
  char *end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !std::isfinite(x)) refuse(key, value, expected);
  return x;
}

size_t powerOfTwo(string_view key, string_view value) {
  constexpr const char *expected = "a power of two up to 64";
  const double x = number(key, value, expected);
  if (!(x >= 1 && x <= 64) || x != std::floor(x) || !std::has_single_bit(size_t(x))) refuse(key, value, expected);
  return size_t(x);
}

// One number for all sizes, or a list "[256:1,512:2,>:4]" of megabytes below which a number holds.
void readDivisions(std::vector<std::pair<size_t, size_t>> &divisions, string_view key, string_view value) {
  divisions.clear();
  if (!value.starts_with('[')) {
    divisions.emplace_back(SIZE_MAX, powerOfTwo(key, value));
    return;
  }
  constexpr const char *expected = "a number or a list such as [256:1,512:2,>:4]";
  if (!value.ends_with(']')) refuse(key, value, expected);
  string_view rest = value.substr(1, value.size() - 2);
  size_t last = 0;
  while (!rest.empty()) {
    string_view entry = takeUpTo(rest, ',');
    const string_view bound = takeUpTo(entry, ':');
    size_t below = SIZE_MAX;
    if (bound != ">") {
      const double megabytes = number(key, bound, expected);
      if (!(megabytes >= 1 && megabytes <= 1 << 20)) refuse(key, value, expected);
      below = size_t(megabytes) * thc::kMiB;
    }
    if (below <= last) refuse(key, value, expected);
    divisions.emplace_back(below, powerOfTwo(key, trimmed(entry)));
    last = below;
  }
  if (divisions.empty()) refuse(key, value, expected);
}

}  // namespace

size_t thc::MemoryConfig::divisionsOf(size_t nbytes) const {
  for (const auto &[below, steps] : divisions)
    if (nbytes < below) return steps;
  return 1;
}

thc::MemoryConfig thc::parseMemoryConfig(const char *text) {
  MemoryConfig config;
  string_view rest = text;
  while (!rest.empty()) {
    string_view value = takeUpTo(rest, ',');
    if (value.empty()) continue;
    const string_view key = takeUpTo(value, ':');
    value = trimmed(value);
    if (key == "max_split_size_mb") {
      constexpr const char *expected = "a number of megabytes above 20";
      const double megabytes = number(key, value, expected);
      if (!(megabytes > 20 && megabytes < double(SIZE_MAX / kMiB))) refuse(key, value, expected);
      config.maxSplit = size_t(megabytes) * kMiB;
    } else if (key == "garbage_collection_threshold") {
      constexpr const char *expected = "between 0 and 1";
      config.garbageThreshold = number(key, value, expected);
      if (!(config.garbageThreshold > 0 && config.garbageThreshold < 1)) refuse(key, value, expected);
    } else if (key == "roundup_power2_divisions") {
      readDivisions(config.divisions, key, value);
    } else if (key == "backend") {
      if (value != "native") refuse(key, value, "native, the only allocator here");
    } else if (key == "expandable_segments") {
      if (value != "False") refuse(key, value, "False: segments here do not grow");
    } else {
      THError(TH_ERROR_RUNTIME, "Unrecognized CachingAllocator option: %.*s (in %s)", int(key.size()), key.data(),
              source);
    }
  }
  return config;
}

const thc::MemoryConfig &thc::memoryConfig() {
  static const MemoryConfig *const config = [] {
    const char *text = std::getenv("PYTORCH_ALLOC_CONF");
    if (text)
      source = "PYTORCH_ALLOC_CONF";
    else
      text = std::getenv(source);
    MemoryConfig read = parseMemoryConfig(text ? text : "");
    read.caching = std::getenv("PYTORCH_NO_CUDA_MEMORY_CACHING") == nullptr;
    return new MemoryConfig(std::move(read));
  }();
  return *config;
}
