// Elements written where indices and masks say. All checks come before `out` is touched.
#include "results.h"

#include <algorithm>
#include <cstring>
#include <THNN/Check.h>

#include "bodies.h"

namespace thpp {

// ---- slices --------------------------------------------------------------------------------------
// They resize `out` before they look for overlap: one of another shape than self's may overlap itself. put(result) gets
// `out`, or else an undefined tensor, which is written into `out` afterwards.
template <class Put>
static void put_slices(Tensor &out, const Tensor &self, std::initializer_list<Tensor> reads, const Put &put) {
  if (!out.defined() || std::ranges::equal(out.sizes(), self.sizes())) return put(out);
  exact_target(out, self.device(), self.dtype());
  check_apart(out, TensorList(reads.begin(), reads.size()));
  Tensor result;
  put(result);
  write_out(out, result);
}

void body::index_add_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source,
                         const Scalar &alpha) {
  const int d = wrap(dim, self);
  THTensor_checkIndex(index.get(), "index_add_");
  // alpha is a number of self's dtype, which raises if that cannot hold it.
  if (has_values(self) && !alpha.is_complex() && alpha.to_double() != 1) thpp::full({0}, alpha, self.dtype());
  const Scalar factor = is_inexact(self.dtype())  ? factor_in(self.dtype(), alpha, self)
                        : self.dtype() == TH_Bool ? Scalar(alpha.to_double() != 0)
                                                  : Scalar(alpha.to_int());
  const bool scale = self.dtype() == source.dtype() && factor.to_complex() != 1.0;  // else TH refuses
  const Tensor scaled = scale ? thpp::mul(source, wrapped_number(factor)) : source;
  put_slices(out, self, {index, scaled}, [&](Tensor &result) {
    scattered(result, self, {index, scaled}, [&](const Tensor &to) { thpp::_index_add_(to, d, index, scaled); });
  });
}

void body::index_copy_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source) {
  const int d = wrap(dim, self);
  put_slices(out, self, {index, source}, [&](Tensor &result) {
    scattered(result, self, {index, source}, [&](const Tensor &to) { thpp::_index_copy_(to, d, index, source); });
  });
}

// ---- scatter with arithmetic ---------------------------------------------------------------------
namespace {

enum class Reduce { Sum, Prod, Mean, Amax, Amin };

// What stands for nothing yet.
Scalar neutral(Reduce reduce, THDtype dtype) {
  if (reduce == Reduce::Prod) return 1;
  if (reduce != Reduce::Amax && reduce != Reduce::Amin) return 0;
  const bool high = reduce == Reduce::Amin;
  if (is_floating(dtype)) return high ? INFINITY : -INFINITY;
  if (dtype == TH_Bool) return high;
  if (dtype == TH_Byte) return high ? 255 : 0;
  const int bits = int(TH_elementSize(dtype)) * 8 - 1;
  const int64_t largest = int64_t(~uint64_t(0) >> (64 - bits));
  return high ? largest : -largest - 1;
}

void scatter_reduced(Tensor &out, const Tensor &self, int d, const Tensor &index, const Tensor &src, Reduce reduce) {
  scattered(out, self, {index, src}, [&](const Tensor &to) {
    switch (reduce) {
      case Reduce::Prod: thpp::_scatter_prod_(to, d, index, src); break;
      case Reduce::Amax: thpp::_scatter_amax_(to, d, index, src); break;
      case Reduce::Amin: thpp::_scatter_amin_(to, d, index, src); break;
      default: thpp::_scatter_add_(to, d, index, src);
    }
  });
}

}  // namespace

void body::scatter_add_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src) {
  scatter_reduced(out, self, wrap(dim, self), index, src, Reduce::Sum);
}

