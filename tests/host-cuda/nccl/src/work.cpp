// What a collective does with the elements, in the order of the ranks' streams.
#include <host_cuda/task.h>

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

using Bytes = std::vector<char>;

// One rank after the other, as a ring of them does.
Bytes reduced(const std::vector<Bytes> &sent, ncclDataType_t type, ncclRedOp_t op) {
  Bytes result = sent[0];
  ofType(type, [&](auto zero) {
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

// Bytes that a rank sends and receives.
struct Sizes {
  size_t send, receive;
};
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

void compute(const std::vector<Part> &parts) {
  const Part &first = parts[0];
  std::vector<Bytes> sent;
  for (size_t rank = 0; rank < parts.size(); rank++) {
    const auto *from = static_cast<const char *>(parts[rank].send);
    sent.emplace_back(from, from + sizesOf(parts[rank], int(rank), parts.size()).send);
  }
  Bytes result;
  switch (first.kind) {
    case Kind::broadcast: result = sent[size_t(first.root)]; break;
    case Kind::allGather:
      for (const Bytes &bytes : sent) result.insert(result.end(), bytes.begin(), bytes.end());
      break;
    default: result = reduced(sent, first.type, first.op);
  }
  for (size_t rank = 0; rank < parts.size(); rank++) {
    const size_t size = sizesOf(parts[rank], int(rank), parts.size()).receive;
    const size_t at = first.kind == Kind::reduceScatter ? rank * size : 0;
    if (size) std::memcpy(parts[rank].receive, result.data() + at, size);
  }
}

struct Events {  // destroyed when the calls are in the streams, which keep what they need
  std::vector<cudaEvent_t> all;
  ~Events() {
    for (cudaEvent_t event : all) cudaEventDestroy(event);
  }
};

}  // namespace

size_t sizeOf(ncclDataType_t type) {
  if (type < 0 || type > ncclBfloat16) return 0;
  return ofType(type, [](auto zero) { return sizeof(zero); });
}

ncclResult_t carryOut(const Clique &clique, const std::vector<Part> &parts) {
  const size_t ranks = parts.size();
  const auto refused = std::make_shared<bool>(false);
  Events events;
  const auto record = [&](cudaStream_t stream) {
    cudaEvent_t event;
    if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming)) return true;
    events.all.push_back(event);
    return cudaEventRecord(event, stream) != cudaSuccess;
  };
  const auto failed = [] {
    return refuse(ncclUnhandledCudaError, std::string("a collective: ") + cudaGetErrorString(cudaGetLastError()));
  };
  for (size_t rank = 0; rank < ranks; rank++) {
    OnDevice on(clique.devices[rank]);
    const Part part = parts[rank];
    const Sizes sizes = sizesOf(part, int(rank), ranks);
    // A bad address ends the work of the device that was given it.
    const auto check = [=, device = clique.devices[rank]] {
      if (hostcudaMayTouch(device, part.send, sizes.send, "NCCL") &&
          hostcudaMayTouch(device, part.receive, sizes.receive, "NCCL"))
        return cudaSuccess;
      *refused = true;
      return cudaErrorIllegalAddress;
    };
    if (on.failed() || hostcudaTask(part.stream, check) || record(part.stream)) return failed();
  }
  {
    OnDevice on(clique.devices[0]);
    for (cudaEvent_t here : std::vector<cudaEvent_t>(events.all))
      if (cudaStreamWaitEvent(parts[0].stream, here, 0)) return failed();
    const auto work = [=] {
      if (!*refused) compute(parts);
      return cudaSuccess;
    };
    if (on.failed() || hostcudaTask(parts[0].stream, work) || record(parts[0].stream)) return failed();
  }
  for (size_t rank = 1; rank < ranks; rank++) {
    OnDevice on(clique.devices[rank]);
    if (on.failed() || cudaStreamWaitEvent(parts[rank].stream, events.all.back(), 0)) return failed();
  }
  return ncclSuccess;
}

}  // namespace hostcuda
