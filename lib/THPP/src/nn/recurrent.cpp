// Recurrent networks: layers and directions, each of which is one of THNN's RecurrentLayers; and what stands in for that, made
// of operators.
#include "operators.h"

#include <algorithm>
#include <string>

#include <THNN/Recurrent.h>

namespace thpp {

namespace {

Tensor sum_of(const Tensor &a, const Tensor &b) { return !a.defined() ? b : !b.defined() ? a : thpp::add(a, b); }

Tensor product(const Tensor &input, const Tensor &weight, const Tensor &bias) {
  const Tensor transposed = thpp::t(weight);
  return bias.defined() ? thpp::addmm(bias, input, transposed) : thpp::mm(input, transposed);
}

// The weights of a layer in one direction.
struct Weights {
  Tensor w_ih, w_hh, b_ih, b_hh, w_hr;
};

struct Ends {
  Tensor output, hy, cy;
};

int64_t gates_of(int64_t mode) { return mode == THNN_LSTM ? 4 : mode == THNN_GRU ? 3 : 1; }

Ends run_layer(const Tensor &input, const Tensor &hx, const Tensor &cx, const Weights &w, IntList sizes, bool reverse,
               int mode) {
  Ends ends;
  Tensor storage;
  std::tie(ends.output, ends.hy, ends.cy, storage) = thpp::_recurrent_layer(input, hx, cx, w.w_ih, w.w_hh, w.b_ih,
                                                                            w.b_hh, w.w_hr, sizes, reverse, mode);
  return ends;
}

// ---- layers ------------------------------------------------------------------------------------------------

struct Options {
  int mode;
  bool has_biases;
  int64_t layers;
  double dropout;
  bool train, bidirectional;
};

std::vector<Weights> weights_of(TensorList params, const Options &options, bool projected) {
  const size_t each = (options.has_biases ? 4 : 2) + (projected ? 1 : 0);
  const size_t count = size_t(options.layers) * (options.bidirectional ? 2 : 1);
  if (options.layers < 0 || params.size() != each * count)
    THError(TH_ERROR_RUNTIME, "got an incorrect number of RNN parameters: %zu, expected %zu for each of %zu layers",
            params.size(), each, count);
  std::vector<Weights> result;
  for (size_t i = 0; i < params.size(); i += each) {
    Weights w{params[i], params[i + 1], {}, {}, {}};
    if (options.has_biases) w.b_ih = params[i + 2], w.b_hh = params[i + 3];
    if (projected) w.w_hr = params[i + each - 1];
    result.push_back(w);
  }
  return result;
}

Tensor stacked(const std::vector<Tensor> &states) {
  return states.size() == 1 ? thpp::unsqueeze(states[0], 0) : thpp::stack(states);
}

void require_states(const Tensor &states, size_t count, const char *name) {
  if (states.dim() != 3 || size_t(states.size(0)) != count)
    THError(TH_ERROR_RUNTIME,
            "Expected %s to have shape (%zu, batch, size): one state per layer and direction, but got %s", name, count,
            shape_text(states).c_str());
}

// All layers over the rows of all steps.
Ends run_layers(Tensor rows, IntList sizes, const Tensor &hx, const Tensor &cx, TensorList params,
                const Options &options) {
  const bool projected = cx.defined() && hx.dim() == 3 && cx.dim() == 3 && hx.size(2) != cx.size(2);
  const std::vector<Weights> weights = weights_of(params, options, projected);
  require_states(hx, weights.size(), "hx");
  if (cx.defined()) require_states(cx, weights.size(), "cx");
  std::vector<Tensor> hy, cy;
  for (size_t place = 0; place < weights.size();) {
    std::vector<Tensor> outputs;
    for (bool reverse : {false, true}) {
      if (reverse && !options.bidirectional) break;
      const Ends ends = run_layer(rows, thpp::select(hx, 0, int64_t(place)),
                                  cx.defined() ? thpp::select(cx, 0, int64_t(place)) : cx, weights[place], sizes,
                                  reverse, options.mode);
      outputs.push_back(ends.output), hy.push_back(ends.hy), cy.push_back(ends.cy);
      ++place;
    }
    rows = outputs.size() == 1 ? outputs[0] : thpp::cat(outputs, 1);
    if (options.train && options.dropout > 0 && place < weights.size())
      rows = thpp::dropout(rows, options.dropout, true);
  }
  return {rows, stacked(hy), cx.defined() ? stacked(cy) : Tensor()};
}

Ends run_packed(const Tensor &data, const Tensor &batch_sizes, const Tensor &hx, const Tensor &cx, TensorList params,
                const Options &options) {
  if (batch_sizes.dim() != 1 || batch_sizes.dtype() != TH_Long)
    THError(TH_ERROR_RUNTIME, "batch_sizes must be an int64 tensor of one dimension");
  const Tensor list = thpp::contiguous(thpp::to(batch_sizes, TH_Long, false, THDevice{}));
  if (!list.numel()) THError(TH_ERROR_RUNTIME, "Expected sequence length to be larger than 0 in RNN");
  return run_layers(data, IntList(list.data<int64_t>(), size_t(list.numel())), hx, cx, params, options);
}

Ends run_padded(const Tensor &input, const Tensor &hx, const Tensor &cx, TensorList params, bool batch_first,
                const Options &options) {
  if (input.dim() != 3)
    THError(TH_ERROR_RUNTIME, "Expected an input of 3 dimensions, but got shape %s", shape_text(input).c_str());
  const Tensor steps = batch_first ? thpp::transpose(input, 0, 1) : input;
  const int64_t count = steps.size(0), batch = steps.size(1);
  if (!count) THError(TH_ERROR_RUNTIME, "Expected sequence length to be larger than 0 in RNN");
  const std::vector<int64_t> sizes(size_t(count), batch);
  Ends ends = run_layers(thpp::reshape(steps, {count * batch, steps.size(2)}), sizes, hx, cx, params, options);
  const Tensor output = thpp::view(ends.output, {count, batch, ends.output.size(1)});
  ends.output = batch_first ? thpp::transpose(output, 0, 1) : output;
  return ends;
}

void require_two(TensorList hx) {
  if (hx.size() != 2) THError(TH_ERROR_RUNTIME, "lstm expects two hidden states");
}

// ---- one step ------------------------------------------------------------------------------------------------

void check_cell(const Tensor &input, const Tensor &state, const Tensor &w_ih, const Tensor &w_hh, int64_t gates,
                int i) {
  if (input.dim() != 2 || state.dim() != 2 || w_ih.dim() != 2 || w_hh.dim() != 2)
    THError(TH_ERROR_RUNTIME, "a cell takes matrices, but got input %s, state %s, weights %s and %s",
            shape_text(input).c_str(), shape_text(state).c_str(), shape_text(w_ih).c_str(), shape_text(w_hh).c_str());
  if (!i && input.size(1) != w_ih.size(1))
    THError(TH_ERROR_RUNTIME, "input has inconsistent input_size: got %lld expected %lld", (long long)input.size(1),
            (long long)w_ih.size(1));
  if (input.size(0) != state.size(0))
    THError(TH_ERROR_RUNTIME, "Input batch size %lld doesn't match hidden%d batch size %lld", (long long)input.size(0),
            i, (long long)state.size(0));
  if (state.size(1) != w_hh.size(1))
    THError(TH_ERROR_RUNTIME, "hidden%d has inconsistent hidden_size: got %lld, expected %lld", i,
            (long long)state.size(1), (long long)w_hh.size(1));
  if (w_ih.size(0) != gates * state.size(1))
    THError(TH_ERROR_RUNTIME, "weight_ih first dim must be %lld * hidden_size = %lld, but got %lld", (long long)gates,
            (long long)(gates * state.size(1)), (long long)w_ih.size(0));
}

Ends run_cell(const Tensor &input, const Tensor &hx, const Tensor &cx, const Weights &w, int mode) {
  const int64_t gates = gates_of(mode);
  check_cell(input, hx, w.w_ih, w.w_hh, gates, 0);
  if (cx.defined()) check_cell(input, cx, w.w_ih, w.w_hh, gates, 1);
  return run_layer(input, hx, cx, w, {input.size(0)}, false, mode);
}

}  // namespace

void body::lstm_out(Tensor &result0, Tensor &result1, Tensor &result2, const Tensor &input, TensorList hx,
                    TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train,
                    bool bidirectional, bool batch_first) {
  require_two(hx);
  const Ends ends = run_padded(input, hx[0], hx[1], params, batch_first,
                               {THNN_LSTM, has_biases, num_layers, dropout, train, bidirectional});
  result0 = ends.output, result1 = ends.hy, result2 = ends.cy;
}
void body::lstm_packed_out(Tensor &result0, Tensor &result1, Tensor &result2, const Tensor &data,
                           const Tensor &batch_sizes, TensorList hx, TensorList params, bool has_biases,
                           int64_t num_layers, double dropout, bool train, bool bidirectional) {
  require_two(hx);
  const Ends ends = run_packed(data, batch_sizes, hx[0], hx[1], params,
                               {THNN_LSTM, has_biases, num_layers, dropout, train, bidirectional});
  result0 = ends.output, result1 = ends.hy, result2 = ends.cy;
}

#define ONE_STATE(name, mode)                                                                                        \
  void body::name##_out(Tensor &result0, Tensor &result1, const Tensor &input, const Tensor &hx, TensorList params, \
                        bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional,        \
                        bool batch_first) {                                                                          \
    const Ends ends = run_padded(input, hx, {}, params, batch_first,                                                \
                                 {mode, has_biases, num_layers, dropout, train, bidirectional});                    \
    result0 = ends.output, result1 = ends.hy;                                                                       \
  }                                                                                                                  \
  void body::name##_packed_out(Tensor &result0, Tensor &result1, const Tensor &data, const Tensor &batch_sizes,     \
                               const Tensor &hx, TensorList params, bool has_biases, int64_t num_layers,            \
                               double dropout, bool train, bool bidirectional) {                                     \
    const Ends ends = run_packed(data, batch_sizes, hx, {}, params,                                                 \
                                 {mode, has_biases, num_layers, dropout, train, bidirectional});                    \
    result0 = ends.output, result1 = ends.hy;                                                                       \
  }                                                                                                                  \
  Tensor body::name##_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih, const Tensor &w_hh,           \
                           const Tensor &b_ih, const Tensor &b_hh) {                                                 \
    return run_cell(input, hx, {}, {w_ih, w_hh, b_ih, b_hh, {}}, mode).hy;                                          \
  }
