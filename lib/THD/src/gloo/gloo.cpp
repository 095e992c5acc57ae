// gloo as a group's engine: TCP, or TCP with TLS where GLOO_DEVICE_TRANSPORT says so.
#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
#include <gloo/alltoallv.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/gather.h>
#include <gloo/reduce.h>
#include <gloo/rendezvous/context.h>
#include <gloo/scatter.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/types.h>
#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>

#include "../kit/transport.hpp"

namespace thd {
namespace {

using Buffer = ::gloo::transport::UnboundBuffer;
using BufferRef = std::unique_ptr<Buffer>;

// Kinds of messages that gloo's own operations do not use (gloo/types.h).
constexpr uint8_t kExchange = 0x40, kRing = 0x41, kMessage = 0x42;

// gloo's store, on ours.
class Rendezvous : public ::gloo::rendezvous::Store {
 public:
  explicit Rendezvous(StoreRef store) : store_(std::move(store)) {}
  void set(const std::string &key, const std::vector<char> &value) override {
    store_->set(key, Bytes(value.begin(), value.end()));
  }
  std::vector<char> get(const std::string &key) override {
    const Bytes value = store_->get(key);
    return {value.begin(), value.end()};
  }
  void wait(const std::vector<std::string> &keys) override { store_->wait(keys); }
  void wait(const std::vector<std::string> &keys, const Milliseconds &timeout) override { store_->wait(keys, timeout); }

 private:
  const StoreRef store_;
};

std::shared_ptr<::gloo::transport::Device> device(const std::string &interface) {
  // All groups of a process share a listening socket and its thread, for each interface.
  static std::mutex mutex;
  static auto &made = *new std::vector<std::pair<std::string, std::weak_ptr<::gloo::transport::Device>>>;
  const std::lock_guard lock(mutex);
  for (const auto &[name, one] : made)
    if (const auto there = one.lock(); there && name == interface) return there;
  std::erase_if(made, [](const auto &entry) { return entry.second.expired(); });
  ::gloo::transport::tcp::attr attributes;
  std::shared_ptr<::gloo::transport::Device> fresh;
  if (!interface.empty()) {
    attributes.iface = interface;
    fresh = ::gloo::transport::tcp::CreateDevice(attributes);
  } else {
    // This machine's name, where its address is its own; else others cannot reach it, and it is alone.
    char name[256] = "";
    ::gethostname(name, sizeof name - 1);
    try {
      attributes.hostname = name;
      fresh = ::gloo::transport::tcp::CreateDevice(attributes);
    } catch (const std::exception &) {
      attributes.hostname = "127.0.0.1";
      fresh = ::gloo::transport::tcp::CreateDevice(attributes);
    }
  }
  made.emplace_back(interface, fresh);
  return fresh;
}

uint8_t *bytes(void *data) { return static_cast<uint8_t *>(data); }
uint8_t *bytes(const void *data) { return static_cast<uint8_t *>(const_cast<void *>(data)); }

class Gloo : public Transport {
 public:
  Gloo(const StoreRef &store, int rank, int size, const GlooOptions &options) : Transport("gloo", rank, size) {
    auto context = std::make_shared<::gloo::rendezvous::Context>(rank, size);
    context->setTimeout(options.timeout);
    std::shared_ptr<::gloo::transport::Device> how = device(options.interface);
    Rendezvous rendezvous(store);
    context->connectFullMesh(rendezvous, how);
    context_ = std::move(context);
  }

  void broadcast(void *data, size_t n, int root, const Round &round) override {
    if (!n) return;
    auto call = with<::gloo::BroadcastOptions>(round);
    call.setRoot(root);
    call.setOutput(bytes(data), n);
    ::gloo::broadcast(call);
  }

  void all_reduce(void *data, int64_t count, THDtype dtype, ReduceOp::Kind op, const Round &round) override {
    const size_t width = TH_elementSize(dtype), n = size_t(count) * width;
    if (!n || size == 1) return;
    const Reducer reducer = reducer_of(dtype, op);
    if (n <= kSmall && size <= kFew) return exchange(data, size_t(count), n, reducer, round);
    auto call = with<::gloo::AllreduceOptions>(round);
    set_elements(width, [&](auto *type) { call.template setOutput(cast(type, data), size_t(count)); });
    call.setReduceFunction(reducer);
    ::gloo::allreduce(call);
  }