void body::scatter_reduce_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src,
                              const char *reduce, bool include_self) {
  static constexpr const char *names[] = {"sum", "prod", "mean", "amax", "amin"};
  int row = 0;
  while (row < 5 && std::strcmp(reduce, names[row])) ++row;
  if (!std::strcmp(reduce, "max")) row = int(Reduce::Amax);  // torch takes these names too
  if (!std::strcmp(reduce, "min")) row = int(Reduce::Amin);
  if (row == 5)
    THError(TH_ERROR_RUNTIME, "reduce argument must be either sum, prod, mean, amax or amin, got %s", reduce);
  const auto how = Reduce(row);
  const int d = wrap(dim, self);
  if (out.defined()) exact_target(out, self.device(), self.dtype());
  if (how != Reduce::Mean && include_self) return scatter_reduced(out, self, d, index, src, how);
  Tensor result;  // not `out` yet, which stays as it is if something is refused
  scatter_reduced(result, include_self ? self : thpp::scatter(self, d, index, neutral(how, self.dtype())), d, index,
                  src, how);
  if (how == Reduce::Mean) {
    if (self.dtype() == TH_Bool) THError(TH_ERROR_NOT_IMPLEMENTED, "\"div_floor\" not implemented for 'Bool'");
    const Tensor counts = thpp::scatter_add(include_self ? thpp::ones_like(self) : thpp::zeros_like(self), d, index,
                                            thpp::ones_like(src));
    thpp::masked_fill_(counts, thpp::eq(counts, wrapped_number(0)), wrapped_number(1));
    thpp::div_out(result, result, counts, is_inexact(self.dtype()) ? nullptr : "floor");
  }
  write_out(out, result);
}

void body::index_reduce_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source,
                            const char *reduce, bool include_self) {
  static constexpr const char *names[] = {"prod", "mean", "amax", "amin"};
  if (std::none_of(std::begin(names), std::end(names), [&](const char *name) { return !std::strcmp(name, reduce); }))
    THError(TH_ERROR_RUNTIME, "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got %s.",
            reduce);
  const int d = wrap(dim, self);
  THTensor_checkIndex(index.get(), "index_reduce_");
  if (index.dtype() != TH_Long && index.dtype() != TH_Int)
    THError(TH_ERROR_RUNTIME, "index_reduce_(): Expected dtype int32/int64 for index but got: %s",
            TH_typeName(index.dtype()));
  if (self.dtype() != source.dtype())
    THError(TH_ERROR_RUNTIME, "index_reduce_(): self (%s) and source (%s) must have the same scalar type",
            TH_typeName(self.dtype()), TH_typeName(source.dtype()));
  if (d >= std::max(source.dim(), 1))
    THError(TH_ERROR_RUNTIME, "index_reduce_(): Indexing dim %d is out of bounds of the source tensor with shape %s", d,
            shape_text(source).c_str());
  const int64_t slices = source.dim() ? source.size(d) : 1;
  if (index.numel() != slices)
    THError(TH_ERROR_RUNTIME,
            "index_reduce_(): Number of indices (%lld) should be equal to source.size(dim): (%lld), for dim: %d",
            (long long)index.numel(), (long long)slices, d);
  THCheck_slices(self.get(), source.get(), d);
  if (has_values(index)) THNNCheck_rows(on_host(index).get(), self.dim() ? self.size(d) : 1);
  std::vector<int64_t> along(source.dim(), 1);
  if (source.dim()) along[d] = slices;
  warn("index_reduce() is in beta: its parameters may still change.");
  const Tensor everywhere = thpp::expand(thpp::reshape(index, along), source.sizes());
  put_slices(out, self, {index, source}, [&](Tensor &result) {
    thpp::scatter_reduce_out(result, self, d, everywhere, source, reduce, include_self);
  });
}

void body::scatter_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src,
                       const char *reduce) {
  const bool add = !std::strcmp(reduce, "add");
  if (!add && std::strcmp(reduce, "multiply"))
    THError(TH_ERROR_RUNTIME, "reduce argument must be either add or multiply.");
  warn(
      "The reduce argument of torch.scatter with Tensor src is deprecated: torch.scatter_reduce has these reductions and "
      "others.");
  scatter_reduced(out, self, wrap(dim, self), index, src, add ? Reduce::Sum : Reduce::Prod);
}
void body::scatter_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value,
                       const char *reduce) {
  thpp::scatter_out(out, self, dim, index, thpp::new_full(self, index.sizes(), value), reduce);
  take_warning();  // it is about the other form
}

