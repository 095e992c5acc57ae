// Random numbers of other distributions than rand's and randn's.
#include "results.h"

#include "bodies.h"

namespace thpp {

namespace {

const char *cpp_name(THDtype dtype) {
  return dtype == TH_Bool    ? "bool"
         : dtype == TH_Byte  ? "unsigned char"
         : dtype == TH_Char  ? "signed char"
         : dtype == TH_Short ? "short"
         : dtype == TH_Int   ? "int"
         : dtype == TH_Long  ? "long"
                             : TH_typeName(dtype);
}

void check_continuous(const char *distribution, THDtype dtype, const char *found) {
  if (!is_floating(dtype))
    THError(TH_ERROR_RUNTIME,
            "%s distribution is a continuous probability distribution. dtype must be a floating point but you "
            "specified %s",
            distribution, found);
}

bool every(const Tensor &truth) { return !has_values(truth) || thpp::all(truth, {}, false).item().to_int() != 0; }
void check_std(const Tensor &std) {
  if (!every(thpp::ge(std, wrapped_number(0)))) THError(TH_ERROR_RUNTIME, "normal expects all elements of std >= 0.0");
}

// Into `out`, if it is given: of any dtype that can hold the sample.
void deliver(Tensor &out, Tensor sample) {
  if (!out.defined()) {
    out = std::move(sample);
    return;
  }
  if (!can_cast(sample.dtype(), out.dtype())) throw_cast(sample.dtype(), out.dtype());
  thpp::_resize_(out, sample.sizes());
  thpp::copy_(out, sample);
}

// The shape of `of`; of a given `out`, to which it must broadcast.
Tensor fitted(const Tensor &of, const Tensor &out) { return out.defined() ? thpp::expand(of, out.sizes()) : of; }
THDtype dtype_for(const Tensor &of, const Tensor &out) { return out.defined() ? out.dtype() : of.dtype(); }

Tensor deviates(const Tensor &like, IntList size, THDtype dtype, double std, THGenerator *generator) {
  if (!is_floating(dtype) && !is_complex(dtype)) throw_kernel(kernel_for(like, "normal_kernel").c_str(), dtype);
  return thpp::normal_(thpp::new_empty(like, size, dtype), 0, std, generator);
}
Tensor standard(const Tensor &like, IntList size, THDtype dtype, THGenerator *generator) {
  return deviates(like, size, dtype, 1, generator);
}

}  // namespace

const Tensor &body::cauchy_(const Tensor &self, double median, double sigma, THGenerator *generator) {
  THCheck_cauchy(sigma);
  check_continuous("Cauchy", self.dtype(), cpp_name(self.dtype()));
  return thpp::_cauchy_(self, generator, median, sigma);
}
const Tensor &body::exponential_(const Tensor &self, double lambd, THGenerator *generator) {
  THCheck_exponential(lambd);
  if (self.numel()) check_continuous("Exponential", self.dtype(), TH_typeName(self.dtype()));
  return self.numel() ? thpp::_exponential_(self, generator, lambd) : self;
}
const Tensor &body::log_normal_(const Tensor &self, double mean, double std, THGenerator *generator) {
  THCheck_logNormal(std);
  return self.numel() ? thpp::_log_normal_(self, generator, mean, std) : self;
}
const Tensor &body::geometric_(const Tensor &self, double p, THGenerator *generator) {
  THCheck_geometric(p);
  return self.numel() ? thpp::_geometric_(self, generator, p) : self;
}

// ---- normal --------------------------------------------------------------------------------------
void body::normal_out(Tensor &out, const Tensor &mean, double std, THGenerator *generator) {
  THCheck_normal(std);
  const Tensor centre = fitted(mean, out);
  const Tensor sample = deviates(mean, centre.sizes(), dtype_for(mean, out), std, generator);
  deliver(out, thpp::add_(sample, centre, 1));
}
void body::normal_out(Tensor &out, double mean, const Tensor &std, THGenerator *generator) {
  check_std(std);
  const Tensor sample = standard(std, std.sizes(), dtype_for(std, out), generator);
  thpp::mul_(sample, std);
  deliver(out, thpp::add_(sample, wrapped_number(mean), 1));
}
void body::normal_out(Tensor &out, const Tensor &mean, const Tensor &std, THGenerator *generator) {
  check_std(std);
  const Tensor shape = thpp::add(mean, std, 1);  // refuses what does not broadcast
  const Tensor sample = standard(shape, shape.sizes(), dtype_for(mean, out), generator);
  thpp::mul_(sample, std);
  deliver(out, thpp::add_(sample, mean, 1));
}
void body::normal_out(Tensor &out, double mean, double std, IntList size, THGenerator *generator,
                      std::optional<THDtype> dtype, std::optional<THDevice> device) {
  THCheck_normal(std);
  filled(out, size, dtype, default_dtype(), [&](Tensor &all) { thpp::normal_(all, mean, std, generator); }, device);
}

// ---- ones and zeros ------------------------------------------------------------------------------
namespace {
// Drawn in the order of the elements of `like`, which has the shape of p.
Tensor chances(const Tensor &p, const Tensor &like, THGenerator *generator) {
  if (!is_floating(p.dtype())) throw_kernel("bernoulli_tensor_cpu_p_", p.dtype());
  if (!every(thpp::ge(p, wrapped_number(0))) || !every(thpp::le(p, wrapped_number(1))))
    THError(TH_ERROR_RUNTIME,
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false: a probability is not in [0, 1]");
  // A half type's own numbers are too few: of bfloat16 256, none of which is below a chance of 1 in 1000 but 0.
  const THDtype dtype = p.dtype() == TH_Double ? TH_Double : TH_Float;
  return thpp::lt(thpp::uniform_(thpp::empty_like(like, dtype), 0, 1, generator), p);
}
}  // namespace

const Tensor &body::bernoulli_(const Tensor &self, const Tensor &p, THGenerator *generator) {
  const Tensor expanded = thpp::expand(p, self.sizes());
  return thpp::copy_(self, chances(expanded, self, generator));
}
void body::bernoulli_out(Tensor &out, const Tensor &self, THGenerator *generator) {
  const Tensor like = thpp::empty_like(self, std::nullopt, MemoryFormat::Contiguous);
  deliver(out, thpp::to(chances(self, like, generator), out.defined() ? out.dtype() : self.dtype()));
}

// ---- draws whose parameters are tensors ------------------------------------------------------------
void body::multinomial_out(Tensor &out, const Tensor &self, int64_t num_samples, bool replacement,
                           THGenerator *generator) {
  if (!is_floating(self.dtype()))
    THError(TH_ERROR_RUNTIME, "multinomial only supports floating-point dtypes for input, got: %s",
            TH_typeName(self.dtype()));
  if (out.defined() && out.dtype() != TH_Long)
    THError(TH_ERROR_RUNTIME, "multinomial expects Long tensor out, got: %s", TH_typeName(out.dtype()));
  thpp::_multinomial_out(out, self, num_samples, replacement, generator);
}

Tensor body::binomial(const Tensor &count, const Tensor &prob, THGenerator *generator) {
  for (const auto &[tensor, name] : {std::pair(&count, "count"), std::pair(&prob, "prob")})
    if (!is_floating(tensor->dtype()))
      THError(TH_ERROR_VALUE, "binomial only supports floating-point dtypes for %s, got: %s", name,
              TH_typeName(tensor->dtype()));
  if (count.dtype() != prob.dtype())
    THError(TH_ERROR_RUNTIME, "Found dtype %s but expected %s", TH_typeName(prob.dtype()), TH_typeName(count.dtype()));
  const Tensor shape = thpp::add(count, prob, 1);  // refuses what does not broadcast
  const auto expanded = [&](const Tensor &tensor) { return thpp::expand(tensor, shape.sizes()); };
  return thpp::_binomial(expanded(count), expanded(prob), generator);
}

}  // namespace thpp
