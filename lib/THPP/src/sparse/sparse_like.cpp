// Tensors like others, and other sizes and values in place.
#include "places.h"

namespace thpp {

using namespace sparse;

namespace sparse {

// Elements that are not there would have to be, too, of coordinates; a compressed tensor's pattern is kept.
Tensor full_like(const Tensor &self, const Scalar &fill_value, std::optional<THDtype> dtype,
                 std::optional<MemoryFormat>, std::optional<THDevice> device) {
  if (is_coo(self)) refuse("full_like", self);
  const Tensor from = device ? thpp::to(self, self.dtype(), false, *device) : self;
  return with_values(from, thpp::full_like(raw_values(from), fill_value, dtype));
}
// A compressed tensor's pattern is kept; by coordinates there is nothing.
Tensor empty_like(const Tensor &self, std::optional<THDtype> dtype, std::optional<MemoryFormat> format,
                  std::optional<THDevice> device) {
  if (is_coo(self)) return sparse::zeros_like(self, dtype, format, device);
  const Tensor from = device ? thpp::to(self, self.dtype(), false, *device) : self;
  return with_values(from, thpp::empty_like(raw_values(from), dtype));
}
Tensor ones_like(const Tensor &self, std::optional<THDtype> dtype, std::optional<MemoryFormat> format,
                 std::optional<THDevice> device) {
  return sparse::full_like(self, Scalar(int64_t(1)), dtype, format, device);
}

Tensor new_zeros(const Tensor &self, IntList size, std::optional<THDtype> dtype, std::optional<THDevice> device) {
  const THDtype t = dtype.value_or(self.dtype());
  const THDevice where = device.value_or(self.device());
  if (is_coo(self)) return empty_coo(size, int(size.size()), t, where);
  const auto [height, width] = block_of(self);
  return empty_compressed(self.layout(), size, 0, {height, width}, t, where);
}

const Tensor &fill_(const Tensor &self, const Tensor &value) {
  if (!is_sparse(self) || is_sparse(value) || is_coo(self)) refuse("fill_", is_sparse(value) ? value : self);
  const Tensor values = thpp::clone(raw_values(self));
  thpp::fill_(values, value);
  assign(self, with_values(before_write(self, flags_of(self, value)), values));
  return self;
}

// More rows, which are empty, and more columns.
const Tensor &resize_(const Tensor &self, IntList size, std::optional<MemoryFormat>) {
  if (std::ranges::equal(size, self.sizes())) return self;
  if (is_coo(self)) refuse("resize_", self);
  if (self.dim() != 2 || size.size() != 2 || is_blocked(self.layout()) || size[0] < self.size(0) ||
      size[1] < self.size(1))
    THError(TH_ERROR_RUNTIME,
            "resize_: a matrix of a compressed layout can have more rows and columns, not fewer: from %s to %s",
            text(self.sizes()).c_str(), text(size).c_str());
  const size_t lines_dim = is_by_rows(self.layout()) ? 0 : 1;
  const Tensor begins = raw_indices(self), last = thpp::narrow(begins, 0, begins.size(0) - 1, 1);
  const Tensor more = thpp::expand(last, {size[lines_dim] - self.sizes()[lines_dim]});
  assign(self, compressed(self.layout(), thpp::cat(std::vector<Tensor>{begins, more}, 0), raw_plain(self),
                          thpp::_values(before_write(self, flags_of(self))), size));
  return self;
}

const Tensor &resize_as_(const Tensor &self, const Tensor &the_template, std::optional<MemoryFormat> format) {
  return thpp::resize_(self, the_template.sizes(), format);
}

}  // namespace sparse
}  // namespace thpp
