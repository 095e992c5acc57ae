// Few bytes from everybody to everybody.
//
// gloo sends when the other side has said that it waits: here each rank says so one round ahead, so messages leave at
// once. Rounds follow each other in one order on all ranks (THD/Transport.h, `in_turn`): nobody is more than one ahead
// of another, and two rounds' places to receive at are enough.
#pragma once

#include <gloo/rendezvous/context.h>
#include <gloo/types.h>

#include <array>
#include <cstring>
#include <memory>

#include <THD/Transport.h>

namespace thd {

class Exchange {
 public:
  static constexpr size_t kMost = 4096;  // bytes of a rank

  Exchange(std::shared_ptr<::gloo::Context> context, uint8_t kind)
      : context_(std::move(context)), slot_(::gloo::Slot::build(kind, 0)),
        memory_(new uint8_t[(2 * size_t(context_->size) + 1) * kPlace]) {
    sent_ = context_->createUnboundBuffer(memory_.get(), kPlace);
    for (size_t i = 0; i < 2; ++i)
      received_[i] = context_->createUnboundBuffer(place(i, 0), size_t(context_->size) * kPlace);
    expect(0);
  }

  // Of the next round; `data`: this rank's. What rank r has sent is at at(r), counts(r) bytes, until the next round.
  template <class Counts>
  void meet(const void *data, size_t bytes, const Counts &counts, const Round &round) {
    const int size = context_->size, rank = context_->rank;
    now_ = 1 - now_;
    const Header mine{round.tag, uint32_t(bytes)};
    std::memcpy(memory_.get(), &mine, sizeof mine);
    if (bytes) std::memcpy(memory_.get() + sizeof mine, data, bytes);
    expect(1 - now_);
    for (int step = 1; step < size; ++step) sent_->send((rank + step) % size, slot_, 0, sizeof mine + bytes);
    for (int r = 1; r < size; ++r)
      if (!received_[now_]->waitRecv(nullptr, round.timeout)) throw_aborted();
    for (int r = 1; r < size; ++r)
      if (!sent_->waitSend(nullptr, round.timeout)) throw_aborted();
    for (int r = 0; r < size; ++r) {
      Header other = mine;
      if (r != rank) std::memcpy(&other, place(now_, r), sizeof other);
      if (other.tag != mine.tag || other.bytes != uint64_t(counts(r)))
        throw Error(ErrorKind::Backend, "rank " + std::to_string(r) +
                                            " does something else, or has other sizes or another dtype; with "
                                            "TORCH_DISTRIBUTED_DEBUG=DETAIL ranks say what they do");
    }
  }
  const uint8_t *at(int r) const { return (r == context_->rank ? memory_.get() : place(now_, r)) + sizeof(Header); }

 private:
  struct Header {
    uint32_t tag, bytes;
  };
  static constexpr size_t kPlace = sizeof(Header) + kMost;

  uint8_t *place(size_t which, int r) const {
    return memory_.get() + (1 + which * size_t(context_->size) + size_t(r)) * kPlace;
  }
  void expect(size_t which) {
    for (int step = 1; step < context_->size; ++step) {
      const int r = (context_->rank + step) % context_->size;
      received_[which]->recv(r, slot_, size_t(r) * kPlace, kPlace);
    }
  }
  [[noreturn]] static void throw_aborted() { throw Error(ErrorKind::Backend, "aborted"); }

  const std::shared_ptr<::gloo::Context> context_;
  const uint64_t slot_;
  const std::unique_ptr<uint8_t[]> memory_;  // of what is sent, then of two rounds' messages
  std::unique_ptr<::gloo::transport::UnboundBuffer> sent_;
  std::array<std::unique_ptr<::gloo::transport::UnboundBuffer>, 2> received_;
  size_t now_ = 1;  // where this round's messages are
};

}  // namespace thd
