// Who has which segment. A name is removed when nobody has it, and no handle of it is under way.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "protocol.hpp"

namespace shm {

class Table {
 public:
  struct Client {
    int socket;
    uint64_t token = 0;
    uint32_t number = 0;  // of its last message
    std::set<std::string> names;
  };

  void accept(uint32_t id, int socket) { clients_[id].socket = socket; }
  void apply(uint32_t id, const Message &message);
  void close(uint32_t id);  // the socket, too

  const std::map<uint32_t, Client> &clients() const { return clients_; }

 private:
  struct Segment {
    unsigned holders = 0;
    std::map<uint64_t, int> underway;  // by sender. A receiver may be heard before the sender is: then it is negative
  };

  void tidy(const std::string &name);

  std::map<uint32_t, Client> clients_;
  std::map<std::string, Segment> segments_;
};

}  // namespace shm
