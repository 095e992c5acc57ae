// Communicators: how ranks find each other.
#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <unordered_set>

#include "nccl.hpp"

namespace hostcuda {
namespace {

auto &comms = *new std::unordered_set<ncclComm_t>;
// By the number in a unique id: ranks that have not all come. null: no rank has.
auto &gathering = *new std::map<uint64_t, std::shared_ptr<Clique>>;
uint64_t idsMade;

struct Id {
  char name[16];
  uint64_t number;
};
static_assert(sizeof(Id) <= NCCL_UNIQUE_ID_BYTES);
constexpr char idName[] = "host CUDA's id";

std::string rankOf(int rank, int count) { return "rank " + std::to_string(rank) + " of " + std::to_string(count); }

// The thread's current device, where there is one.
ncclResult_t currentDevice(int *device) {
  if (cudaGetDevice(device) == cudaSuccess) return ncclSuccess;
  return refuse(ncclUnhandledCudaError, std::string("cudaGetDevice: ") + cudaGetErrorString(cudaGetLastError()));
}

// A rank comes, with its device. Holds the lock.
ncclResult_t join(const std::shared_ptr<Clique> &clique, uint64_t number, int count, int rank, int device) {
  const auto broken = [&](const std::string &why) {
    clique->broken = ncclInvalidUsage;
    ncclChanged().notify_all();
    return refuse(ncclInvalidUsage, why);
  };
  if (clique->broken) return refuse(clique->broken, "another rank was refused");
  if (clique->size() != count)
    return broken(rankOf(rank, count) + ": others say that there are " + std::to_string(clique->size()));
  if (clique->devices[size_t(rank)] >= 0) return broken(rankOf(rank, count) + " is there twice");
  if (std::count(clique->devices.begin(), clique->devices.end(), device))
    return broken("Duplicate GPU detected : " + rankOf(rank, count) + " on device " + std::to_string(device));
  clique->devices[size_t(rank)] = device;
  if (++clique->joined == count) gathering.erase(number);
  ncclChanged().notify_all();
  return ncclSuccess;
}

ncclResult_t awaitAll(Clique &clique, uint64_t number, int rank) {
  std::unique_lock<std::mutex> guard(ncclLock());
  waitForRanks(guard, [&] { return clique.broken || clique.joined == clique.size(); });
  if (clique.joined == clique.size() && !clique.broken) return ncclSuccess;
  if (!clique.broken) {
    clique.broken = ncclSystemError;
    refuse(ncclSystemError, rankOf(rank, clique.size()) + " waits for " +
                                std::to_string(clique.size() - clique.joined) + " that do not come");
  }
  gathering.erase(number);
  return clique.broken;
}

ncclResult_t make(ncclComm_t *comm, int count, const Id &id, int rank, int device) {
  auto made = std::make_shared<std::shared_ptr<Clique>>();
  *comm = nullptr;
  return defer({[=] {
                  std::lock_guard<std::mutex> guard(ncclLock());
                  const auto found = gathering.find(id.number);
                  if (found == gathering.end())
                    return refuse(ncclInvalidUsage, rankOf(rank, count) + ": the unique id has been used, or is none");
                  if (!found->second) found->second = std::make_shared<Clique>(count);
                  *made = found->second;
                  return join(*made, id.number, count, rank, device);
                },
                [=] {
                  if (!*made) return ncclInvalidUsage;
                  if (const ncclResult_t result = awaitAll(**made, id.number, rank)) return result;
                  std::lock_guard<std::mutex> guard(ncclLock());
                  *comm = new ncclComm{*made, rank, device};
                  comms.insert(*comm);
                  return ncclSuccess;
                }});
}

template <class F>
ncclResult_t ask(ncclComm_t comm, int *result, F &&f) {
  std::lock_guard<std::mutex> guard(ncclLock());
  if (!isComm(comm) || !result) return refuse(ncclInvalidArgument, "no communicator, or NULL");
  *result = f();
  return ncclSuccess;
}

}  // namespace

bool isComm(ncclComm_t comm) { return comms.count(comm) != 0; }

}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  if (!id) return refuse(ncclInvalidArgument, "ncclGetUniqueId: NULL");
  std::lock_guard<std::mutex> guard(ncclLock());
  Id made{};
  std::memcpy(made.name, idName, sizeof(idName));
  made.number = ++idsMade;
  gathering[made.number] = nullptr;
  std::memset(id, 0, sizeof(*id));
  std::memcpy(id, &made, sizeof(made));
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId bytes, int rank) {
  Id id;
  std::memcpy(&id, &bytes, sizeof(id));
  if (!comm || ranks < 1 || rank < 0 || rank >= ranks || std::memcmp(id.name, idName, sizeof(idName)))
    return inGroup(refuse(ncclInvalidArgument, "ncclCommInitRank: " + rankOf(rank, ranks)));
  int device;
  if (const ncclResult_t result = currentDevice(&device)) return inGroup(result);
  return make(comm, ranks, id, rank, device);
}

ncclResult_t ncclCommInitAll(ncclComm_t *found, int count, const int *devices) {
  int there = 0;
  if (cudaGetDeviceCount(&there)) return inGroup(refuse(ncclUnhandledCudaError, "ncclCommInitAll: no devices"));
  if (!found || count < 1) return inGroup(refuse(ncclInvalidArgument, "ncclCommInitAll: no communicators"));
  std::vector<int> all(static_cast<size_t>(count));
  if (devices)
    all.assign(devices, devices + count);
  else
    std::iota(all.begin(), all.end(), 0);
  for (const int device : all) {
    if (device < 0 || device >= there)
      return inGroup(refuse(ncclInvalidArgument, "ncclCommInitAll: there is no device " + std::to_string(device)));
    if (std::count(all.begin(), all.end(), device) > 1)
      return inGroup(refuse(ncclInvalidUsage, "Duplicate GPU detected : device " + std::to_string(device)));
  }
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  ncclGroupStart();
  for (int rank = 0; rank < count; rank++) {
    OnDevice on(all[size_t(rank)]);
    if (on.failed())
      inGroup(refuse(ncclUnhandledCudaError, "cudaSetDevice"));
    else
      ncclCommInitRank(&found[rank], count, id, rank);
  }
  return ncclGroupEnd();
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (!comm) return ncclSuccess;
  std::lock_guard<std::mutex> guard(ncclLock());
  if (!comms.erase(comm)) return refuse(ncclInvalidArgument, "ncclCommDestroy: no communicator");
  delete comm;
  return ncclSuccess;
}

ncclResult_t ncclCommCount(ncclComm_t comm, int *count) {
  return ask(comm, count, [=] { return comm->clique->size(); });
}

ncclResult_t ncclCommCuDevice(ncclComm_t comm, int *device) {
  return ask(comm, device, [=] { return comm->device; });
}

ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank) {
  return ask(comm, rank, [=] { return comm->rank; });
}

}  // extern "C"
