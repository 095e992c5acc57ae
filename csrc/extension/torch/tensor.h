// torch::Tensor: thpp::Tensor with the methods that PyTorch's users know. Nothing is added to what it
// holds, so that either may stand for the other; a copy is another reference to the same tensor.
#pragma once

#include <concepts>
#include <tuple>
#include <utility>
#include <vector>

#include <THPP/Functions.h>

#include <torch/accessor.h>
#include <torch/types.h>

namespace torch {

class Tensor;
namespace autograd {
class GradFn;
}

// Tensors for one call: of a vector, or {a, b}.
class TensorList {
 public:
  TensorList() = default;
  TensorList(std::initializer_list<Tensor> tensors);
  TensorList(const std::vector<Tensor> &tensors);
  TensorList(std::vector<thpp::Tensor> tensors) : tensors_(std::move(tensors)) {}
  operator thpp::TensorList() const { return tensors_; }
  size_t size() const { return tensors_.size(); }
  Tensor operator[](size_t i) const;

 private:
  std::vector<thpp::Tensor> tensors_;
};

namespace detail {
std::vector<Tensor> lifted(std::vector<thpp::Tensor> tensors);
}

class Tensor : public thpp::Tensor {
 public:
  Tensor() = default;  // undefined, which is None in Python
  Tensor(thpp::Tensor other) : thpp::Tensor(std::move(other)) {}

  // ---- what it is -------------------------------------------------------------------------------
  ScalarType dtype() const { return ScalarType(checked().dtype()); }
  ScalarType scalar_type() const { return dtype(); }
  ScalarType type() const { return dtype(); }  // for AT_DISPATCH_… as it was written in 2018
  Device device() const { return checked().device(); }
  TensorOptions options() const { return TensorOptions(dtype()).device(device()); }
  int64_t dim() const { return checked().dim(); }
  int64_t ndimension() const { return dim(); }
  int64_t numel() const { return checked().numel(); }
  IntArrayRef sizes() const { return checked().sizes(); }
  IntArrayRef strides() const { return checked().strides(); }
  int64_t size(int64_t d) const { return THTensor_size(checked().get(), int(d)); }
  int64_t stride(int64_t d) const { return THTensor_stride(checked().get(), int(d)); }
  // Sizes that may be symbolic in PyTorch; here they are numbers.
  IntArrayRef sym_sizes() const { return sizes(); }
  IntArrayRef sym_strides() const { return strides(); }
  int64_t sym_size(int64_t d) const { return size(d); }
  int64_t sym_numel() const { return numel(); }
  int64_t storage_offset() const { return checked().storage_offset(); }
  size_t element_size() const { return elementSize(dtype()); }
  size_t itemsize() const { return element_size(); }
  size_t nbytes() const { return size_t(numel()) * element_size(); }
  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const { return checked().is_contiguous(format); }
  MemoryFormat suggest_memory_format() const { return checked().suggest_memory_format(); }
  bool is_floating_point() const { return isFloatingType(dtype()); }
  bool is_complex() const { return isComplexType(dtype()); }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_cuda() const { return device().is_cuda(); }
  bool is_meta() const { return device().is_meta(); }
  bool is_sparse() const { return false; }

  // ---- its elements -----------------------------------------------------------------------------
  // The address of element 0. T must be the dtype's C++ type; void will do for any.
  template <class T = void>
  T *data_ptr() const {
    if constexpr (!std::is_void_v<T>) expect<T>();
    return checked().data<T>();
  }
  template <class T>
  T *data() const {
    return data_ptr<T>();
  }
  template <class T = void>
  const T *const_data_ptr() const {
    return data_ptr<T>();
  }
  template <class T = void>
  T *mutable_data_ptr() const {
    return data_ptr<T>();
  }
  template <class T, int N>
  TensorAccessor<T, N> accessor() const {
    static_assert(N > 0, "a tensor without dimensions has one element: item<T>()");
    TORCH_CHECK(dim() == N, "TensorAccessor expected ", N, " dims but tensor has ", dim());
    return {data_ptr<T>(), sizes().data(), strides().data()};
  }
  Scalar item() const { return thpp::Scalar(THTensor_item(checked().get())); }
  template <class T>
  T item() const {
    return item().to<T>();
  }

  // ---- conversions ------------------------------------------------------------------------------
  Tensor to(ScalarType dtype, bool copy = false) const { return thpp::to(checked(), THDtype(dtype), copy); }
  Tensor to(Device device, ScalarType dtype, bool copy = false) const {
    return thpp::to(checked(), THDtype(dtype), copy, THDevice(device));
  }
  Tensor to(const TensorOptions &options, bool copy = false) const {
    TORCH_CHECK(!options.requires_grad(),
                "to(): options with requires_grad(true) are for new tensors; "
                "call x.to(…).requires_grad_()");
    return to(options.has_device() ? options.device() : device(), options.has_dtype() ? options.dtype() : dtype(),
              copy);
  }
  Tensor toType(ScalarType dtype) const { return to(dtype); }
  Tensor cpu() const { return to(kCPU, dtype()); }