  void reduce(const void *in, void *out, int64_t count, THDtype dtype, ReduceOp::Kind op, int root,
              const Round &round) override {
    if (!count) return;
    auto call = with<::gloo::ReduceOptions>(round);
    call.setRoot(root);
    set_elements(TH_elementSize(dtype), [&](auto *type) {
      call.template setInput(cast(type, const_cast<void *>(in)), size_t(count));
      call.template setOutput(cast(type, out), size_t(count));
    });
    call.setReduceFunction(reducer_of(dtype, op));
    ::gloo::reduce(call);
  }

  void all_gather(const void *in, void *out, const Counts &counts, const Round &round) override {
    if (!sum(counts)) return;
    auto call = with<::gloo::AllgathervOptions>(round);
    call.setInput(bytes(in), size_t(counts[size_t(rank)]));
    call.setOutput(bytes(out), std::vector<size_t>(counts.begin(), counts.end()));
    ::gloo::allgatherv(call);
  }

  void gather(const void *in, void *out, const Counts &counts, int root, const Round &round) override {
    if (!sum(counts)) return;
    auto call = with<::gloo::GatherOptions>(round);
    call.setRoot(root);
    call.setInput(bytes(in), size_t(counts[size_t(rank)]));
    if (rank == root) call.setOutput(bytes(out), size_t(sum(counts)));
    ::gloo::gather(call);
  }

  void scatter(const void *in, void *out, const Counts &counts, int root, const Round &round) override {
    const size_t n = size_t(counts[size_t(rank)]);
    if (!n) return;
    auto call = with<::gloo::ScatterOptions>(round);
    call.setRoot(root);
    std::vector<uint8_t *> parts;
    for (int r = 0; rank == root && r < size; ++r) parts.push_back(bytes(in) + size_t(r) * n);
    if (rank == root) call.setInputs(parts, n);
    call.setOutput(bytes(out), n);
    ::gloo::scatter(call);
  }

  // A ring: each rank's part goes once around, and takes up what the others have of it.
  void reduce_scatter(void *in, void *out, const Counts &counts, THDtype dtype, ReduceOp::Kind op,
                      const Round &round) override {
    const size_t width = TH_elementSize(dtype);
    const Reducer reducer = reducer_of(dtype, op);
    std::vector<size_t> begin(size_t(size) + 1);
    for (int r = 0; r < size; ++r) begin[size_t(r) + 1] = begin[size_t(r)] + size_t(counts[size_t(r)]) * width;
    const auto length = [&](int part) { return size_t(counts[size_t(part)]) * width; };
    const size_t largest = size_t(*std::max_element(counts.begin(), counts.end())) * width;
    if (largest && size > 1) {
      std::vector<uint8_t> arrived(largest);
      const BufferRef from = context_->createUnboundBuffer(in, begin.back());
      const BufferRef to = context_->createUnboundBuffer(arrived.data(), largest);
      const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
      const auto slot = ::gloo::Slot::build(kRing, round.tag);
      for (int step = 0; step + 1 < size; ++step) {
        const int sent = (rank + 2 * size - step - 1) % size, received = (rank + 2 * size - step - 2) % size;
        from->send(next, slot, begin[size_t(sent)], length(sent));
        to->recv(previous, slot, 0, length(received));
        wait_receive(*to, round);
        uint8_t *mine = bytes(in) + begin[size_t(received)];
        reducer(mine, mine, arrived.data(), size_t(counts[size_t(received)]));
        wait_send(*from, round);
      }
    }
    if (length(rank)) std::memcpy(out, bytes(in) + begin[size_t(rank)], length(rank));
  }

  void all_to_all(const void *in, const Counts &in_bytes, void *out, const Counts &out_bytes,
                  const Round &round) override {
    auto call = with<::gloo::AlltoallvOptions>(round);
    call.setInput(bytes(in), in_bytes);
    call.setOutput(bytes(out), out_bytes);
    ::gloo::alltoallv(call);
  }

  void barrier(const Round &round) override {
    auto call = with<::gloo::BarrierOptions>(round);
    ::gloo::barrier(call);
  }

