// A device that nobody here can reach, and the same tensors on it: what a prepare half does for another backend.
#pragma once

#include "tensors.hpp"

namespace test {

// Memory of that device: the host's, under other addresses.
constexpr uintptr_t kApart = uintptr_t(1) << 62;
inline void *apart(void *data) { return reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(data) ^ kApart); }
inline constexpr THAllocator kAllocator = {
    [](void *, THDevice, size_t nbytes) { return apart(TH_alloc(nbytes)); },
    [](void *, THDevice, void *data, size_t nbytes) { TH_free(apart(data), nbytes); },
    [](void *, THDevice, void *, const void *, size_t) {}, nullptr};

// A tensor of the same geometry on a device.
inline Tensor on(THDeviceKind kind, const THTensor *t) {
  THStorage *storage = THStorage_newOn({int8_t(kind), 0}, t->storage->nbytes);
  Tensor r(THTensor_newWithStorage(THDtype(t->dtype), storage, t->offset, t->ndim, t->size, t->stride));
  THStorage_free(storage);
  return r;
}

class OnDevices : public ::testing::Test {
 protected:
  void SetUp() override { TH_setAllocator(TH_CUDA, &kAllocator); }
  void TearDown() override { TH_setAllocator(TH_CUDA, nullptr); }
};

// ---- a prepare half beside the CPU's kernel ----------------------------------------------------------

struct Spec {
  THDtype dtype;
  Shape shape;
  Layout layout = Layout::contiguous;
};

// Indices are 0, and rows of pivots 1, where every shape here has something.
inline Tensor make(const Spec &spec) {
  const Tensor t = spec.dtype == TH_Long  ? make(spec.dtype, spec.shape, [](int64_t) { return 0; })
                   : spec.dtype == TH_Int ? make(spec.dtype, spec.shape, [](int64_t) { return 1; })
                                          : make(spec.dtype, spec.shape, [](int64_t i) { return noise(i); });
  return relayout(t, spec.layout);
}

using Call = void (*)(THTensor *const *x);

struct PrepareCase {
  std::string name;
  std::vector<Spec> results;  // that are written come first; those of shape {0} get theirs from the call
  std::vector<Spec> inputs;
  Call prepare, kernel;
  std::string refused = {};  // part of the error's text; "": none
  bool onMeta = true;   // is it judged there as on the CPU? A row of meta serves all dtypes, and looks at no number
};
inline void PrintTo(const PrepareCase &c, std::ostream *out) { *out << c.name; }

// What a call makes of its tensors: shapes, strides and dtypes, or the error, which leaves them as they were.
struct Outcome {
  std::vector<Shape> tensors;
  std::string error;
  bool operator==(const Outcome &) const = default;
};
inline void PrintTo(const Outcome &o, std::ostream *out) {
  *out << (o.error.empty() ? "no error" : o.error);
  for (const Shape &shape : o.tensors) *out << ' ' << ::testing::PrintToString(shape);
}
inline Outcome outcomeOf(Call call, const std::vector<Tensor> &x) {
  const auto state = [&] {
    std::vector<Shape> all;
    for (const Tensor &t : x) all.insert(all.end(), {shapeOf(t), stridesOf(t), Shape{t->dtype, t->offset}});
    return all;
  };
  // What the CPU's tensors hold: a call that raises has written nowhere.
  const auto bytes = [&] {
    std::vector<std::string> all;
    for (const Tensor &t : x)
      if (t->device == TH_CPU) all.emplace_back(static_cast<const char *>(t->storage->data), t->storage->nbytes);
    return all;
  };
  const std::vector<Shape> before = state();
  const std::vector<std::string> held = bytes();
  Outcome found;
  try {
    call(std::vector<THTensor *>(x.begin(), x.end()).data());
  } catch (const th::Exception &e) {
    found.error = std::to_string(e.kind()) + " " + e.what();
  }
  found.tensors = state();
  if (!found.error.empty()) {
    EXPECT_EQ(found.tensors, before) << found.error;
    const std::vector<std::string> now = bytes();
    for (size_t i = 0; i < held.size(); i++)  // a storage may have grown
      EXPECT_TRUE(now[i].starts_with(held[i])) << found.error << ", tensor " << i;
  }
  return found;
}

// On a device, with the results in the ways in which they can be given.
inline std::vector<Tensor> argumentsOn(
    THDeviceKind device, const PrepareCase &c,
    const std::function<Tensor(size_t k, const std::vector<Tensor> &inputs)> &result) {
  std::vector<Tensor> inputs, x;
  for (const Spec &spec : c.inputs) inputs.push_back(device == TH_CPU ? make(spec) : on(device, make(spec)));
  for (size_t k = 0; k < c.results.size(); k++) {
    Tensor r = result(k, inputs);
    x.push_back(r->device == device ? std::move(r) : on(device, r));
  }
  for (Tensor &t : inputs) x.push_back(std::move(t));
  return x;
}

