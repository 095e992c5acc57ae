// Histograms, searches in sorted tensors, different elements.
#include "dispatch.h"
#include "results.h"

#include <cmath>
#include <cstring>
#include <tuple>

#include "bodies.h"

namespace thpp {

// ---- counting -------------------------------------------------------------------------------------
Tensor body::bincount(const Tensor &self, const Tensor &weights, int64_t minlength) {
  const THDtype t = !weights.defined() || self.numel() == 0 ? TH_Long
                    : weights.dtype() == TH_Float           ? TH_Float
                                                            : TH_Double;
  const Tensor result = new_result(self.device(), t);
  // There is a kernel that reads int64, whose place a number beyond it has not.
  const Tensor numbers = is_wide_unsigned(self.dtype()) ? thpp::to(self, TH_Long) : self;
  thpp::_bincount_(result, numbers, t == TH_Long ? Tensor() : weights, minlength);
  return result;
}

namespace {

void check_weight(const Tensor &self, const Tensor &weight) {
  if (!weight.defined()) return;
  if (!std::ranges::equal(weight.sizes(), self.sizes()))
    THError(TH_ERROR_RUNTIME,
            "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor "
            "excluding its innermost dimension, but got input with shape %s and weight with shape %s",
            shape_text(self).c_str(), shape_text(weight).c_str());
  if (weight.dtype() != self.dtype())
    THError(TH_ERROR_RUNTIME,
            "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same "
            "dtype, but got input(%s) and weight(%s)",
            TH_typeName(self.dtype()), TH_typeName(weight.dtype()));
}

void count(Tensor &hist, Tensor &bin_edges, const Tensor &self, const Tensor &edges, bool uniform, const Tensor &weight,
           bool density) {
  for (Tensor *out : {&hist, &bin_edges}) {
    if (!out->defined()) continue;
    exact_target(*out, self.device(), self.dtype());
    THTensor_checkDistinct(out->get());
  }
  if (hist.defined() && bin_edges.defined() &&
      (hist.is_same(bin_edges) || THTensor_overlaps(hist.get(), bin_edges.get())))
    THError(TH_ERROR_RUNTIME, "torch.histogram(): the two results must not share memory");
  Tensor counts;
  thpp::_histogram_out(counts, self, weight, edges, uniform, uniform);
  if (density) {
    const int64_t bins = edges.numel() - 1;
    thpp::div_(counts, thpp::sum(counts));
    thpp::div_(counts, thpp::sub(thpp::narrow(edges, 0, 1, bins), thpp::narrow(edges, 0, 0, bins)));
  }
  const Tensor kept = thpp::clone(edges, MemoryFormat::Contiguous);  // `hist` may be the edges that were given
  write_out(hist, counts);
  write_out(bin_edges, kept);
}

}  // namespace

void body::histogram_out(Tensor &hist, Tensor &bin_edges, const Tensor &self, int64_t bins, FloatList range,
                         const Tensor &weight, bool density) {
  THCheck_bins(bins);
  double low = 0, high = 1;
  if (!range.empty()) {
    if (range.size() != 2)
      THError(TH_ERROR_RUNTIME,
              "torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, but got %zu",
              range.size());
    low = range[0];
    high = range[1];
  } else if (self.numel()) {
    if (self.dtype() != TH_Float && self.dtype() != TH_Double) throw_kernel("histogramdd", self.dtype());
    if (has_values(self)) low = thpp::amin(self).item().to_double();
    if (has_values(self)) high = thpp::amax(self).item().to_double();
  }
  if (!std::isfinite(low) || !std::isfinite(high))
    THError(TH_ERROR_RUNTIME, "torch.histogramdd: dimension 0's range [%g, %g] is not finite", low, high);
  if (low > high)
    THError(TH_ERROR_RUNTIME, "torch.histogramdd: min should not exceed max, but got min %g max %g for dimension 0",
            low, high);
  if (low == high) low -= 0.5, high += 0.5;
  if (!is_floating(self.dtype())) throw_kernel("histogramdd", self.dtype());
  check_weight(self, weight);
  count(hist, bin_edges, self, thpp::linspace(low, high, TH_saturatedSum(bins, 1), self.dtype(), self.device()), true,
        weight, density);
}

void body::histogram_out(Tensor &hist, Tensor &bin_edges, const Tensor &self, const Tensor &bins, const Tensor &weight,
                         bool density) {
  if (bins.dim() != 1)
    THError(TH_ERROR_RUNTIME,
            "torch.histogramdd: bins tensor should have one dimension, but got %d dimensions in the bins tensor for "
            "dimension 0",
            bins.dim());
  if (bins.numel() < 1)
    THError(TH_ERROR_RUNTIME,
            "torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in the bins tensor for "
            "dimension 0");
  THCheck_bins(bins.numel() - 1);
  if (bins.dtype() != self.dtype())
    THError(TH_ERROR_RUNTIME,
            "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype %s "
            "and bins for dimension 0 with dtype %s",
            TH_dtypeName(self.dtype()), TH_dtypeName(bins.dtype()));
  if (!is_floating(self.dtype())) throw_kernel("histogramdd", self.dtype());
  check_weight(self, weight);
  count(hist, bin_edges, self, bins, false, weight, density);
}

// ---- searching --------------------------------------------------------------------------------------
namespace {

// Where a result of searchsorted goes.
void write_indices(Tensor &out, Tensor places, bool out_int32) {
  if (out_int32) places = thpp::to(places, TH_Int);
  if (!out.defined()) {
    out = std::move(places);
    return;
  }
  thpp::_resize_as_(out, places);
  thpp::_copy_(out, places);
}

void check_places(const Tensor &out, bool out_int32) {
  if (out.defined() && out.dtype() != (out_int32 ? TH_Int : TH_Long))
    THError(TH_ERROR_RUNTIME,
            "torch.searchsorted(): output tensor's dtype is wrong: it is %s, and the result with out_int32=%s is %s",
            TH_typeName(out.dtype()), out_int32 ? "True" : "False", TH_typeName(out_int32 ? TH_Int : TH_Long));
}

}  // namespace

void body::searchsorted_out(Tensor &out, const Tensor &sorted_sequence, const Tensor &self, bool out_int32, bool right,
                            const char *side, const Tensor &sorter) {
  const Tensor &sequence = sorted_sequence;
  if (side && std::strcmp(side, "left") && std::strcmp(side, "right"))
    THError(TH_ERROR_RUNTIME, "torch.searchsorted(): side can only be 'left' or 'right' but got %s", side);
  const bool after = side && !std::strcmp(side, "right");
  if (side && right && !after)
    THError(TH_ERROR_RUNTIME,
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True");
  check_places(out, out_int32);
  if (sequence.dim() == 0)
    THError(TH_ERROR_RUNTIME,
            "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension");
  if (self.dim() == 0 && sequence.dim() != 1)
    THError(TH_ERROR_RUNTIME,
            "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got "
            "boundaries tensor dim(%d) and input value's dim(0) numel(1)",
            sequence.dim());
  const auto rows = [](const Tensor &t) { return t.sizes().first(size_t(t.dim()) - 1); };
  if (sequence.dim() != 1 && (sequence.dim() != self.dim() || !std::ranges::equal(rows(sequence), rows(self))))
    THError(TH_ERROR_RUNTIME,
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries "
            "tensor and input value tensor must match, but we got boundaries tensor %s and input value tensor %s",
            shape_text(sequence).c_str(), shape_text(self).c_str());
  if (sorter.defined()) {
    if (!std::ranges::equal(sorter.sizes(), sequence.sizes()))
      THError(TH_ERROR_RUNTIME,
              "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor %s and got "
              "sorter tensor %s",
              shape_text(sequence).c_str(), shape_text(sorter).c_str());
    if (sorter.dtype() != TH_Long)
      THError(TH_ERROR_RUNTIME, "torch.searchsorted(): sorter must be a tensor of long dtype but got dtype %s",
              TH_typeName(sorter.dtype()));
    if (sorter.numel() && has_values(sorter) &&
        (thpp::amin(sorter).item().to_int() < 0 ||
         thpp::amax(sorter).item().to_int() >= sequence.size(sequence.dim() - 1)))
      THError(TH_ERROR_RUNTIME, "torch.searchsorted(): sorter index out of range");
  }
  // 0-dim tensors count in full here: a value that the sequence's dtype cannot hold has its place all the same.
  const THDtype t = !self.is_wrapped_number()       ? promote_types(sequence.dtype(), self.dtype())
                    : is_floating(sequence.dtype()) ? sequence.dtype()
                                                    : promote_types(sequence.dtype(), self.dtype());
  write_indices(out, thpp::_searchsorted(thpp::to(sequence, t), thpp::to(self, t), sorter, right || after), out_int32);
}

void body::bucketize_out(Tensor &out, const Tensor &self, const Tensor &boundaries, bool out_int32, bool right) {
  if (boundaries.dim() != 1)
    THError(TH_ERROR_RUNTIME, "boundaries tensor must be 1 dimension, but got dim(%d)", boundaries.dim());
  thpp::searchsorted_out(out, boundaries, self, out_int32, right, nullptr, Tensor());
}

// ---- different elements --------------------------------------------------------------------------------
namespace {

std::variant<Tensor, std::vector<Tensor>> different(const Tensor &self, bool sorted, bool return_inverse,
                                                    bool return_counts, std::optional<int64_t> dim) {
  if (is_wide_unsigned(self.dtype())) {
    auto result = different(in_signed_order(self), sorted, return_inverse, return_counts, dim);
    auto *const all = std::get_if<std::vector<Tensor>>(&result);
    Tensor &values = all ? all->front() : std::get<Tensor>(result);
    values = from_signed_order(values, self.dtype());
    return result;
  }
  Tensor values, inverse, counts;
  if (dim) {
    if (is_complex(self.dtype()) || is_stored(self.dtype())) throw_kernel("unique_dim", self.dtype());
    if (self.dim() == 0)
      THError(TH_ERROR_INDEX, "Dimension specified as %lld but tensor has no dimensions", (long long)*dim);
    const int d = TH_wrapDim(*dim, self.dim());
    if (self.numel() == 0 && self.size(d) != 0)
      THError(TH_ERROR_RUNTIME, "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
    std::tie(values, inverse, counts) = thpp::_unique_slices(thpp::transpose(self, 0, d), sorted);
    values = thpp::transpose(values, 0, d);
  } else if (return_inverse) {
    std::tie(values, inverse, counts) = thpp::_unique(self, sorted);
  } else if (return_counts) {
    std::tie(values, counts) = thpp::_unique_counts(self, sorted);
  } else {
    values = thpp::_unique_values(self, sorted);
  }
  if (!return_inverse && !return_counts) return values;
  std::vector<Tensor> all = {values};
  if (return_inverse) all.push_back(inverse);
  if (return_counts) all.push_back(counts);
  return all;
}

}  // namespace

std::variant<Tensor, std::vector<Tensor>> body::unique(const Tensor &self, bool, bool return_inverse,
                                                       bool return_counts, std::optional<int64_t> dim) {
  return different(self, true, return_inverse, return_counts, dim);
}
std::variant<Tensor, std::vector<Tensor>> body::unique_consecutive(const Tensor &self, bool return_inverse,
                                                                   bool return_counts, std::optional<int64_t> dim) {
  return different(self, false, return_inverse, return_counts, dim);
}

}  // namespace thpp
