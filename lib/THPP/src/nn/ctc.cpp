// Connectionist temporal classification: batches, lengths and reductions around THNN's CTCCriterion; and what stands in for
// it, made of operators.
#include "operators.h"

#include <cmath>

namespace thpp {

namespace {

enum { kNone, kMean, kSum };

// As numbers: lengths decide shapes.
std::vector<int64_t> numbers(const Tensor &lengths, const char *name) {
  if (TH_kind(lengths.dtype()) != TH_KIND_int) THError(TH_ERROR_RUNTIME, "%s must be integral", name);
  const Tensor list = thpp::contiguous(thpp::to(lengths, TH_Long, false, THDevice{}));
  return {list.data<int64_t>(), list.data<int64_t>() + list.numel()};
}

// ---- by operators ------------------------------------------------------------------------------------------
//
// As lib/THNN/src/ctc/ctc.cpp has it, all samples together, a step at a time. States (batch, 2 S + 1) are the labels with
// blanks between and around them; a sample that has fewer has log 0 in the rest. The lengths' copies are all that waits.

class States {
 public:
  States(const Tensor &log_probs, const Tensor &targets, IntList input_lengths, IntList target_lengths, int64_t blank)
      : steps_(log_probs.size(0)), batch_(log_probs.size(1)), device_(log_probs.device()), dtype_(log_probs.dtype()),
        lengths_(listed_on(list(input_lengths), TH_Long, device_)) {
    const int64_t longest = batch_ ? *std::ranges::max_element(target_lengths) : 0;
    count_ = 2 * longest + 1;
    std::vector<int64_t> begins;
    int64_t next = 0;
    for (int64_t i = 0; i < batch_; next += target_lengths[size_t(i++)])
      begins.push_back(targets.dim() == 2 ? i * targets.size(1) : next);
    const Tensor lengths = thpp::unsqueeze(listed_on(list(target_lengths), TH_Long, device_), 1);
    const Tensor last = lengths * whole(2), states = numbers(count_);
    exists_ = thpp::le(states, last);
    ends_ = thpp::logical_and(exists_, thpp::ge(states, last - whole(1)));
    const Tensor time = thpp::view(numbers(steps_), {steps_, 1, 1}), ended = thpp::view(lengths_, {1, batch_, 1});
    running_ = thpp::lt(time, ended);
    starting_ = thpp::eq(time, ended - whole(1));

    labels_ = thpp::full({batch_, count_}, Scalar(blank), TH_Long, device_);
    if (longest) {
      const Tensor k = numbers(longest), first = thpp::unsqueeze(listed_on(begins, TH_Long, device_), 1);
      const Tensor places = or_else(thpp::lt(k, lengths), first + k, 0);
      const Tensor found = thpp::index_select(thpp::reshape(targets, {-1}), 0, thpp::reshape(places, {-1}));
      thpp::copy_(thpp::slice(labels_, 1, 1, count_, 2), thpp::reshape(found, {batch_, longest}), false);
      labels_ = or_else(exists_, labels_, blank);
    }
    const Tensor all = thpp::expand(labels_, {steps_, batch_, count_});
    shares_ = or_else(exists_, thpp::gather(log_probs, 2, all), kNone);
    // Between two labels that differ the blank may be left out.
    const int64_t later = std::max<int64_t>(count_ - 2, 0);
    const Tensor differ = thpp::ne(thpp::narrow(labels_, 1, count_ - later, later), thpp::narrow(labels_, 1, 0, later));
    skips_ = or_else(differ, thpp::zeros(differ.sizes(), dtype_, device_), kNone);
  }

  // Logarithms of the probabilities of having come as far as a state, (steps, batch, states).
  Tensor forward() const {
    std::vector<Tensor> made;
    Tensor state = none();
    thpp::zero_(thpp::narrow(state, 1, 0, std::min<int64_t>(2, count_)));
    for (int64_t t = 0; t < steps_; ++t) {
      if (t) state = advanced(made.back(), true);
      made.push_back(or_else(thpp::select(running_, 0, t), state + thpp::select(shares_, 0, t), kNone));
    }
    return stacked(made);
  }
  // The same from the end, with the step's own share.
  Tensor backward() const {
    std::vector<Tensor> made{size_t(steps_)};
    const Tensor last = or_else(ends_, thpp::zeros({batch_, count_}, dtype_, device_), kNone);
    for (int64_t t = steps_ - 1; t >= 0; --t) {
      const Tensor rest = t + 1 < steps_ ? advanced(made[size_t(t + 1)], false) : none();
      const Tensor state = thpp::where(thpp::select(starting_, 0, t), last, rest);
      made[size_t(t)] = or_else(thpp::select(running_, 0, t), state + thpp::select(shares_, 0, t), kNone);
    }
    return stacked(made);
  }
  // The losses of what forward() gave.
  Tensor losses(const Tensor &alpha) const {
    // Without steps, a sample without labels is certain.
    const Tensor one = thpp::eq(thpp::sum(thpp::to(exists_, TH_Long), {1}), whole(1));
    const Tensor empty = or_else(one, thpp::zeros({batch_}, dtype_, device_), -kNone);
    if (!steps_) return empty;
    const Tensor ended = thpp::clamp_min(lengths_ - whole(1), whole(0)) * whole(batch_) + numbers(batch_);
    const Tensor last = thpp::index_select(thpp::reshape(alpha, {steps_ * batch_, count_}), 0, ended);
    const Tensor found = -thpp::logsumexp(or_else(ends_, last, kNone), {1});
    return thpp::where(thpp::gt(lengths_, whole(0)), found, empty);
  }
  // Sums of the values of states, by their class.
  Tensor by_class(const Tensor &values, int64_t classes) const {
    const Tensor all = thpp::expand(labels_, {steps_, batch_, count_});
    return thpp::scatter_add(thpp::zeros({steps_, batch_, classes}, values.dtype(), device_), 2, all, values);
  }
  const Tensor &shares() const { return shares_; }
  // (steps, batch, 1)
  const Tensor &running() const { return running_; }

