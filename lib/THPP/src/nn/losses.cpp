// Losses that are made of other operators.
#include <THNN/Check.h>

#include "operators.h"

#include <numbers>

#include "bodies.h"

namespace thpp {

namespace {

Tensor reduced(const Tensor &loss, int64_t reduction) {
  return reduction == 1 ? thpp::mean(loss) : reduction == 2 ? thpp::sum(loss) : loss;
}

Tensor zero() { return wrapped_number(int64_t(0)); }
Tensor positive_part(const Tensor &t) { return thpp::clamp_min(t, zero()); }

// Which elements count: those whose target is, or is not, this number.
Tensor where_target_is(const Tensor &target, int64_t number, const Tensor &loss) {
  return thpp::where(thpp::eq(target, wrapped_number(number)), loss, zero());
}
Tensor where_target_is_not(const Tensor &target, int64_t number, const Tensor &loss) {
  return thpp::where(thpp::ne(target, wrapped_number(number)), loss, zero());
}

}  // namespace

Tensor body::poisson_nll_loss(const Tensor &self, const Tensor &target, bool log_input, bool full, double eps,
                              int64_t reduction) {
  Tensor loss = log_input ? thpp::exp(self) - target * self : self - target * thpp::log(self + eps);
  if (full) {
    const Tensor stirling = target * thpp::log(target) - target + thpp::log(target * (2 * std::numbers::pi)) * 0.5;
    loss = loss + thpp::masked_fill(stirling, thpp::le(target, wrapped_number(int64_t(1))), zero());
  }
  return reduced(loss, reduction);
}

Tensor body::hinge_embedding_loss(const Tensor &self, const Tensor &target, double margin, int64_t reduction) {
  const Tensor apart = where_target_is_not(target, 1, positive_part(margin - self));
  const Tensor each = apart + where_target_is_not(target, -1, self);
  // integers stay what they are, though the margin is a float
  return reduced(TH_kind(self.dtype()) == TH_KIND_int ? thpp::to(each, self.dtype()) : each, reduction);
}

Tensor body::margin_ranking_loss(const Tensor &input1, const Tensor &input2, const Tensor &target, double margin,
                                 int64_t reduction) {
  return reduced(positive_part(-target * (input1 - input2) + margin), reduction);
}

Tensor body::cosine_embedding_loss(const Tensor &input1, const Tensor &input2, const Tensor &target, double margin,
                                   int64_t reduction) {
  const int d = target.dim();
  THNNCheck_singleTargets(target.get());
  if (input1.dim() != d + 1 || input2.dim() != d + 1)
    THError(TH_ERROR_RUNTIME, "%dD target tensor expects %dD input tensors, but found inputs with sizes %s and %s.", d,
            d + 1, text(input1.sizes()).c_str(), text(input2.sizes()).c_str());
  const auto product = [d](const Tensor &a, const Tensor &b) { return thpp::sum(a * b, {d}); };
  const Tensor squares = (product(input1, input1) + 1e-12) * (product(input2, input2) + 1e-12);
  const Tensor cosine = product(input1, input2) / thpp::sqrt(squares);
  const Tensor alike = where_target_is(target, 1, 1 - cosine);
  return reduced(alike + where_target_is(target, -1, positive_part(cosine - margin)), reduction);
}

Tensor body::triplet_margin_loss(const Tensor &anchor, const Tensor &positive, const Tensor &negative, double margin,
                                 double p, double eps, bool swap, int64_t reduction) {
  if (anchor.dim() != positive.dim() || anchor.dim() != negative.dim())
    THError(TH_ERROR_RUNTIME,
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            "anchor %dD, positive %dD, and negative %dD inputs",
            anchor.dim(), positive.dim(), negative.dim());
  const auto distance = [&](const Tensor &a, const Tensor &b) { return thpp::pairwise_distance(a, b, p, eps); };
  const Tensor near = distance(anchor, positive);
  Tensor far = distance(anchor, negative);
  if (swap) far = thpp::minimum(far, distance(positive, negative));
  return reduced(positive_part(near + margin - far), reduction);
}

}  // namespace thpp
