// Tensors made from nothing, or like another one.
#include "results.h"

#include <string>

#include "bodies.h"

namespace thpp {

namespace {

Tensor made(THDtype dtype, IntList size, std::optional<THDevice> device) {
  return Tensor::steal(THTensor_newWithSizeOn(device.value_or(THDevice{}), dtype, int(size.size()), size.data()));
}

}  // namespace

THTensor *typed(Tensor &out, std::optional<THDtype> dtype, THDtype otherwise, std::optional<THDevice> device) {
  if (!out.defined()) {
    out = made(dtype.value_or(otherwise), {0}, device);
    return out.get();
  }
  if (dtype && *dtype != out.dtype())
    THError(TH_ERROR_RUNTIME, "dtype %s does not match dtype of out parameter (%s)", TH_typeName(*dtype),
            TH_typeName(out.dtype()));
  if (device && device->kind != out.device().kind)
    THError(TH_ERROR_RUNTIME, "device type %s does not match device type of out parameter (%s)",
            TH_deviceName(THDeviceKind(device->kind)), TH_deviceName(THDeviceKind(out.device().kind)));
  return out.get();
}

THTensor *shaped(Tensor &out, IntList size, std::optional<THDtype> dtype, THDtype otherwise,
                 std::optional<THDevice> device) {
  if (!out.defined())
    out = made(dtype.value_or(otherwise), size, device);
  else
    THTensor_resize(typed(out, dtype, otherwise, device), int(size.size()), size.data());
  return out.get();
}

Tensor empty_strided(THDtype dtype, IntList size, IntList stride, THDevice device) {
  const int64_t numel = TH_numel(int(size.size()), size.data());  // refuses what has too many
  int64_t last = 0;
  for (size_t d = 0; numel && d < size.size(); ++d) last += (size[d] - 1) * stride[d];
  THStorage *storage = THStorage_newOn(device, numel ? size_t(last + 1) * TH_elementSize(dtype) : 0);
  const struct Release {
    THStorage *storage;
    ~Release() { THStorage_free(storage); }
  } release{storage};
  return Tensor::steal(THTensor_newWithStorage(dtype, storage, 0, int(size.size()), size.data(), stride.data()));
}

Tensor on_host(const Tensor &t) {
  return thpp::contiguous(is_host_memory(t.device()) ? t : thpp::to(t, t.dtype(), false, THDevice{}));
}

Tensor reinterpreted(const Tensor &self, THDtype dtype, int64_t offset, IntList size, IntList stride) {
  Tensor view = Tensor::steal(
      THTensor_newWithStorage(dtype, self.get()->storage, offset, int(size.size()), size.data(), stride.data()));
  view.get()->flags |= self.get()->flags & TH_DATA_VERSION;
  return view;
}

namespace {

Tensor like(const Tensor &self, std::optional<THDtype> dtype, std::optional<MemoryFormat> wanted,
            std::optional<THDevice> device) {
  const THDtype t = dtype.value_or(self.dtype());
  const THDevice where = device.value_or(self.device());
  const MemoryFormat format = wanted.value_or(MemoryFormat::Preserve);
  if (channels_last(format)) return empty_strided(t, self.sizes(), format_strides(format, self.sizes()), where);
  if (format == MemoryFormat::Contiguous || self.is_contiguous()) {
    const Tensor result = made(t, self.sizes(), where);
    if (format == MemoryFormat::Preserve)  // the strides of dimensions of size 1 may be any
      std::ranges::copy(self.strides(), result.get()->stride);
    return result;
  }
  int64_t stride[TH_MAX_DIM];
  THTensor_denseStrides(self.get(), stride);
  return empty_strided(t, self.sizes(), {stride, size_t(self.dim())}, where);
}

THDtype dtype_of(const Scalar &value) {
  return value.is_complex()            ? promote_types(complex_dtype(default_dtype()), TH_ComplexFloat)
         : value.kind == TH_KIND_bool  ? TH_Bool
         : value.kind == TH_KIND_float ? default_dtype()
                                       : TH_Long;
}

}  // namespace

void body::empty_out(Tensor &out, IntList size, std::optional<THDtype> dtype, std::optional<MemoryFormat> format,
                     std::optional<THDevice> device) {
  if (format && out.defined())
    THError(TH_ERROR_RUNTIME, "empty(): 'memory_format' argument is incompatible with 'out' tensor argument");
  if (format == MemoryFormat::Preserve)
    THError(TH_ERROR_RUNTIME, "empty(): unsupported memory format Preserve, as there is nothing to preserve");
  if (format && channels_last(*format)) {
    out = empty_strided(dtype.value_or(default_dtype()), size, format_strides(*format, size),
                        device.value_or(THDevice{}));
    return;
  }
  shaped(out, size, dtype, default_dtype(), device);
}
void body::zeros_out(Tensor &out, IntList size, std::optional<THDtype> dtype, std::optional<THDevice> device) {
  for (int64_t n : size)
    if (n < 0) THError(TH_ERROR_RUNTIME, "zeros: Dimension size must be non-negative.");
  shaped(out, size, dtype, default_dtype(), device);
  thpp::zero_(out);
}
void body::ones_out(Tensor &out, IntList size, std::optional<THDtype> dtype, std::optional<THDevice> device) {
  shaped(out, size, dtype, default_dtype(), device);
  thpp::_fill_(out, 1);
}
void body::full_out(Tensor &out, IntList size, const Scalar &fill_value, std::optional<THDtype> dtype,
                    std::optional<THDevice> device) {
  filled(out, size, dtype, dtype_of(fill_value), [&](Tensor &all) { thpp::_fill_(all, fill_value); }, device);
}

Tensor body::empty_like(const Tensor &self, std::optional<THDtype> dtype, std::optional<MemoryFormat> format,
                        std::optional<THDevice> device) {
  return like(self, dtype, format, device);
}
Tensor body::zeros_like(const Tensor &self, std::optional<THDtype> dtype, std::optional<MemoryFormat> format,
                        std::optional<THDevice> device) {
  const Tensor result = like(self, dtype, format, device);
  thpp::zero_(result);
  return result;
}
Tensor body::full_like(const Tensor &self, const Scalar &fill_value, std::optional<THDtype> dtype,
                       std::optional<MemoryFormat> format, std::optional<THDevice> device) {
  const Tensor result = like(self, dtype, format, device);
  thpp::_fill_(result, fill_value);
  return result;
}

void body::arange_out(Tensor &out, const Scalar &start, const Scalar &end, const Scalar &step,
                      std::optional<THDtype> dtype, std::optional<THDevice> device) {
  const bool integers = start.kind != TH_KIND_float && end.kind != TH_KIND_float && step.kind != TH_KIND_float;
  const int64_t had = out.defined() ? out.numel() : 0;
  char before[512];
  if (had) TH_sizeString(out.dim(), out.sizes().data(), before, sizeof before);
  typed(out, dtype, integers ? TH_Long : default_dtype(), device);
  thpp::_arange_out(out, start, end, step);
  if (had && had != out.numel())
    warn(std::string("The number of elements in the out tensor of shape ") + before + " is " + std::to_string(had) +
         " which does not match the computed number of elements " + std::to_string(out.numel()) +
         ". It has become a vector. Where the bounds are not integers, rounding may add or drop an element.");
}

void body::linspace_out(Tensor &out, const Scalar &start, const Scalar &end, int64_t steps,
                        std::optional<THDtype> dtype, std::optional<THDevice> device) {
  THCheck_steps(steps);
  typed(out, dtype, start.is_complex() || end.is_complex() ? complex_dtype(default_dtype()) : default_dtype(), device);
  thpp::_linspace_out(out, start, end, steps);
}

void body::eye_out(Tensor &out, int64_t n, std::optional<int64_t> m, std::optional<THDtype> dtype,
                   std::optional<THDevice> device) {
  const int64_t columns = m.value_or(n);
  THCheck_eye(n, columns);
  typed(out, dtype, default_dtype(), device);
  thpp::_eye_out(out, n, columns);
}

Tensor body::empty_permuted(IntList size, IntList physical_layout, std::optional<THDtype> dtype,
                            std::optional<THDevice> device) {
  const int n = int(size.size());
  if (int(physical_layout.size()) != n)
    THError(TH_ERROR_RUNTIME,
            "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = %d is not "
            "equal to len(physical_layout) = %zu",
            n, physical_layout.size());
  TH_numel(n, size.data());
  std::vector<int64_t> stride(n, -1);
  int64_t step = 1;
  for (int i = n; i-- > 0;) {
    const int64_t d = physical_layout[i];
    if (d < 0 || d >= n)
      THError(TH_ERROR_RUNTIME, "Dimension out of range (expected to be between 0 and %d, but got %lld at index %d)",
              n - 1, (long long)d, i);
    if (stride[d] >= 0) THError(TH_ERROR_RUNTIME, "Duplicate dim not allowed");
    stride[d] = step;
    step *= std::max<int64_t>(size[d], 1);
  }
  return empty_strided(dtype.value_or(default_dtype()), size, stride, device.value_or(THDevice{}));
}

}  // namespace thpp
