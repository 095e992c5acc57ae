// Shared storages in one process: what is one storage, what moves, what is refused, what is left behind.
#include <shm/shm.h>

#include <TH/TH.h>
#include <TH/THException.hpp>

#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "processes.hpp"

namespace {

using namespace test;

THTensor *row(THStorage *storage, int64_t n) { return THTensor_newWithStorage(TH_Int, storage, 0, 1, &n, nullptr); }

class OfBothKinds : public testing::TestWithParam<THSharedKind> {
 protected:
  void SetUp() override { THSharedStorage_setProgram(MANAGER); }
};
INSTANTIATE_TEST_SUITE_P(Shared, OfBothKinds, testing::Values(TH_SHARED_DESCRIPTOR, TH_SHARED_NAME),
                         [](const auto &about) { return about.param == TH_SHARED_NAME ? "Name" : "Descriptor"; });

// Another storage of the same segment, as another process would make it.
THStorage *arrived(THStorage *storage, size_t nbytes) {
  if (THSharedStorage_kind(storage) == TH_SHARED_DESCRIPTOR)
    return THSharedStorage_newWithDescriptor(THSharedStorage_descriptor(storage), nbytes);
  return THSharedStorage_newWithName(THSharedStorage_manager(storage), THSharedStorage_name(storage), nbytes);
}

TEST_P(OfBothKinds, NewIsFullOfZeros) {
  THStorage *s = THSharedStorage_new(GetParam(), 10000);
  EXPECT_EQ(THSharedStorage_kind(s), GetParam());
  EXPECT_EQ(s->nbytes, 10000u);
  EXPECT_FALSE(s->resizable);
  EXPECT_EQ(std::string(static_cast<char *>(s->data), 10000), std::string(10000, '\0'));
  THStorage_free(s);
}

TEST_P(OfBothKinds, OneSegmentIsOneStorage) {
  THStorage *s = THSharedStorage_new(GetParam(), 64);
  THStorage *same = arrived(s, 64);
  EXPECT_EQ(same, s);
  EXPECT_EQ(s->refcount, 2);
  THStorage_free(same);
  THStorage *other = THSharedStorage_new(GetParam(), 64);
  EXPECT_NE(other, s);
  THStorage_free(other);
  THStorage_free(s);
}

TEST_P(OfBothKinds, TensorsFollowAStorageThatMoves) {
  THStorage *s = THStorage_new(12);
  THTensor *a = row(s, 3), *b = row(s, 2);
  for (int i = 0; i < 3; ++i) static_cast<int *>(s->data)[i] = i + 5;
  const void *before = s->data;
  THSharedStorage_move(s, GetParam());
  EXPECT_NE(s->data, before);
  EXPECT_EQ(a->storage, s);
  EXPECT_EQ(static_cast<int *>(b->storage->data)[2], 7);
  EXPECT_EQ(THSharedStorage_kind(s), GetParam());
  const void *there = s->data;
  THSharedStorage_move(s, TH_SHARED_NAME);  // it is shared: nothing happens
  EXPECT_EQ(s->data, there);
  THTensor_free(a);
  THTensor_free(b);
  THStorage_free(s);
}

TEST_P(OfBothKinds, NoBytes) {
  THStorage *s = THStorage_new(0);
  THSharedStorage_move(s, GetParam());
  EXPECT_EQ(THSharedStorage_kind(s), GetParam());
  EXPECT_EQ(s->data, nullptr);
  THStorage_free(s);
}

int released = 0;
void release(void *, void *) { ++released; }

TEST_P(OfBothKinds, MemoryOfOthersIsCopiedAndGivenBack) {
  char data[4] = {1, 2, 3, 4};
  released = 0;
  THStorage *s = THStorage_newWithData(data, 4, release, nullptr);
  THSharedStorage_move(s, GetParam());
  EXPECT_EQ(released, 1);
  static_cast<char *>(s->data)[0] = 9;
  EXPECT_EQ(data[0], 1);
  EXPECT_EQ(static_cast<char *>(s->data)[3], 4);
  THStorage_free(s);
  EXPECT_EQ(released, 1);
}

TEST_P(OfBothKinds, MemoryWhoseAddressMayBeKnownStays) {
  THStorage *s = THStorage_new(8);
  std::memset(s->data, 7, 8);
  s->resizable = false;  // what a NumPy array of it leaves
  const char *before = static_cast<char *>(s->data);
  THSharedStorage_move(s, GetParam());
  EXPECT_EQ(before[7], 7);  // a sanitizer would say
  THStorage_free(s);
}

TEST_P(OfBothKinds, RefusedIsUnchanged) {
  THStorage *s = THStorage_new(8);
  s->pins = 2;
  const void *before = s->data;
  expectRaises("address is known elsewhere (2 of", [&] { THSharedStorage_move(s, GetParam()); });
  EXPECT_EQ(s->data, before);
  EXPECT_TRUE(s->resizable);
  s->pins = 0;
  THStorage_free(s);
  THStorage *meta = THStorage_newOn({TH_Meta, 0}, 8);
  expectRaises("not a storage on meta", [&] { THSharedStorage_move(meta, GetParam()); });
  THStorage_free(meta);
}

TEST_P(OfBothKinds, NoRoom) {
  const size_t before = descriptors(), names = segments();
  expectRaises("unable to allocate shared memory(shm) of 1099511627776000 bytes",
               [&] { THSharedStorage_new(GetParam(), size_t(1000) << 40); });
  THStorage *s = THSharedStorage_new(GetParam(), 8);  // the next is had, and that one left nothing
  THStorage_free(s);
  EXPECT_TRUE(soon([&] { return segments() <= names; }));
  EXPECT_LE(descriptors(), before + 1);  // the socket to the manager
}

TEST_P(OfBothKinds, NothingIsLeftBehind) {
  THStorage_free(THSharedStorage_new(GetParam(), 8));
  const size_t before = descriptors();
  for (int i = 0; i < 200; ++i) {
    THStorage *s = THSharedStorage_new(GetParam(), 1000);
    THStorage_free(arrived(s, 1000));
    THStorage_free(s);
  }
  EXPECT_EQ(descriptors(), before);
  EXPECT_TRUE(soon([] { return segments() == 0; }));
}

TEST_P(OfBothKinds, ThreadsThatReceiveAndFree) {
  THStorage *s = THSharedStorage_new(GetParam(), 4096);
  Descriptor fd;  // handles that outlive the storage
  std::string manager, name;
  if (GetParam() == TH_SHARED_DESCRIPTOR) {
    fd.value = dup(THSharedStorage_descriptor(s));
  } else {
    THSharedStorage_sent(s);
    manager = THSharedStorage_manager(s);
    name = THSharedStorage_name(s);
  }
  THStorage_free(s);
  const auto work = [&] {
    for (int i = 0; i < 2000; ++i) {
      THStorage *mine = fd.value >= 0 ? THSharedStorage_newWithDescriptor(fd.value, 4096)
                                      : THSharedStorage_newWithName(manager.c_str(), name.c_str(), 4096);
      __atomic_fetch_add(static_cast<int *>(mine->data), 1, __ATOMIC_RELAXED);
      THStorage_free(mine);
    }
  };
  std::thread other(work);
  work();
  other.join();
  THStorage *last = fd.value >= 0 ? THSharedStorage_newWithDescriptor(fd.value, 4096)
                                  : THSharedStorage_newWithName(manager.c_str(), name.c_str(), 4096);
  EXPECT_EQ(*static_cast<int *>(last->data), 4000);
  THStorage_free(last);
  if (!name.empty()) THSharedStorage_received(manager.c_str(), name.c_str());
  EXPECT_TRUE(soon([] { return segments() == 0; }));
}

TEST(Shared, WrongHandles) {
  THStorage *s = THSharedStorage_new(TH_SHARED_DESCRIPTOR, 8);
  expectRaises("unable to map 9 bytes of shared memory: the segment has 8",
               [&] { THSharedStorage_newWithDescriptor(THSharedStorage_descriptor(s), 9); });
  THStorage_free(s);
  expectRaises("Bad file descriptor", [] { THSharedStorage_newWithDescriptor(12345, 8); });
  expectRaises("'nothing' is no address", [] { THSharedStorage_newWithName("nothing", "/torch_none", 8); });
  expectRaises("is gone", [] { THSharedStorage_newWithName("fffff:1", "/torch_none", 8); });
}

TEST(Shared, NoProgram) {
  // In a program of its own: here the manager runs already.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        THSharedStorage_setProgram("/nowhere/torch_shm_manager");
        try {
          THStorage *meta = THSharedStorage_new(TH_SHARED_NAME, 8);
          THStorage_free(meta);
        } catch (const th::Exception &error) {
          std::fputs(error.what(), stderr);
          _exit(3);
        }
        _exit(segments() == 0);
      },
      testing::ExitedWithCode(3), "torch_shm_manager at \"/nowhere/torch_shm_manager\": cannot be run: No such file");
}

}  // namespace
