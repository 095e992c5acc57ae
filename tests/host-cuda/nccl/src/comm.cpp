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

ncclComm_t record(const std::shared_ptr<Clique> &clique, int rank, int device, bool blocking) {
  return *comms.insert(new ncclComm{clique, rank, device, blocking}).first;
}

ncclResult_t make(ncclComm_t *comm, int count, const Id &id, int rank, int device, bool blocking) {
  auto made = std::make_shared<std::shared_ptr<Clique>>();
  *comm = nullptr;
  return defer({[=] {
                  std::lock_guard<std::mutex> guard(ncclLock());
                  const auto found = gathering.find(id.number);
                  if (found == gathering.end())
                    return refuse(ncclInvalidUsage, rankOf(rank, count) + ": the unique id has been used, or is none");
                  if (!found->second) found->second = std::make_shared<Clique>(count);
                  *made = found->second;
                  if (const ncclResult_t result = join(*made, id.number, count, rank, device)) return result;
                  if (!blocking) *comm = record(*made, rank, device, false);
                  return ncclSuccess;
                },
                [=] {
                  if (!*made) return ncclInvalidUsage;
                  if (!blocking) return *comm ? ncclInProgress : ncclInvalidUsage;
                  if (const ncclResult_t result = awaitAll(**made, id.number, rank)) return result;
                  std::lock_guard<std::mutex> guard(ncclLock());
                  *comm = record(*made, rank, device, true);
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

namespace {

// What became of the last call. Holds the lock.
ncclResult_t state(ncclComm_t comm) {
  const Clique &clique = *comm->clique;
  if (comm->fate->error) return comm->fate->error;
  if (clique.broken) return clique.broken;
  if (clique.joined < clique.size()) return ncclInProgress;
  if (comm->splitting) {
    if (comm->splitting->result) return comm->splitting->result;
    comm->splitting = nullptr;
  }
  if (comm->answers > 0 && comm->answers--) return ncclInProgress;
  return ncclSuccess;
}

// All ranks have come to be split: a clique for each color, in the order of keys. Holds the lock.
void divide(const Clique &whole, Splitting &splitting) {
  std::map<int, std::vector<size_t>> colors;
  for (size_t rank = 0; rank < whole.devices.size(); rank++)
    if (splitting.color[rank] != NCCL_SPLIT_NOCOLOR) colors[splitting.color[rank]].push_back(rank);
  for (auto &[color, ranks] : colors) {
    std::ranges::stable_sort(ranks, {}, [&](size_t rank) { return splitting.key[rank]; });
    const auto clique = std::make_shared<Clique>(int(ranks.size()));
    for (size_t i = 0; i < ranks.size(); i++) {
      clique->devices[i] = whole.devices[ranks[i]];
      *splitting.made[ranks[i]] = record(clique, int(i), whole.devices[ranks[i]], splitting.blocking[ranks[i]]);
    }
    clique->joined = clique->size();
  }
  splitting.result = ncclSuccess;
  ncclChanged().notify_all();
}

ncclResult_t enterSplit(ncclComm_t comm, int color, int key, ncclComm_t *made, bool blocking,
                        std::shared_ptr<Splitting> &mine) {
  std::lock_guard<std::mutex> guard(ncclLock());
  if (!isComm(comm)) return refuse(ncclInvalidArgument, "ncclCommSplit: no communicator");
  Clique &clique = *comm->clique;
  const auto rank = size_t(comm->rank);
  const size_t number = clique.splits[rank]++;
  auto &splitting = clique.splitting[number];
  if (!splitting) {
    splitting = std::make_shared<Splitting>();
    splitting->color.resize(clique.devices.size());
    splitting->key.resize(clique.devices.size());
    splitting->made.resize(clique.devices.size());
    splitting->blocking.resize(clique.devices.size());
  }
  mine = splitting;
  mine->color[rank] = color;
  mine->key[rank] = key;
  mine->made[rank] = made;
  mine->blocking[rank] = blocking;
  if (!comm->blocking) comm->splitting = mine;
  if (++mine->arrived == clique.size()) {
    clique.splitting.erase(number);
    divide(clique, *mine);
  }
  return ncclSuccess;
}

ncclResult_t drop(ncclComm_t comm, const char *name, bool abort) {
  if (!comm) return ncclSuccess;
  {
    std::lock_guard<std::mutex> guard(ncclLock());
    if (!comms.erase(comm)) return refuse(ncclInvalidArgument, std::string(name) + ": no communicator");
    if (abort) {
      comm->fate->aborted = true;
      if (comm->clique->joined < comm->clique->size() && !comm->clique->broken) comm->clique->broken = ncclRemoteError;
    }
    delete comm;
  }
  hostcudaChanged();
  return ncclSuccess;
}

}  // namespace

ncclResult_t usable(ncclComm_t comm, const char *name) {
  std::lock_guard<std::mutex> guard(ncclLock());
  if (!isComm(comm)) return refuse(ncclInvalidArgument, std::string(name) + ": no communicator");
  if (!comm->blocking && state(comm) == ncclInProgress)
    return refuse(ncclInvalidArgument, std::string(name) + ": the call before is still in progress");
  return ncclSuccess;
}

ncclResult_t begun(ncclComm_t comm) {
  if (!isComm(comm) || comm->blocking) return ncclSuccess;
  comm->answers = 1;
  return ncclInProgress;
}

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
  return ncclCommInitRankConfig(comm, ranks, bytes, rank, nullptr);
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId bytes, int rank, ncclConfig_t *config) {
  Id id;
  std::memcpy(&id, &bytes, sizeof(id));
  if (!comm || ranks < 1 || rank < 0 || rank >= ranks || std::memcmp(id.name, idName, sizeof(idName)))
    return inGroup(refuse(ncclInvalidArgument, "ncclCommInitRank: " + rankOf(rank, ranks)));
  int device;
  if (const ncclResult_t result = currentDevice(&device)) return inGroup(result);
  return make(comm, ranks, id, rank, device, !config || config->blocking != 0);
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

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *made, ncclConfig_t *config) {
  if (!made || color < NCCL_SPLIT_NOCOLOR) return inGroup(refuse(ncclInvalidArgument, __func__));
  if (const ncclResult_t result = usable(comm, __func__)) return inGroup(result);
  *made = nullptr;
  const bool waits = comm->blocking;
  const bool blocking = config && config->blocking != NCCL_CONFIG_UNDEF_INT ? config->blocking != 0 : waits;
  auto mine = std::make_shared<std::shared_ptr<Splitting>>();
  return defer({[=] { return enterSplit(comm, color, key, made, blocking, *mine); },
                [=] {
                  if (!*mine) return ncclInvalidUsage;
                  if (!waits) return ncclInProgress;
                  std::unique_lock<std::mutex> guard(ncclLock());
                  if (waitForRanks(guard, [&] { return (*mine)->result != ncclInProgress; })) return (*mine)->result;
                  return refuse(ncclRemoteError, "ncclCommSplit: of " + std::to_string((*mine)->color.size()) +
                                                     " ranks " + std::to_string((*mine)->arrived) + " have come");
                }});
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error) {
  std::lock_guard<std::mutex> guard(ncclLock());
  if (!isComm(comm) || !error) return refuse(ncclInvalidArgument, "no communicator, or NULL");
  *error = state(comm);
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) { return drop(comm, __func__, true); }

ncclResult_t ncclCommFinalize(ncclComm_t comm) { return usable(comm, __func__); }

ncclResult_t ncclCommDestroy(ncclComm_t comm) { return drop(comm, __func__, false); }

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
