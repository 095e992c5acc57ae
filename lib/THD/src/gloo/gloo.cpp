// gloo as a group's engine: TCP, or TCP with TLS where GLOO_DEVICE_TRANSPORT says so.
#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
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
#include <atomic>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>

#include <THD/Transport.h>

#include "../kit/pipe_signal.hpp"
#include "exchange.hpp"

namespace thd {
namespace {

using Buffer = ::gloo::transport::UnboundBuffer;
using BufferRef = std::unique_ptr<Buffer>;

// Kinds of messages that gloo's own operations do not use (gloo/types.h).
constexpr uint8_t kExchange = 0x40, kRing = 0x41, kMessage = 0x42, kRows = 0x43, kProbe = 0x44, kParts = 0x45,
                  kSums = 0x46;

// A message's slot says its length, too, in the 24 bits that gloo leaves: where ranks differ in it they do not meet,
// and gloo, which ends the process when a message is longer than its buffer, never sees one.
uint64_t slot_of(uint8_t kind, uint32_t tag, size_t length) {
  const uint64_t mixed = uint64_t(length) * 0x9e3779b97f4a7c15u;
  return uint64_t(::gloo::Slot::build(kind, tag)) | (length < (1u << 23) ? length : 1u << 23 | mixed >> 41);
}

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
  // All groups of a process share a listening socket and its thread, for each interface. A forked child has no such
  // thread.
  using Made = std::vector<std::pair<std::string, std::weak_ptr<::gloo::transport::Device>>>;
  static std::mutex mutex;
  static Made *made_here = nullptr;
  static pid_t owner = 0;
  const std::lock_guard lock(mutex);
  if (std::exchange(owner, ::getpid()) != ::getpid()) made_here = new Made;
  Made &made = *made_here;
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
  Gloo(const StoreRef &store, int rank, int size, const GlooOptions &options)
      : Transport("gloo", rank, size), meeting_(store), patience_(std::min(kPatience, options.timeout)) {
    auto context = std::make_shared<::gloo::rendezvous::Context>(rank, size);
    context->setTimeout(options.timeout);
    std::shared_ptr<::gloo::transport::Device> how = device(options.interface);
    Rendezvous rendezvous(store);
    context->connectFullMesh(rendezvous, how);
    context_ = std::move(context);
    if (size > 1 && store->add("connected", 1) == size) store->set(kAllConnected, "");
    if (size == 1 || size > kFew) return;
    exchange_ = std::make_unique<Exchange>(context_, kExchange);
    in_turn = Exchange::kMost;
  }

  // Who is connected may leave while others still connect among themselves, and these would take it for lost.
  ~Gloo() override {
    if (size == 1 || met_) return;
    try {
      meeting_->wait({kAllConnected}, patience_);
    } catch (const std::exception &) {  // they have failed, or the store is gone
    }
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
    if (round.in_turn) {  // everybody adds up in the order of ranks, so all get the same bits
      exchange_->meet(data, n, [n](int) { return n; }, round);
      reducer(data, exchange_->at(0), exchange_->at(1), size_t(count));
      for (int r = 2; r < size; ++r) reducer(data, data, exchange_->at(r), size_t(count));
    } else if (size <= kFew && n <= kMiddle) {
      all_reduce_parts(bytes(data), size_t(count), width, reducer, round);
    } else {
      auto call = with<::gloo::AllreduceOptions>(round);
      set_elements(width, [&](auto *type) { call.template setOutput(cast(type, data), size_t(count)); });
      call.setReduceFunction(reducer);
      ::gloo::allreduce(call);
    }
    met_ = true;
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
    if (round.in_turn) {
      exchange_->meet(in, size_t(counts[size_t(rank)]), [&](int r) { return counts[size_t(r)]; }, round);
      for (int r = 0; r < size; out = bytes(out) + counts[size_t(r++)])
        if (counts[size_t(r)]) std::memcpy(out, exchange_->at(r), size_t(counts[size_t(r)]));
      return;
    }
    if (size <= kFew && size_t(sum(counts)) <= kMiddle) {
      const Counts mine(size_t(size), counts[size_t(rank)]), same(size_t(size), 0);
      return each_to_each(in, mine, same, out, counts, offsets_of(counts), round);
    }
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
    each_to_each(in, in_bytes, offsets_of(in_bytes), out, out_bytes, offsets_of(out_bytes), round);
  }

  void barrier(const Round &round) override {
    if (round.in_turn) {
      exchange_->meet(nullptr, 0, [](int) { return 0; }, round);
    } else {
      auto call = with<::gloo::BarrierOptions>(round);
      ::gloo::barrier(call);
    }
    met_ = true;
  }

