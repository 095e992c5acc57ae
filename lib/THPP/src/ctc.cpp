// Connectionist temporal classification: batches, lengths and reductions around THNN's CTCCriterion.
#include "results.h"

#include <THPP/NN.h>

#include "bodies.h"

namespace thpp {

namespace {

enum { kNone, kMean, kSum };

// As numbers: lengths decide shapes.
std::vector<int64_t> numbers(const Tensor &lengths, const char *name) {
  if (TH_kind(lengths.dtype()) != TH_KIND_int) THError(TH_ERROR_RUNTIME, "%s must be integral", name);
  const Tensor list = thpp::contiguous(thpp::to(lengths, TH_Long, false, THDevice{}));
  return {list.data<int64_t>(), list.data<int64_t>() + list.numel()};
}

}  // namespace

Tensor body::ctc_loss(const Tensor &log_probs, const Tensor &targets, IntList input_lengths, IntList target_lengths,
                      int64_t blank, int64_t reduction, bool zero_infinity) {
  const bool batched = log_probs.dim() == 3;
  if (targets.dtype() != TH_Long && targets.dtype() != TH_Int)
    THError(TH_ERROR_RUNTIME, "targets must be a tensor of int64 or int32, but got %s", TH_dtypeName(targets.dtype()));
  const Tensor probabilities = batched ? log_probs : thpp::unsqueeze(log_probs, 1);
  Tensor loss = std::get<0>(
      thpp::_ctc_loss(probabilities, thpp::to(targets, TH_Long), input_lengths, target_lengths, blank, zero_infinity));
  if (zero_infinity)
    loss = thpp::where(thpp::eq(loss, wrapped_number(Scalar(INFINITY))), thpp::zeros({}, loss.dtype(), loss.device()),
                       loss);
  if (reduction == kMean) {
    std::vector<int64_t> sizes(target_lengths.begin(), target_lengths.end());
    for (int64_t &size : sizes) size = std::max<int64_t>(size, 1);
    const Tensor list = thpp::empty({int64_t(sizes.size())}, TH_Long);
    std::ranges::copy(sizes, list.data<int64_t>());
    return thpp::mean(thpp::div(loss, thpp::to(list, loss.dtype(), false, loss.device())));
  }
  if (reduction == kSum) return thpp::sum(loss);
  return batched ? loss : thpp::squeeze(loss, {0});
}

Tensor body::ctc_loss_tensors(const Tensor &log_probs, const Tensor &targets, const Tensor &input_lengths,
                              const Tensor &target_lengths, int64_t blank, int64_t reduction, bool zero_infinity) {
  return thpp::ctc_loss(log_probs, targets, numbers(input_lengths, "input_lengths"),
                        numbers(target_lengths, "target_lengths"), blank, reduction, zero_infinity);
}

void body::_ctc_loss_out(Tensor &result0, Tensor &result1, const Tensor &log_probs, const Tensor &targets,
                         IntList input_lengths, IntList target_lengths, int64_t blank, bool) {
  if (log_probs.dtype() != TH_Float && log_probs.dtype() != TH_Double) refuse_kernel("ctc_loss_cpu", log_probs.dtype());
  result0 = without_elements(log_probs), result1 = without_elements(log_probs);
  nn::CTCCriterion_updateOutput(log_probs, targets, result0, result1, input_lengths, target_lengths, blank);
}

Tensor body::_ctc_loss_backward(const Tensor &grad_output, const Tensor &log_probs, const Tensor &targets,
                                IntList input_lengths, IntList target_lengths, const Tensor &loss, const Tensor &alpha,
                                int64_t blank, bool zero_infinity) {
  const Tensor result = without_elements(log_probs);
  nn::CTCCriterion_updateGradInput(log_probs, grad_output, result, targets, loss, alpha, input_lengths, target_lengths,
                                   blank, zero_infinity);
  return result;
}

}  // namespace thpp
