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

Tensor dropped(const Tensor &self, double p, bool train, bool features) {
  return is_identity(self, p, train) ? self : thpp::mul(self, factors(self, p, features));
}

const Tensor &drop(const Tensor &self, double p, bool train, bool features) {
  return is_identity(self, p, train) ? self : thpp::mul_(self, factors(self, p, features));
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

Tensor alpha_dropped(const Tensor &self, double p, bool train, bool features) {
  if (is_identity(self, p, train)) return self;
  if (p == 1) return thpp::mul(self, zero());
  const Affine to(self, p, features);
  return thpp::add(thpp::mul(self, to.factor), to.shift);
}

const Tensor &alpha_drop(const Tensor &self, double p, bool train, bool features) {
  if (is_identity(self, p, train)) return self;
  if (p == 1) return thpp::mul_(self, zero());
  const Affine to(self, p, features);
  return thpp::add_(thpp::mul_(self, to.factor), to.shift);
}

}  // namespace

Tensor body::dropout(const Tensor &self, double p, bool train) { return dropped(self, p, train, false); }
Tensor body::feature_dropout(const Tensor &self, double p, bool train) { return dropped(self, p, train, true); }
Tensor body::alpha_dropout(const Tensor &self, double p, bool train) { return alpha_dropped(self, p, train, false); }
Tensor body::feature_alpha_dropout(const Tensor &self, double p, bool train) {
  return alpha_dropped(self, p, train, true);
}

const Tensor &body::dropout_(const Tensor &self, double p, bool train) { return drop(self, p, train, false); }
const Tensor &body::feature_dropout_(const Tensor &self, double p, bool train) { return drop(self, p, train, true); }
const Tensor &body::alpha_dropout_(const Tensor &self, double p, bool train) {
  return alpha_drop(self, p, train, false);
}
const Tensor &body::feature_alpha_dropout_(const Tensor &self, double p, bool train) {
  return alpha_drop(self, p, train, true);
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