  std::unique_ptr<Posted> send(const void *data, size_t n, int to, uint32_t tag) override {
    auto message = std::make_unique<Message>(context_->createUnboundBuffer(const_cast<void *>(data), n), true);
    message->buffer->send(to, ::gloo::Slot::build(kMessage, tag));
    return message;
  }
  std::unique_ptr<Posted> receive(void *data, size_t n, int from, uint32_t tag) override {
    auto message = std::make_unique<Message>(context_->createUnboundBuffer(data, n), false);
    const auto slot = ::gloo::Slot::build(kMessage, tag);
    if (from >= 0) {
      message->buffer->recv(from, slot);
    } else {
      std::vector<int> others;
      for (int r = 0; r < size; ++r)
        if (r != rank) others.push_back(r);
      message->buffer->recv(others, slot);
    }
    return message;
  }

  void abort() override { context_->closeConnections(); }

 private:
  // Up to here one step, in which all send to all, costs less than a ring of many.
  static constexpr size_t kSmall = 4096;
  static constexpr int kFew = 8;

  struct Message : Posted {
    Message(BufferRef &&buffer, bool sent) : buffer(std::move(buffer)), sent(sent) {}
    int wait(Milliseconds timeout) override {
      int other = -1;
      if (!(sent ? buffer->waitSend(&other, timeout) : buffer->waitRecv(&other, timeout)))
        throw Error(ErrorKind::Backend, "aborted");
      return other;
    }
    const BufferRef buffer;
    const bool sent;
  };

  template <class Options>
  Options with(const Round &round) const {
    std::shared_ptr<::gloo::Context> context = context_;
    Options options(context);
    options.setTag(round.tag);
    options.setTimeout(round.timeout);
    return options;
  }
  static int64_t sum(const Counts &counts) { return std::accumulate(counts.begin(), counts.end(), int64_t(0)); }
  static void wait_receive(Buffer &buffer, const Round &round) {
    if (!buffer.waitRecv(nullptr, round.timeout)) throw Error(ErrorKind::Backend, "aborted");
  }
  static void wait_send(Buffer &buffer, const Round &round) {
    if (!buffer.waitSend(nullptr, round.timeout)) throw Error(ErrorKind::Backend, "aborted");
  }

  // gloo wants a type of the elements' size, and nothing else of it.
  struct Wide {
    double parts[2];
  };
  template <class T>
  static T *cast(T *, void *data) {
    return static_cast<T *>(data);
  }
  template <class F>
  static void set_elements(size_t width, const F &f) {
    switch (width) {
      case 1: return f(static_cast<uint8_t *>(nullptr));
      case 2: return f(static_cast<uint16_t *>(nullptr));
      case 4: return f(static_cast<uint32_t *>(nullptr));
      case 8: return f(static_cast<uint64_t *>(nullptr));
      default: return f(static_cast<Wide *>(nullptr));
    }
  }

  // Everybody's elements to everybody; each adds them up in the order of ranks, so all get the same bits.
  void exchange(void *data, size_t count, size_t n, Reducer reducer, const Round &round) {
    std::vector<uint8_t> all(n * size_t(size));
    const BufferRef from = context_->createUnboundBuffer(data, n);
    const BufferRef to = context_->createUnboundBuffer(all.data(), all.size());
    const auto slot = ::gloo::Slot::build(kExchange, round.tag);
    for (int r = 0; r < size; ++r)
      if (r != rank) to->recv(r, slot, size_t(r) * n, n);
    for (int step = 1; step < size; ++step) from->send((rank + step) % size, slot, 0, n);
    std::memcpy(all.data() + size_t(rank) * n, data, n);
    for (int r = 1; r < size; ++r) wait_receive(*to, round);
    for (int r = 1; r < size; ++r) wait_send(*from, round);
    for (int r = 1; r < size; ++r) reducer(all.data(), all.data(), all.data() + size_t(r) * n, count);
    std::memcpy(data, all.data(), n);
  }

  std::shared_ptr<::gloo::Context> context_;
};

}  // namespace

GroupRef gloo_group(StoreRef store, int rank, int size, const GlooOptions &options) {
  check_place(store, rank, size, options.timeout);
  std::unique_ptr<Transport> transport;
  try {
    transport = std::make_unique<Gloo>(store, rank, size, options);
  } catch (const Error &) {
    throw;
  } catch (const std::exception &error) {
    throw Error(ErrorKind::Backend, "gloo: rank " + std::to_string(rank) + " of " + std::to_string(size) +
                                        " could not connect with the others within " +
                                        std::to_string(options.timeout.count()) + "ms: " + error.what());
  }
  return std::make_shared<ProcessGroup>(std::move(transport), std::move(store), options.timeout);
}

}  // namespace thd
