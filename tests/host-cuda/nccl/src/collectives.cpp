// Collectives and messages: a rank's call goes into its stream at once. What the others have called is compared there.
#include <algorithm>

#include "nccl.hpp"

namespace hostcuda {
namespace {

bool sameCall(const Part &a, const Part &b) {
  return a.kind == b.kind && a.count == b.count && a.type == b.type && a.root == b.root &&
         a.factor.empty() == b.factor.empty() && (a.op == b.op || !a.factor.empty());
}

ncclResult_t arrive(ncclComm_t comm, const Part &part) {
  std::lock_guard<std::mutex> guard(ncclLock());
  if (!isComm(comm)) return refuse(ncclInvalidArgument, "the communicator was destroyed before the group ended");
  Clique &clique = *comm->clique;
  if (clique.broken) return refuse(clique.broken, "a rank of the communicator has not come before");
  const auto rank = size_t(comm->rank);
  const size_t number = clique.next[rank]++ - clique.first;
  if (number == clique.meetings.size()) clique.meetings.push_back(std::make_shared<Meeting>(clique.devices.size()));
  const auto meeting = clique.meetings[number];
  {
    const std::lock_guard inner(meeting->lock);
    for (size_t other = 0; other < meeting->parts.size(); other++)
      if (meeting->came[other] && !sameCall(meeting->parts[other], part) && !meeting->differs) {
        meeting->differs = true;
        fprintf(stderr,
                "host CUDA: NCCL: rank %zu and rank %zu differ in what they call, or in count, data type, operation or "
                "root: they wait for ever\n",
                other, rank);
      }
  }
  const ncclResult_t result = attend(comm, meeting, part);
  if (!meeting->missing()) {
    // Ranks come to their meetings in order, so the first is complete first.
    clique.meetings.pop_front();
    clique.first++;
  }
  return result ? result : begun(comm);
}

// That the current device and the stream's are the communicator's.
ncclResult_t placed(const char *name, ncclComm_t comm, cudaStream_t stream, int *count) {
  const auto argument = [&](const char *which) {
    return refuse(ncclInvalidArgument, std::string(name) + ": " + which);
  };
  int device = -1;
  if (ncclCommCuDevice(comm, &device) || ncclCommCount(comm, count)) return argument("no communicator");
  int current, of = -1;
  if (cudaGetDevice(&current)) return refuse(ncclUnhandledCudaError, std::string(name) + ": cudaGetDevice");
  if (current != device)
    return refuse(ncclInvalidUsage, std::string(name) + ": the communicator is of device " + std::to_string(device) +
                                        ", and the current one is " + std::to_string(current));
  if (cudaStreamGetDevice(stream, &of)) return refuse(ncclUnhandledCudaError, "stream");
  if (of != device) return argument("a stream of another device");
  return usable(comm, name);
}

ncclResult_t call(const char *name, Part part, ncclComm_t comm) {
  const auto argument = [&](const char *which) {
    return inGroup(refuse(ncclInvalidArgument, std::string(name) + ": " + which));
  };
  int count = 0;
  if (!sizeOf(part.type)) return argument("data type");
  if (part.op < 0) return argument("operation");
  if (part.op >= ncclNumOps) {
    std::lock_guard<std::mutex> guard(ncclLock());
    if (!isComm(comm) || !comm->factors.count(part.op)) return argument("operation");
    const auto &[type, factor] = comm->factors[part.op];
    if (type != part.type) return argument("data type of the operation");
    part.factor = factor;
  }
  if (const ncclResult_t result = placed(name, comm, part.stream, &count)) return inGroup(result);
  if (part.root < 0 || part.root >= count) return argument("root");
  return defer({[=] { return arrive(comm, part); }, nullptr});
}

// Messages that the calling thread's group has gathered, for each communicator and stream.
struct Gathered {
  ncclComm_t comm;
  cudaStream_t stream;
  std::vector<Ending> endings;
};
thread_local std::vector<Gathered> gathered;

ncclResult_t gather(ncclComm_t comm, int peer, bool receives, const void *data, size_t count, ncclDataType_t type,
                    cudaStream_t stream) {
  std::lock_guard<std::mutex> guard(ncclLock());
  if (!isComm(comm)) return refuse(ncclInvalidArgument, "the communicator was destroyed before the group ended");
  Clique &clique = *comm->clique;
  const int from = receives ? peer : comm->rank, to = receives ? comm->rank : peer;
  const size_t number = clique.messagesOf[{from, to, receives}]++;
  auto &message = clique.messages[{from, to, number}];
  const bool second = bool(message);
  if (!message) message = std::make_shared<Message>();
  const std::shared_ptr<Message> mine = message;
  if (second) clique.messages.erase({from, to, number});
  {
    const std::lock_guard inner(mine->lock);
    mine->count[receives] = count;
    mine->type[receives] = type;
  }
  auto found = std::ranges::find_if(gathered, [&](const Gathered &g) { return g.comm == comm && g.stream == stream; });
  if (found == gathered.end()) found = gathered.insert(gathered.end(), {comm, stream, {}});
  found->endings.push_back({mine, receives, data, count * sizeOf(type)});
  return ncclSuccess;
}

ncclResult_t exchangeGathered() {
  ncclResult_t result = ncclSuccess;
  const std::vector<Gathered> all = std::move(gathered);
  gathered.clear();
  std::lock_guard<std::mutex> guard(ncclLock());
  for (const Gathered &one : all) {
    const ncclResult_t r = exchange(one.comm, one.stream, one.endings);
    if (const ncclResult_t now = r ? r : begun(one.comm); now && (!result || result == ncclInProgress)) result = now;
  }
  return result;
}

ncclResult_t message(const char *name, ncclComm_t comm, int peer, bool receives, const void *data, size_t count,
                     ncclDataType_t type, cudaStream_t stream) {
  int ranks = 0;
  if (!sizeOf(type)) return inGroup(refuse(ncclInvalidArgument, std::string(name) + ": data type"));
  if (const ncclResult_t result = placed(name, comm, stream, &ranks)) return inGroup(result);
  if (peer < 0 || peer >= ranks) return inGroup(refuse(ncclInvalidArgument, std::string(name) + ": peer"));
  return defer({[=] { return gather(comm, peer, receives, data, count, type, stream); }, exchangeGathered});
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

ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return message(__func__, comm, peer, false, send, count, type, stream);
}

ncclResult_t ncclRecv(void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return message(__func__, comm, peer, true, receive, count, type, stream);
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t comm) {
  std::lock_guard<std::mutex> guard(ncclLock());
  if (!op || !scalar || !isComm(comm) || !sizeOf(type) || residence != ncclScalarHostImmediate)
    return refuse(ncclInvalidArgument, __func__);
  const int number = comm->factors.empty() ? int(ncclNumOps) : comm->factors.rbegin()->first + 1;
  const auto *bytes = static_cast<const char *>(scalar);
  comm->factors[number] = {type, Bytes(bytes, bytes + sizeOf(type))};
  *op = ncclRedOp_t(number);
  return ncclSuccess;
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) {
  std::lock_guard<std::mutex> guard(ncclLock());
  if (!isComm(comm) || !comm->factors.erase(int(op))) return refuse(ncclInvalidArgument, __func__);
  return ncclSuccess;
}

}  // extern "C"
