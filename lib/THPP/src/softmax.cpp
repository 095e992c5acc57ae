// Numbers as shares of their sum, and the logarithms of the shares.
#include "results.h"

#include <THPP/Functions.h>

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
  if (out.defined()) exact_target(out, t);
  const Tensor x = to(self, t == TH_Half || t == TH_BFloat16 ? TH_Float : t);
  if (x.numel() == 0) return store(out, empty(self.sizes(), t));
  const Tensor less = empty(self.sizes(), x.dtype());
  Tensor target = less;
  sub_out(target, x, amax(x, {&along, 1}, true));
  store(out, to(share(less, along), t));
}

}  // namespace

void softmax_out(Tensor &out, const Tensor &self, int64_t dim, std::optional<THDtype> dtype) {
  shares(out, self, dim, dtype, "softmax", [](const Tensor &x, const int64_t &along) {
    exp_(x);
    return div_(x, sum(x, {&along, 1}, true));
  });
}

void log_softmax_out(Tensor &out, const Tensor &self, int64_t dim, std::optional<THDtype> dtype) {
  shares(out, self, dim, dtype, "log_softmax",
         [](const Tensor &x, const int64_t &along) { return sub_(x, log(sum(exp(x), {&along, 1}, true))); });
}

}  // namespace thpp