// ---- the flattened tensor ------------------------------------------------------------------------
const Tensor &body::put_(const Tensor &self, const Tensor &index, const Tensor &source, bool accumulate) {
  if (index.dtype() != TH_Long)
    THError(TH_ERROR_RUNTIME, "put_(): Expected a long tensor for index, but got %s", TH_typeName(index.dtype()));
  if (self.dtype() != source.dtype())
    THError(TH_ERROR_RUNTIME,
            "put_(): self and source expected to have the same dtype, but got self.dtype = %s and source.dtype = %s",
            TH_typeName(self.dtype()), TH_typeName(source.dtype()));
  if (source.numel() != index.numel())
    THError(TH_ERROR_INDEX,
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = %lld, "
            "index.numel() = %lld",
            (long long)source.numel(), (long long)index.numel());
  const int64_t n = self.numel();
  if (index.numel()) require_computed("put_", self);
  if (!n && index.numel()) THError(TH_ERROR_INDEX, "put_(): Expected to put elements into a tensor that has some");
  THTensor_checkDistinct(self.get());
  check_apart(self, {&index, 1});
  check_apart(self, {&source, 1});
  if (!index.numel()) return self;
  if (!has_values(index)) return self;
  const int64_t least = thpp::amin(index).item().to_int(), greatest = thpp::amax(index).item().to_int();
  if (least < -n || greatest >= n)
    THError(TH_ERROR_INDEX, "out of range: tried to access index %lld on a tensor of %lld elements.",
            (long long)(least < -n ? least : greatest), (long long)n);
  const Tensor flat = self.is_contiguous() ? thpp::view(self, {n})
                                           : thpp::reshape(thpp::clone(self, MemoryFormat::Contiguous), {n});
  const Tensor indices[] = {thpp::reshape(index, {index.numel()})};
  thpp::index_put_(flat, indices, thpp::reshape(source, {source.numel()}), accumulate);
  if (!self.is_contiguous()) thpp::copy_(self, thpp::view(flat, self.sizes()), false);
  return self;
}

const Tensor &body::masked_scatter_(const Tensor &self, const Tensor &mask, const Tensor &source) {
  if (self.dtype() != source.dtype())
    THError(TH_ERROR_RUNTIME, "masked_scatter: expected self and source to have same dtypes but got %s and %s",
            TH_typeName(self.dtype()), TH_typeName(source.dtype()));
  if (mask.dtype() != TH_Bool)
    THError(TH_ERROR_RUNTIME, "masked_scatter_ only supports boolean masks, but got mask with dtype %s",
            TH_typeName(mask.dtype()));
  thpp::_masked_copy_(self, mask, source);
  return self;
}
Tensor body::masked_scatter(const Tensor &self, const Tensor &mask, const Tensor &source) {
  const Tensor parts[] = {self, mask};
  return thpp::masked_scatter_(thpp::clone(thpp::broadcast_tensors(parts)[0], MemoryFormat::Contiguous), mask, source);
}

// ---- a part of a copy ----------------------------------------------------------------------------
namespace {

// A copy with the same strides, in a copy of the whole storage.
Tensor copied(const Tensor &self) {
  if (THTensor_overlapsItself(self.get())) return thpp::clone(self);
  const int64_t n = int64_t(self.get()->storage->nbytes / TH_elementSize(self.dtype())), step = 1;
  const Tensor whole = Tensor::steal(THTensor_newWithStorage(self.dtype(), self.get()->storage, 0, 1, &n, &step));
  return thpp::as_strided(thpp::clone(whole), self.sizes(), self.strides(), self.storage_offset());
}

Tensor replaced(const Tensor &copy, const Tensor &part, const Tensor &src, const char *what) {
  if (!THTensor_isSameSizeAs(part.get(), src.get()))
    THError(TH_ERROR_RUNTIME, "expected src to have a size equal to the %s of self. src size = %s, %s size = %s", what,
            shape_text(src).c_str(), what, shape_text(part).c_str());
  thpp::copy_(part, src, false);
  return copy;
}

}  // namespace

