// Collective operations of tensors: arguments are judged, memory is staged, and an engine moves it.
#include <algorithm>

#include "staged.hpp"
#include "state.hpp"

namespace thd {
namespace {

[[noreturn]] void throw_value(const std::string &text) { throw Error(ErrorKind::Value, text); }

// Without its history: what is received is no step of a computation.
Tensor plain(const char *name, const char *what, const Tensor &tensor) {
  if (!tensor.defined()) throw_value(std::string(name) + ": " + what + " is not defined");
  if (tensor.layout() != TH_STRIDED) throw_value(std::string(name) + ": " + what + " must be strided, not sparse");
  if (tensor.device().kind != TH_CPU) throw_value(std::string(name) + ": " + what + " must be on the CPU");
  return thpp::detach(tensor);
}
Tensors plain(const char *name, const char *what, const Tensors &tensors) {
  Tensors all;
  for (const Tensor &tensor : tensors) {
    all.push_back(plain(name, what, tensor));
    if (tensor.dtype() != tensors.front().dtype())
      throw_value(std::string(name) + ": " + what + " must have one dtype, not " + shape_names(tensors));
  }
  return all;
}
// What is written to: each element once.
const Tensor &single(const char *name, const Tensor &tensor) {
  if (THTensor_overlapsItself(tensor.get()))
    throw_value(std::string(name) + ": elements of the tensor that is written to, " + shape_name(tensor) +
                ", share memory, as after expand(): give a clone()");
  return tensor;
}
const Tensors &single(const char *name, const Tensors &tensors) {
  for (const Tensor &tensor : tensors) single(name, tensor);
  return tensors;
}
void check_dtypes(const char *name, const Tensor &out, const Tensor &in) {
  if (out.dtype() != in.dtype())
    throw_value(std::string(name) + ": output and input must have one dtype, not " + shape_name(out) + " and " +
                shape_name(in));
}
void check_rank(const char *name, const char *what, int rank, int size) {
  if (rank < 0 || rank >= size)
    throw_value(std::string(name) + ": " + what + " must be a rank of the group, 0 to " + std::to_string(size - 1) +
                ", not " + std::to_string(rank));
}
void check_count(const char *name, const char *what, size_t count, int size) {
  if (count != size_t(size))
    throw_value(std::string(name) + ": " + what + " must be as many as there are ranks, " + std::to_string(size) +
                ", not " + std::to_string(count));
}
void check_part(const char *name, const Tensor &mine, const Tensor &part) {
  check_dtypes(name, part, mine);
  if (part.numel() != mine.numel())
    throw_value(std::string(name) + ": this rank's part of the list, " + shape_name(part) +
                ", must have as many elements as the tensor, " + shape_name(mine));
}
std::string call_text(const char *name, const std::string &shapes) { return std::string(name) + " of " + shapes; }
std::string call_text(const char *name, ReduceOp op, const std::string &shapes) {
  return std::string(name) + " (" + name_of(op.kind) + ") of " + shapes;
}
std::string rooted(const std::string &text, int root) { return text + ", root " + std::to_string(root); }

// Before and after what is a sum to engines.
void scale_before(const Tensors &tensors, ReduceOp op) {
  if (op.kind != ReduceOp::PremulSum) return;
  for (const Tensor &tensor : tensors) thpp::mul_(tensor, thpp::wrapped_number(op.factor));
}
void scale_after(const Tensors &tensors, ReduceOp op, int size) {
  if (op.kind != ReduceOp::Avg) return;
  for (const Tensor &tensor : tensors) thpp::div_(tensor, thpp::wrapped_number(int64_t(size)));
}
void check_op(const char *name, THDtype dtype, ReduceOp op) {
  reducer_of(dtype, op.kind);  // raises where there is none
  const bool fractions = op.kind == ReduceOp::Avg || op.kind == ReduceOp::PremulSum;
  if (fractions && dtype < TH_Half)  // float8 is stored only
    throw_value(std::string(name) + ": ReduceOp." + name_of(op.kind) +
                " is for floating-point and complex tensors, not " + dtype_name(dtype));
}

}  // namespace

void check_place(const StoreRef &store, int rank, int size, Milliseconds timeout) {
  if (!store) throw Error(ErrorKind::Value, "a process group needs a store");
  if (size < 1 || rank < 0 || rank >= size)
    throw Error(ErrorKind::Value, "a process group's rank must be 0 to its size - 1, not rank " + std::to_string(rank) +
                                      " of " + std::to_string(size));
  if (timeout < Milliseconds(1))
    throw Error(ErrorKind::Value, "a timeout must be at least 1ms, not " + std::to_string(timeout.count()) + "ms");
}

ProcessGroup::ProcessGroup(std::unique_ptr<Transport> transport, StoreRef store, Milliseconds timeout)
    : state_(std::make_shared<State>(this, std::move(transport), store, timeout)), store_(std::move(store)) {}
ProcessGroup::~ProcessGroup() {
  shutdown();
  if (state_->is_forked()) return;
  const std::lock_guard lock(state_->mutex);
  state_->group = nullptr;
}

int ProcessGroup::rank() const { return state_->rank(); }
int ProcessGroup::size() const { return state_->size(); }
const char *ProcessGroup::backend() const { return state_->backend; }
Milliseconds ProcessGroup::timeout() const { return state_->timeout; }
void ProcessGroup::set_timeout(Milliseconds timeout) {
  if (timeout < Milliseconds(1))
    throw_value("a timeout must be at least 1ms, not " + std::to_string(timeout.count()) + "ms");
  state_->timeout = timeout;
}
int64_t ProcessGroup::sequence_number() const { return state_->sequence; }

WorkRef ProcessGroup::broadcast(const Tensor &tensor, int root, Call call) {
  const Tensor mine = single("broadcast", plain("broadcast", "the tensor", tensor));
  check_rank("broadcast", "the source", root, size());
  const std::string text = rooted(call_text("broadcast", shape_name(mine)), root);
  return state_->run("broadcast", text, text, Shape("broadcast", root, mine.dtype(), mine.numel()), call, {tensor},
                     [this, mine, root](const Round &round) {
                       const Staged staged(mine, root == rank());
                       state_->transport->broadcast(staged.data(), bytes_of(mine), root, round);
                       if (root != rank()) staged.give_back();
                     });
}

WorkRef ProcessGroup::all_reduce(const Tensors &tensors, ReduceOp op, Call call) {
  const Tensors mine = single("all_reduce", plain("all_reduce", "tensors", tensors));
  if (mine.empty()) throw_value("all_reduce: there is no tensor");
  check_op("all_reduce", mine.front().dtype(), op);
  const std::string text = call_text("all_reduce", op, shape_names(mine));
  int64_t count = 0;
  for (const Tensor &tensor : mine) count += tensor.numel();
  const Shape shape("all_reduce", op.kind, mine.front().dtype(), count);
  return state_->run(
      "all_reduce", text, text, shape, call, tensors,
      [this, mine, op, count](const Round &round) {
        scale_before(mine, op);
        const Staged staged(mine, true);
        state_->transport->all_reduce(staged.data(), count, mine.front().dtype(), op.kind, round);
        staged.give_back();
        scale_after(mine, op, size());
      },
      size_t(count) * TH_elementSize(mine.front().dtype()));
}

WorkRef ProcessGroup::reduce(const Tensor &tensor, int root, ReduceOp op, Call call) {
  const Tensor mine = single("reduce", plain("reduce", "the tensor", tensor));
  check_rank("reduce", "the destination", root, size());
  check_op("reduce", mine.dtype(), op);
  const std::string text = rooted(call_text("reduce", op, shape_name(mine)), root);
  const Shape shape("reduce", root, op.kind, mine.dtype(), mine.numel());
  return state_->run("reduce", text, text, shape, call, {tensor}, [this, mine, root, op](const Round &round) {
    const Tensor in = op.kind == ReduceOp::PremulSum ? thpp::mul(mine, thpp::wrapped_number(op.factor)) : mine;
    const Staged from(in, true), to(mine, false);
    const Tensor scratch = rank() == root ? Tensor() : thpp::empty({mine.numel()}, mine.dtype());
    state_->transport->reduce(from.data(), rank() == root ? to.data() : scratch.data<void>(), mine.numel(),
                              mine.dtype(), op.kind, root, round);
    if (rank() != root) return;
    to.give_back();
    scale_after({mine}, op, size());
  });
}

WorkRef ProcessGroup::all_gather(const Tensors &out, const Tensor &in, Call call) {
  const Tensors to = single("all_gather", plain("all_gather", "output tensors", out));
  const Tensor from = plain("all_gather", "the input", in);
  check_count("all_gather", "output tensors", to.size(), size());
  check_part("all_gather", from, to[size_t(rank())]);
  size_t largest = 0;
  for (const Tensor &tensor : to) largest = std::max(largest, bytes_of(tensor));
  return state_->run(
      "all_gather", call_text("all_gather", shape_name(from) + " into " + shape_names(to)),
      call_text("all_gather", dtype_name(from.dtype())), Shape("all_gather", from.dtype(), bytes_of(to)), call, out,
      [this, to, from](const Round &round) {
        const Staged mine(from, true), all(to, false);
        state_->transport->all_gather(mine.data(), all.data(), bytes_of(to), round);
        all.give_back();
      },
      largest);
}

WorkRef ProcessGroup::all_gather_into(const Tensor &out, const Tensor &in, Call call) {
  const Tensor to = plain("all_gather_into_tensor", "the output", out),
               from = plain("all_gather_into_tensor", "the input", in);
  check_dtypes("all_gather_into_tensor", to, from);
  if (to.numel() != from.numel() * size())
    throw_value("all_gather_into_tensor: the output, " + shape_name(to) + ", must have the elements of " +
                std::to_string(size()) + " inputs, each " + shape_name(from));
  single("all_gather_into_tensor", to);
  const std::string text = call_text("all_gather_into_tensor", shape_name(from) + " into " + shape_name(to));
  return state_->run(
      "all_gather_into_tensor", text, text, Shape("all_gather_into", from.dtype(), from.numel()), call, {out},
      [this, to, from](const Round &round) {
        const Staged mine(from, true), all(to, false);
        state_->transport->all_gather(mine.data(), all.data(), Counts(size_t(size()), int64_t(bytes_of(from))), round);
        all.give_back();
      },
      bytes_of(from));
}

WorkRef ProcessGroup::gather(const Tensors &out, const Tensor &in, int root, Call call) {
  const Tensors to = single("gather", plain("gather", "output tensors", out));
  const Tensor from = plain("gather", "the input", in);
  check_rank("gather", "the destination", root, size());
  check_count("gather", "output tensors", to.size(), rank() == root ? size() : 0);
  for (const Tensor &tensor : to) check_part("gather", from, tensor);
  return state_->run("gather", rooted(call_text("gather", shape_name(from)), root),
                     rooted(call_text("gather", shape_name(from)), root),
                     Shape("gather", root, from.dtype(), from.numel()), call, out,
                     [this, to, from, root](const Round &round) {
                       const Staged mine(from, true), all(to, false);
                       state_->transport->gather(mine.data(), all.data(),
                                                 Counts(size_t(size()), int64_t(bytes_of(from))), root, round);
                       if (rank() == root) all.give_back();
                     });
}

WorkRef ProcessGroup::scatter(const Tensor &out, const Tensors &in, int root, Call call) {
  const Tensor to = single("scatter", plain("scatter", "the output", out));
  const Tensors from = plain("scatter", "input tensors", in);
  check_rank("scatter", "the source", root, size());
  check_count("scatter", "input tensors", from.size(), rank() == root ? size() : 0);
  for (const Tensor &tensor : from) check_part("scatter", to, tensor);
  const std::string text = rooted(call_text("scatter", shape_name(to)), root);
  return state_->run("scatter", text, text, Shape("scatter", root, to.dtype(), to.numel()), call, {out},
                     [this, to, from, root](const Round &round) {
                       const Staged all(from, true), mine(to, false);
                       state_->transport->scatter(all.data(), mine.data(),
                                                  Counts(size_t(size()), int64_t(bytes_of(to))), root, round);
                       mine.give_back();
                     });
}

WorkRef ProcessGroup::reduce_scatter(const Tensor &out, const Tensors &in, ReduceOp op, Call call) {
  const Tensor to = single("reduce_scatter", plain("reduce_scatter", "the output", out));
  const Tensors from = plain("reduce_scatter", "input tensors", in);
  check_count("reduce_scatter", "input tensors", from.size(), size());
  check_part("reduce_scatter", to, from[size_t(rank())]);
  check_op("reduce_scatter", to.dtype(), op);
  const std::string text = call_text("reduce_scatter", op, shape_names(from));
  Counts counts;
  for (const Tensor &tensor : from) counts.push_back(tensor.numel());
  const Shape shape("reduce_scatter", op.kind, to.dtype(), counts);
  return state_->run(
      "reduce_scatter", text, text, shape, call, {out}, [this, to, from, op, counts](const Round &round) {
        Tensors flat;
        for (const Tensor &tensor : from) flat.push_back(thpp::reshape(tensor, {-1}));
        const Tensor all = thpp::cat(flat, 0);
        scale_before({all}, op);
        const Staged mine(to, false);
        state_->transport->reduce_scatter(all.data<void>(), mine.data(), counts, to.dtype(), op.kind, round);
        mine.give_back();
        scale_after({to}, op, size());
      });
}

WorkRef ProcessGroup::reduce_scatter_from(const Tensor &out, const Tensor &in, ReduceOp op, Call call) {
  plain("reduce_scatter_tensor", "the output", out);
  plain("reduce_scatter_tensor", "the input", in);
  if (in.numel() != out.numel() * size())
    throw_value("reduce_scatter_tensor: the input, " + shape_name(in) + ", must have the elements of " +
                std::to_string(size()) + " outputs, each " + shape_name(out));
  const Tensor rows = thpp::reshape(plain("reduce_scatter_tensor", "the input", in), {size(), out.numel()});
  Tensors parts;
  for (int r = 0; r < size(); ++r) parts.push_back(thpp::view(thpp::select(rows, 0, r), out.sizes()));
  return reduce_scatter(out, parts, op, call);
}

WorkRef ProcessGroup::all_to_all(const Tensors &out, const Tensors &in, Call call) {
  const Tensors to = single("all_to_all", plain("all_to_all", "output tensors", out)),
                from = plain("all_to_all", "input tensors", in);
  check_count("all_to_all", "output tensors", to.size(), size());
  check_count("all_to_all", "input tensors", from.size(), size());
  check_dtypes("all_to_all", to.front(), from.front());
  check_part("all_to_all", from[size_t(rank())], to[size_t(rank())]);
  return state_->run("all_to_all", call_text("all_to_all", shape_names(from)),
                     call_text("all_to_all", dtype_name(from.front().dtype())),
                     Shape("all_to_all", from.front().dtype()), call, out, [this, to, from](const Round &round) {
                       const Staged mine(from, true), all(to, false);
                       state_->transport->all_to_all(mine.data(), bytes_of(from), all.data(), bytes_of(to), round);
                       all.give_back();
                     });
}

namespace {
// The rows of a tensor, so many for each rank.
Tensors split_rows(const char *what, const Tensor &tensor, const std::vector<int64_t> &rows, int size) {
  const std::string name = "all_to_all_single: ";
  if (tensor.dim() == 0) throw_value(name + what + " has no rows: it has no dimensions");
  const int64_t all = tensor.size(0);
  if (rows.empty() && all % size)
    throw_value(name + "the " + std::to_string(all) + " rows of " + what + " cannot be divided among " +
                std::to_string(size) + " ranks");
  if (!rows.empty()) {
    check_count("all_to_all_single", (std::string("split sizes of ") + what).c_str(), rows.size(), size);
    int64_t sum = 0;
    for (const int64_t n : rows) {
      if (n < 0 || n > all)
        throw_value(name + "a split size of " + what + " is " + std::to_string(n) + ", of " + std::to_string(all) +
                    " rows");
      sum += n;
    }
    if (sum != all)
      throw_value(name + "split sizes of " + what + " add up to " + std::to_string(sum) + ", not to its " +
                  std::to_string(all) + " rows");
  }
  Tensors parts;
  int64_t at = 0;
  for (int r = 0; r < size; ++r) {
    const int64_t n = rows.empty() ? all / size : rows[size_t(r)];
    parts.push_back(thpp::narrow(tensor, 0, at, n));
    at += n;
  }
  return parts;
}
}  // namespace

WorkRef ProcessGroup::all_to_all_single(const Tensor &out, const Tensor &in, const std::vector<int64_t> &out_rows,
                                        const std::vector<int64_t> &in_rows, Call call) {
  const Tensor to = plain("all_to_all_single", "the output", out), from = plain("all_to_all_single", "the input", in);
  return all_to_all(split_rows("the output", to, out_rows, size()), split_rows("the input", from, in_rows, size()),
                    call);
}

WorkRef ProcessGroup::barrier(Call call) {
  return state_->run(
      "barrier", "barrier", "barrier", Shape("barrier"), call, {},
      [this](const Round &round) { state_->transport->barrier(round); }, 0);
}

void ProcessGroup::monitored_barrier(Milliseconds timeout, bool wait_all_ranks) {
  state_->check_usable("monitored_barrier");
  const State::Leave leave(state_);
  const Milliseconds limit = timeout == kNoTimeout ? this->timeout() : timeout;
  const auto end = std::chrono::steady_clock::now() + limit;
  const auto left = [&] {
    return std::max(Milliseconds(1), std::chrono::ceil<Milliseconds>(end - std::chrono::steady_clock::now()));
  };
  const StoreRef store = prefix_store("monitored_barrier/" + std::to_string(state_->barriers++), store_);
  const auto fail = [&](const std::string &why) {
    throw Error(ErrorKind::Backend, state_->failed("monitored_barrier", why, limit));
  };
  const auto came = [](int r) { return "came/" + std::to_string(r); };
  if (rank() != 0) {
    store->set(came(rank()), "");
    Bytes verdict;
    try {
      store->wait({"verdict"}, 2 * limit);  // rank 0 may have come last, and it waits, too
      verdict = store->get("verdict");
    } catch (const Error &) {
      fail("rank 0 did not come");
    }
    if (!verdict.empty()) fail(verdict);
    return;
  }
  std::string missing;
  for (int r = 1; r < size(); ++r) {
    try {
      store->wait({came(r)}, left());
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::Store) throw;
      missing += (missing.empty() ? "" : ", ") + std::to_string(r);
      if (!wait_all_ranks) break;
    }
  }
  const std::string verdict = missing.empty()
                                  ? ""
                                  : "rank " + missing + " did not come within " + std::to_string(limit.count()) + "ms";
  store->set("verdict", verdict);
  if (!verdict.empty()) fail(verdict);
}