inline void expectSameAsKernel(const PrepareCase &c) {
  using Inputs = std::vector<Tensor>;
  using Result = std::function<Tensor(size_t, const Inputs &)>;
  const auto compare = [&](const std::string &what, const Result &result) {
    SCOPED_TRACE(what);
    const Outcome expected = outcomeOf(c.kernel, argumentsOn(TH_CPU, c, result));
    EXPECT_EQ(outcomeOf(c.prepare, argumentsOn(TH_CPU, c, result)), expected);
    EXPECT_EQ(outcomeOf(c.prepare, argumentsOn(TH_CUDA, c, result)), expected);
    const Outcome onMeta = outcomeOf(c.prepare, argumentsOn(TH_Meta, c, result));
    EXPECT_EQ(onMeta, outcomeOf(c.kernel, argumentsOn(TH_Meta, c, result)));
    if (c.onMeta) {
      EXPECT_EQ(onMeta, expected);
    }
    return expected;
  };
  const Outcome given = compare("as given", [&](size_t k, const Inputs &) { return make(c.results[k]); });
  ASSERT_EQ(given.error.empty(), c.refused.empty()) << given.error;
  ASSERT_NE(given.error.find(c.refused), std::string::npos) << given.error;
  if (!given.error.empty()) return;

  const auto shape = [&](size_t k) { return given.tensors[3 * k]; };
  const auto layout = [&](Layout layout) {
    return [=, &c](size_t k, const Inputs &) { return make({c.results[k].dtype, shape(k), layout}); };
  };
  if (!c.results.empty())
    for (const Layout l : kLayouts) compare("laid out", layout(l));
  // The rest is about one result, the others being as given.
  for (size_t one = 0; one < c.results.size(); one++) {
    const std::string which = " for result " + std::to_string(one);
    const auto other = [&](const std::string &what, const Result &result) {
      compare(what + which,
              [&](size_t k, const Inputs &inputs) { return k == one ? result(k, inputs) : make(c.results[k]); });
    };
    const THDtype dtype = c.results[one].dtype;
    if (c.results[one].shape == Shape{0})
      other("too large", [&](size_t, const Inputs &) { return make({dtype, {7, 9, 2}, Layout::reversed}); });
    other("expanded", [&](size_t, const Inputs &) {
      const Shape size = shape(one);
      return Tensor(THTensor_newExpand(Tensor(dtype, {}), int(size.size()), size.data()));
    });
    for (size_t i = 0; i < c.inputs.size(); i++) {
      const std::string input = " input " + std::to_string(i);
      const THDtype own = c.inputs[i].dtype;
      if (own != dtype) continue;
      other("itself", [&](size_t, const Inputs &inputs) {
        THTensor_retain(inputs[i]);
        return Tensor(static_cast<THTensor *>(inputs[i]));
      });
      other("a view of" + input,
            [&](size_t, const Inputs &inputs) { return Tensor(THTensor_newWithTensor(inputs[i])); });
      if (c.inputs[i].shape.empty() || c.inputs[i].shape[0] < 2) continue;
      other("a part of" + input, [&](size_t, const Inputs &inputs) {
        return Tensor(THTensor_newNarrow(inputs[i], 0, 1, c.inputs[i].shape[0] - 1));
      });
    }
  }
}

// ---- calls of prepare halves: the plan, then shapes for the results ------------------------------------
template <class Plan> void resize(const Plan &) {}
inline void resize(const THResult &result) { THResult_resize(&result, 1); }
template <class Plan>
  requires requires(Plan p) { p.result.tensor; }
void resize(const Plan &plan) {
  THResult_resize(&plan.result, 1);
}
template <class Plan>
  requires requires(Plan p) { p.result[0].tensor; }
void resize(const Plan &plan) {
  int n = 1;
  while (n < int(std::size(plan.result)) && plan.result[n].tensor) n++;
  THResult_resize(plan.result, n);
}

template <class R, class Plan, class... Parameters, class... Arguments>
void prepared(R (*prepare)(Plan *, Parameters...), Arguments... arguments) {
  Plan plan{};
  prepare(&plan, arguments...);
  resize(plan);
}

}  // namespace test

#define CALL(...) [](THTensor *const *x) { __VA_ARGS__; }
#define PREPARED(...) CALL(prepared(__VA_ARGS__))
