// What operators made of others share.
#pragma once

#include "creation.h"

#include "bodies.h"

namespace thpp {

// What stands for a tensor of another device where a kernel is to check its arguments, and to do no more.
inline Tensor on_meta(const Tensor &t) {
  return t.defined() ? thpp::empty(t.sizes(), t.dtype(), MemoryFormat::Contiguous, THDevice{TH_Meta, 0}) : t;
}

// What a kernel makes its result of there.
inline Tensor prepared(THDtype dtype) {
  return thpp::empty({0}, dtype, MemoryFormat::Contiguous, THDevice{TH_Meta, 0});
}

// NotImplementedError, by torch's `name` of the kernel, for others than floats.
inline void require_floating(const char *name, const Tensor &self) {
  if (!is_floating(self.dtype())) throw_kernel(name, self.dtype());
}
// The same where torch names the kernel for the tensor's device.
inline void require_floating_kernel(const char *name, const Tensor &self) {
  if (!is_floating(self.dtype())) throw_kernel(kernel_for(self, name).c_str(), self.dtype());
}

// What a kernel that gives its results their shapes is handed.
inline Tensor without_elements(const Tensor &like, THDtype dtype) {
  return thpp::empty({0}, dtype, MemoryFormat::Contiguous, like.device());
}
inline Tensor without_elements(const Tensor &like) { return without_elements(like, like.dtype()); }
// What one is handed that keeps the layout of a result that has the right shape.
inline Tensor in_format_of(const Tensor &like) {
  return thpp::empty(like.sizes(), like.dtype(), like.suggest_memory_format(), like.device());
}

// `value` as the result: converted and copied into `out` if that is given.
inline void write_out(Tensor &out, const Tensor &value) {
  if (!out.defined()) {
    out = value;
    return;
  }
  target(out, value.device(), value.dtype());
  thpp::_resize_as_(out, value);
  thpp::_copy_(out, value);
}

// The same of several results.
template <class... T>
void write_outs(const std::tuple<T...> &values, T &...outs) {
  std::apply([&](const T &...value) { (write_out(outs, value), ...); }, values);
}

// The same for operators that do not convert their result.
inline void write_out_exact(Tensor &out, const Tensor &value) {
  if (out.defined()) exact_target(out, value.device(), value.dtype());
  write_out(out, value);
}

// A copy of self, in dtype t, as the result.
inline void copy_to(Tensor &out, const Tensor &self, THDtype t) {
  if (!out.defined()) {
    out = thpp::to(self, t, true);
    return;
  }
  const THTensor *input = self.get();
  THTensor_checkPointwise(out.get(), 1, &input);
  target(out, self.device(), t);
  if (out.is_same(self)) return;
  thpp::_resize_as_(out, self);
  thpp::_copy_(out, self);
}

// A result of this shape that fill(tensor) writes. An `out` of another shape changes when that has been done.
template <class Fill>
void filled(Tensor &out, IntList size, std::optional<THDtype> dtype, THDtype otherwise, const Fill &fill,
            std::optional<THDevice> device = {}) {
  if (out.defined()) {
    typed(out, dtype, otherwise, device);
    if (std::ranges::equal(out.sizes(), size)) return fill(out);
  }
  Tensor fresh;
  shaped(fresh, size, out.defined() ? out.dtype() : dtype, otherwise, out.defined() ? out.device() : device);
  fill(fresh);
  write_out(out, fresh);
}

// No kernel compares unsigned integers wider than 8 bits. Signed ones in the same order, and what they came from.
Tensor in_signed_order(const Tensor &self);
Tensor from_signed_order(const Tensor &ordered, THDtype dtype);

// Refuses `to` where it is known to overlap, or to be, a tensor that is read in another order than `to` is written. One
// that overlaps itself is refused only if it is read itself.
inline void check_apart(const Tensor &to, TensorList reads) {
  for (const Tensor &read : reads) {
    if (!read.defined() || read.get()->storage != to.get()->storage) continue;
    if (!read.is_same(to) && THTensor_overlapsItself(to.get())) continue;
    const Tensor other = read.dim() == to.dim() && read.dim() < TH_MAX_DIM ? thpp::unsqueeze(read, 0)
                                                                           : read;  // of another shape than `to`
    const THTensor *const operand = other.get();
    THTensor_checkPointwise(to.get(), 1, &operand);
  }
}

// For operators that change parts of self: write(tensor) does so, to self itself if that is `out`, else to a copy,
// which becomes the result when that has been done. `out` must be apart from what write reads.
template <class Write>
void scattered(Tensor &out, const Tensor &self, std::initializer_list<Tensor> reads, const Write &write,
               MemoryFormat format = MemoryFormat::Contiguous) {
  if (out.defined()) exact_target(out, self.device(), self.dtype());
  if (out.is_same(self)) return write(self);
  if (out.defined()) {
    THTensor_checkDistinct(out.get());
    check_apart(out, TensorList(reads.begin(), reads.size()));
  }
  const Tensor work = thpp::clone(self, format);
  write(work);
  write_out(out, work);
}

// The number in a 0-dim tensor that is to be written into `to`; of its kind, where nothing will be.
inline Scalar number_for(const Tensor &to, const Tensor &number) {
  if (has_values(to)) return number.item();
  return is_complex(number.dtype()) ? Scalar(THComplexDouble()) : is_floating(number.dtype()) ? Scalar(0.0) : Scalar(0);
}

inline std::vector<int64_t> list(IntList values) { return {values.begin(), values.end()}; }
inline int wrap(int64_t dim, const Tensor &self) { return TH_wrapDim(dim, self.dim()); }
// The same, of a tensor that must have dimensions.
inline int own_dim(int64_t dim, const Tensor &self) {
  if (self.dim() == 0)
    THError(TH_ERROR_INDEX, "Dimension specified as %lld but tensor has no dimensions", (long long)dim);
  return wrap(dim, self);
}
inline std::string text(IntList sizes) {
  std::string s = "[";
  for (int64_t n : sizes) s += (s.size() > 1 ? ", " : "") + std::to_string(n);
  return s + "]";
}

}  // namespace thpp
