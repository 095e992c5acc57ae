// Products, differences and integrals that are made of other operators.
#include "results.h"

#include <array>
#include <cmath>

#include "bodies.h"

namespace thpp {

namespace {

Tensor number(Scalar value) { return wrapped_number(value); }

Tensor first_but(const Tensor &self, int d) { return thpp::narrow(self, d, 1, self.size(d) - 1); }
Tensor last_but(const Tensor &self, int d) { return thpp::narrow(self, d, 0, self.size(d) - 1); }

}  // namespace

// Row by row, so that the product lies in memory like that too.
static Tensor dense(const Tensor &self, IntList size) {
  return thpp::view(thpp::contiguous(self, MemoryFormat::Contiguous), size);
}

void body::kron_out(Tensor &out, const Tensor &self, const Tensor &other) {
  const int n = std::max(self.dim(), other.dim());
  std::vector<int64_t> mine, theirs, size;
  for (int d = 0; d < n; ++d) {
    const auto length = [&](const Tensor &t) { return d < n - t.dim() ? int64_t(1) : t.size(d - (n - t.dim())); };
    mine.insert(mine.end(), {length(self), 1});
    theirs.insert(theirs.end(), {1, length(other)});
    size.push_back(length(self) * length(other));
  }
  Tensor a = dense(self, mine), b = dense(other, theirs);
  if (n) {  // both along the result's whole last dimension, because short runs are slow
    mine.back() = theirs.back();
    theirs[theirs.size() - 2] = mine[mine.size() - 2];
    const auto joined = [&](const Tensor &t, std::vector<int64_t> &shape) {
      const Tensor wide = thpp::expand(t, shape);
      shape.pop_back();
      shape.back() = size.back();
      return dense(wide, shape);
    };
    a = joined(a, mine), b = joined(b, theirs);
  }
  write_out(out, thpp::_unsafe_view(thpp::mul(a, b), size));
}

void body::cross_out(Tensor &out, const Tensor &self, const Tensor &other, std::optional<int64_t> dim) {
  int d = 0;
  if (dim) {
    if (self.dim() != other.dim())
      THError(TH_ERROR_RUNTIME, "linalg.cross: inputs must have the same number of dimensions.");
    d = wrap(*dim, self);
  } else {
    while (d < self.dim() && self.size(d) != 3) ++d;
    if (d == self.dim()) THError(TH_ERROR_RUNTIME, "no dimension of size 3 in input");
    if (self.dim() != other.dim())
      THError(TH_ERROR_RUNTIME, "linalg.cross: inputs must have the same number of dimensions.");
  }
  if (self.dim() == 0 || self.size(d) != 3 || other.size(d) != 3)
    THError(TH_ERROR_RUNTIME, "linalg.cross: inputs dimension %d must have length 3. Got %lld and %lld", d,
            (long long)(self.dim() ? self.size(d) : 1), (long long)(self.dim() ? other.size(d) : 1));
  const Tensor parts[] = {self, other};
  const std::vector<Tensor> both = thpp::broadcast_tensors(parts);
  if (self.dtype() != other.dtype())
    THError(TH_ERROR_RUNTIME, "expected scalar type %s but found %s", TH_typeName(self.dtype()),
            TH_typeName(other.dtype()));
  if (self.dtype() == TH_Bool) THError(TH_ERROR_NOT_IMPLEMENTED, "\"cross\" not implemented for 'Bool'");
  if (out.defined()) exact_target(out, self.device(), self.dtype());
  if (!dim)
    warn(
        "Using torch.cross without specifying the dim arg is deprecated: it takes the first dimension of size 3. "
        "torch.linalg.cross takes the last one.");
  Tensor result;  // not `out`, which may be an input
  thpp::_cross_out(result, both[0], both[1], d);
  write_out(out, result);
}

void body::inner_out(Tensor &out, const Tensor &self, const Tensor &other) {
  if (self.dim() == 0 || other.dim() == 0) return write_out(out, thpp::mul(self, other));
  const int n = self.dim(), m = other.dim();
  if (self.size(n - 1) != other.size(m - 1))
    THError(TH_ERROR_RUNTIME, "inner() the last dimension must match on both input tensors but got shapes %s and %s",
            shape_text(self).c_str(), shape_text(other).c_str());
  if (out.defined()) exact_target(out, self.device(), self.dtype());
  if (n == 1 && m == 1) return write_out(out, thpp::dot(self, other));  // which autocast leaves alone
  const int64_t length = self.size(n - 1);
  std::vector<int64_t> size(self.sizes().begin(), self.sizes().end() - 1);
  size.insert(size.end(), other.sizes().begin(), other.sizes().end() - 1);
  int64_t rows = 1, columns = 1;
  for (int d = 0; d < n - 1; ++d) rows *= self.size(d);
  for (int d = 0; d < m - 1; ++d) columns *= other.size(d);
  if (rows == 1 && columns == 1) require_kernel("dot", self, kFloat8);
  write_out(out,
            thpp::reshape(
                thpp::mm(thpp::reshape(self, {rows, length}), thpp::t(thpp::reshape(other, {columns, length}))), size));
}

// ---- statistics ----------------------------------------------------------------------------------
Tensor body::cov(const Tensor &self, int64_t correction, const Tensor &fweights, const Tensor &aweights) {
  if (self.dim() > 2)
    THError(TH_ERROR_RUNTIME,
            "cov(): expected input to have two or fewer dimensions but got an input with %d dimensions", self.dim());
  if (self.dtype() == TH_Bool) THError(TH_ERROR_RUNTIME, "cov(): bool dtype is not supported for input");
  Tensor in = self.dim() < 2 ? thpp::reshape(self, {1, -1}) : self;
  const int64_t observations = in.size(1);
  const auto check = [&](const Tensor &weights, const char *name, bool floating) {
    if (weights.dim() > 1)
      THError(TH_ERROR_RUNTIME, "cov(): expected %s to have one or fewer dimensions but got %s with %d dimensions",
              name, name, weights.dim());
    if (is_floating(weights.dtype()) != floating || weights.dtype() == TH_Bool)
      THError(TH_ERROR_RUNTIME, "cov(): expected %s to have %s dtype but got %s with %s dtype", name,
              floating ? "floating point" : "integral", name, TH_typeName(weights.dtype()));
    if (weights.numel() != observations)
      THError(TH_ERROR_RUNTIME,
              "cov(): expected %s to have the same numel as there are observations in the input but got %lld != %lld",
              name, (long long)weights.numel(), (long long)observations);
    if (observations && has_values(weights) && thpp::amin(weights).item().to_double() < 0)
      THError(TH_ERROR_RUNTIME, "cov(): %s cannot be negative", name);
  };
  Tensor w;
  if (fweights.defined()) {
    check(fweights, "fweights", false);
    w = fweights;
  }
  if (aweights.defined()) {
    check(aweights, "aweights", true);
    w = w.defined() ? thpp::mul(w, aweights) : aweights;
  }
  const Tensor total = w.defined() ? thpp::sum(w) : thpp::new_full(self, {}, observations, TH_Long);
  if (w.defined() && observations && has_values(total) && total.item().to_double() == 0)
    THError(TH_ERROR_RUNTIME, "cov(): weights sum to zero, can't be normalized");
  const Tensor average = thpp::div(thpp::sum(w.defined() ? thpp::mul(in, w) : in, {1}), total);
  Tensor norm = total;
  if (w.defined() && aweights.defined() && correction)
    norm = thpp::sub(total, thpp::div(thpp::mul(number(correction), thpp::sum(thpp::mul(w, aweights))), total));
  else if (correction)
    norm = thpp::sub(total, number(correction));
  if (has_values(norm) && norm.item().to_double() <= 0) {
    warn("cov(): degrees of freedom is <= 0: the correction is no less than the number of observations");
    norm = thpp::zeros_like(norm);
  }
  in = thpp::sub(in, thpp::unsqueeze(average, 1));
  const Tensor weighted = w.defined() ? thpp::mul(in, w) : in;
  return thpp::squeeze(thpp::div(thpp::mm(in, thpp::conj(thpp::transpose(weighted, 0, 1))), norm));
}

Tensor body::corrcoef(const Tensor &self) {
  if (self.dim() > 2)
    THError(TH_ERROR_RUNTIME,
            "corrcoef(): expected input to have two or fewer dimensions but got an input with %d dimensions",
            self.dim());
  const Tensor c = thpp::cov(self, 1, Tensor(), Tensor());
  if (c.dim() == 0) return thpp::div(c, c);
  const Tensor deviation = thpp::sqrt(thpp::real(thpp::diagonal(c, 0, 0, 1)));
  const Tensor result = thpp::div(thpp::div(c, thpp::unsqueeze(deviation, 1)), thpp::unsqueeze(deviation, 0));
  const auto limited = [](const Tensor &part) { return thpp::clamp(part, number(-1), number(1)); };
  return is_complex(c.dtype()) ? thpp::complex(limited(thpp::real(result)), limited(thpp::imag(result)))
                               : limited(result);
}

// ---- along a dimension ---------------------------------------------------------------------------
void body::diff_out(Tensor &out, const Tensor &self, int64_t n, int64_t dim, const Tensor &prepend,
                    const Tensor &append) {
  if (self.dim() < 1) THError(TH_ERROR_RUNTIME, "diff expects input to be at least one-dimensional");
  const int d = wrap(dim, self);
  if (n < 0) THError(TH_ERROR_RUNTIME, "order must be non-negative but got %lld", (long long)n);
  std::vector<Tensor> parts;
  for (const Tensor *part : {&prepend, &self, &append}) {
    if (!part->defined()) continue;
    if (part->dim() != self.dim())
      THError(TH_ERROR_RUNTIME, "diff expects prepend or append to be the same dimension as input");
    for (int i = 0; i < self.dim(); ++i)
      if (i != d && part->size(i) != self.size(i))
        THError(TH_ERROR_RUNTIME,
                "diff expects the shape of tensor to prepend or append to match that of input except along the "
                "differencing dimension; input.size(%d) = %lld, but got tensor.size(%d) = %lld",
                i, (long long)self.size(i), i, (long long)part->size(i));
    parts.push_back(*part);
  }
  Tensor result = parts.size() > 1 ? thpp::cat(parts, d) : self;
  for (n = std::min(n, result.size(d)); n > 0; --n) {
    const Tensor right = result.size(d) ? first_but(result, d) : result;
    const Tensor left = result.size(d) ? last_but(result, d) : result;
    result = result.dtype() == TH_Bool ? thpp::logical_xor(right, left) : thpp::sub(right, left);
  }
  write_out(out, result.is_same(self) ? thpp::clone(self) : result);
}

namespace {

// The points' distances, in a shape that fits y.
Tensor distances(const char *name, const Tensor &y, const Tensor &x, int d) {
  Tensor points = x;
  if (x.dim() == 1) {
    if (x.size(0) != y.size(d))
      THError(TH_ERROR_RUNTIME, "%s: There must be one `x` value for each sample point", name);
    std::vector<int64_t> size(y.dim(), 1);
    size[d] = x.size(0);
    points = thpp::reshape(x, size);
  } else if (x.dim() < y.dim()) {
    std::vector<int64_t> size(y.dim() - x.dim(), 1);
    size.insert(size.end(), x.sizes().begin(), x.sizes().end());
    points = thpp::reshape(x, size);
  }
  const int e = points.dim() - y.dim() + d;
  if (points.dim() == 0 || points.size(e) == 0) return points;
  return thpp::sub(first_but(points, e), last_but(points, e));
}

void check_samples(const char *name, const Tensor &y) {
  if (y.dtype() == TH_Bool)
    THError(TH_ERROR_RUNTIME, "%s: received a bool input for `y`, but bool is not supported", name);
}
void check_spacing(const char *name, const Scalar &dx) {
  if (dx.kind == TH_KIND_bool) THError(TH_ERROR_RUNTIME, "%s: Currently, we only support dx as a real number.", name);
}
void check_points(const char *name, const Tensor &x) {
  if (x.dtype() == TH_Bool)
    THError(TH_ERROR_RUNTIME, "%s: received a bool input for `x`, but bool is not supported", name);
}

Tensor without_dim(const Tensor &y, int d) {
  std::vector<int64_t> size = list(y.sizes());
  size.erase(size.begin() + d);
  return thpp::new_zeros(y, size);
}

}  // namespace

Tensor body::trapezoid(const Tensor &y, const Scalar &dx, int64_t dim) {
  const int d = own_dim(dim, y);
  if (y.size(d) == 0) return without_dim(y, d);
  check_samples("trapezoid", y);
  check_spacing("trapezoid", dx);
  const Tensor ends = thpp::add(thpp::select(y, d, 0), thpp::select(y, d, -1));
  return thpp::mul(thpp::sub(thpp::sum(y, {d}), thpp::mul(ends, number(0.5))), number(dx));
}

Tensor body::trapezoid(const Tensor &y, const Tensor &x, int64_t dim) {
  const int d = own_dim(dim, y);
  if (y.size(d) == 0) return without_dim(y, d);
  check_samples("trapezoid", y);
  check_points("trapezoid", x);
  const Tensor sides = thpp::add(last_but(y, d), first_but(y, d));
  const Tensor areas = thpp::mul(sides, distances("trapezoid", y, x, d));
  return thpp::div(thpp::sum(areas, {areas.dim() - y.dim() + d}), number(2.0));
}

Tensor body::cumulative_trapezoid(const Tensor &y, const Scalar &dx, int64_t dim) {
  const int d = own_dim(dim, y);
  check_samples("cumulative_trapezoid", y);
  check_spacing("cumulative_trapezoid", dx);
  if (y.size(d) == 0) return thpp::zeros_like(y);
  const Tensor sides = thpp::add(first_but(y, d), last_but(y, d));
  return thpp::cumsum(thpp::mul(sides, number(dx.to_double() / 2.0)), d);
}

Tensor body::cumulative_trapezoid(const Tensor &y, const Tensor &x, int64_t dim) {
  const int d = own_dim(dim, y);
  check_samples("cumulative_trapezoid", y);
  check_points("cumulative_trapezoid", x);
  if (y.size(d) == 0) return thpp::zeros_like(y);
  const Tensor areas = thpp::mul(thpp::add(last_but(y, d), first_but(y, d)),
                                 distances("cumulative_trapezoid", y, x, d));
  return thpp::div(thpp::cumsum(areas, areas.dim() - y.dim() + d), number(2.0));
}

Tensor body::vander(const Tensor &x, std::optional<int64_t> N, bool increasing) {
  if (x.dim() != 1) THError(TH_ERROR_RUNTIME, "x must be a one-dimensional tensor.");
  const int64_t n = N.value_or(x.numel());
  if (n < 0) THError(TH_ERROR_RUNTIME, "N must be non-negative.");
  const Tensor base = is_inexact(x.dtype()) ? x : thpp::to(x, TH_Long);
  const Tensor result = thpp::new_ones(base, {x.numel(), n});
  if (n <= 1) return result;  // a constant, which records nothing
  const Tensor powers = thpp::cumprod(thpp::expand(thpp::unsqueeze(base, 1), {x.numel(), n - 1}), 1);
  thpp::copy_(thpp::narrow(result, 1, 1, n - 1), powers);
  return increasing ? result : thpp::flip(result, {1});
}

}  // namespace thpp
