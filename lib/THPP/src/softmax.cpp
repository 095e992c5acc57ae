// Numbers as shares of their sum, and the logarithms of the shares.
#include "results.h"

#include "bodies.h"

namespace thpp {

namespace {

// share(x) gets the numbers less the greatest along dim, contiguous and in a dtype that holds sums, and may write to
// them; what it returns is the result.
template <class Share>
void shares(Tensor &out, const Tensor &self, int64_t dim, std::optional<THDtype> dtype, const char *name,
            const Share &share) {
  const THDtype t = dtype.value_or(self.dtype());
  if (!is_floating(t))
    THError(TH_ERROR_NOT_IMPLEMENTED, "\"%s_kernel_impl\" not implemented for '%s'", name, TH_typeName(t));
  const int64_t along = wrap(dim, self);
  if (out.defined()) exact_target(out, self.device(), t);
  const Tensor x = thpp::to(self, t == TH_Half || t == TH_BFloat16 ? TH_Float : t);
  if (x.numel() == 0) return store(out, thpp::new_empty(self, self.sizes(), t));
  const Tensor less = thpp::new_empty(self, self.sizes(), x.dtype());
  Tensor target = less;
  thpp::sub_out(target, x, thpp::amax(x, {&along, 1}, true));
  store(out, thpp::to(share(less, along), t));
}

}  // namespace

void body::softmax_out(Tensor &out, const Tensor &self, int64_t dim, std::optional<THDtype> dtype) {
  shares(out, self, dim, dtype, "softmax", [](const Tensor &x, const int64_t &along) {
    thpp::exp_(x);
    return thpp::div_(x, thpp::sum(x, {&along, 1}, true));
  });
}

void body::log_softmax_out(Tensor &out, const Tensor &self, int64_t dim, std::optional<THDtype> dtype) {
  shares(out, self, dim, dtype, "log_softmax", [](const Tensor &x, const int64_t &along) {
    return thpp::sub_(x, thpp::log(thpp::sum(thpp::exp(x), {&along, 1}, true)));
  });
}

}  // namespace thpp