  std::unique_ptr<Posted> send(const void *data, size_t n, int to, uint32_t tag) override {
    auto message = std::make_unique<Message>(context_->createUnboundBuffer(const_cast<void *>(data), n), true,
                                             waiting_);
    message->buffer->send(to, slot_of(kMessage, tag, n), 0, n);
    return message;
  }
  std::unique_ptr<Posted> receive(void *data, size_t n, int from, uint32_t tag) override {
    auto message = std::make_unique<Message>(context_->createUnboundBuffer(data, n), false, waiting_);
    const uint64_t slot = slot_of(kMessage, tag, n);
    if (from >= 0) {
      message->buffer->recv(from, slot, 0, n);
    } else {
      std::vector<int> others;
      for (int r = 0; r < size; ++r)
        if (r != rank) others.push_back(r);
      message->buffer->recv(others, slot, 0, n);
    }
    return message;
  }

  std::vector<std::pair<int, std::string>> broken() override {
    std::vector<std::pair<int, std::string>> found;
    char nothing = 0;
    for (int r = 0; r < size; ++r) {
      if (r == rank) continue;
      try {  // a connection that has failed says so to whoever uses it
        context_->createUnboundBuffer(&nothing, 1)->send(r, ::gloo::Slot::build(kProbe, 0), 0, 0);
      } catch (const std::exception &error) {
        // An end of our own making says nothing of the other side.
        if (!std::strstr(error.what(), "Application timeout")) found.emplace_back(r, error.what());
      }
    }
    return found;
  }
  void abort() override {
    met_ = true;  // nobody is waited for any more
    // gloo tells all that wait on a context's connections when somebody has waited too long.
    char nothing = 0;
    try {
      context_->createUnboundBuffer(&nothing, 1)->waitRecv(nullptr, Milliseconds(1));
    } catch (const std::exception &) {
    }
    waiting_->abort();
  }

 private:
  static constexpr char kAllConnected[] = "all connected";
  static constexpr Milliseconds kPatience{5000};
  // Up to here a step in which all send to all costs less than a ring of many.
  static constexpr int kFew = 8;
  static constexpr size_t kMiddle = 1 << 20;

  // Buffers of messages that are waited for: who receives from any rank waits on no connection.
  class WaitedFor {
   public:
    void add(Buffer *buffer) {
      const std::lock_guard lock(mutex_);
      buffers_.insert(buffer);
      if (aborted_) wake(*buffer);
    }
    void remove(Buffer *buffer) {
      const std::lock_guard lock(mutex_);
      buffers_.erase(buffer);
    }
    void abort() {
      const std::lock_guard lock(mutex_);
      aborted_ = true;
      for (Buffer *buffer : buffers_) wake(*buffer);
    }

   private:
    static void wake(Buffer &buffer) {
      buffer.abortWaitRecv();
      buffer.abortWaitSend();
    }
    std::mutex mutex_;
    std::set<Buffer *> buffers_;
    bool aborted_ = false;
  };
  struct Message : Posted {
    Message(BufferRef &&made, bool sent, std::shared_ptr<WaitedFor> all)
        : buffer(std::move(made)), sent(sent), all(std::move(all)) {}
    int wait(Milliseconds timeout) override {
      int other = -1;
      all->add(buffer.get());
      const std::unique_ptr<Message, void (*)(Message *)> removed(
          this, [](Message *self) { self->all->remove(self->buffer.get()); });
      if (!(sent ? buffer->waitSend(&other, timeout) : buffer->waitRecv(&other, timeout)))
        throw Error(ErrorKind::Backend, "aborted");
      return other;
    }
    const BufferRef buffer;
    const bool sent;
    const std::shared_ptr<WaitedFor> all;
  };

  template <class Options>
  Options with(const Round &round) const {
    std::shared_ptr<::gloo::Context> context = context_;
    Options options(context);
    options.setTag(round.tag);
    options.setTimeout(round.timeout);
    return options;
  }
  static Counts offsets_of(const Counts &counts) {
    Counts offsets(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), int64_t(0));
    return offsets;
  }
  static int64_t sum(const Counts &counts) { return std::accumulate(counts.begin(), counts.end(), int64_t(0)); }
  static void wait_receive(Buffer &buffer, const Round &round) {
    if (!buffer.waitRecv(nullptr, round.timeout)) throw Error(ErrorKind::Backend, "aborted");
  }
  static void wait_send(Buffer &buffer, const Round &round) {
    if (!buffer.waitSend(nullptr, round.timeout)) throw Error(ErrorKind::Backend, "aborted");
  }

  // Two ranks must agree in what goes between them, and know nothing of what others send.
  void each_to_each(const void *in, const Counts &in_bytes, const Counts &in_at, void *out, const Counts &out_bytes,
                    const Counts &out_at, const Round &round) {
    const size_t mine = size_t(rank), last = size_t(size) - 1;
    if (in_bytes[mine]) std::memcpy(bytes(out) + out_at[mine], bytes(in) + in_at[mine], size_t(in_bytes[mine]));
    const BufferRef sent = context_->createUnboundBuffer(bytes(in), size_t(in_at[last] + in_bytes[last]));
    const BufferRef received = context_->createUnboundBuffer(out, size_t(out_at[last] + out_bytes[last]));
    for (int step = 1; step < size; ++step) {
      const size_t r = size_t((rank + size - step) % size), n = size_t(out_bytes[r]);
      received->recv(int(r), slot_of(kRows, round.tag, n), size_t(out_at[r]), n);
    }
    for (int step = 1; step < size; ++step) {
      const size_t r = size_t((rank + step) % size), n = size_t(in_bytes[r]);
      sent->send(int(r), slot_of(kRows, round.tag, n), size_t(in_at[r]), n);
    }
    for (int step = 1; step < size; ++step) wait_receive(*received, round);
    for (int step = 1; step < size; ++step) wait_send(*sent, round);
  }

