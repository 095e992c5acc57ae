// Special functions that are more than one kernel.
#include "results.h"

#include <cmath>

#include "bodies.h"

namespace thpp {

void check_polygamma(THDtype, int64_t n, const Tensor &) {
  if (n < 0) THError(TH_ERROR_RUNTIME, "polygamma(n, x) does not support negative n.");
}

static void throw_complex(const char *name, const Tensor &self) {
  if (is_complex(self.dtype())) THError(TH_ERROR_RUNTIME, "%s is not supported for complex tensors.", name);
}

void body::deg2rad_out(Tensor &out, const Tensor &self) {
  throw_complex("deg2rad", self);
  thpp::mul_out(out, self, wrapped_number(0.017453292519943295769));
}

void body::rad2deg_out(Tensor &out, const Tensor &self) {
  throw_complex("rad2deg", self);
  thpp::mul_out(out, self, wrapped_number(57.295779513082320877));
}

void body::polygamma_out(Tensor &out, const Tensor &self, int64_t n) { thpp::polygamma_out(out, n, self); }

void body::mvlgamma_out(Tensor &out, const Tensor &self, int64_t p) {
  if (self.dtype() == TH_Bool) THError(TH_ERROR_RUNTIME, "The input tensor may not be a boolean tensor.");
  if (p < 1) THError(TH_ERROR_RUNTIME, "p has to be greater than or equal to 1");
  const THDtype t = floating(self.dtype());
  target(out, self.device(), t);  // raises before anything is computed
  const Tensor x = thpp::to(self, t);
  Tensor sum;
  if (p <= 64) {
    sum = thpp::new_empty(x, x.sizes());
    thpp::lgamma_out(sum, x);
    for (int64_t j = 1; j < p; j++) thpp::add_(sum, thpp::lgamma(thpp::sub(x, wrapped_number(double(j) / 2))), 1);
  } else {  // at once: what nobody has the memory for is refused before anything else is made
    std::vector<int64_t> size(x.sizes().begin(), x.sizes().end());
    size.push_back(p);
    Tensor all = thpp::new_empty(x, size, t);
    thpp::sub_out(all, thpp::unsqueeze(x, -1),
                  thpp::mul(thpp::arange(0, Scalar(p), 1, t, x.device()), wrapped_number(0.5)), 1);
    sum = thpp::sum(thpp::lgamma(all), {-1}, false);
  }
  thpp::add_out(out, sum, wrapped_number(double(p) * double(p - 1) / 4 * std::log(3.14159265358979323846)), 1);
}

void body::logaddexp_out(Tensor &out, const Tensor &self, const Tensor &other) {
  const THDtype t = promote(self, other);
  if (!is_complex(t)) return thpp::_logaddexp_out(out, self, other);
  const Tensor a = thpp::to(self, t), b = thpp::to(other, t), first = thpp::lt(thpp::real(a), thpp::real(b));
  const Tensor low = thpp::where(first, a, b), high = thpp::where(first, b, a);
  const Tensor both = thpp::add(high, thpp::log1p(thpp::exp(thpp::sub(low, high))));
  // Two equal infinities have no difference, and nothing is added to the negative one.
  thpp::add_out(
      out,
      thpp::where(thpp::logical_and(thpp::isinf(thpp::real(high)), thpp::eq(thpp::real(low), thpp::real(high))), high,
                  both),
      wrapped_number(0));
}

}  // namespace thpp