ONE_STATE(gru, THNN_GRU)
ONE_STATE(rnn_tanh, THNN_RNN_TANH)
ONE_STATE(rnn_relu, THNN_RNN_RELU)
#undef ONE_STATE

void body::lstm_cell_out(Tensor &result0, Tensor &result1, const Tensor &input, TensorList hx, const Tensor &w_ih,
                         const Tensor &w_hh, const Tensor &b_ih, const Tensor &b_hh) {
  if (hx.size() != 2) THError(TH_ERROR_RUNTIME, "lstm_cell expects two hidden states");
  const Ends ends = run_cell(input, hx[0], hx[1], {w_ih, w_hh, b_ih, b_hh, {}}, THNN_LSTM);
  result0 = ends.hy, result1 = ends.cy;
}

void body::_recurrent_layer_out(Tensor &result, Tensor &hy, Tensor &cy, Tensor &storage, const Tensor &input,
                                const Tensor &hx, const Tensor &cx, const Tensor &w_ih, const Tensor &w_hh,
                                const Tensor &b_ih, const Tensor &b_hh, const Tensor &w_hr, IntList sizes, bool reverse,
                                int64_t mode) {
  const bool apart = mode == THNN_GRU;  // its reset gate is applied to the product of the state and its bias
  const Tensor bias = apart ? b_ih : sum_of(b_ih, b_hh), transposed = thpp::t(w_ih);
  // The products, and where gates are room for another number per unit, in one piece: they become what is stored.
  const int64_t all = w_ih.size(0), gates = gates_of(mode), rows = input.size(0);
  const int64_t second = gates > 1 ? rows * (all / gates) : 0;
  storage = thpp::empty({rows * all + second}, input.dtype(), MemoryFormat::Contiguous, input.device());
  Tensor products = thpp::view(second ? thpp::narrow(storage, 0, 0, rows * all) : storage, {rows, all});
  if (bias.defined())
    thpp::addmm_out(products, bias, input, transposed);
  else
    thpp::mm_out(products, input, transposed);
  std::tie(result, hy, cy) = thpp::_recurrent_steps(storage, hx, cx, w_hh, apart ? b_hh : Tensor(), w_hr, sizes,
                                                    reverse, mode);
  if (!second) storage = without_elements(products);
}

