// Results become outputs of nodes.
#include <autograd/record.h>

#include <string>

#include "accumulate.h"
#include "pass.h"
#include "slices.h"

namespace torch::autograd {

static bool is_new(const Tensor &result) { return __atomic_load_n(&result.get()->refcount, __ATOMIC_ACQUIRE) == 1; }

static void attach(const Tensor &result, const Ref<Node> &node, uint32_t output) {
  GradMeta &meta = make_meta(result);
  if (meta.retain) move_retain(result, meta, node, output);
  meta.grad_fn = node;
  meta.output_nr = output;
  meta.requires_grad = false;
  meta.made_at = result.version();
  result.get()->flags |= TH_RECORDED;
}

void record(const Tensor &result, const Ref<Node> &node) {
  const uint32_t output = node->add_output(result);
  // An argument that is its own result (x.contiguous()) keeps its history.
  if (node->outputs()[output].known && is_new(result)) attach(result, node, output);
}

void record(thpp::TensorList results, const Ref<Node> &node) {
  for (const Tensor &result : results) record(result, node);
}

void record_written(const Tensor &written, const Ref<Node> &node) {
  if (!node || !is_differentiable(written.dtype())) return;
  if (!is_view(written)) return attach(written, node, node->add_output(written));
  const Tensor base = base_of(written);
  attach(base, Ref<Node>(new CopySlices(base, written, node)), 0);
  // grad_fn(written) looks its node up when it is wanted; the version has changed.
  make_meta(written).requires_grad = false;
  written.get()->flags |= TH_RECORDED;
}

[[noreturn]] static void throw_view(const Tensor &view, thpp::Creation creation) {
  if (creation == thpp::Creation::NoGrad)
    THError(TH_ERROR_RUNTIME,
            "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Its base has no "
            "record of it: make the view and write into it in the same mode.");
  if (creation == thpp::Creation::Inference)
    THError(
        TH_ERROR_RUNTIME,
        "A view was created in inference mode and is being modified inplace in normal mode. Its base has no record of "
        "it: make the view outside of inference mode, or write into it there, too.");
  const Ref<Node> node = grad_fn(view);
  const std::string origin = node ? "Output " + std::to_string(output_nr(view)) + " of " + call_name(*node) +
                                        " is a view"
                                  : "A view was created in no_grad mode";
  THError(
      TH_ERROR_RUNTIME,
      "%s and is being modified inplace%s. This view is %s; it cannot be written in place while gradients are recorded. "
      "Write into the tensor that it is a view of, or into a copy.",
      origin.c_str(), node ? "" : " with grad mode enabled",
      creation == thpp::Creation::Several ? "the output of a function that returns multiple views"
                                          : "an output of a custom Function");
}

void check_write(const Tensor &written, bool recording) {
  if (!written.defined() || !thpp::grad_mode()) return;
  if (!recording && !requires_grad(written) && !thpp::aliases_recorded(written.get())) return;
  const auto *const meta = static_cast<const thpp::Meta *>(written.get()->meta);
  if (meta && meta->base) {
    if (meta->creation != thpp::Creation::Plain) throw_view(written, meta->creation);
    const Tensor base = base_of(written);
    // A leaf that asks for its gradient may be a view itself, of a tensor that does not.
    if ((requires_grad(base) || requires_grad(written)) && is_leaf(base))
      THError(TH_ERROR_RUNTIME, "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  }
  if (requires_grad(written) && is_leaf(written))
    THError(TH_ERROR_RUNTIME, "a leaf Variable that requires grad is being used in an in-place operation.");
}

}  // namespace torch::autograd
