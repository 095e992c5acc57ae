// Storages, references, memory, errors, threads, scalars.
#include <atomic>
#include <thread>

#include "tensors.hpp"

using namespace test;

namespace {

int released = 0;
void release(void *context, void *data) {
  released++;
  EXPECT_EQ(context, &released);
  EXPECT_NE(data, nullptr);
}

TEST(Storage, References) {
  THStorage *s = THStorage_new(24);
  EXPECT_EQ(uintptr_t(s->data) % 64, 0u);
  THStorage_retain(s);
  THStorage_free(s);
  EXPECT_EQ(s->refcount, 1);
  int64_t size[] = {2, 3};
  THTensor *t = THTensor_newWithStorage(TH_Float, s, 0, 2, size, nullptr);
  EXPECT_EQ(s->refcount, 2);
  THTensor *row = THTensor_newSelect(t, 0, 1);
  THTensor_free(t);
  EXPECT_EQ(s->refcount, 2);
  THTensor_free(row);
  THStorage_free(s);
  THStorage_free(nullptr);
  THTensor_free(nullptr);
}

TEST(Storage, ForeignMemoryIsHandedBackOnce) {
  char data[16];
  released = 0;
  THStorage *s = THStorage_newWithData(data, sizeof data, release, &released);
  expectRaises(TH_ERROR_RUNTIME, "Trying to resize storage that is not resizable", [&] { THStorage_resize(s, 32); });
  EXPECT_EQ(released, 0);
  THStorage_free(s);
  EXPECT_EQ(released, 1);
}

TEST(Storage, ResizeKeepsBytes) {
  THStorage *s = THStorage_new(0);
  EXPECT_EQ(s->data, nullptr);
  THStorage_resize(s, 5);
  std::memcpy(s->data, "abcde", 5);
  THStorage_resize(s, 5000);
  EXPECT_EQ(std::memcmp(s->data, "abcde", 5), 0);
  THStorage_resize(s, 3);
  EXPECT_EQ(std::memcmp(s->data, "abc", 3), 0);
  EXPECT_EQ(s->nbytes, 3u);
  THStorage_free(s);
}

TEST(Storage, ShrinkingKeepsWhatTensorsSee) {
  Tensor t(TH_Float, {1000});
  THTensor_fill(t, number(3));
  THStorage *s = t->storage;
  THStorage_retain(s);
  THStorage_resize(s, 0);
  EXPECT_EQ(s->nbytes, 0u);
  Tensor other(TH_Float, {1000});  // would get the block if it had been given back
  THTensor_fill(other, number(7));
  EXPECT_EQ(get(t, 999), 3);
  THStorage_resize(s, 2000);  // grows within the block
  EXPECT_EQ(get(t, 999), 3);
  THStorage_resize(s, 8000);  // and beyond it
  EXPECT_EQ(get(t, 999), 3);
  EXPECT_EQ(s->capacity, 8000u);
  THStorage_free(s);
  THStorage_resize(s, 16);  // one owner: the memory goes back
  EXPECT_EQ(s->capacity, 16u);
}

TEST(Storage, PinnedMemoryStays) {
  THStorage *s = THStorage_new(16);
  s->pins = 1;
  expectRaises(TH_ERROR_RUNTIME, "not resizable", [&] { THStorage_resize(s, 32); });
  s->pins = 0;
  THStorage_resize(s, 32);
  EXPECT_EQ(s->nbytes, 32u);
  THStorage_free(s);
}

TEST(Memory, BlocksAreAlignedAndDistinct) {
  std::vector<std::pair<char *, size_t>> blocks;
  for (size_t size : {1, 63, 64, 65, 127, 128, 1000, 4095, 4096, 4097, 100000})
    for (int i = 0; i < 600; i++) {
      auto *block = static_cast<char *>(TH_alloc(size));
      ASSERT_EQ(uintptr_t(block) % 64, 0u);
      std::memset(block, int(blocks.size() & 127), size);
      blocks.emplace_back(block, size);
    }
  for (size_t i = 0; i < blocks.size(); i++) {
    ASSERT_EQ(blocks[i].first[0], char(i & 127));
    ASSERT_EQ(blocks[i].first[blocks[i].second - 1], char(i & 127));
    TH_free(blocks[i].first, blocks[i].second);
  }
}

TEST(Memory, BlocksMayBeFreedElsewhere) {
  std::vector<THTensor *> tensors;
  for (int i = 0; i < 5000; i++) tensors.push_back(THTensor_newWithScalar(TH_Int, number(i)));
  std::thread other([&] {
    for (THTensor *t : tensors) THTensor_free(t);
    tensors.clear();
    for (int i = 0; i < 5000; i++) tensors.push_back(THTensor_newWithScalar(TH_Int, number(i)));
  });
  other.join();
  for (int i = 0; i < 5000; i++) {
    EXPECT_EQ(get(tensors[size_t(i)], 0), i);
    THTensor_free(tensors[size_t(i)]);
  }
}

TEST(Memory, ReferencesAreAtomic) {
  Tensor t(TH_Float, {4});
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; k++)
    threads.emplace_back([&] {
      for (int i = 0; i < 20000; i++) {
        THTensor_retain(t);
        THTensor *view = THTensor_newWithTensor(t);
        THTensor_free(view);
        THTensor_free(t);
      }
    });
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(t->refcount, 1);
  EXPECT_EQ(t->storage->refcount, 1);
}