WorkRef ProcessGroup::send(const Tensor &tensor, int to, int tag, Call call) {
  const Tensor mine = plain("send", "the tensor", tensor);
  check_rank("send", "the destination", to, size());
  if (to == rank()) throw_value("send: rank " + std::to_string(to) + " cannot send to itself");
  const auto staged = std::make_shared<Staged>(mine, true);
  return state_->message(
      "send", call_text("send", shape_name(mine) + " to rank " + std::to_string(to)), call, {tensor},
      [&] { return state_->transport->send(staged->data(), bytes_of(mine), to, uint32_t(tag)); }, [staged] {});
}
WorkRef ProcessGroup::receive(const Tensor &tensor, int from, int tag, Call call) {
  check_rank("recv", "the source", from, size());
  if (from == rank()) throw_value("recv: rank " + std::to_string(from) + " cannot receive from itself");
  const Tensor mine = single("recv", plain("recv", "the tensor", tensor));
  const auto staged = std::make_shared<Staged>(mine, false);
  return state_->message(
      "recv", call_text("recv", shape_name(mine) + " from rank " + std::to_string(from)), call, {tensor},
      [&] { return state_->transport->receive(staged->data(), bytes_of(mine), from, uint32_t(tag)); },
      [staged] { staged->give_back(); });
}
WorkRef ProcessGroup::receive_any(const Tensor &tensor, int tag, Call call) {
  const Tensor mine = single("recv", plain("recv", "the tensor", tensor));
  const auto staged = std::make_shared<Staged>(mine, false);
  return state_->message(
      "recv", call_text("recv", shape_name(mine) + " from any rank"), call, {tensor},
      [&] { return state_->transport->receive(staged->data(), bytes_of(mine), -1, uint32_t(tag)); },
      [staged] { staged->give_back(); });
}

void ProcessGroup::abort() {
  if (state_->is_forked()) return;
  Transport *transport = nullptr;
  {
    const std::lock_guard lock(state_->mutex);
    if (std::exchange(state_->aborted, true) || state_->closed) return;
    transport = state_->transport.get();
    ++state_->under_way;
  }
  const State::Leave leave(state_);
  transport->abort();
}
void ProcessGroup::shutdown() {
  if (state_->is_forked()) return;
  state_->workers.stop();
  state_->close();
}

}  // namespace thd