 private:
  static constexpr double kNone = -INFINITY;  // log 0

  static Tensor whole(int64_t n) { return wrapped_number(n); }
  Tensor numbers(int64_t n) const { return thpp::arange(Scalar(n), std::optional(TH_Long), std::optional(device_)); }
  Tensor none() const { return thpp::full({batch_, count_}, Scalar(kNone), dtype_, device_); }
  Tensor stacked(const std::vector<Tensor> &made) const {
    return steps_ ? thpp::stack(made) : thpp::zeros({0, batch_, count_}, dtype_, device_);
  }
  // What comes to each state in a step, from it and the two before it, or the two after it.
  Tensor advanced(const Tensor &logs, bool onwards) const {
    if (count_ == 1) return logs;
    const auto moved = [&](const Tensor &t, int64_t by) {
      const std::vector<int64_t> pad = onwards ? std::vector<int64_t>{by, 0} : std::vector<int64_t>{0, by};
      return thpp::constant_pad_nd(t, pad, kNone);
    };
    const auto all_but = [&](int64_t by) { return thpp::narrow(logs, 1, onwards ? 0 : by, count_ - by); };
    return thpp::logaddexp(thpp::logaddexp(logs, moved(all_but(1), 1)), moved(all_but(2) + skips_, 2));
  }

  int64_t steps_, batch_, count_;
  THDevice device_;
  THDtype dtype_;
  Tensor lengths_, labels_, exists_, ends_, running_, starting_, shares_, skips_;
};

}  // namespace

Tensor body::ctc_loss(const Tensor &log_probs, const Tensor &targets, IntList input_lengths, IntList target_lengths,
                      int64_t blank, int64_t reduction, bool zero_infinity) {
  const bool batched = log_probs.dim() == 3;
  if (targets.dtype() != TH_Long && targets.dtype() != TH_Int)
    THError(TH_ERROR_RUNTIME, "targets must be a tensor of int64 or int32, but got %s", TH_dtypeName(targets.dtype()));
  const Tensor probabilities = batched ? log_probs : thpp::unsqueeze(log_probs, 1);
  Tensor loss = std::get<0>(
      thpp::_ctc_loss(probabilities, thpp::to(targets, TH_Long), input_lengths, target_lengths, blank, zero_infinity));
  if (zero_infinity)
    loss = thpp::where(thpp::eq(loss, wrapped_number(Scalar(INFINITY))), thpp::zeros({}, loss.dtype(), loss.device()),
                       loss);
  if (reduction == kMean) {
    std::vector<int64_t> sizes(target_lengths.begin(), target_lengths.end());
    for (int64_t &size : sizes) size = std::max<int64_t>(size, 1);
    const Tensor list = thpp::empty({int64_t(sizes.size())}, TH_Long);
    std::ranges::copy(sizes, list.data<int64_t>());
    return thpp::mean(thpp::div(loss, thpp::to(list, loss.dtype(), false, loss.device())));
  }
  if (reduction == kSum) return thpp::sum(loss);
  return batched ? loss : thpp::squeeze(loss, {0});
}

Tensor body::ctc_loss_tensors(const Tensor &log_probs, const Tensor &targets, const Tensor &input_lengths,
                              const Tensor &target_lengths, int64_t blank, int64_t reduction, bool zero_infinity) {
  return thpp::ctc_loss(log_probs, targets, numbers(input_lengths, "input_lengths"),
                        numbers(target_lengths, "target_lengths"), blank, reduction, zero_infinity);
}

std::tuple<Tensor, Tensor> fallback::ctc_loss(const Tensor &log_probs, const Tensor &targets, IntList input_lengths,
                                              IntList target_lengths, int64_t blank, bool) {
  const States states(log_probs, targets, input_lengths, target_lengths, blank);
  const Tensor alpha = states.forward();
  return {states.losses(alpha), thpp::contiguous(thpp::transpose(alpha, 0, 1))};
}

Tensor fallback::ctc_loss_backward(const Tensor &grad_output, const Tensor &log_probs, const Tensor &targets,
                                   IntList input_lengths, IntList target_lengths, const Tensor &loss,
                                   const Tensor &alpha, int64_t blank, bool zero_infinity) {
  const States states(log_probs, targets, input_lengths, target_lengths, blank);
  const Tensor lost = thpp::view(loss, {1, -1, 1}), both = thpp::transpose(alpha, 0, 1) + states.backward();
  const Tensor likely = or_else(thpp::ne(both, wrapped_number(-INFINITY)), thpp::exp(both - states.shares() + lost), 0);
  const Tensor gradient = thpp::exp(log_probs) - states.by_class(likely, log_probs.size(2));
  // A loss that is infinite has no gradient.
  const Tensor fits = thpp::ne(lost, wrapped_number(double(INFINITY)));
  const Tensor each = or_else(fits, thpp::view(grad_output, {1, -1, 1}) * gradient, zero_infinity ? 0 : NAN);
  return or_else(states.running(), each, 0);
}

}  // namespace thpp