// ---- the same, composed --------------------------------------------------------------------------------------

namespace {

struct State {
  Tensor h, c;
};

// A step's states, and what the kernel stores of it: the gates' values, of LSTM c, and of GRU the products that the reset
// gates are applied to.
struct Step {
  State state;
  std::vector<Tensor> gates;
  Tensor second;
};

// x: the products of the step's rows with their weights; w: the state's.
Step step(int64_t mode, const Tensor &x, const State &state, const Weights &w) {
  const Tensor hidden = product(state.h, w.w_hh, w.b_hh);
  if (mode == THNN_GRU) {
    const std::vector<Tensor> a = thpp::chunk(x, 3, 1), b = thpp::chunk(hidden, 3, 1);
    const Tensor r = thpp::sigmoid(a[0] + b[0]), z = thpp::sigmoid(a[1] + b[1]), n = thpp::tanh(a[2] + r * b[2]);
    return {{n + z * (state.h - n), {}}, {r, z, n}, b[2]};
  }
  const Tensor sums = x + hidden;
  if (mode != THNN_LSTM) return {{mode == THNN_RNN_TANH ? thpp::tanh(sums) : thpp::relu(sums), {}}, {}, {}};
  const std::vector<Tensor> parts = thpp::chunk(sums, 4, 1);
  const Tensor i = thpp::sigmoid(parts[0]), f = thpp::sigmoid(parts[1]), g = thpp::tanh(parts[2]);
  const Tensor o = thpp::sigmoid(parts[3]), c = f * state.c + i * g, h = o * thpp::tanh(c);
  return {{w.w_hr.defined() ? thpp::mm(h, thpp::t(w.w_hr)) : h, c}, {i, f, g, o}, c};
}

// Applies f to the tensors of states, of which some have no c.
template <class F>
State both(const F &f) {
  return {f(&State::h), f(&State::c)};
}

State rows_of(const State &state, int64_t first, int64_t count) {
  return both([&](Tensor State::*part) {
    return (state.*part).defined() ? thpp::narrow(state.*part, 0, first, count) : Tensor();
  });
}

State joined(const std::vector<State> &states) {
  return both([&](Tensor State::*part) {
    std::vector<Tensor> tensors;
    for (const State &state : states) tensors.push_back(state.*part);
    return !tensors[0].defined() ? Tensor() : tensors.size() == 1 ? tensors[0] : thpp::cat(tensors);
  });
}

// advance(t, states before): those after step t.
template <class F>
Ends over_steps(const State &initial, IntList sizes, bool reverse, const F &advance) {
  const int64_t n = int64_t(sizes.size());
  std::vector<Tensor> outputs{size_t(n)};
  std::vector<State> ended;
  State state = rows_of(initial, 0, reverse ? sizes[size_t(n - 1)] : sizes[0]);
  for (int64_t k = 0; k < n; ++k) {
    const size_t t = size_t(reverse ? n - 1 - k : k);
    const int64_t known = state.h.size(0), size = sizes[t];
    if (size > known) state = joined({state, rows_of(initial, known, size - known)});  // sequences that end here
    if (size < known) {
      ended.push_back(rows_of(state, size, known - size));
      state = rows_of(state, 0, size);
    }
    state = advance(t, state);
    outputs[t] = state.h;
  }
  ended.push_back(state);
  std::ranges::reverse(ended);
  const State last = joined(ended);
  return {thpp::cat(outputs), last.h, last.c.defined() ? last.c : without_elements(last.h)};
}

// Where each step's rows begin.
std::vector<int64_t> begins_of(IntList sizes) {
  std::vector<int64_t> begins;
  for (int64_t at = 0; const int64_t size : sizes) begins.push_back(at), at += size;
  return begins;
}

// The two parts of `storage`, of gates of `units` units.
struct Stored {
  Tensor gates, second;
};
Stored parts_of(const Tensor &storage, int64_t rows, int64_t gates, int64_t units) {
  const int64_t first = rows * gates * units;
  Stored parts{thpp::view(thpp::narrow(storage, 0, 0, first), {rows, gates * units}), {}};
  if (gates > 1) parts.second = thpp::view(thpp::narrow(storage, 0, first, rows * units), {rows, units});
  return parts;
}

}  // namespace

