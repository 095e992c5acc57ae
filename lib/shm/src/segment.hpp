// A segment of shared memory: made, opened, mapped. Knows nothing of storages or managers.
#pragma once

#include <cstddef>
#include <string>

namespace shm {

// A descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor &&other) noexcept : fd_(other.release()) {}
  Descriptor &operator=(Descriptor &&other) noexcept;
  ~Descriptor() { reset(); }
  int get() const { return fd_; }
  int release();
  void reset();

 private:
  int fd_;
};

Descriptor makeNameless(size_t nbytes);
Descriptor makeNamed(const std::string &name, size_t nbytes);  // leaves no name behind when it raises
Descriptor openNamed(const std::string &name);
Descriptor duplicate(int fd);

// The memory of a segment that has at least nbytes; nullptr for none. Raises otherwise.
void *map(int fd, size_t nbytes);
void unmap(void *data, size_t nbytes);

// What tells a segment from all others while anybody has it.
std::string identity(int fd);

}  // namespace shm
