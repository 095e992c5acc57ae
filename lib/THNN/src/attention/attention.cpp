// Attention in tiles (FlashAttention: Attention.h names the papers): operands, results, and how the work is shared out.
//
// Work is cut by shape alone, and each sum is one thread's: results do not depend on how many there are.
#include "attention.hpp"

#include <algorithm>
#include <memory>

#include "kit/computed.hpp"
#include "kit/prepare.hpp"
#include "kit/parallel.hpp"

namespace thnn {
namespace {

template <class C>
Rows<C> rowsOf(const THTensor *t) {
  return {elements<std::remove_const_t<C>>(t), t->stride[0], t->stride[1], t->stride[2]};
}
bool hasRows(const THTensor *t) { return t->stride[3] == 1 || t->size[3] <= 1; }

// An input: its own memory, with whatever distances between rows, unless it must be converted or its columns are apart.
template <class C>
class Operand {
 public:
  explicit Operand(const THTensor *t) : own_(nullptr), tensor_(t) {
    if (dtypeOf(t) == DtypeOf<C>::value && hasRows(t)) return;
    own_ = contiguousAs(DtypeOf<C>::value, t);
    tensor_ = own_;
  }
  Rows<const C> rows() const { return rowsOf<const C>(tensor_); }

 private:
  Ref own_;
  const THTensor *tensor_;
};

// The results: their own memory, too, unless they share any with an input. All get their shapes at once, so that none
// has changed where one cannot.
template <class C, int n>
class Targets {
 public:
  Targets(const THResult *results, std::initializer_list<const THTensor *> inputs) : results_(results) {
    bool direct[n];
    for (int i = 0; i < n; i++) {
      THTensor *const r = results[i].tensor;
      const bool fits = sameShape(results[i].ndim, results[i].size, r);
      direct[i] = dtypeOf(r) == DtypeOf<C>::value && (!fits || (r->ndim == 4 ? hasRows(r) : THTensor_isContiguous(r)));
      for (const THTensor *input : inputs) {
        if (!input) continue;
        direct[i] = direct[i] && !(fits && THTensor_overlaps(r, input));
        late_ = late_ || (!fits && r->storage == input->storage);
      }
    }
    if (!late_) resizeResults(results, n);
    for (int i = 0; i < n; i++)
      if (late_ || !direct[i])
        own_[i] = Ref(newLike(results[i].tensor, DtypeOf<C>::value, results[i].ndim, results[i].size));
  }
  Rows<C> rows(int i) const { return rowsOf<C>(at(i)); }
  C *data(int i) const { return elements<C>(at(i)); }
  void finish() {
    if (late_) resizeResults(results_, n);
    for (int i = 0; i < n; i++)
      if (own_[i]) THTensor_copy(results_[i].tensor, own_[i]);
  }

 private:
  const THTensor *at(int i) const { return own_[i] ? static_cast<const THTensor *>(own_[i]) : results_[i].tensor; }
  const THResult *results_;
  Ref own_[n];
  bool late_ = false;  // to get its shape would spoil an input
};

// The problem, and what keeps its operands alive.
template <class C>
struct Problem : Attention<C> {
  Problem(const THNNAttentionPlan &plan, const THTensor *q, const THTensor *k, const THTensor *v, const THTensor *mask,
          bool isCausal, double factor)
      : Attention<C>{}, query_(q), key_(k), value_(v) {
    this->batch = plan.batch, this->heads = plan.heads, this->keyHeads = plan.keyHeads;
    this->queries = plan.queries, this->keys = plan.keys, this->width = plan.width, this->valueWidth = plan.valueWidth;
    this->query = query_.rows(), this->key = key_.rows(), this->value = value_.rows();
    this->causal = isCausal, this->scale = C(factor);
    std::copy_n(plan.maskStride, 4, this->maskStride);
    if (!mask) return;
    if (dtypeOf(mask) == TH_Bool) {
      this->seen = reinterpret_cast<const uint8_t *>(addressOf(mask));
    } else if (dtypeOf(mask) == DtypeOf<C>::value) {
      this->added = elements<C>(mask);
    } else {
      mask_ = contiguousAs(DtypeOf<C>::value, mask);
      this->added = elements<C>(mask_);
      for (int d = 4 - mask->ndim, i = 0; i < mask->ndim; d++, i++)
        this->maskStride[d] = mask->size[i] == 1 ? 0 : mask_->stride[i];
    }
  }

