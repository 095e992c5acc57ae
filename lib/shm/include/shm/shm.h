/* shm: storages whose memory several processes see.
 *
 * A shared storage is a THStorage like any other; only where its bytes lie is different: in a segment of shared memory,
 * which another process maps, too, when it is given a handle. Nothing is copied on the way. There are two kinds of
 * segment, by what the handle is:
 *
 *     TH_SHARED_DESCRIPTOR  a file without a name; its descriptor is the handle, and travels over a Unix socket. The
 *                           kernel frees it with the last process that has it, however that one ends.
 *     TH_SHARED_NAME        a file in /dev/shm; its name is the handle. It costs no descriptor, so there may be more of
 *                           them than a process may have files open. Somebody has to remove it: see "The manager".
 *
 *     // The producer                                       // the consumer
 *     THSharedStorage_move(storage, TH_SHARED_DESCRIPTOR);
 *     int fd = THSharedStorage_descriptor(storage);
 *     … sendmsg(SCM_RIGHTS, fd) …                           THStorage *same = THSharedStorage_newWithDescriptor(fd, n);
 *
 *     THSharedStorage_move(storage, TH_SHARED_NAME);
 *     THSharedStorage_sent(storage);
 *     … THSharedStorage_manager(storage), _name(storage) …  THStorage *same = THSharedStorage_newWithName(manager, name, n);
 *                                                           THSharedStorage_received(manager, name);
 *
 * One segment is one storage in a process: who is given a handle of a segment that the process has mapped gets the
 * storage that is there, with one more reference.
 *
 * Moving. THSharedStorage_move puts a storage's bytes into a new segment and lets the storage itself have that, so that
 * every tensor over it stays a view of it. `data`, `capacity`, `release` and its context change, `nbytes` and the
 * version do not, and `resizable` becomes false: other processes have mapped the size that it had. What held before:
 *     - as for a resize, no other thread may use the storage meanwhile;
 *     - pins are none: else the address is in somebody's hands (a buffer, a DLPack capsule, a slice);
 *     - the memory is the CPU's.
 * Memory of somebody else (`release`) is copied and given back at once: the storage's tensors see the segment from then
 * on, that somebody does not. The allocator's memory is freed, unless the storage could not be resized: then its address
 * may be known elsewhere (a NumPy array), and it stays, unseen, until the storage goes. A call that raises has changed
 * nothing, and leaves no segment.
 *
 * The manager. A name in /dev/shm outlives the processes that use it. So the first segment with a name starts the program
 * torch_shm_manager, which every process that has such a segment is connected with, and which knows who has which: when
 * the last of them lets go of a segment, or ends, or is killed, it removes the name. A handle under way counts as had by
 * its sender: between THSharedStorage_sent and _received. The manager is two processes, of which one guards the other,
 * and takes its place when it is killed. It ends with the last connection.
 *
 * Fork. A child shares the segments that its parent had mapped, and has connections of its own.
 * Errors, memory, threads: as in TH.h. */
#ifndef SHM_H
#define SHM_H

#include <TH/THStorage.h>

typedef enum THSharedKind {
  TH_SHARED_NOT, /* a storage of this process alone */
  TH_SHARED_DESCRIPTOR,
  TH_SHARED_NAME
} THSharedKind;

/* A storage of nbytes zeros. Raises when there is no room, naming how much there is. */
TH_API THStorage *THSharedStorage_new(THSharedKind kind, size_t nbytes);
/* The storage of a segment with at least nbytes. The descriptor stays the caller's. */
TH_API THStorage *THSharedStorage_newWithDescriptor(int descriptor, size_t nbytes);
TH_API THStorage *THSharedStorage_newWithName(const char *manager, const char *name, size_t nbytes);
/* Moves a storage into shared memory; one that is there already stays where it is, of whichever kind. */
TH_API void THSharedStorage_move(THStorage *self, THSharedKind kind);

TH_API THSharedKind THSharedStorage_kind(const THStorage *self);
/* Of a shared storage with a descriptor: that, which stays the storage's; -1 of any other. */
TH_API int THSharedStorage_descriptor(const THStorage *self);
/* Of a shared storage with a name: that, until the storage is freed; NULL of any other. */
TH_API const char *THSharedStorage_name(const THStorage *self);
/* The manager's address and who of its clients this is, until the next call of the thread; NULL as above. Raises where
 * the segment has lost its name, which happens to what a forked child has of its parent. */
TH_API const char *THSharedStorage_manager(THStorage *self);

/* One handle of the storage is under way; with a name alone, nothing happens for others. */
TH_API void THSharedStorage_sent(THStorage *self);
/* One has arrived: what the other process said of it. Called when the storage has been made, or when it is not wanted. */
TH_API void THSharedStorage_received(const char *manager, const char *name);

/* Where torch_shm_manager is; needed before the first segment with a name. */
TH_API void THSharedStorage_setProgram(const char *path);

#endif
