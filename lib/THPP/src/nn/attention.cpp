// Attention: which way it is computed, and the way by its formula. The other way is THNN's, in tiles; the formula stands in
// for that, too.
#include "operators.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include <THPP/Attention.h>
#include <THPP/Guard.h>

#include "arguments.h"
#include "bodies.h"
#include "linalg/linalg.h"

namespace thpp {

namespace {

// The dtype as C++ has it, for messages.
const char *c_name(const Tensor &t) {
  switch (t.dtype()) {
    case TH_Double: return "double";
    case TH_Float: return "float";
    case TH_Half: return "c10::Half";
    case TH_BFloat16: return "c10::BFloat16";
    case TH_Long: return "long int";
    case TH_Int: return "int";
    case TH_Bool: return "bool";
    case TH_ComplexFloat: return "c10::complex<float>";
    case TH_ComplexDouble: return "c10::complex<double>";
    default: return TH_dtypeName(t.dtype());
  }
}

void check_inputs(const Tensor &query, const Tensor &key, const Tensor &value, const Tensor &mask) {
  if (query.dim() < 2 || key.dim() < 2 || value.dim() < 2)
    THError(TH_ERROR_RUNTIME,
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: %d key.dim: %d and "
            "value.dim: %d instead.",
            query.dim(), key.dim(), value.dim());
  if (key.dtype() != query.dtype() || value.dtype() != query.dtype())
    THError(TH_ERROR_RUNTIME,
            "Expected query, key, and value to have the same dtype, but got query.dtype: %s key.dtype: %s and "
            "value.dtype: %s instead.",
            c_name(query), c_name(key), c_name(value));
  if (mask.defined() && mask.dtype() != TH_Bool && mask.dtype() != query.dtype() && mask.dtype() != TH_Float)
    THError(TH_ERROR_RUNTIME,
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: %s and  "
            "query.dtype: %s instead.",
            c_name(mask), c_name(query));
}

int64_t size_from_end(const Tensor &t, int i) { return t.size(t.dim() - i); }

void check_heads(const Tensor &query, const Tensor &key, const Tensor &value) {
  for (const Tensor &t : {query, key, value})
    if (t.dim() < 3) THError(TH_ERROR_INDEX, "Dimension out of range (expected to be in range of [-2, 1], but got -3)");
  const int64_t heads = size_from_end(query, 3), of_key = size_from_end(key, 3), of_value = size_from_end(value, 3);
  if (!of_key || !of_value || heads % of_key || heads % of_value)
    THError(TH_ERROR_RUNTIME,
            "Number of heads in key and value must divide the number of heads in query: got %lld, %lld and %lld",
            (long long)heads, (long long)of_key, (long long)of_value);
}

// Whether the kernel's shapes are these: (batch, heads, rows, columns), nothing to broadcast but the mask.
bool fits_tiles(const Tensor &query, const Tensor &key, const Tensor &value, const Tensor &mask, bool enable_gqa) {
  if (query.dim() != 4 || key.dim() != 4 || value.dim() != 4) return false;
  const bool grouped = enable_gqa && key.size(1) && query.size(1) % key.size(1) == 0;
  if (key.size(0) != query.size(0) || value.size(0) != query.size(0) || key.size(1) != value.size(1) ||
      (key.size(1) != query.size(1) && !grouped) || key.size(2) != value.size(2) || key.size(3) != query.size(3))
    return false;
  if (!mask.defined()) return true;
  if (mask.dim() != 2 && mask.dim() != 4) return false;
  const int64_t full[4] = {query.size(0), query.size(1), query.size(2), key.size(2)};
  for (int d = 0; d < mask.dim(); ++d)
    if (mask.size(d) != 1 && mask.size(d) != full[4 - mask.dim() + d]) return false;
  return true;
}

// What else keeps PyTorch from its kernel, which the name of a recorded result's node shows. Ours has no such limits.
bool fits_torchs_tiles(const Tensor &query, const Tensor &key, const Tensor &value) {
  const auto plain = [](const Tensor &t) { return t.strides()[3] == 1 && t.numel(); };
  return value.size(3) == query.size(3) && plain(query) && plain(key) && plain(value);
}

// Why a call that allows nothing but the tiles cannot take them; "" if it can.
std::string refused_by_tiles(const Tensor &query, const Tensor &key, const Tensor &value, const Tensor &mask,
                             double dropout_p, bool enable_gqa) {
  const auto shapes = [&] {
    return " (query is " + text(query.sizes()) + ", key " + text(key.sizes()) + ", value " + text(value.sizes()) + ")";
  };
  if (!is_floating(query.dtype())) return std::string("it takes no ") + TH_typeName(query.dtype());
  if (dropout_p != 0) return "it has no dropout";
  if (query.dim() != 4 || key.dim() != 4 || value.dim() != 4) return "it takes four dimensions" + shapes();
  if (!fits_tiles(query, key, value, Tensor(), enable_gqa))
    return "it broadcasts no batches, heads or widths" + shapes();
  if (!fits_torchs_tiles(query, key, value))
    return "it takes elements side by side in the last dimension, of one width, and at least one" + shapes();
  if (!mask.defined()) return {};
  if (is_recorded(mask)) return "it has no gradient for attn_mask";
  if (!fits_tiles(query, key, value, mask, enable_gqa))
    return "attn_mask of " + text(mask.sizes()) + " is not one of two or four dimensions that fits them" + shapes();
  return {};
}

// ---- the formula ----------------------------------------------------------------------------------------------

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tensor turned(const Tensor &matrix) { return thpp::transpose(matrix, -2, -1); }

// With the heads that queries share repeated.
Tensor for_heads(const Tensor &t, int64_t heads) {
  const int64_t own = size_from_end(t, 3), group = own ? heads / own : 1;
  return group > 1 ? thpp::repeat_interleave(t, group, -3) : t;
}

// How much queries are like keys; -infinity for those that they do not see.
Tensor scores_of(const Tensor &query, const Tensor &key, const Tensor &mask, bool is_causal, double scale) {
  Tensor scores = thpp::matmul(query * scale, turned(key));
  if (is_causal) {
    const std::vector<int64_t> shape{size_from_end(query, 2), size_from_end(key, 2)};
    scores = or_else(thpp::tril(thpp::ones(shape, TH_Bool, scores.device())), scores, -kInfinity);
  }
  if (!mask.defined()) return scores;
  return mask.dtype() == TH_Bool ? or_else(mask, scores, -kInfinity) : scores + thpp::to(mask, scores.dtype());
}

Tensor shares_of(const Tensor &scores, bool masked) {
  if (!masked) return thpp::softmax(scores, -1);
  // Who sees nothing gets zeros, not 0/0.
  const Tensor blind = thpp::all(thpp::eq(scores, number(-kInfinity)), {-1}, true);
  return thpp::masked_fill(thpp::softmax(thpp::masked_fill(scores, blind, number(0)), -1), blind, number(0));
}

// With the heads that share one added up.
Tensor of_key_heads(const Tensor &grad, int64_t heads) {
  if (grad.size(1) == heads) return grad;
  return thpp::sum(thpp::reshape(grad, {grad.size(0), heads, grad.size(1) / heads, grad.size(2), grad.size(3)}), {2});
}

// Which kernels may be used, in all threads: what torch.nn.attention.sdpa_kernel says.
std::atomic<bool> tiles_allowed = true, formula_allowed = true;

}  // namespace

void allow_attention(bool tiles, bool formula) {
  tiles_allowed = tiles;
  formula_allowed = formula;
}

Tensor body::nn_scaled_dot_product_attention(const Tensor &query, const Tensor &key, const Tensor &value,
                                             const Tensor &attn_mask, double dropout_p, bool is_causal,
                                             std::optional<double> scale, bool enable_gqa) {
  check_inputs(query, key, value, attn_mask);
  if (enable_gqa) check_heads(query, key, value);
  const bool tiles = tiles_allowed.load(std::memory_order_relaxed);
  const bool formula = formula_allowed.load(std::memory_order_relaxed);
  if (!tiles && !formula)
    THError(
        TH_ERROR_RUNTIME,
        "No viable backend for scaled_dot_product_attention was found. On the CPU there are two, FLASH_ATTENTION and "
        "MATH, and neither is enabled.");
  if (!formula) {
    const std::string why = refused_by_tiles(query, key, value, attn_mask, dropout_p, enable_gqa);
    if (!why.empty())
      THError(TH_ERROR_RUNTIME, "No available kernel. FLASH_ATTENTION, which alone is enabled, cannot be taken: %s",
              why.c_str());
  }
  const bool recorded = is_recorded(query) || is_recorded(key) || is_recorded(value);
  if (tiles && is_floating(query.dtype()) && dropout_p == 0 && !(attn_mask.defined() && is_recorded(attn_mask)) &&
      fits_tiles(query, key, value, attn_mask, enable_gqa) && (!recorded || fits_torchs_tiles(query, key, value)))
    return std::get<0>(
        thpp::_scaled_dot_product_flash_attention_for_cpu(query, key, value, 0, is_causal, attn_mask, scale));
  return std::get<0>(thpp::_scaled_dot_product_attention_math(query, key, value, attn_mask, dropout_p, is_causal,
                                                              Tensor(), scale, enable_gqa));
}

void body::_scaled_dot_product_flash_attention_for_cpu_out(Tensor &out, Tensor &sums, const Tensor &query,
                                                           const Tensor &key, const Tensor &value, double dropout_p,
                                                           bool is_causal, const Tensor &attn_mask,
                                                           std::optional<double> scale) {
  if (dropout_p != 0)
    THError(TH_ERROR_RUNTIME, "scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0");
  if (query.dim() != 4)
    THError(TH_ERROR_RUNTIME,
            "scaled_dot_product_attention_flash_attention: Accept only 4 dims inputs shape of {(B), H, T, K}");
  const auto [output, logsumexp] = thpp::_attention_in_tiles(query, key, value, attn_mask, is_causal, scale);
  write_out(out, output);
  write_out(sums, logsumexp);
}

std::tuple<Tensor, Tensor> fallback::attention_in_tiles(const Tensor &query, const Tensor &key, const Tensor &value,
                                                        const Tensor &mask, bool is_causal,
                                                        std::optional<double> scale) {
  const int64_t heads = query.size(1);
  const Tensor scores = scores_of(in_float(query), for_heads(in_float(key), heads), mask, is_causal,
                                  attention_scale(scale, query));
  const Tensor output = thpp::matmul(shares_of(scores, mask.defined()), for_heads(in_float(value), heads));
  const Tensor sums = thpp::logsumexp(scores, {-1});
  return {thpp::to(output, query.dtype()), or_else(thpp::ne(sums, number(-kInfinity)), sums, kInfinity)};
}

std::tuple<Tensor, Tensor, Tensor> fallback::attention_in_tiles_backward(const Tensor &grad_output, const Tensor &query,
                                                                         const Tensor &key, const Tensor &value,
                                                                         const Tensor &, const Tensor &,
                                                                         const Tensor &mask, bool is_causal,
                                                                         std::optional<double> scale) {
  const int64_t heads = query.size(1), key_heads = key.size(1);
  const Tensor grad = in_float(grad_output), q = in_float(query);
  const Tensor k = for_heads(in_float(key), heads), v = for_heads(in_float(value), heads);
  const double factor = attention_scale(scale, query);
  const Tensor shares = shares_of(scores_of(q, k, mask, is_causal, factor), mask.defined());
  const Tensor weighted = thpp::matmul(grad, turned(v)) * shares;
  const Tensor of_scores = (weighted - shares * thpp::sum(weighted, {-1}, true)) * factor;
  return {thpp::to(thpp::matmul(of_scores, k), query.dtype()),
          thpp::to(of_key_heads(thpp::matmul(turned(of_scores), q), key_heads), query.dtype()),
          thpp::to(of_key_heads(thpp::matmul(turned(shares), grad), key_heads), query.dtype())};
}

void body::_scaled_dot_product_attention_math_out(Tensor &out, Tensor &out_shares, const Tensor &query,
                                                  const Tensor &key, const Tensor &value, const Tensor &attn_mask,
                                                  double dropout_p, bool is_causal, const Tensor &dropout_mask,
                                                  std::optional<double> scale, bool enable_gqa) {
  check_inputs(query, key, value, attn_mask);
  if (attn_mask.defined() && is_causal)
    THError(TH_ERROR_RUNTIME,
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  if (dropout_p < 0 || dropout_p > 1)
    THError(TH_ERROR_RUNTIME, "dropout probability has to be between 0 and 1, but got %g", dropout_p);
  const THDtype dtype = query.dtype();
  Tensor k = in_float(key), v = in_float(value);  // computed in float for half types
  if (enable_gqa) {
    check_heads(query, key, value);
    const int64_t heads = size_from_end(query, 3);
    k = for_heads(k, heads), v = for_heads(v, heads);
  }
  const Tensor scores = scores_of(in_float(query), k, attn_mask, is_causal, attention_scale(scale, query));
  Tensor shares = shares_of(scores, attn_mask.defined());
  if (dropout_mask.defined()) {
    shares = thpp::mul(shares, thpp::div(thpp::to(dropout_mask, shares.dtype()), number(1 - dropout_p)));
  } else if (dropout_p == 1) {
    shares = thpp::mul(shares, thpp::zeros_like(shares));
  } else if (dropout_p > 0) {
    const Tensor noise = thpp::empty_like(shares);
    thpp::bernoulli_(noise, 1 - dropout_p);
    thpp::div_(noise, number(1 - dropout_p));
    shares = thpp::mul(shares, noise);
  }
  const Tensor output = thpp::matmul(shares, v);
  write_out(out, thpp::to(output, dtype));
  write_out(out_shares, thpp::to(shares, dtype));
}

}  // namespace thpp
