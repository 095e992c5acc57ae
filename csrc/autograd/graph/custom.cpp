// Results of functions whose gradients users wrote.
#include <autograd/custom.h>

#include <THPP/Inference.h>

#include <autograd/view.h>

namespace torch::autograd {

namespace {

class NoGrad {
 public:
  NoGrad() : before_(thpp::wants_grad_mode()) { thpp::set_grad_mode(false); }
  ~NoGrad() { thpp::set_grad_mode(before_); }
  NoGrad(const NoGrad &) = delete;

 private:
  const bool before_;
};

// A result that sees an argument's memory, or an argument itself: a view that custom gradients belong to.
void mark_view(const Tensor &tensor, thpp::Creation creation) {
  auto *const meta = static_cast<thpp::Meta *>(tensor.get()->meta);
  if (!meta || !meta->base) return;
  meta->creation = creation;
  tensor.get()->flags = uint8_t((tensor.get()->flags & ~TH_CUT_VIEW) | TH_VIEW);
}

Tensor recorded(const Ref<Node> &node, const Tensor &tensor, CustomResult is, bool several) {
  if (is.dirty) {
    if (is_view(tensor) && several)
      THError(TH_ERROR_RUNTIME,
              "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot "
              "return more than one Tensor: give it a clone() of the view, or make a Function of the write alone.");
    check_write(tensor, true);
    record_written(tensor, node);
    return tensor;
  }
  Tensor result = tensor;
  if (is.input) {
    const NoGrad off;
    result = thpp::alias(tensor);
  }
  const uint32_t output = node->add_output(result);
  mark_view(result, several ? thpp::Creation::Several : thpp::Creation::Custom);
  GradMeta &meta = make_meta(result);
  meta.grad_fn = node;
  meta.output_nr = output;
  meta.requires_grad = false;
  meta.made_at = result.version();
  result.get()->flags |= TH_RECORDED;
  return result;
}

}  // namespace

Tensor add_result(const Ref<Node> &node, const Tensor &result, CustomResult is, bool recording, bool several) {
  if (is.dirty && recording && requires_grad(result) && is_leaf(result))
    THError(TH_ERROR_RUNTIME, "a leaf Variable that requires grad has been used in an in-place operation.");
  if (recording && is.differentiable && is_differentiable(result.dtype())) return recorded(node, result, is, several);
  // Without a gradient it counts as an output all the same.
  node->add_output(Tensor());
  if (is.dirty || (!is.input && !requires_grad(result))) return result;
  // The argument itself stays what it is.
  const NoGrad off;
  return recording && requires_grad(result) ? thpp::detach(result) : is.input ? thpp::alias(result) : result;
}

}  // namespace torch::autograd