void body::_recurrent_layer_composed_out(Tensor &result, Tensor &hy, Tensor &cy, const Tensor &input, const Tensor &hx,
                                         const Tensor &cx, const Tensor &w_ih, const Tensor &w_hh, const Tensor &b_ih,
                                         const Tensor &b_hh, const Tensor &w_hr, IntList sizes, bool reverse,
                                         int64_t mode) {
  const std::vector<Tensor> products = thpp::split_with_sizes(product(input, w_ih, b_ih), sizes);
  const Weights weights{w_ih, w_hh, b_ih, b_hh, w_hr};
  const Ends ends = over_steps({hx, cx}, sizes, reverse, [&](size_t t, const State &state) {
    return step(mode, products[t], state, weights).state;
  });
  result = ends.output, hy = ends.hy, cy = ends.cy;
}

std::tuple<Tensor, Tensor, Tensor> fallback::recurrent_steps(const Tensor &storage, const Tensor &hx, const Tensor &cx,
                                                             const Tensor &w_hh, const Tensor &b_hh, const Tensor &w_hr,
                                                             IntList sizes, bool reverse, int64_t mode) {
  const std::vector<int64_t> begins = begins_of(sizes);
  const int64_t gates = gates_of(mode), rows = begins.back() + sizes[sizes.size() - 1];
  const Stored kept = parts_of(storage, rows, gates, w_hh.size(0) / gates);
  const Weights weights{{}, w_hh, {}, b_hh, w_hr};
  const Ends ends = over_steps({hx, cx}, sizes, reverse, [&](size_t t, const State &state) {
    const auto of_step = [&](const Tensor &all) { return thpp::narrow(all, 0, begins[t], sizes[t]); };
    const Step made = step(mode, of_step(kept.gates), state, weights);
    if (gates > 1) {
      thpp::copy_(of_step(kept.gates), thpp::cat(made.gates, 1));
      thpp::copy_(of_step(kept.second), made.second);
    }
    return made.state;
  });
  return {ends.output, ends.hy, ends.cy};
}