 private:
  Operand<C> query_, key_, value_;
  Ref mask_;
};

// Calls f(unit, scratch) for units of so many multiplications each.
template <class C, class F>
void share(int64_t units, int64_t work, int64_t scratch, const F &f) {
  parallelFor(units, std::max<int64_t>(1, (1 << 17) / std::max<int64_t>(1, work)), [&](int64_t begin, int64_t end) {
    const auto own = memory<C>(scratch);
    for (int64_t unit = begin; unit < end; unit++) f(unit, own.get());
  });
}

template <class T>
void updateOutput(const THTensor *query, const THTensor *key, const THTensor *value, THTensor *output,
                  THTensor *logsumexp, const THTensor *mask, bool causal, double scale) {
  using C = Compute<T>;
  THNNAttentionPlan plan;
  if (!THNNPrepare_ScaledDotProductAttention_updateOutput(&plan, DtypeOf<T>::value, query, key, value, output,
                                                          logsumexp, mask))
    return resizeResults(plan.result, 2);
  const Problem<C> p(plan, query, key, value, mask, causal, scale);
  Targets<C, 2> targets(plan.result, {query, key, value, mask});
  const AttentionLoops<C> &loops = attentionLoops<C>();
  const Rows<C> rows = targets.rows(0);
  C *const sums = targets.data(1);
  const int64_t chunks = (p.queries + kChunk - 1) / kChunk;
  const int64_t work = std::min(kChunk, p.queries) * p.keys * (p.width + p.valueWidth);
  share<C>(p.batch * p.heads * chunks, work, loops.forwardScratch(p), [&](int64_t unit, C *scratch) {
    const int64_t head = unit / chunks, first = unit % chunks * kChunk, last = std::min(p.queries, first + kChunk);
    loops.forward(p, head / p.heads, head % p.heads, first, last, rows, sums + head * p.queries + first, scratch);
  });
  targets.finish();
}

// Shares of the keys of one head, where heads alone are too few for threads.
int64_t sharesOf(const THNNAttentionPlan &plan) {
  const int64_t heads = std::max<int64_t>(1, plan.batch * plan.keyHeads), tiles = (plan.keys + kKeys - 1) / kKeys;
  return std::clamp<int64_t>(8 / heads, 1, std::clamp<int64_t>(tiles, 1, 4));
}

template <class T>
void updateGradInput(const THTensor *query, const THTensor *key, const THTensor *value, const THTensor *gradOutput,
                     THTensor *gradQuery, THTensor *gradKey, THTensor *gradValue, const THTensor *output,
                     const THTensor *logsumexp, const THTensor *mask, bool causal, double scale) {
  using C = Compute<T>;
  THNNAttentionPlan plan;
  if (!THNNPrepare_ScaledDotProductAttention_updateGradInput(&plan, DtypeOf<T>::value, query, key, value, gradOutput,
                                                             gradQuery, gradKey, gradValue, output, logsumexp, mask))
    return resizeResults(plan.result, 3);
  const Problem<C> p(plan, query, key, value, mask, causal, scale);
  const Operand<C> gradient(gradOutput), out(output);
  const Elements<C> sums(logsumexp);
  Targets<C, 3> targets(plan.result, {query, key, value, gradOutput, output, logsumexp, mask});

  const AttentionLoops<C> &loops = attentionLoops<C>();
  const int64_t heads = p.batch * p.heads;
  const auto dots = memory<C>(heads * p.queries);
  const Rows<const C> gradRows = gradient.rows(), outRows = out.rows();
  share<C>(heads, p.queries * p.valueWidth, 0, [&](int64_t head, C *) {
    const int64_t b = head / p.heads, h = head % p.heads;
    loops.dots(gradRows.at(b, h), gradRows.row, outRows.at(b, h), outRows.row, p.queries, p.valueWidth,
               dots.get() + head * p.queries);
  });

  const int64_t shares = sharesOf(plan), size = heads * p.queries * p.width;
  const auto partial = memory<C>(shares > 1 ? shares * size : 0);
  const Rows<C> queryRows = targets.rows(0);
  AttentionGradient<C> g{gradRows, sums.data(), dots.get(), queryRows, targets.rows(1), targets.rows(2), shares, size};
  if (shares > 1) g.gradQuery = {partial.get(), p.heads * p.queries * p.width, p.queries * p.width, p.width};
  const int64_t work = p.queries * p.keys * (3 * p.width + 2 * p.valueWidth) / shares;
  share<C>(p.batch * p.keyHeads * shares, work, loops.backwardScratch(p), [&](int64_t unit, C *scratch) {
    const int64_t head = unit / shares;
    loops.backward(p, g, head / p.keyHeads, head % p.keyHeads, unit % shares, scratch);
  });
  if (shares > 1)
    share<C>(heads * p.queries, shares * p.width, 0, [&](int64_t row, C *) {
      const int64_t head = row / p.queries;
      C *const to = queryRows.at(head / p.heads, head % p.heads, row % p.queries);
      for (int64_t k = 0; k < p.width; k++) {
        C sum = partial[size_t(row * p.width + k)];
        for (int64_t s = 1; s < shares; s++) sum += partial[size_t(s * size + row * p.width + k)];
        to[k] = sum;
      }
    });
  targets.finish();
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(ScaledDotProductAttention_updateOutput, floating,
            (THNNState *, const THTensor *query, const THTensor *key, const THTensor *value, THTensor *output,
             THTensor *logsumexp, const THNullableTensor *mask, bool is_causal, double scale),
            thnn::updateOutput<T>(query, key, value, output, logsumexp, mask, is_causal, scale))

THNN_DEFINE(ScaledDotProductAttention_updateGradInput, floating,
            (THNNState *, const THTensor *query, const THTensor *key, const THTensor *value, const THTensor *gradOutput,
             THTensor *gradQuery, THTensor *gradKey, THTensor *gradValue, const THTensor *output,
             const THTensor *logsumexp, const THNullableTensor *mask, bool is_causal, double scale),
            thnn::updateGradInput<T>(query, key, value, gradOutput, gradQuery, gradKey, gradValue, output, logsumexp,
                                     mask, is_causal, scale))
