// Storages over segments: the table of those that this process has, and moving a storage into one.
#include <shm/shm.h>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sys/random.h>
#include <unistd.h>

#include "client.hpp"
#include "segment.hpp"

namespace {

using namespace shm;

// What a shared storage's `context` is.
struct Shared {
  Descriptor file;  // of TH_SHARED_DESCRIPTOR
  std::string name;  // of TH_SHARED_NAME
  ManagerRef manager;
  std::atomic<pid_t> holder{0};  // the process that has told the manager
  std::string key;  // in the table
  void *data = nullptr;
  size_t nbytes = 0;
  THStorage *owner = nullptr;
  // Memory that the storage had before, and whose address others may know.
  const THAllocator *allocator = nullptr;
  void *before = nullptr;
  size_t before_size = 0;

  ~Shared() {
    unmap(data, nbytes);
    if (manager && holder == getpid()) drop(manager, name);
    if (before_size) allocator->free(allocator->context, {}, before, before_size);
  }
};

// ---- the table: segment -> its storage --------------------------------------------------------------------------------
// A storage is in it until its release, which the last free calls with a count of 0: so a count that is not is safe to
// raise while the lock is held.
struct Table {
  std::mutex mutex;
  std::map<std::string, Shared *> rows;
};

Table &table() {
  static auto *const one = new Table;  // outlives every storage
  return *one;
}

std::mutex &moving() {
  static auto *const one = new std::mutex;
  return *one;
}

void beforeFork() {
  moving().lock();
  table().mutex.lock();
}
void afterFork() {
  table().mutex.unlock();
  moving().unlock();
}
[[maybe_unused]] const int registered = pthread_atfork(beforeFork, afterFork, afterFork);

THStorage *find(const std::string &key, size_t nbytes) {
  const std::lock_guard lock(table().mutex);
  const auto row = table().rows.find(key);
  if (row == table().rows.end() || row->second->nbytes < nbytes) return nullptr;
  THStorage *const storage = row->second->owner;
  int32_t count = __atomic_load_n(&storage->refcount, __ATOMIC_ACQUIRE);
  while (count && !__atomic_compare_exchange_n(&storage->refcount, &count, count + 1, true, __ATOMIC_ACQ_REL,
                                               __ATOMIC_ACQUIRE)) {
  }
  return count ? storage : nullptr;
}

void enter(Shared *shared, THStorage *owner) {
  const std::lock_guard lock(table().mutex);
  shared->owner = owner;
  table().rows[shared->key] = shared;
}

void release(void *context, void *) {
  auto *const shared = static_cast<Shared *>(context);
  if (shared->owner) {
    const std::lock_guard lock(table().mutex);
    const auto row = table().rows.find(shared->key);
    if (row != table().rows.end() && row->second == shared) table().rows.erase(row);
  }
  delete shared;
}

Shared *sharedOf(const THStorage *storage) {
  return storage->release == release ? static_cast<Shared *>(storage->context) : nullptr;
}

// ---- segments ---------------------------------------------------------------------------------------------------------
std::string newName() {
  static std::atomic<unsigned> count{0};
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    THError(TH_ERROR_RUNTIME, "no random number for the name of a shared storage");
  char text[48];
  std::snprintf(text, sizeof text, "/torch_%d_%" PRIx64 "_%x", int(getpid()), number, unsigned(count++));
  return text;
}

std::unique_ptr<Shared> make(THSharedKind kind, size_t nbytes) {
  auto shared = std::make_unique<Shared>();
  if (kind == TH_SHARED_NAME) {
    shared->name = shared->key = newName();
    shared->manager = ownManager();
    hold(shared->manager, shared->name);  // before there is such a file: it is never without somebody who removes it
    shared->holder = getpid();
    const Descriptor file = makeNamed(shared->name, nbytes);
    shared->data = map(file.get(), nbytes);
  } else if (kind == TH_SHARED_DESCRIPTOR) {
    shared->file = makeNameless(nbytes);
    shared->key = identity(shared->file.get());
    shared->data = map(shared->file.get(), nbytes);
  } else {
    THError(TH_ERROR_VALUE, "a shared storage has a descriptor or a name, not kind %d", int(kind));
  }
  shared->nbytes = nbytes;
  return shared;
}

THStorage *storageOver(std::unique_ptr<Shared> shared) {
  Shared *const context = shared.release();  // the storage's, also when this raises
  THStorage *storage = THStorage_newWithData(context->data, context->nbytes, release, context);
  try {
    enter(context, storage);
  } catch (...) {
    context->owner = nullptr;
    THStorage_free(storage);
    throw;
  }
  return storage;
}

}  // namespace

