// Errors and the dtype table.
#include <TH/THException.hpp>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include "kit/define.hpp"

namespace {

[[noreturn]] void throwException(THErrorKind kind, const char *message) { throw th::Exception(kind, message); }

std::atomic<THErrorHandler> handler{throwException};

}  // namespace

void THError(THErrorKind kind, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  std::string message(size_t(std::max(0, std::vsnprintf(nullptr, 0, format, args))), '\0');
  std::vsnprintf(message.data(), message.size() + 1, format, again);
  va_end(again);
  va_end(args);
  handler.load()(kind, message.c_str());
  std::fprintf(stderr, "TH: an error handler returned: %s\n", message.c_str());
  std::abort();
}

THErrorHandler TH_setErrorHandler(THErrorHandler next) { return handler.exchange(next ? next : throwException); }

size_t TH_elementSize(THDtype dtype) { return th::dtypeTable[dtype].size; }
THKind TH_kind(THDtype dtype) { return th::dtypeTable[dtype].kind; }
int TH_digits(THDtype dtype) { return th::dtypeTable[dtype].digits; }
double TH_finfoMax(THDtype dtype) { return th::dtypeTable[dtype].greatest; }
double TH_smallest(THDtype dtype) { return th::dtypeTable[dtype].smallest; }
THDtype TH_realDtype(THDtype dtype) { return th::realDtype(dtype); }
const char *TH_dtypeName(THDtype dtype) { return th::dtypeTable[dtype].name; }
const char *TH_deviceName(THDeviceKind kind) {
  static constexpr const char *names[] = {
#define TH_NAME(Name, name) name,
      TH_DEVICES(TH_NAME)
#undef TH_NAME
  };
  return names[kind];
}
const char *TH_layoutName(THLayout layout) {
  static constexpr const char *names[] = {
#define TH_NAME(NAME, name) name,
      TH_LAYOUTS(TH_NAME)
#undef TH_NAME
  };
  return names[layout];
}
const char *TH_typeName(THDtype dtype) { return th::dtypeTable[dtype].typeName; }