  // ---- gradients: more of them in torch/autograd.h ------------------------------------------------
  bool requires_grad() const { return autograd::api::requires_grad(checked()); }
  // Of leaves only. Raises for dtypes that have no gradients.
  const Tensor &requires_grad_(bool wanted = true) const {
    autograd::api::set_requires_grad(checked(), wanted);
    return *this;
  }
  const Tensor &set_requires_grad(bool wanted) const { return requires_grad_(wanted); }
  bool is_leaf() const { return autograd::api::is_leaf(checked()); }
  Tensor grad() const { return autograd::api::grad_of(checked()); }  // undefined: there is none
  Tensor &mutable_grad() const { return static_cast<Tensor &>(autograd::api::mutable_grad(checked())); }
  autograd::GradFn grad_fn() const;  // null for leaves
  int64_t output_nr() const { return autograd::api::output_nr(checked()); }
  void retain_grad() const { autograd::api::retain_grad(checked()); }
  bool retains_grad() const { return autograd::api::retains_grad(checked()); }
  bool is_view() const { return autograd::api::is_view(checked()); }
  Tensor _base() const { return autograd::api::base_of(checked()); }  // undefined: it is no view
  int64_t _version() const { return checked().version(); }
  const Tensor &detach_() const {
    autograd::api::detach_(checked());
    return *this;
  }
  // Adds d self / d leaf, times `gradient`, to the grad() of every leaf, or of `inputs`. `gradient` may be left out for
  // one element. The graph is kept for another pass if `retain_graph` says so; else if `create_graph` does, with which
  // gradients can be differentiated again.
  void backward(const Tensor &gradient = {}, std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                const TensorList &inputs = {}) const {
    autograd::api::backward({&checked(), 1}, {gradient}, retain_graph, create_graph, inputs);
  }
  // hook(grad) is called when the tensor's gradient is known; a defined tensor that it returns takes its place. The
  // number that comes back is for remove_hook.
  template <class F>
  unsigned register_hook(F hook) const {
    return autograd::api::add_hook(checked(), [hook = std::move(hook)](const thpp::Tensor &grad) mutable {
      if constexpr (std::is_void_v<std::invoke_result_t<F &, Tensor>>)
        return hook(Tensor(grad)), thpp::Tensor();
      else
        return thpp::Tensor(Tensor(hook(Tensor(grad))));
    });
  }
  void remove_hook(unsigned number) const { autograd::api::remove_hook(checked(), number); }

  // ---- parts: x[0], x[0][1] = 3 -----------------------------------------------------------------
  Tensor operator[](int64_t index) const {
    TORCH_CHECK_INDEX(dim() > 0, "invalid index of a 0-dim tensor: use item<T>()");
    return select(0, index);
  }
  // As x[first:last:step] in Python, along one dimension.
  Tensor slice(int64_t dim = 0, std::optional<int64_t> first = std::nullopt, std::optional<int64_t> last = std::nullopt,
               int64_t step = 1) const {
    return thpp::slice(checked(), dim, first.value_or(0), last.value_or(INT64_MAX), step);
  }
  // Assigning to a part, as in x[0] = y, copies elements; assigning to a variable makes it mean y.
  Tensor &operator=(const Tensor &other) & = default;
  Tensor &operator=(Tensor &&other) & = default;
  const Tensor &operator=(const Tensor &other) && { return copy_(other); }
  const Tensor &operator=(const Scalar &number) && { return fill_(number); }
  Tensor(const Tensor &) = default;
  Tensor(Tensor &&) = default;

#include <THPP/TorchMethods.h>  // generated

  // As PyTorch's overload has it, by which equal elements keep their order; of a bool alone, since the other one would
  // take it for a dimension.
  template <std::same_as<bool> Stable>
  std::tuple<Tensor, Tensor> sort(Stable stable, int64_t dim = -1, bool descending = false) const {
    return thpp::sort(checked(), dim, descending, stable);
  }

 private:
  const thpp::Tensor &checked() const { return detail::defined(*this); }
  template <class T>
  void expect() const {
    TORCH_CHECK(dtype() == scalar_type_of<T>, "expected scalar type ", scalar_type_of<T>, " but found ", dtype());
  }
};
static_assert(sizeof(Tensor) == sizeof(thpp::Tensor));

inline TensorList::TensorList(std::initializer_list<Tensor> tensors) : tensors_(tensors.begin(), tensors.end()) {}
inline TensorList::TensorList(const std::vector<Tensor> &tensors) : tensors_(tensors.begin(), tensors.end()) {}
inline Tensor TensorList::operator[](size_t i) const { return tensors_.at(i); }

namespace detail {
inline std::vector<Tensor> lifted(std::vector<thpp::Tensor> tensors) {
  return {std::make_move_iterator(tensors.begin()), std::make_move_iterator(tensors.end())};
}
}  // namespace detail
}  // namespace torch

#include <THPP/TorchFunctions.h>  // generated

namespace torch {

// As PyTorch has it: the gradient of `self` would be sparse.
inline Tensor gather(const Tensor &self, int64_t dim, const Tensor &index, bool sparse_grad) {
  TORCH_CHECK_NOT_IMPLEMENTED(!sparse_grad, "gather: there are no sparse gradients here");
  return gather(self, dim, index);
}

}  // namespace torch