Tensor body::select_scatter(const Tensor &self, const Tensor &src, int64_t dim, int64_t index) {
  const Tensor copy = copied(self);
  return replaced(copy, thpp::select(copy, dim, index), src, "slice");
}
void body::slice_scatter_out(Tensor &out, const Tensor &self, const Tensor &src, int64_t dim,
                             std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  const auto part = [&](const Tensor &of) {
    return thpp::slice(of, self.dim() ? dim : 0, start.value_or(0), end.value_or(INT64_MAX), step);
  };
  part(self);  // judges the arguments before `out` is
  if (out.defined()) exact_target(out, self.device(), self.dtype());
  const Tensor copy = copied(self);
  write_out(out, replaced(copy, part(copy), src, "slice"));
}
Tensor body::diagonal_scatter(const Tensor &self, const Tensor &src, int64_t offset, int64_t dim1, int64_t dim2) {
  const Tensor copy = copied(self);
  return replaced(copy, thpp::diagonal(copy, offset, dim1, dim2), src, "slice");
}
Tensor body::as_strided_scatter(const Tensor &self, const Tensor &src, IntList size, IntList stride,
                                std::optional<int64_t> storage_offset) {
  const Tensor copy = copied(self);
  return replaced(copy, thpp::as_strided(copy, size, stride, storage_offset), src, "slice");
}

// ---- reading -------------------------------------------------------------------------------------
void body::take_along_dim_out(Tensor &out, const Tensor &self, const Tensor &indices, std::optional<int64_t> dim) {
  if (dim && indices.dtype() != TH_Long)
    THError(TH_ERROR_RUNTIME, "torch.take_along_dim(): dtype of indices should be Long but got %s",
            TH_typeName(indices.dtype()));
  if (!dim) return thpp::gather_out(out, thpp::reshape(self, {-1}), 0, thpp::reshape(indices, {-1}));
  if (self.dim() != indices.dim())
    THError(
        TH_ERROR_RUNTIME,
        "torch.take_along_dim(): input and indices should have the same number of dimensions, but got %d dimensions "
        "for input, and %d dimensions for indices",
        self.dim(), indices.dim());
  const int d = own_dim(*dim, self);
  // All dimensions but d broadcast.
  const auto without = [&](const Tensor &t) {
    std::vector<int64_t> size = list(t.sizes());
    size[d] = 1;
    return thpp::empty(size, t.dtype(), MemoryFormat::Contiguous, THDevice{TH_Meta, 0});
  };
  const Tensor others[] = {without(self), without(indices)};
  std::vector<int64_t> shape(self.dim());
  TH_broadcastShape(2, handles(others), shape.data());
  std::vector<int64_t> where = shape;
  shape[d] = self.size(d);
  where[d] = indices.size(d);
  // As in torch, indices count round and round, so that negative ones count from the end.
  const int64_t length = self.size(d);
  const Tensor wrapped = length ? thpp::remainder(indices, wrapped_number(length)) : indices;
  thpp::gather_out(out, thpp::expand(self, shape), d, thpp::expand(wrapped, where));
}

Tensor body::argwhere(const Tensor &self) { return thpp::nonzero(self); }

void body::scatter_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src) {
  const int d = TH_wrapDim(dim, self.dim());
  scattered(out, self, {index, src}, [&](const Tensor &to) { thpp::_scatter_(to, d, index, src); });
}

void body::scatter_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value) {
  const int d = TH_wrapDim(dim, self.dim());
  scattered(out, self, {index}, [&](const Tensor &to) { thpp::_scatter_fill_(to, d, index, value); });
}

}  // namespace thpp
