// Views, and writes through them.
#pragma once

#include <autograd/meta.h>

namespace torch::autograd {

// Sizes, strides and offset of a tensor over its storage.
struct Geometry {
  THDtype dtype;
  std::vector<int64_t> size, stride;
  int64_t offset;
};
AUTOGRAD_API Geometry geometry_of(const Tensor &t);
// The view of `base` that has this geometry; between a complex dtype and its parts too. Guarded operators: recorded if
// base is.
AUTOGRAD_API Tensor view_of(const Tensor &base, const Geometry &geometry);
// Whether a tensor is a view whose base counts: no detached one, and none made while nothing was recorded.
inline bool is_view(const Tensor &t) { return t.defined() && (t.get()->flags & TH_VIEW); }
AUTOGRAD_API Tensor base_of(const Tensor &view);  // undefined where there is none

}  // namespace torch::autograd
