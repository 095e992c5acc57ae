// The process that others reach: one thread, which sleeps until something arrives or a deadline passes.
#pragma once

#include <memory>

#include <THD/Store.h>

namespace thd::tcp {

class Server;
// Raises ErrorKind::Network if the address cannot be listened on. listen_fd: a socket that listens already, or -1.
// shared: the same server for all who ask for the same port in this process.
std::shared_ptr<Server> serve(const std::string &host, uint16_t port, int listen_fd, bool shared);
uint16_t port_of(const Server &server);

}  // namespace thd::tcp
