// Groups of calls, waiting for other ranks, and errors.
#include <chrono>
#include <cstdlib>

#include "nccl.hpp"

namespace hostcuda {
namespace {

thread_local int depth;
thread_local ncclResult_t failed = ncclSuccess;
thread_local std::vector<Deferred> pending;
thread_local std::string lastError;

ncclResult_t run(const std::vector<Deferred> &all) {
  ncclResult_t result = ncclSuccess;
  const auto note = [&](ncclResult_t r) {
    if (r && (!result || result == ncclInProgress)) result = r;
  };
  for (const Deferred &work : all) note(work.begin());
  for (const Deferred &work : all)
    if (work.wait) note(work.wait());
  hostcudaChanged();
  return result;
}

}  // namespace

std::mutex &ncclLock() {
  static auto &lock = *new std::mutex;
  return lock;
}

std::condition_variable &ncclChanged() {
  static auto &changed = *new std::condition_variable;
  return changed;
}

std::chrono::milliseconds patience() {
  static const int milliseconds = [] {
    const char *given = std::getenv("HOST_CUDA_NCCL_WAIT");
    return given ? std::atoi(given) : 30000;
  }();
  return std::chrono::milliseconds(milliseconds);
}

bool waitForRanks(std::unique_lock<std::mutex> &guard, const std::function<bool()> &done) {
  return ncclChanged().wait_for(guard, patience(), done);
}

ncclResult_t refuse(ncclResult_t result, const std::string &why) {
  lastError = why;
  return result;
}

ncclResult_t defer(Deferred work) {
  if (!depth) return run({std::move(work)});
  pending.push_back(std::move(work));
  return ncclSuccess;
}

ncclResult_t inGroup(ncclResult_t result) {
  if (depth && result && !failed) failed = result;
  return result;
}

}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

ncclResult_t ncclGroupStart(void) {
  depth++;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void) {
  if (!depth) return refuse(ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
  if (--depth) return ncclSuccess;
  const std::vector<Deferred> all = std::move(pending);
  const ncclResult_t before = failed;
  pending.clear();
  failed = ncclSuccess;
  return before ? before : run(all);
}

const char *ncclGetLastError(ncclComm_t) { return lastError.c_str(); }

const char *ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess: return "no error";
    case ncclUnhandledCudaError: return "unhandled cuda error";
    case ncclSystemError: return "unhandled system error";
    case ncclInternalError: return "internal error";
    case ncclInvalidArgument: return "invalid argument";
    case ncclInvalidUsage: return "invalid usage";
    case ncclRemoteError: return "remote process exited or there was a network error";
    case ncclInProgress: return "NCCL operation in progress";
    default: return "unknown result code";
  }
}

ncclResult_t ncclGetVersion(int *version) {
  if (!version) return refuse(ncclInvalidArgument, "ncclGetVersion: NULL");
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

}  // extern "C"