  // Each adds up a part of everybody's elements, in the order of ranks, and sends the sum to all: the bytes of a ring
  // in two steps.
  void all_reduce_parts(uint8_t *data, size_t count, size_t width, Reducer reducer, const Round &round) {
    const auto begin = [&](int r) { return count * size_t(r) / size_t(size) * width; };
    const auto length = [&](int r) { return begin(r + 1) - begin(r); };
    const size_t own = length(rank);
    uint8_t *const mine = data + begin(rank);
    const std::unique_ptr<uint8_t[]> others(new uint8_t[own * size_t(size) + 1]);
    const BufferRef parts = context_->createUnboundBuffer(data, count * width),
                    sums = context_->createUnboundBuffer(data, count * width),
                    received = context_->createUnboundBuffer(others.get(), own * size_t(size));
    const auto to_part = ::gloo::Slot::build(kParts, round.tag), to_sum = ::gloo::Slot::build(kSums, round.tag);
    for (int step = 1; step < size; ++step) {
      const int r = (rank + size - step) % size;
      received->recv(r, to_part, size_t(r) * own, own);
      // Who sends the sum of a part has got this rank's: its memory is free by then.
      sums->recv(r, to_sum, begin(r), length(r));
    }
    for (int step = 1; step < size; ++step) {
      const int r = (rank + step) % size;
      parts->send(r, to_part, begin(r), length(r));
    }
    for (int step = 1; step < size; ++step) wait_receive(*received, round);
    const auto of = [&](int r) { return r == rank ? mine : others.get() + size_t(r) * own; };
    for (int r = 1; r < size; ++r) reducer(r + 1 < size ? of(0) : mine, of(0), of(r), own / width);
    for (int step = 1; step < size; ++step) sums->send((rank + step) % size, to_sum, size_t(mine - data), own);
    for (int step = 1; step < size; ++step) wait_receive(*sums, round);
    for (int step = 1; step < size; ++step) wait_send(*parts, round);
    for (int step = 1; step < size; ++step) wait_send(*sums, round);
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

  const StoreRef meeting_;
  const Milliseconds patience_;
  std::atomic<bool> met_{false};  // something that everybody took part in is done
  std::shared_ptr<::gloo::Context> context_;
  std::unique_ptr<Exchange> exchange_;
  const std::shared_ptr<WaitedFor> waiting_ = std::make_shared<WaitedFor>();
};

// "; ranks 0, 2 have come, not 1, 3"; "" where the store does not say.
std::string who_came(const StoreRef &store, int size) {
  std::string came, missing;
  try {
    const StoreRef hasty = store->hasty(Milliseconds(1000));
    for (int r = 0; r < size; ++r) {
      std::string &list = hasty->check({std::to_string(r)}) ? came : missing;
      list += (list.empty() ? "" : ", ") + std::to_string(r);
    }
  } catch (const std::exception &) {
    return "";
  }
  return "; ranks that have come: " + came + (missing.empty() ? "" : "; missing: " + missing);
}

}  // namespace

GroupRef gloo_group(StoreRef store, int rank, int size, const GlooOptions &options) {
  check_place(store, rank, size, options.timeout);
  // Ranks that join a store's group again meet under another name: those that came before are gone.
  const std::string me = std::to_string(rank);
  const int64_t times = store->add("joined/" + me, 1);
  const StoreRef meeting = prefix_store("meeting " + std::to_string(times), store);
  const Bytes said = meeting->compare_set("size", "", std::to_string(size));
  if (said != std::to_string(size))
    throw Error(ErrorKind::Value, "rank " + me + " says that the process group has " + std::to_string(size) +
                                      " ranks, another one has said " + said);
  std::unique_ptr<Transport> transport;
  try {
    const NoPipeSignal quiet;  // here and in the device's thread
    transport = std::make_unique<Gloo>(meeting, rank, size, options);
  } catch (const std::exception &error) {
    const Error *const known = dynamic_cast<const Error *>(&error);
    throw Error(known ? known->kind() : ErrorKind::Backend,
                "gloo: rank " + me + " of " + std::to_string(size) + " could not connect with the others within " +
                    std::to_string(options.timeout.count()) + "ms" + who_came(meeting, size) +
                    (times > 1 ? "; rank " + me + " has joined " + std::to_string(times) + " times" : "") + ": " +
                    error.what());
  }
  return std::make_shared<ProcessGroup>(std::move(transport), std::move(store), options.timeout);
}

}  // namespace thd
