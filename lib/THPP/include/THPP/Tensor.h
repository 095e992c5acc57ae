// THPP: one C++ tensor over the C libraries. A Tensor is a counted reference to a THTensor, the
// size of a pointer; its dtype is a run-time value, and the functions in Functions.h (generated
// from codegen/declarations) pick the kernel by it.
//
//     thpp::Tensor a = thpp::ones({2, 3});             // float32
//     thpp::Tensor b = thpp::add(a, thpp::select(a, 0, 0));  // broadcast; promotes where dtypes differ
//
// Errors are th::Exception (TH/THException.hpp).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <TH/TH.h>
#include <TH/THException.hpp>

// What is exported. The list for the link stub is made with another meaning of it (codegen/exports.py).
#ifndef THPP_API
#define THPP_API __attribute__((visibility("default")))
#endif

namespace thpp {

// Bits of THTensor.flags that every operator looks at before anything else (THPP/Guard.h).
#define TH_GUARDED (TH_RECORDED | TH_SPARSE)

// A borrowed list, for parameters: of a std::vector, a std::span, or written as {2, 3}.
template <class T>
struct List : std::span<const T> {
  using std::span<const T>::span;
  List(std::span<const T> items) : std::span<const T>(items) {}
  List(const std::initializer_list<T> &items) : std::span<const T>(items.begin(), items.size()) {}
};
using IntList = List<int64_t>;
using FloatList = List<double>;

// How a tensor's elements are laid out: row by row; in the order of an original's strides; or, of images (N, C, H, W)
// and volumes (N, C, D, H, W), with the channels innermost.
enum class MemoryFormat : uint8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
// Which one strides suggest. Where sizes of 1 or overlaps leave several, row by row.
THPP_API MemoryFormat suggested_format(IntList size, IntList stride);

// A number with a kind (bool, int, float, complex) and no dtype.
struct Scalar : THScalar {
  Scalar(THScalar s) : THScalar(s) {}
  Scalar(bool b) : THScalar{TH_KIND_bool, {.i = b}, 0} {}
  Scalar(int i) : Scalar(int64_t(i)) {}
  Scalar(int64_t i) : THScalar{TH_KIND_int, {.i = i}, 0} {}
  Scalar(uint64_t u) : THScalar{int64_t(u) < 0 ? TH_KIND_uint : TH_KIND_int, {.u = u}, 0} {}
  Scalar(double d) : THScalar{TH_KIND_float, {.d = d}, 0} {}
  Scalar(THComplexDouble z) : THScalar{TH_KIND_complex, {.d = z.real()}, z.imag()} {}

  bool is_complex() const { return kind == TH_KIND_complex; }
  double to_double() const {  // the real part
    return kind >= TH_KIND_float ? value.d : kind == TH_KIND_uint ? double(value.u) : double(value.i);
  }
  int64_t to_int() const {
    if (kind == TH_KIND_uint)
      THError(TH_ERROR_RUNTIME, "value cannot be converted to type int64_t without overflow: %llu",
              (unsigned long long)value.u);
    return kind >= TH_KIND_float ? int64_t(value.d) : value.i;
  }
  THComplexDouble to_complex() const { return {to_double(), is_complex() ? imag : 0}; }
};

// Whether the CPU can read and write what is allocated on a device.
inline bool is_host_memory(THDevice device) { return device.kind == TH_CPU; }

class Tensor {
 public:
  Tensor() = default;  // undefined: defined() is false, and nothing else may be asked
  Tensor(const Tensor &other) : impl_(other.impl_) {
    if (impl_) THTensor_retain(impl_);
  }
  Tensor(Tensor &&other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  Tensor &operator=(Tensor other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
  }
  ~Tensor() {
    if (impl_) THTensor_free(impl_);
  }

  // Takes over the reference that a THTensor_new… function returned.
  static Tensor steal(THTensor *impl) { return Tensor(impl); }
  static Tensor retain(THTensor *impl) {
    THTensor_retain(impl);
    return Tensor(impl);
  }

  THTensor *get() const { return impl_; }
  THTensor *release() { return std::exchange(impl_, nullptr); }  // the reference is the caller's
  bool defined() const { return impl_ != nullptr; }
  bool is_same(const Tensor &other) const { return impl_ == other.impl_; }

  THDtype dtype() const { return THDtype(impl_->dtype); }
  int dim() const { return impl_->ndim; }
  int64_t numel() const { return impl_->numel; }
  IntList sizes() const { return {impl_->size, size_t(impl_->ndim)}; }
  IntList strides() const { return {impl_->stride, size_t(impl_->ndim)}; }
  int64_t size(int d) const { return THTensor_size(impl_, d); }
  int64_t storage_offset() const { return impl_->offset; }
  bool is_contiguous() const { return THTensor_isContiguous(impl_); }
  THPP_API bool is_contiguous(MemoryFormat format) const;  // as an original's strides (Preserve): row by row
  THPP_API MemoryFormat suggest_memory_format() const;
  THDevice device() const { return impl_->storage->device; }
  THLayout layout() const { return THLayout(impl_->layout); }
  uint32_t version() const { return THTensor_version(impl_); }  // how often operators wrote into it or a view of it
  void bump_version() const { THTensor_bumpVersion(impl_); }
  bool is_wrapped_number() const { return impl_->flags & TH_WRAPPED_NUMBER; }
  template <class T>
  T *data() const {
    return static_cast<T *>(THTensor_data(impl_));
  }
  Scalar item() const { return THTensor_item(impl_); }

 private:
  explicit Tensor(THTensor *impl) : impl_(impl) {}
  THTensor *impl_ = nullptr;
};

using TensorList = List<Tensor>;

// A Python number among tensors: 0-dim, of the widest dtype of its kind (bool, int64, float64, complex128),
// marked so that only its kind takes part in promotion.
THPP_API Tensor wrapped_number(Scalar value);

// ---- warnings (warn.cpp) ----------------------------------------------------------------------
// An operator notes what its caller should hear; whoever calls operators for a user asks for the note afterwards,
// once (NULL: there is none). Notes are the thread's own, and a text stays until its next one.
THPP_API void warn(std::string text);
THPP_API const char *take_warning();

// ---- dtype promotion (promote.cpp): torch's lattice -------------------------------------------
THPP_API THDtype promote_types(THDtype a, THDtype b);
// Dimensioned tensors go before 0-dim ones, and those before wrapped numbers; a later group
// counts only if its kind is higher (of a complex one only its kind, where a float goes before it).
// Undefined tensors are skipped. A wrapped float that decides is of the default dtype, a wrapped
// complex number of the complex dtype of that.
THPP_API THDtype result_type(std::span<const Tensor *const> tensors);
THPP_API bool can_cast(THDtype from, THDtype to);
THPP_API THDtype complex_dtype(THDtype real);  // whose parts are at least that wide; of a complex one itself
THPP_API bool is_signed(THDtype dtype);        // whether it has negative numbers
THPP_API THDtype real_dtype(THDtype dtype);    // of a complex number's parts; of a real number its own

THPP_API THDtype default_dtype();  // of floating-point results made from nothing; float32 at first
THPP_API void set_default_dtype(THDtype dtype);

}  // namespace thpp
