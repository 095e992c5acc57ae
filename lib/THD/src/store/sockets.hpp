// Sockets of TCP: to listen on an address, to connect with one.
#pragma once

#include <chrono>

#include "../kit/descriptor.hpp"

#include <THD/Store.h>

namespace thd::tcp {

// One for each address of the host, all of one port; 0: a free one. They do not block.
std::vector<Descriptor> listen_on(const std::string &host, uint16_t port);
// A socket that listens already, which becomes ours.
Descriptor adopt_listener(int fd);
uint16_t port_of_socket(int fd);
void send_at_once(int fd);  // no waiting for more to send
void block_signals();       // of the calling thread: they are for others

// Tries again, at growing intervals, until somebody answers or the time is over. Raises ErrorKind::Network then, with
// the last reason.
Descriptor connect_to(const std::string &host, uint16_t port, std::chrono::steady_clock::time_point deadline,
                      Milliseconds timeout);
// These raise ErrorKind::Network if the other side is gone, or the deadline passes. `who`: as messages name it.
void check_open(int fd, const std::string &who);
void send_all(int fd, const std::string &text, std::chrono::steady_clock::time_point deadline, const std::string &who);
// How many bytes have come, 1 to `size`.
size_t receive_some(int fd, char *to, size_t size, std::chrono::steady_clock::time_point deadline,
                    const std::string &who);
void receive_all(int fd, char *to, size_t size, std::chrono::steady_clock::time_point deadline, const std::string &who);

}  // namespace thd::tcp
