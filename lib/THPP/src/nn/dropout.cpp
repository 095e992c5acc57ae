// Dropout: random zeros while a model is trained, with the stream of the device's own generator.
#include "operators.h"

#include <cmath>

#include "bodies.h"

namespace thpp {

namespace {

// Whether the input is returned as it is.
bool is_identity(const Tensor &self, double p, bool train) {
  if (!(p >= 0 && p <= 1)) THError(TH_ERROR_RUNTIME, "dropout probability has to be between 0 and 1, but got %g", p);
  return p == 0 || !train || !self.numel();
}

// Zeros with probability p and ones: for every element, or for every channel (dimensions 0 and 1).
Tensor drawn(const Tensor &self, double p, bool features) {
  if (!features) return thpp::bernoulli_(thpp::empty_like(self), 1 - p);
  if (self.dim() < 2) THError(TH_ERROR_RUNTIME, "Feature dropout requires at least 2 dimensions in the input");
  std::vector<int64_t> size(size_t(self.dim()), 1);
  size[0] = self.size(0), size[1] = self.size(1);
  return thpp::bernoulli_(thpp::new_empty(self, size), 1 - p);
}

Tensor zero() { return wrapped_number(int64_t(0)); }

// What a tensor is multiplied by.
Tensor factors(const Tensor &self, double p, bool features) {
  if (p == 1) return zero();
  return thpp::div_(drawn(self, p, features), wrapped_number(1 - p));
}

// `made` is what the form that was called returns: in place it is self already.
void give(Tensor &result, const Tensor &self, const Tensor &made) {
  if (!result.is_same(self)) write_out(result, made);
}

void drop(Tensor &result, const Tensor &self, double p, bool train, bool features) {
  if (is_identity(self, p, train)) return give(result, self, self);
  const Tensor by = factors(self, p, features);
  give(result, self, result.is_same(self) ? thpp::mul_(self, by) : thpp::mul(self, by));
}

// ---- dropout that keeps mean and variance ---------------------------------------------------------

// What selu tends to for small inputs, negated: the value that dropped elements take.
constexpr double kSaturation = 1.7580993408473766;

struct Affine {
  Tensor factor, shift;

  Affine(const Tensor &self, double p, bool features) : factor(drawn(self, p, features)) {
    const double scale = 1 / std::sqrt((kSaturation * kSaturation * p + 1) * (1 - p));
    shift = thpp::sub(factor, wrapped_number(int64_t(1)));
    thpp::mul_(shift, wrapped_number(kSaturation * scale));
    thpp::add_(shift, wrapped_number(kSaturation * scale * p));
    thpp::mul_(factor, wrapped_number(scale));
  }
};

void alpha_drop(Tensor &result, const Tensor &self, double p, bool train, bool features) {
  if (is_identity(self, p, train)) return give(result, self, self);
  const bool in_place = result.is_same(self);
  const auto times = [&](const Tensor &by) { return in_place ? thpp::mul_(self, by) : thpp::mul(self, by); };
  if (p == 1) return give(result, self, times(zero()));
  const Affine to(self, p, features);
  const Tensor scaled = times(to.factor);
  give(result, self, in_place ? thpp::add_(self, to.shift) : thpp::add(scaled, to.shift));
}

}  // namespace

void body::dropout_out(Tensor &result, const Tensor &self, double p, bool train) {
  drop(result, self, p, train, false);
}
void body::feature_dropout_out(Tensor &result, const Tensor &self, double p, bool train) {
  drop(result, self, p, train, true);
}
void body::alpha_dropout_out(Tensor &result, const Tensor &self, double p, bool train) {
  alpha_drop(result, self, p, train, false);
}
void body::feature_alpha_dropout_out(Tensor &result, const Tensor &self, double p, bool train) {
  alpha_drop(result, self, p, train, true);
}

void body::native_dropout_out(Tensor &result0, Tensor &result1, const Tensor &self, double p,
                              std::optional<bool> train) {
  if (!train.value_or(true)) {
    result0 = thpp::clone(self);
    result1 = thpp::ones_like(self, TH_Bool);
    return;
  }
  result1 = thpp::bernoulli_(thpp::empty_like(self, TH_Bool), 1 - p);
  result0 = thpp::mul_(thpp::mul(self, result1), wrapped_number(p < 1 ? 1 / (1 - p) : 0.0));
}

Tensor body::native_dropout_backward(const Tensor &grad_output, const Tensor &mask, double scale) {
  return grad_output * mask * scale;
}

}  // namespace thpp
