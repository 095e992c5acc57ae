// Operands on two devices: every kernel that THC declares refuses them by name, and its results stay as they are.
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "pairs.hpp"
#include "support.hpp"

namespace {

using test::Shape;
using test::Tensor;

constexpr int64_t kShape[] = {2, 3};

// A result's shape, strides and bytes.
struct Left {
  Shape size, stride;
  std::vector<char> bytes;
  bool operator==(const Left &) const = default;
  explicit Left(const THTensor *t)
      : size(t->size, t->size + t->ndim), stride(t->stride, t->stride + t->ndim), bytes(t->storage->nbytes) {
    EXPECT_EQ(cudaMemcpy(bytes.data(), t->storage->data, bytes.size(), cudaMemcpyDefault), cudaSuccess);
  }
};

// What a kernel is called with: tensors of one dtype, of which input number `far` is on device 1, and the same simple numbers
// everywhere. Devices are judged first, so shapes that do not fit do not matter.
class Arguments {
 public:
  Arguments(THDtype dtype, int far) : dtype_(dtype), far_(far) {}

  template <class A>
  A next() {
    if constexpr (std::is_same_v<A, THTensor *>) {
      results.push_back(made(0));
      return results.back();
    } else if constexpr (std::is_same_v<A, const THTensor *>) {
      return input();
    } else if constexpr (std::is_same_v<A, const THTensor *const *>) {
      list_ = {input(), input()};
      return list_.data();
    } else if constexpr (std::is_same_v<A, THScalar>) {
      return number(1);
    } else if constexpr (std::is_same_v<A, int>) {
      return count_++ ? 0 : lists_ ? 2 : 0;  // of tensors in a list, else a dimension
    } else if constexpr (std::is_pointer_v<A>) {
      return nullptr;
    } else {
      return A(1);
    }
  }
  int inputs() const { return inputs_; }
  void withList() { lists_ = true; }
  std::vector<Tensor> results;

 private:
  Tensor made(int device) const {
    Tensor t(THTensor_newWithSizeOn({TH_CUDA, int8_t(device)}, dtype_, 2, kShape));
    EXPECT_EQ(cudaMemset(t->storage->data, 1, t->storage->nbytes), cudaSuccess);
    return t;
  }
  const THTensor *input() {
    held_.push_back(made(inputs_++ == far_));
    return held_.back();
  }
  THDtype dtype_;
  int far_, inputs_ = 0, count_ = 0;
  bool lists_ = false;
  std::vector<Tensor> held_;
  std::vector<const THTensor *> list_;
};

// Calls the kernel with input `far` elsewhere, and says how many inputs it has.
template <class R, class... A>
int callApart(R (*kernel)(A...), THDtype dtype, int far) {
  Arguments arguments(dtype, far);
  if ((std::is_same_v<A, const THTensor *const *> || ...)) arguments.withList();
  std::tuple<A...> values{arguments.next<A>()...};
  const size_t tensors = arguments.results.size() + size_t(arguments.inputs());
  if (far >= arguments.inputs() || tensors < 2) return 0;
  std::vector<Left> before;
  for (const Tensor &r : arguments.results) before.emplace_back(r);
  // Which of the two is named first is no matter.
  const Raised raised = raisedBy([&] { std::apply(kernel, values); });
  EXPECT_EQ(raised.kind, int(TH_ERROR_RUNTIME)) << raised.text;
  for (const char *device : {"cuda:0", "cuda:1", "same device"})
    EXPECT_NE(raised.text.find(device), std::string::npos) << raised.text;
  for (size_t i = 0; i < before.size(); i++) EXPECT_TRUE(Left(arguments.results[i]) == before[i]) << "result " << i;
  return arguments.inputs();
}

struct Row {
  std::string name;
  std::function<int(int far)> callApart;
};
std::vector<Row> &rows() {
  static std::vector<Row> all;
  return all;
}
template <class F>
bool addRow(const char *name, F *kernel, THDtype dtype) {
  rows().push_back({name, [=](int far) { return callApart(kernel, dtype, far); }});
  return true;
}

}  // namespace

// The table is THC's headers once more, each declaration of which adds a row.
#undef THC_H
#undef THC_TENSOR_BLAS_H
#undef THC_TENSOR_COPY_H
#undef THC_TENSOR_FFT_H
#undef THC_TENSOR_INDEX_H
#undef THC_TENSOR_LAPACK_H
#undef THC_TENSOR_MATH_H
#undef THC_TENSOR_ORDER_H
#undef THC_TENSOR_RANDOM_H
#undef THC_TENSOR_REDUCE_H
#undef THC_TENSOR_SPECIAL_H
#undef THC_FUNCTION_
#undef THC_FOR_ALL
#undef THC_LIKE
#define ROW_OF(function) THC_JOIN(row_, function)
#define THC_FUNCTION_(Name, op) \
  [[maybe_unused]] static const bool ROW_OF(THC_TENSOR(Name, op)) = addRow(#op "<" #Name ">", THC_TENSOR(Name, op), TH_##Name);
#define THC_FOR_ALL(op) \
  [[maybe_unused]] static const bool ROW_OF(THCTensor_##op) = addRow("THCTensor_" #op, THCTensor_##op, TH_Float);
#define THC_LIKE(model, name)
#include <THC/THC.h>

TEST(Apart, EveryKernelRefuses) {
  if (THC_deviceCount() < 2) GTEST_SKIP() << "one device";
  int calls = 0;
  for (const Row &row : rows()) {
    if (row.name == "THCTensor_copy") continue;  // which goes from device to device
    SCOPED_TRACE(row.name);
    for (int far = 0, inputs = 1; far < inputs; far++) {
      inputs = row.callApart(far);
      calls += inputs > 0;
    }
  }
  EXPECT_GT(rows().size(), 1300u);
  EXPECT_GT(calls, 1500);
}

TEST(Apart, NumbersOfTheHost) {
  const int64_t three = 3;
  const Tensor five(THTensor_newWithSize(TH_Float, 0, nullptr)), vector(THTensor_newWithSize(TH_Float, 1, &three)),
      r(THTensor_newWithSizeOn(test::kDevice, TH_Float, 0, nullptr));
  *static_cast<float *>(THTensor_data(five)) = 5;
  THCTensor_fill(r, number(1));
  THCudaTensor_cmul(r, r, five);
  EXPECT_EQ(test::get(test::toHost(r), 0), 5);
  EXPECT_RAISES(TH_ERROR_RUNTIME, "found at least two devices, cuda:0 and cpu!", THCudaTensor_cmul(r, r, vector));
  EXPECT_RAISES(TH_ERROR_RUNTIME, "found at least two devices, cuda:0 and cpu!", THCudaTensor_cumsum(r, vector, 0));
  EXPECT_RAISES(TH_ERROR_RUNTIME, "none of its tensors is on such a device", THCudaTensor_neg(vector, vector));
  EXPECT_EQ(test::shapeOf(r), Shape{});
}