TEST(Errors, HandlerCanBeReplaced) {
  struct Mine {
    std::string text;
  };
  const THErrorHandler before = TH_setErrorHandler(
      [](THErrorKind kind, const char *message) { throw Mine{std::to_string(kind) + message}; });
  std::string text;
  try {
    THError(TH_ERROR_VALUE, "%d %s", 7, std::string(3000, 'x').c_str());
  } catch (const Mine &e) {
    text = e.text;
  }
  TH_setErrorHandler(before);
  EXPECT_EQ(text, std::to_string(TH_ERROR_VALUE) + "7 " + std::string(3000, 'x'));
  expectRaises(TH_ERROR_VALUE, "again", [] { THError(TH_ERROR_VALUE, "again"); });
}

TEST(Threads, Number) {
  const int before = TH_getNumThreads();
  EXPECT_GE(before, 1);
  TH_setNumThreads(3);
  EXPECT_EQ(TH_getNumThreads(), 3);
  std::thread([] { EXPECT_EQ(TH_getNumThreads(), 3); }).join();  // one number for the process
  TH_setNumThreads(before);
  expectRaises(TH_ERROR_RUNTIME, "positive", [] { TH_setNumThreads(0); });
}

THScalar integer(int64_t i) {
  THScalar s;
  s.kind = TH_KIND_int;
  s.value.i = i;
  return s;
}

TEST(Scalar, ItemAndFill) {
  for (int d = 0; d < TH_NUM_DTYPES; d++) {
    Tensor t(THDtype(d), {2, 3});
    THTensor_fill(t, integer(1));
    for (double v : values(t)) EXPECT_EQ(v, 1);
    THTensor_zero(t);
    for (double v : values(t)) EXPECT_EQ(v, 0);
    Tensor one(THTensor_newWithScalar(THDtype(d), number(1)));
    const THScalar s = THTensor_item(one);
    EXPECT_EQ(s.kind, TH_kind(THDtype(d)));
    EXPECT_EQ(s.kind >= TH_KIND_float ? s.value.d : double(s.value.i), 1);
  }
  EXPECT_EQ(THTensor_item(Tensor(THTensor_newWithScalar(TH_Long, integer(INT64_MIN)))).value.i, INT64_MIN);
  // Every element of an expanded tensor is the same one.
  Tensor one(THTensor_newWithScalar(TH_Float, number(0)));
  const int64_t size[] = {3};
  THTensor_fill(Tensor(THTensor_newExpand(one, 1, size)), number(5));
  EXPECT_EQ(get(one, 0), 5);
}

TEST(Scalar, Overflow) {
  struct Case {
    THDtype dtype;
    THScalar value;
    const char *type;  // NULL: fits
    double result;
  };
  const Case cases[] = {
      {TH_Byte, integer(300), "uint8_t", 0},
      {TH_Byte, integer(-1), nullptr, 255},
      {TH_Byte, integer(-256), "uint8_t", 0},
      {TH_Byte, number(-1.5), "uint8_t", 0},
      {TH_Char, number(1e3), "int8_t", 0},
      {TH_Char, number(-128), nullptr, -128},
      {TH_Short, number(1e30), "int16_t", 0},
      {TH_Int, number(NAN), "int", 0},
      {TH_Int, integer(int64_t(1) << 33), "int", 0},
      {TH_Long, number(1e30), "int64_t", 0},
      {TH_Float, number(1e300), "float", 0},
      {TH_Half, integer(70000), "c10::Half", 0},
      {TH_BFloat16, number(1e39), "c10::BFloat16", 0},
      {TH_Float, number(INFINITY), nullptr, INFINITY},
      {TH_Bool, number(2.5), nullptr, 1},
      {TH_Int, number(-2.9), nullptr, -2},
      {TH_Half, number(0.1), nullptr, 0.0999755859375},
      {TH_Float8_e5m2, number(1e9), "c10::Float8_e5m2", 0},
      {TH_ComplexHalf, number(1e9), nullptr, INFINITY},
  };
  for (const Case &c : cases) {
    Tensor t(c.dtype, {2});
    THTensor_zero(t);
    if (c.type) {
      expectRaises(TH_ERROR_RUNTIME, std::string("value cannot be converted to type ") + c.type + " without overflow",
                   [&] { THTensor_fill(t, c.value); });
      EXPECT_EQ(get(t, 0), 0);
    } else {
      THTensor_fill(t, c.value);
      EXPECT_EQ(get(t, 1), c.result);
    }
  }
  const Tensor half(TH_Half, {1}), small(TH_Float8_e4m3fn, {}), complex(TH_ComplexHalf, {1, 1});  // as in torch
  THTensor_fill(half, number(1e9));
  EXPECT_EQ(get(half, 0), INFINITY);
  THTensor_fill(small, number(1e9));
  EXPECT_EQ(get(small, 0), 448);
  expectRaises(TH_ERROR_RUNTIME, "c10::complex<c10::Half> without overflow",
               [&] { THTensor_fill(complex, number(1e9)); });
}

}  // namespace
