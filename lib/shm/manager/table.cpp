#include "table.hpp"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace shm {

// The manager and its guard both do this. A name that is gone is no error: it belongs to one segment for ever.
void Table::tidy(const std::string &name) {
  const auto row = segments_.find(name);
  if (row == segments_.end() || row->second.holders) return;
  const auto &underway = row->second.underway;
  if (std::any_of(underway.begin(), underway.end(), [](const auto &sender) { return sender.second > 0; })) return;
  shm_unlink(name.c_str());
  segments_.erase(row);
}

void Table::apply(uint32_t id, const Message &message) {
  Client &client = clients_.at(id);
  if (message.number <= client.number) return;
  client.number = message.number;
  const std::string name(message.name, std::find(message.name, message.name + kNameSize, '\0'));
  switch (message.verb) {
    case Verb::hello: client.token = message.token; break;
    case Verb::hold:
      if (client.names.insert(name).second) ++segments_[name].holders;
      break;
    case Verb::drop:
      if (client.names.erase(name)) --segments_[name].holders;
      tidy(name);
      break;
    case Verb::sent:
      // A handle of what nobody has cannot be used.
      if (const auto row = segments_.find(name); row != segments_.end()) {
        ++row->second.underway[client.token];
        tidy(name);
      }
      break;
    case Verb::received:
      if (const auto row = segments_.find(name); row != segments_.end()) {
        if (!--row->second.underway[message.token]) row->second.underway.erase(message.token);
        tidy(name);
      }
      break;
    case Verb::ask: break;
  }
}

void Table::close(uint32_t id) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  const Client client = std::move(found->second);
  clients_.erase(found);
  ::close(client.socket);
  for (const std::string &name : client.names) --segments_[name].holders;
  std::vector<std::string> names;
  for (auto &[name, segment] : segments_) {
    segment.underway.erase(client.token);
    names.push_back(name);
  }
  for (const std::string &name : names) tidy(name);
}

}  // namespace shm
