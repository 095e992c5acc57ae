// The same calls on the CPU and on a device: results have the same bits.
#pragma once

#include <THCS/THCS.h>

#include "../../THC/tests/compare.hpp"
#include "../../THS/tests/sparse.hpp"

namespace test {

// A function of THS and of THCS, by dtype: SPARSE_PAIR(all_complex, coalesce).cpu[TH_Half].
template <class F>
struct SparsePair {
  F cpu[TH_NUM_DTYPES] = {}, cuda[TH_NUM_DTYPES] = {};
  std::vector<THDtype> dtypes;
};
#define SPARSE_ENTRY(Name, op)                  \
  pair.cpu[TH_##Name] = THS##Name##Tensor_##op; \
  pair.cuda[TH_##Name] = THCS##Name##Tensor_##op; \
  pair.dtypes.push_back(TH_##Name);
#define SPARSE_PAIR(dtypes, op)                           \
  [] {                                                    \
    SparsePair<decltype(&THSFloatTensor_##op)> pair;      \
    TH_FOR_##dtypes(SPARSE_ENTRY, op) return pair; \
  }()

// A sparse tensor with its members on the device.
inline Tensor sparseOnDevice(const THSTensor *t) {
  const THSMembers &m = *THSTensor_members(t);
  const Tensor indices = onDevice(m.indices), values = onDevice(m.values);
  if (!m.plain) return Tensor(THSTensor_newWithTensorAndSize(indices, values, t->ndim, t->size, m.coalesced));
  const Tensor plain = onDevice(m.plain);
  return Tensor(THSTensor_newCompressed(THLayout(t->layout), indices, plain, values, t->ndim, t->size));
}

// Where a call is made: its tensors go there, and what it calls is looked up there.
struct Place {
  bool onDevice;
  Tensor strided(const THTensor *t) const {
    if (onDevice) return test::onDevice(t);
    THTensor_retain(const_cast<THTensor *>(t));
    return Tensor(const_cast<THTensor *>(t));
  }
  Tensor sparse(const THSTensor *t) const {
    if (onDevice) return sparseOnDevice(t);
    THTensor_retain(const_cast<THTensor *>(t));
    return Tensor(const_cast<THTensor *>(t));
  }
  Tensor empty(THDtype dtype) const { return onDevice ? newOnDevice(dtype) : Tensor(dtype, {0}); }
  template <class F>
  F function(const SparsePair<F> &pair, THDtype dtype) const {
    return onDevice ? pair.cuda[dtype] : pair.cpu[dtype];
  }
};
constexpr Place kHost{false}, kThere{true};

using Results = std::vector<Tensor>;
template <class... T>
Results results(T... t) {
  Results list;
  (list.push_back(std::move(t)), ...);
  return list;
}

// Calls `run(place)` in both places; what comes of it is the same.
template <class Run>
void compareBoth(const Run &run) {
  const Results want = run(kHost), got = run(kThere);
  ASSERT_EQ(want.size(), got.size());
  for (size_t k = 0; k < want.size(); k++) {
    SCOPED_TRACE(::testing::Message() << "result " << k);
    EXPECT_EQ(got[k]->device, TH_CUDA);
    const Tensor here = toHost(got[k]), dense(THTensor_newContiguous(want[k]));
    expectEqual(dense, got[k]);
    const size_t bytes = size_t(dense->numel) * TH_elementSize(THDtype(dense->dtype));
    EXPECT_EQ(bytes ? std::memcmp(THTensor_data(dense), THTensor_data(here), bytes) : 0, 0);
  }
}

// What a call raises.
template <class Run>
std::string errorOf(const Run &run) {
  try {
    run();
  } catch (const th::Exception &e) {
    return e.what();
  }
  return "";
}
// Both places refuse, in the same words.
template <class Run>
void refuseBoth(const Run &run) {
  const std::string want = errorOf([&] { run(kHost); });
  EXPECT_NE(want, "");
  EXPECT_EQ(errorOf([&] { run(kThere); }), want);
}

inline THScalar whole(int64_t i) { return {TH_KIND_int, {.i = i}, 0}; }
inline THScalar real(double d) { return {TH_KIND_float, {.d = d}, 0}; }

}  // namespace test
