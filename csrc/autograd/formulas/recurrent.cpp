#include "recurrent.h"

#include <THPP/Guard.h>

#include <autograd/engine.h>

#include "operators.h"

namespace torch::autograd {

namespace {

enum Place { kInput, kHx, kCx, kInputWeight, kHiddenWeight, kInputBias, kHiddenBias, kProjection };

// The states before all steps, a row for each of `output`.
Tensor states_before(const Tensor &hx, const Tensor &output, IntList sizes, bool reverse) {
  std::vector<Tensor> parts;
  int64_t first = 0;
  for (size_t t = 0; t < sizes.size(); first += sizes[t++]) {
    if (reverse) {
      const int64_t continued = t + 1 < sizes.size() ? sizes[t + 1] : 0;
      if (continued) parts.push_back(thpp::narrow(output, 0, first + sizes[t], continued));
      if (continued < sizes[t]) parts.push_back(thpp::narrow(hx, 0, continued, sizes[t] - continued));
    } else {
      parts.push_back(t ? thpp::narrow(output, 0, first - sizes[t - 1], sizes[t]) : hx);
    }
  }
  return thpp::cat(parts);
}

// From what the steps have stored.
std::vector<Tensor> from_storage(const std::vector<Tensor> &grads, const std::vector<Tensor> &inputs,
                                 const Tensor &output, const Tensor &storage, IntList sizes, bool reverse, int64_t mode,
                                 const std::vector<bool> &wanted) {
  const Tensor &input = inputs[kInput], &hx = inputs[kHx], &cx = inputs[kCx];
  const auto [of_input, of_products, of_state, of_hx, of_cx] = thpp::_recurrent_steps_backward(
      output, grads[0], grads[1], grads[2], storage, hx, cx, inputs[kHiddenWeight], inputs[kProjection], sizes, reverse,
      mode);
  // Those of GRU are two: its reset gate stands between them.
  const bool apart = of_products.dim() == 2;
  const Tensor &of_hidden = apart ? of_products : of_input;
  const auto sum = [](const Tensor &t) { return thpp::sum(t, {0}); };
  std::vector<Tensor> result(inputs.size());
  if (wanted[kInput]) result[kInput] = thpp::mm(of_input, inputs[kInputWeight]);
  if (wanted[kHx]) result[kHx] = of_hx;
  if (wanted[kCx]) result[kCx] = of_cx;
  if (wanted[kInputWeight]) result[kInputWeight] = thpp::mm(thpp::t(of_input), input);
  if (wanted[kHiddenWeight])
    result[kHiddenWeight] = thpp::mm(thpp::t(of_hidden), states_before(hx, output, sizes, reverse));
  if (wanted[kInputBias]) result[kInputBias] = sum(of_input);
  if (wanted[kHiddenBias]) {
    // Each parameter has a gradient of its own, which others may change in place.
    const Tensor &same = result[kInputBias];
    result[kHiddenBias] = same.defined() && !apart ? thpp::clone(same) : sum(of_hidden);
  }
  if (wanted[kProjection]) {
    const int64_t units = cx.size(1), rows = output.size(0), gates = rows * 4 * units;
    const Tensor o = thpp::narrow(thpp::view(thpp::narrow(storage, 0, 0, gates), {rows, 4 * units}), 1, 3 * units,
                                  units);
    const Tensor c = thpp::view(thpp::narrow(storage, 0, gates, rows * units), {rows, units});
    result[kProjection] = thpp::mm(thpp::t(of_state), o * thpp::tanh(c));
  }
  return result;
}

}  // namespace

std::vector<Tensor> recurrent_layer_backward(const std::vector<Tensor> &grads, const std::vector<Tensor> &inputs,
                                             const Tensor &output, const Tensor &storage, IntList sizes, bool reverse,
                                             int64_t mode, const std::vector<bool> &wanted) {
  if (!thpp::grad_mode()) return from_storage(grads, inputs, output, storage, sizes, reverse, mode, wanted);
  // Through the composition, whose gradient has one in turn. Views stand for the inputs: one of these may have been
  // computed from another, and what goes that way is not for here.
  std::vector<Tensor> in(inputs.size()), asked, roots, gradients;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined()) continue;
    in[i] = thpp::view_as(inputs[i], inputs[i]);
    if (wanted[i]) asked.push_back(in[i]);
  }
  const auto [y, hy, cy] = thpp::_recurrent_layer_composed(in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7],
                                                           sizes, reverse, mode);
  const Tensor results[] = {y, hy, cy};
  for (size_t i = 0; i < 3; ++i) {
    if (!grads[i].defined()) continue;
    roots.push_back(results[i]), gradients.push_back(grads[i]);
  }
  std::vector<Tensor> result(inputs.size());
  if (roots.empty()) return result;
  const Grads found = grad(roots, asked, gradients, true, true, true);
  for (size_t i = 0, k = 0; i < inputs.size(); ++i)
    if (in[i].defined() && wanted[i]) result[i] = found[k++];
  return result;
}

}  // namespace torch::autograd
