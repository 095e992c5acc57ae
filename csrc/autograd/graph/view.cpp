// Views of recorded memory, and what a write through one means for all of it.
#include <autograd/view.h>

#include <mutex>

#include <autograd/numbers.h>

#include "slices.h"

namespace torch::autograd {

Geometry geometry_of(const Tensor &t) {
  return {
      t.dtype(), {t.sizes().begin(), t.sizes().end()}, {t.strides().begin(), t.strides().end()}, t.storage_offset()};
}

Tensor base_of(const Tensor &view) {
  const auto *const meta = static_cast<const thpp::Meta *>(view.get()->meta);
  return meta && meta->base ? Tensor::retain(meta->base) : Tensor();
}

Tensor view_of(const Tensor &base, const Geometry &geometry) {
  const bool complex = TH_kind(geometry.dtype) == TH_KIND_complex;
  const bool of_complex = TH_kind(base.dtype()) == TH_KIND_complex;
  if (base.dtype() == geometry.dtype) return thpp::as_strided(base, geometry.size, geometry.stride, geometry.offset);
  if (of_complex && !complex)
    return thpp::as_strided(thpp::view_as_real(base), geometry.size, geometry.stride, geometry.offset);
  if (complex && !of_complex) {  // pairs of elements
    Geometry parts = geometry;
    for (int64_t &stride : parts.stride) stride *= 2;
    parts.size.push_back(2);
    parts.stride.push_back(1);
    return thpp::view_as_complex(thpp::as_strided(base, parts.size, parts.stride, 2 * parts.offset));
  }
  THError(TH_ERROR_RUNTIME, "a view of %s as %s has no derivative", TH_typeName(base.dtype()),
          TH_typeName(geometry.dtype));
}

CopySlices::CopySlices(const Tensor &base, const Tensor &view, Ref<Node> write)
    : base_(geometry_of(base)), view_(geometry_of(view)), write_(std::move(write)) {
  add_output(base);
  if (write_->outputs().empty()) write_->add_output(view);
  add_edge(requires_grad(base) ? gradient_edge(base) : Edge{});
  const bool numbers = takes_numbers(*write_);
  for (size_t i = 1; i < write_->edges().size(); ++i) {
    const Edge &edge = write_->edges()[i];
    add_edge(edge || !numbers ? edge : Edge{});
  }
  // What the write does to the old elements of the view is asked of it wherever somebody wants the base's gradient.
  write_->set_edge(0, edges()[0]);
  write_->set_owner(this);
}

CopySlices::~CopySlices() {
  if (write_) write_->set_owner(nullptr);
}

// New memory with the sizes and strides of `like`, the first element first, and `values` in it.
static Tensor copied_as(const Tensor &values, const Geometry &like) {
  const Tensor copy = thpp::new_empty_strided(values, like.size, like.stride);
  return thpp::copy_(copy, values);
}

// Where in a copy of `base` that begins with its first element the view is.
static Geometry place_in(const Geometry &base, const Geometry &view) {
  Geometry place = view;
  place.offset -= base.dtype == view.dtype                 ? base.offset
                  : TH_kind(base.dtype) == TH_KIND_complex ? 2 * base.offset
                                                           : base.offset / 2;
  return place;
}

// The step from a base that was written through a view to the elements that were written.
class SliceOfWritten final : public Node {
 public:
  SliceOfWritten(const Ref<Node> &slices, const Tensor &view)
      : base_(static_cast<const CopySlices &>(*slices).base_), view_(static_cast<const CopySlices &>(*slices).view_) {
    add_output(view);
    add_edge({slices, 0});
  }
  const char *name() const override { return "AsStridedBackward0"; }
  Grads apply(Grads &&grads) override {
    const Tensor of_base = thpp::zero_(thpp::new_empty_strided(grads[0], base_.size, base_.stride, base_.dtype));
    thpp::copy_(view_of(of_base, place_in(base_, view_)), grads[0]);
    return {of_base};
  }

 private:
  Geometry base_, view_;
};

Edge CopySlices::edge_of_view(const Ref<Node> &slices, const Tensor &view) {
  return {Ref<Node>(new SliceOfWritten(slices, view)), 0};
}

Grads CopySlices::apply(Grads &&grads) {
  const Ref<Node> write = [&] {
    const std::lock_guard lock(latch_);
    return write_;
  }();
  if (!write) throw_released(name());
  // The gradient of all of base, laid out as base was.
  const Tensor of_base = copied_as(grads[0], base_);
  const Tensor slice = view_of(of_base, place_in(base_, view_));
  Grads written;
  written.push_back(thpp::clone(slice));
  Grads inputs = write->apply(std::move(written));
  inputs.resize(edges().size());
  if (edges()[0]) {
    if (inputs[0].defined())
      thpp::copy_(slice, inputs[0]);
    else
      thpp::zero_(slice);
    inputs[0] = of_base;
  }
  return inputs;
}

void CopySlices::release_saved() {
  Ref<Node> write;
  {
    const std::lock_guard lock(latch_);
    std::swap(write, write_);
  }
  if (write) {
    write->set_owner(nullptr);
    write->release_saved();
  }
}

}  // namespace torch::autograd
