// Collectives. A rank's call waits for the calls of the others; the last one puts the work into the streams of all, where
// it begins when each stream has come so far, and no stream goes on before it is done.
#include <algorithm>

#include "nccl.hpp"

namespace hostcuda {
namespace {

bool sameCall(const Part &a, const Part &b) {
  return a.kind == b.kind && a.count == b.count && a.type == b.type && a.op == b.op && a.root == b.root;
}

// All ranks have come. Holds the lock, which no stream's work waits for.
void hold(Clique &clique, Meeting &meeting) {
  const auto other = std::find_if(meeting.parts.begin(), meeting.parts.end(),
                                  [&](const Part &part) { return !sameCall(part, meeting.parts[0]); });
  if (other == meeting.parts.end())
    meeting.result = carryOut(clique, meeting.parts);
  else
    meeting.result = refuse(ncclInvalidUsage,
                            "rank 0 and rank " + std::to_string(other - meeting.parts.begin()) +
                                " differ in what they call, or in count, data type, operation or root");
  meeting.over = true;
}

ncclResult_t arrive(ncclComm_t comm, const Part &part, std::shared_ptr<Meeting> &mine) {
  std::lock_guard<std::mutex> guard(ncclLock());
  if (!isComm(comm)) return refuse(ncclInvalidArgument, "the communicator was destroyed before the group ended");
  Clique &clique = *comm->clique;
  if (clique.broken) return refuse(clique.broken, "a rank of the communicator has not come before");
  const auto rank = size_t(comm->rank);
  const size_t number = clique.next[rank]++ - clique.first;
  if (number == clique.meetings.size()) {
    clique.meetings.push_back(std::make_shared<Meeting>());
    clique.meetings.back()->parts.resize(clique.devices.size());
  }
  mine = clique.meetings[number];
  mine->parts[rank] = part;
  if (++mine->arrived == clique.size()) {
    // Ranks come to their meetings in order, so the first is complete first.
    clique.meetings.pop_front();
    clique.first++;
    hold(clique, *mine);
    ncclChanged().notify_all();
  }
  return ncclSuccess;
}

ncclResult_t call(const char *name, Part part, ncclComm_t comm) {
  const auto argument = [&](const char *which) {
    return inGroup(refuse(ncclInvalidArgument, std::string(name) + ": " + which));
  };
  int device = -1, rank, count;
  if (ncclCommCuDevice(comm, &device) || ncclCommUserRank(comm, &rank) || ncclCommCount(comm, &count))
    return argument("no communicator");
  if (!sizeOf(part.type)) return argument("data type");
  if (part.op < 0 || part.op >= ncclNumOps) return argument("operation");
  if (part.root < 0 || part.root >= count) return argument("root");
  int current, of = -1;
  if (cudaGetDevice(&current)) return inGroup(refuse(ncclUnhandledCudaError, std::string(name) + ": cudaGetDevice"));
  if (current != device)
    return inGroup(refuse(ncclInvalidUsage, std::string(name) + ": the communicator is of device " +
                                                std::to_string(device) + ", and the current one is " +
                                                std::to_string(current)));
  if (cudaStreamGetDevice(part.stream, &of)) return inGroup(refuse(ncclUnhandledCudaError, "stream"));
  if (of != device) return argument("a stream of another device");
  auto mine = std::make_shared<std::shared_ptr<Meeting>>();
  return defer({[=] { return arrive(comm, part, *mine); },
                [=] {
                  if (!*mine) return ncclInvalidUsage;
                  std::unique_lock<std::mutex> guard(ncclLock());
                  if (waitForRanks(guard, [&] { return (*mine)->over; })) return (*mine)->result;
                  if (isComm(comm)) comm->clique->broken = ncclRemoteError;
                  return refuse(ncclRemoteError, std::string(name) + ": of " + std::to_string(count) + " ranks " +
                                                     std::to_string((*mine)->arrived) + " have come");
                }});
}

}  // namespace
}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream) {
  return call(__func__, {Kind::allReduce, send, receive, count, type, op, 0, stream}, comm);
}

ncclResult_t ncclReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
                        ncclComm_t comm, cudaStream_t stream) {
  return call(__func__, {Kind::reduce, send, receive, count, type, op, root, stream}, comm);
}

ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  return call(__func__, {Kind::broadcast, send, receive, count, type, ncclSum, root, stream}, comm);
}

ncclResult_t ncclAllGather(const void *send, void *receive, size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream) {
  return call(__func__, {Kind::allGather, send, receive, count, type, ncclSum, 0, stream}, comm);
}

ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t comm, cudaStream_t stream) {
  return call(__func__, {Kind::reduceScatter, send, receive, count, type, op, 0, stream}, comm);
}

}  // extern "C"