THStorage *THSharedStorage_new(THSharedKind kind, size_t nbytes) { return storageOver(make(kind, nbytes)); }

THStorage *THSharedStorage_newWithDescriptor(int descriptor, size_t nbytes) {
  auto shared = std::make_unique<Shared>();
  shared->file = duplicate(descriptor);
  shared->key = identity(shared->file.get());
  if (THStorage *known = find(shared->key, nbytes)) return known;
  shared->data = map(shared->file.get(), nbytes);
  shared->nbytes = nbytes;
  return storageOver(std::move(shared));
}

THStorage *THSharedStorage_newWithName(const char *manager, const char *name, size_t nbytes) {
  if (THStorage *known = find(name, nbytes)) {
    Shared *const shared = sharedOf(known);
    if (shared->holder != getpid()) {  // a child's, of its parent, which has sent it besides
      hold(shared->manager, shared->name);
      shared->holder = getpid();
      ask(shared->manager);
    }
    return known;
  }
  auto shared = std::make_unique<Shared>();
  shared->name = shared->key = name;
  shared->manager = managerOf(manager);
  hold(shared->manager, shared->name);
  shared->holder = getpid();
  ask(shared->manager);  // the end of another connection may be read before what is said over this one
  const Descriptor file = openNamed(shared->name);
  shared->data = map(file.get(), nbytes);
  shared->nbytes = nbytes;
  return storageOver(std::move(shared));
}

void THSharedStorage_move(THStorage *self, THSharedKind kind) {
  const std::lock_guard lock(moving());  // two threads may send one tensor
  if (sharedOf(self)) return;
  if (self->device.kind != TH_CPU)
    THError(TH_ERROR_RUNTIME, "only memory of the CPU can be shared between processes, not a storage on %s",
            TH_deviceName(THDeviceKind(self->device.kind)));
  if (const int pins = __atomic_load_n(&self->pins, __ATOMIC_ACQUIRE))
    THError(
        TH_ERROR_RUNTIME,
        "a storage whose address is known elsewhere (%d of: memoryview, DLPack capsule, slice of the storage) cannot "
        "move into shared memory: delete those, or share a clone of the tensor",
        pins);
  std::unique_ptr<Shared> shared = make(kind, self->capacity);
  if (self->capacity) std::memcpy(shared->data, self->data, self->capacity);
  enter(shared.get(), self);
  const THStorage old = *self;
  if (!old.release && !old.resizable && old.capacity) {
    shared->allocator = old.allocator;
    shared->before = old.data;
    shared->before_size = old.capacity;
  }
  self->data = shared->data;
  self->release = release;
  self->context = shared.release();
  self->resizable = false;
  if (old.release)
    old.release(old.context, old.data);
  else if (old.resizable && old.capacity)
    old.allocator->free(old.allocator->context, old.device, old.data, old.capacity);
}

THSharedKind THSharedStorage_kind(const THStorage *self) {
  const Shared *shared = sharedOf(self);
  return !shared ? TH_SHARED_NOT : shared->manager ? TH_SHARED_NAME : TH_SHARED_DESCRIPTOR;
}

int THSharedStorage_descriptor(const THStorage *self) {
  const Shared *shared = sharedOf(self);
  return shared ? shared->file.get() : -1;
}

const char *THSharedStorage_name(const THStorage *self) {
  const Shared *shared = sharedOf(self);
  return shared && shared->manager ? shared->name.c_str() : nullptr;
}

const char *THSharedStorage_manager(THStorage *self) {
  Shared *shared = sharedOf(self);
  if (!shared || !shared->manager) return nullptr;
  if (shared->holder != getpid()) {
    // A child's, of its parent: the parent may let go of it at any moment.
    hold(shared->manager, shared->name);
    try {
      ask(shared->manager);
      openNamed(shared->name);
    } catch (...) {
      drop(shared->manager, shared->name);
      throw;
    }
    shared->holder = getpid();
  }
  thread_local std::string text;
  text = handleOf(shared->manager);
  return text.c_str();
}

void THSharedStorage_sent(THStorage *self) {
  if (!THSharedStorage_manager(self)) return;
  const Shared *shared = sharedOf(self);
  sent(shared->manager, shared->name);
}

void THSharedStorage_received(const char *manager, const char *name) { received(manager, name); }

void THSharedStorage_setProgram(const char *path) { setProgram(path); }
