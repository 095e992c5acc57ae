#include "segment.hpp"

#include <TH/THGeneral.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include <utility>

namespace shm {

static constexpr const char *kFolder = "/dev/shm";

Descriptor &Descriptor::operator=(Descriptor &&other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

int Descriptor::release() { return std::exchange(fd_, -1); }

void Descriptor::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

[[noreturn]] static void raiseNoRoom(int fd, size_t nbytes, int error) {
  struct statvfs place;
  const bool known = fstatvfs(fd, &place) == 0 && place.f_blocks;
  if (!known)
    THError(TH_ERROR_RUNTIME, "unable to allocate shared memory(shm) of %zu bytes: %s (%d)", nbytes,
            std::strerror(error), error);
  THError(
      TH_ERROR_RUNTIME,
      "unable to allocate shared memory(shm) of %zu bytes: %s (%d). %s holds %llu bytes, of which %llu are free. Give "
      "it a larger limit (mount -o remount,size=… %s; of a container --shm-size=…), or share less at a time",
      nbytes, std::strerror(error), error, kFolder, (unsigned long long)place.f_blocks * place.f_frsize,
      (unsigned long long)place.f_bavail * place.f_frsize, kFolder);
}

[[noreturn]] static void raiseTooManyFiles(size_t nbytes, int error) {
  THError(TH_ERROR_RUNTIME,
          "unable to allocate shared memory(shm) of %zu bytes: %s (%d). Each shared storage has a file open: raise the "
          "limit (ulimit -n), or share by names (torch.multiprocessing.set_sharing_strategy('file_system'))",
          nbytes, std::strerror(error), error);
}

// All of its pages at once: a write into a page that cannot be had later would kill the process (SIGBUS).
static void reserve(int fd, size_t nbytes) {
  if (!nbytes) return;
  int error;
  do error = posix_fallocate(fd, 0, off_t(nbytes));
  while (error == EINTR);
  if (error) raiseNoRoom(fd, nbytes, error);
}

Descriptor makeNameless(size_t nbytes) {
  // In /dev/shm, whose limit is for this; a file there that never has a name cannot be left behind.
  Descriptor file(open(kFolder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.get() < 0 && (errno == EMFILE || errno == ENFILE)) raiseTooManyFiles(nbytes, errno);
  if (file.get() < 0) {
    // No such folder, or one of a kind that has no nameless files. Memory from here has no limit but the machine's.
    struct sysinfo machine;
    if (sysinfo(&machine) == 0 && nbytes / machine.mem_unit > machine.totalram)
      THError(TH_ERROR_RUNTIME, "unable to allocate shared memory(shm) of %zu bytes: the machine has %llu", nbytes,
              (unsigned long long)machine.totalram * machine.mem_unit);
    file = Descriptor(memfd_create("torch", MFD_CLOEXEC));
    if (file.get() < 0)
      THError(TH_ERROR_RUNTIME, "unable to allocate shared memory(shm) of %zu bytes: %s (%d)", nbytes,
              std::strerror(errno), errno);
  }
  reserve(file.get(), nbytes);
  return file;
}

Descriptor makeNamed(const std::string &name, size_t nbytes) {
  Descriptor file(shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
  if (file.get() < 0 && (errno == EMFILE || errno == ENFILE)) raiseTooManyFiles(nbytes, errno);
  if (file.get() < 0)
    THError(TH_ERROR_RUNTIME, "unable to open shared memory object <%s> in read-write mode: %s (%d)", name.c_str(),
            std::strerror(errno), errno);
  try {
    reserve(file.get(), nbytes);
  } catch (...) {
    shm_unlink(name.c_str());
    throw;
  }
  return file;
}

Descriptor openNamed(const std::string &name) {
  Descriptor file(shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0));
  if (file.get() < 0)
    THError(TH_ERROR_RUNTIME,
            "unable to open shared memory object <%s> in read-write mode: %s (%d). A storage that was sent can be had "
            "while its sender lives",
            name.c_str(), std::strerror(errno), errno);
  return file;
}

Descriptor duplicate(int fd) {
  Descriptor file(fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (file.get() < 0) {
    if (errno == EMFILE) raiseTooManyFiles(0, errno);
    THError(TH_ERROR_RUNTIME, "the descriptor %d of a shared storage cannot be used: %s (%d)", fd, std::strerror(errno),
            errno);
  }
  return file;
}

void *map(int fd, size_t nbytes) {
  struct stat info;
  if (fstat(fd, &info)) THError(TH_ERROR_RUNTIME, "unable to stat shared memory: %s (%d)", std::strerror(errno), errno);
  if (!S_ISREG(info.st_mode) || size_t(info.st_size) < nbytes)
    THError(TH_ERROR_RUNTIME, "unable to map %zu bytes of shared memory: the segment has %lld", nbytes,
            S_ISREG(info.st_mode) ? (long long)info.st_size : 0LL);
  if (!nbytes) return nullptr;
  void *data = mmap(nullptr, nbytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED)
    THError(TH_ERROR_RUNTIME, "unable to mmap %zu bytes of shared memory: %s (%d)", nbytes, std::strerror(errno),
            errno);
  return data;
}

void unmap(void *data, size_t nbytes) {
  if (nbytes) munmap(data, nbytes);
}

std::string identity(int fd) {
  struct stat info;
  if (fstat(fd, &info)) THError(TH_ERROR_RUNTIME, "unable to stat shared memory: %s (%d)", std::strerror(errno), errno);
  return std::to_string(info.st_dev) + ':' + std::to_string(info.st_ino);
}

}  // namespace shm
