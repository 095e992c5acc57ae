// What operations do in the order of the ranks' streams: a rank's stream gives what it sends, and goes on when the others have
// done so.
#include <cstdio>
#include <cstring>

#include "nccl.hpp"

namespace hostcuda {
namespace {

template <class T>
T load(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// Calls f with the element type of a data type.
template <class F>
auto ofType(ncclDataType_t type, F &&f) {
  switch (type) {
    case ncclInt8: return f(int8_t());
    case ncclUint8: return f(uint8_t());
    case ncclInt32: return f(int32_t());
    case ncclUint32: return f(uint32_t());
    case ncclInt64: return f(int64_t());
    case ncclUint64: return f(uint64_t());
    case ncclFloat16: return f(_Float16());
    case ncclFloat32: return f(float());
    case ncclFloat64: return f(double());
    case ncclBfloat16: return f(__bf16());
    default: return f(uint8_t());
  }
}

template <class T>
T combine(ncclRedOp_t op, T a, T b) {
  switch (op) {
    case ncclProd: return T(a * b);
    case ncclMax: return a < b ? b : a;
    case ncclMin: return b < a ? b : a;
    default: return T(a + b);
  }
}

// The elements, each times a factor.
Bytes scaled(Bytes bytes, ncclDataType_t type, const Bytes &factor) {
  if (factor.empty()) return bytes;
  return ofType(type, [&](auto zero) {
    using T = decltype(zero);
    const T by = load<T>(factor.data());
    for (size_t i = 0; i < bytes.size(); i += sizeof(T)) {
      const T value = T(load<T>(&bytes[i]) * by);
      std::memcpy(&bytes[i], &value, sizeof(value));
    }
    return bytes;
  });
}

// One rank after the other, as a ring of them does.
Bytes reduced(const std::vector<Part> &parts, const std::vector<Bytes> &given) {
  std::vector<Bytes> sent;
  for (size_t rank = 0; rank < parts.size(); rank++)
    sent.push_back(scaled(given[rank], parts[0].type, parts[rank].factor));
  const ncclRedOp_t op = parts[0].op;
  Bytes result = sent[0];
  ofType(parts[0].type, [&](auto zero) {
    using T = decltype(zero);
    for (size_t i = 0; i < result.size(); i += sizeof(T)) {
      T value = load<T>(&result[i]);
      for (size_t rank = 1; rank < sent.size(); rank++) value = combine(op, value, load<T>(&sent[rank][i]));
      if (op == ncclAvg) value = T(value / T(sent.size()));
      std::memcpy(&result[i], &value, sizeof(value));
    }
  });
  return result;
}

// Has a rank waited too long? NCCL would wait for ever: here it ends the device's work.
struct Patience {
  Time until = std::chrono::steady_clock::now() + patience();
  bool over(const std::string &who, Fate &fate) const {
    if (std::chrono::steady_clock::now() < until) return false;
    fprintf(stderr, "host CUDA: NCCL: %s has waited in vain for %lld ms\n", who.c_str(), (long long)patience().count());
    fate.error = ncclRemoteError;
    return true;
  }
};

ncclResult_t failed() {
  return refuse(ncclUnhandledCudaError, std::string("an operation: ") + cudaGetErrorString(cudaGetLastError()));
}

bool mayTouch(int device, const void *data, size_t bytes) {
  return !bytes || hostcudaMayTouch(device, data, bytes, "NCCL");
}

}  // namespace

size_t Meeting::missing() const {
  size_t n = 0;
  for (const bool here : came) n += !here;
  return n;
}

size_t sizeOf(ncclDataType_t type) {
  if (type < 0 || type > ncclBfloat16) return 0;
  return ofType(type, [](auto zero) { return sizeof(zero); });
}

Sizes sizesOf(const Part &part, int rank, size_t ranks) {
  const size_t n = part.count * sizeOf(part.type);
  switch (part.kind) {
    case Kind::reduce: return {n, rank == part.root ? n : 0};
    case Kind::broadcast: return {rank == part.root ? n : 0, n};
    case Kind::allGather: return {n, ranks * n};
    case Kind::reduceScatter: return {ranks * n, n};
    default: return {n, n};
  }
}

Bytes outcome(const std::vector<Part> &parts, const std::vector<Bytes> &sent, size_t rank) {
  const Part &mine = parts[rank];
  const size_t size = sizesOf(mine, int(rank), parts.size()).receive;
  Bytes result;
  switch (mine.kind) {
    case Kind::broadcast: return sent[size_t(mine.root)];
    case Kind::allGather:
      for (const Bytes &bytes : sent) result.insert(result.end(), bytes.begin(), bytes.end());
      return result;
    default: result = reduced(parts, sent);
  }
  const size_t at = mine.kind == Kind::reduceScatter ? rank * size : 0;
  return Bytes(result.begin() + ptrdiff_t(at), result.begin() + ptrdiff_t(at + size));
}

ncclResult_t attend(ncclComm_t comm, const std::shared_ptr<Meeting> &meeting, const Part &part) {
  const auto rank = size_t(comm->rank);
  const int device = comm->device;
  const auto fate = comm->fate;
  const Sizes sizes = sizesOf(part, int(rank), meeting->parts.size());
  OnDevice on(device);
  // A bad address ends the work of the device that was given it.
  const auto give = [=] {
    const bool good = mayTouch(device, part.send, sizes.send) && mayTouch(device, part.receive, sizes.receive);
    const std::lock_guard guard(meeting->lock);
    const auto *from = static_cast<const char *>(part.send);
    if (good && sizes.send) meeting->sent[rank].assign(from, from + sizes.send);
    meeting->refused |= !good;
    return good ? cudaSuccess : cudaErrorIllegalAddress;
  };
  hostcudaMoment given;
  if (on.failed() || hostcudaTask(part.stream, give) || hostcudaLast(part.stream, &given)) return failed();
  {
    const std::lock_guard guard(meeting->lock);
    meeting->last[rank] = given;
    meeting->parts[rank] = part;
    meeting->came[rank] = true;
  }
  const auto late = std::make_shared<bool>(false);
  const auto may = [=, waits = Patience()](std::vector<hostcudaMoment> &first) {
    if (fate->aborted) return true;
    const std::lock_guard guard(meeting->lock);
    if (const size_t n = meeting->missing(); n || meeting->differs)
      return *late = waits.over("rank " + std::to_string(rank) + " of " + std::to_string(meeting->parts.size()) +
                                    ", of which " + std::to_string(meeting->parts.size() - n) + " have come,",
                                *fate);
    first = meeting->last;
    return true;
  };
  const auto take = [=] {
    if (fate->aborted) return cudaSuccess;
    if (*late) return cudaErrorLaunchTimeout;
    const std::lock_guard guard(meeting->lock);
    if (meeting->refused || !sizes.receive) return cudaSuccess;
    const Bytes result = outcome(meeting->parts, meeting->sent, rank);
    std::memcpy(part.receive, result.data(), result.size());
    return cudaSuccess;
  };
  if (hostcudaMeet(part.stream, may, take)) return failed();
  return ncclSuccess;
}

ncclResult_t exchange(ncclComm_t comm, cudaStream_t stream, const std::vector<Ending> &endings) {
  const int device = comm->device, rank = comm->rank;
  const auto fate = comm->fate;
  OnDevice on(device);
  const auto give = [=] {
    cudaError_t result = cudaSuccess;
    for (const Ending &end : endings) {
      const bool good = mayTouch(device, end.data, end.bytes);
      if (!good) result = cudaErrorIllegalAddress;
      const std::lock_guard guard(end.message->lock);
      const auto *from = static_cast<const char *>(end.data);
      if (good && !end.receives && end.bytes) end.message->bytes.assign(from, from + end.bytes);
      end.message->refused |= !good;
    }
    return result;
  };
  hostcudaMoment given;
  if (on.failed() || hostcudaTask(stream, give) || hostcudaLast(stream, &given)) return failed();
  for (const Ending &end : endings) {
    const std::lock_guard guard(end.message->lock);
    end.message->last[end.receives] = given;
    end.message->here[end.receives] = true;
    if (end.message->here[!end.receives] &&
        (end.message->count[0] != end.message->count[1] || end.message->type[0] != end.message->type[1]))
      fprintf(stderr,
              "host CUDA: NCCL: %zu elements are sent and %zu received, or of other types: both wait for ever\n",
              end.message->count[0], end.message->count[1]);
  }
  const auto late = std::make_shared<bool>(false);
  const auto may = [=, waits = Patience()](std::vector<hostcudaMoment> &first) {
    if (fate->aborted) return true;
    for (const Ending &end : endings) {
      Message &message = *end.message;
      const std::lock_guard guard(message.lock);
      if (!message.here[0] || !message.here[1] || message.count[0] != message.count[1] ||
          message.type[0] != message.type[1])
        return *late = waits.over(
                   "rank " + std::to_string(rank) + (end.receives ? ", which receives," : ", which sends,"), *fate);
      first.push_back(message.last[!end.receives]);
    }
    return true;
  };
  const auto take = [=] {
    if (fate->aborted) return cudaSuccess;
    if (*late) return cudaErrorLaunchTimeout;
    for (const Ending &end : endings) {
      const std::lock_guard guard(end.message->lock);
      if (end.receives && end.bytes && !end.message->refused)
        std::memcpy(const_cast<void *>(end.data), end.message->bytes.data(), end.bytes);
    }
    return cudaSuccess;
  };
  if (hostcudaMeet(stream, may, take)) return failed();
  return ncclSuccess;
}

}  // namespace hostcuda