// ---- gradients -----------------------------------------------------------------------------------------------

namespace {

// A step's gradients: for the products of its input and of its state, and what goes to the states before it.
struct StepGradients {
  Tensor input, hidden;
  State before;
};

// d: for the step's h. Without the share of h before that goes through the weights.
StepGradients lstm_gradients(const Tensor &d, const Tensor &dc, const Tensor &gates, const Tensor &c,
                             const Tensor &c_before) {
  const std::vector<Tensor> parts = thpp::chunk(gates, 4, 1);
  const Tensor &i = parts[0], &f = parts[1], &g = parts[2], &o = parts[3];
  const Tensor tanh_c = thpp::tanh(c), of_c = dc + d * o * (1 - tanh_c * tanh_c);
  const Tensor all = thpp::cat(
      {of_c * g * i * (1 - i), of_c * c_before * f * (1 - f), of_c * i * (1 - g * g), d * tanh_c * o * (1 - o)}, 1);
  return {all, all, {{}, of_c * f}};
}
StepGradients gru_gradients(const Tensor &d, const Tensor &gates, const Tensor &products, const Tensor &h_before) {
  const std::vector<Tensor> parts = thpp::chunk(gates, 3, 1);
  const Tensor &r = parts[0], &z = parts[1], &n = parts[2];
  const Tensor of_n = d * (1 - z) * (1 - n * n), of_z = d * (h_before - n) * z * (1 - z);
  const Tensor of_r = of_n * products * r * (1 - r);
  return {thpp::cat({of_r, of_z, of_n}, 1), thpp::cat({of_r, of_z, of_n * r}, 1), {d * z, {}}};
}
StepGradients plain_gradients(const Tensor &d, const Tensor &output, int64_t mode) {
  const Tensor of_sums = mode == THNN_RNN_TANH ? d * (1 - output * output)
                                               : keep(d, thpp::gt(output, wrapped_number(0)));
  return {of_sums, of_sums, {}};
}

// `states` with other first rows.
Tensor with_first(const Tensor &first, const Tensor &states) {
  const int64_t known = first.size(0), all = states.size(0);
  return known == all ? first : thpp::cat({first, thpp::narrow(states, 0, known, all - known)});
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> fallback::recurrent_steps_backward(
    const Tensor &output, const Tensor &grad_result, const Tensor &grad_hy, const Tensor &grad_cy,
    const Tensor &storage, const Tensor &hx, const Tensor &cx, const Tensor &w_hh, const Tensor &w_hr, IntList sizes,
    bool reverse, int64_t mode) {
  const std::vector<int64_t> begins = begins_of(sizes);
  const int64_t n = int64_t(sizes.size()), gates = gates_of(mode);
  Stored kept;
  if (gates > 1) kept = parts_of(storage, output.size(0), gates, w_hh.size(0) / gates);
  std::vector<Tensor> of_input{size_t(n)}, of_hidden{size_t(n)}, of_state{size_t(n)};
  // For the states in which the samples end; then, for those that a step has been undone of, for the states before it.
  Tensor dh = grad_hy.defined() ? grad_hy : thpp::zeros_like(hx), dc;
  if (cx.defined()) dc = grad_cy.defined() ? grad_cy : thpp::zeros_like(cx);
  for (int64_t k = n - 1; k >= 0; --k) {
    const size_t t = size_t(reverse ? n - 1 - k : k);
    const int64_t size = sizes[t];
    const auto of_step = [&](const Tensor &all) { return thpp::narrow(all, 0, begins[t], size); };
    // Of the samples that have had a step before, in the rows of that; of the others, in `initial`.
    const auto before = [&](const Tensor &all, const Tensor &initial) {
      const size_t earlier = reverse ? t + 1 : t - 1;
      const int64_t continued = k ? std::min(size, sizes[earlier]) : 0;
      if (!continued) return thpp::narrow(initial, 0, 0, size);
      return with_first(thpp::narrow(all, 0, begins[earlier], continued), thpp::narrow(initial, 0, 0, size));
    };
    Tensor d = thpp::narrow(dh, 0, 0, size);
    if (grad_result.defined()) d = d + of_step(grad_result);
    of_state[t] = d;
    if (w_hr.defined()) d = thpp::mm(d, w_hr);
    const StepGradients made = mode == THNN_LSTM ? lstm_gradients(d, thpp::narrow(dc, 0, 0, size), of_step(kept.gates),
                                                                  of_step(kept.second), before(kept.second, cx))
                               : mode == THNN_GRU
                                   ? gru_gradients(d, of_step(kept.gates), of_step(kept.second), before(output, hx))
                                   : plain_gradients(d, of_step(output), mode);
    of_input[t] = made.input, of_hidden[t] = made.hidden;
    const Tensor through = thpp::mm(made.hidden, w_hh);
    dh = with_first(made.before.h.defined() ? made.before.h + through : through, dh);
    if (dc.defined()) dc = with_first(made.before.c, dc);
  }
  const Tensor none = without_elements(output);
  return {thpp::cat(of_input), mode == THNN_GRU ? thpp::cat(of_hidden) : none,
          w_hr.defined() ? thpp::cat(of_state) : none, dh, dc.defined() ? dc : none};
}

}  // namespace thpp
