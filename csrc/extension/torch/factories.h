// Tensors from C++ values and from memory that somebody else owns.
#pragma once

#include <functional>
#include <memory>

#include <torch/tensor.h>

namespace torch {

// torch::tensor({1.5, 2.5}), torch::tensor(3): bools give kBool, integers kLong, floats the default dtype.
template <Number T>
Tensor tensor(const T *values, size_t count, const TensorOptions &options = {}) {
  constexpr ScalarType own = scalar_type_of<T>;
  const ScalarType natural = isFloatingType(own) ? TensorOptions().dtype() : own == kBool ? kBool : kLong;
  Tensor made = empty(int64_t(count), own);
  std::copy_n(values, count, made.data_ptr<T>());
  return detail::leaf(made.to(options.device(), options.has_dtype() ? options.dtype() : natural), options);
}
template <Number T>
Tensor tensor(std::initializer_list<T> values, const TensorOptions &options = {}) {
  return tensor(values.begin(), values.size(), options);
}
template <Number T>
  requires(!std::is_same_v<T, bool>)  // a vector of bools has no addresses
Tensor tensor(const std::vector<T> &values, const TensorOptions &options = {}) {
  return tensor(values.data(), values.size(), options);
}
template <Number T>
Tensor tensor(T value, const TensorOptions &options = {}) {
  return detail::leaf(tensor(&value, 1, options.requires_grad(false)).view(IntArrayRef()), options);
}

// A tensor over memory that is already there; `release(data)` is called once, after the last use.
// The dtype is that of `options`, and nothing is converted.
inline Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides, std::function<void(void *)> release,
                        const TensorOptions &options = {}) {
  TORCH_CHECK_VALUE(sizes.size() == strides.size(), "from_blob: ", sizes.size(), " sizes but ", strides.size(),
                    " strides");
  TORCH_CHECK_VALUE(options.device().is_cpu(), "from_blob: memory of the host is no tensor on device ",
                    options.device());
  using Release = std::function<void(void *)>;
  const THDtype dtype = THDtype(options.dtype());
  int64_t elements = 1;  // up to the last one
  for (size_t d = 0; d < sizes.size(); ++d) {
    TORCH_CHECK_VALUE(sizes[d] >= 0 && strides[d] >= 0, "from_blob: sizes ", sizes, " and strides ", strides,
                      " must not be negative");
    elements = sizes[d] == 0 ? 0 : elements + (elements ? (sizes[d] - 1) * strides[d] : 0);
    if (elements == 0) break;
  }
  auto context = std::make_unique<Release>(std::move(release));
  THStorage *const storage = THStorage_newWithData(
      data, size_t(elements) * TH_elementSize(dtype),
      [](void *held, void *memory) {
        const std::unique_ptr<Release> own(static_cast<Release *>(held));
        if (*own) (*own)(memory);
      },
      context.release());
  const std::unique_ptr<THStorage, void (*)(THStorage *)> reference(storage, THStorage_free);
  return detail::leaf(thpp::Tensor::steal(THTensor_newWithStorage(dtype, storage, 0, int(sizes.size()), sizes.data(),
                                                                  strides.data())),
                      options);
}
inline Tensor from_blob(void *data, IntArrayRef sizes, std::function<void(void *)> release,
                        const TensorOptions &options = {}) {
  std::vector<int64_t> strides(sizes.size());
  int64_t step = 1;
  for (size_t d = sizes.size(); d-- > 0; step *= sizes[d]) strides[d] = step;
  return from_blob(data, sizes, strides, std::move(release), options);
}
inline Tensor from_blob(void *data, IntArrayRef sizes, const TensorOptions &options = {}) {
  return from_blob(data, sizes, std::function<void(void *)>(), options);
}

}  // namespace torch
