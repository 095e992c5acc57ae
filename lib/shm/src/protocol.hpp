// What the manager and its clients say to each other, over SOCK_SEQPACKET sockets: a packet is one message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/socket.h>
#include <sys/un.h>

namespace shm {

enum class Verb : uint32_t {
  hello,     // token: who the client is
  hold,      // name: the client uses the segment, or is about to make it
  drop,      // name: it does no longer
  sent,      // name: a handle of it is under way, from the client `token`
  received,  // name: such a one has arrived
  ask        // answered by a message with the same number, when all that came before has been done
};

// Messages have no answers but `ask`: what is in a socket's buffer is read even if the sender has been killed, and names
// are never used again, so the order alone makes them safe.
struct Message {
  Verb verb;
  uint32_t number;  // counts a connection's messages, so that one that is seen twice is done once
  uint64_t token;
  char name[48];  // of a segment, with its zero; in the first message that a manager sends, its address
};
constexpr size_t kNameSize = sizeof(Message::name);

// A manager's address is the name that the kernel gives to an abstract socket, less its leading zero: nothing in the file
// system, and nothing left behind.
inline sockaddr_un addressOf(const char *text, size_t length) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  for (size_t i = 0; i < length; ++i) address.sun_path[1 + i] = text[i];
  return address;
}
inline socklen_t sizeOf(size_t length) { return socklen_t(offsetof(sockaddr_un, sun_path) + 1 + length); }

// The socket that the manager is started with: its first client.
constexpr int kFirstClient = 3;

}  // namespace shm
