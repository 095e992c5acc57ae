// Groups and works, with the arguments of THD's own functions: torch/distributed makes PyTorch's of them.
#include "bind.h"

namespace torch::distributed {
namespace {

using thd::Call;
using thd::GroupRef;
using thd::Milliseconds;
using thd::ProcessGroup;
using thd::ReduceOp;
using thd::Tensor;
using thd::Tensors;
using thd::Work;
using thd::WorkRef;

ReduceOp op_of(int kind, double factor) { return {ReduceOp::Kind(kind), factor}; }

py::object error_of(const Work &work) {
  const std::exception_ptr failure = work.exception();
  if (!failure) return py::none();
  // As Python would raise it.
  try {
    py::cpp_function([failure] { std::rethrow_exception(failure); })();
  } catch (py::error_already_set &error) {
    return error.value();
  }
  return py::none();
}

// What is called when a work is done, in whichever thread that is.
void call_when_done(Work &work, py::function function) {
  const auto held = std::shared_ptr<py::function>(new py::function(std::move(function)), [](py::function *gone) {
    const py::gil_scoped_acquire lock;
    delete gone;
  });
  const py::gil_scoped_release unlocked;
  work.then([held](Work &) {
    const py::gil_scoped_acquire lock;
    try {
      (*held)();
    } catch (py::error_already_set &error) {
      error.discard_as_unraisable("a callback of a torch.distributed work");
    }
  });
}

}  // namespace

void bind_groups(py::module_ &module) {
  py::class_<Work, WorkRef>(module, "Work", "A collective operation that has begun.")
      .def("is_completed", &Work::is_completed)
      .def("is_success", &Work::is_success)
      .def("exception", &error_of)
      .def(
          "wait",
          [](Work &self, Milliseconds timeout) {
            self.wait(timeout);
            return true;
          },
          py::arg("timeout") = Milliseconds(thd::kNoTimeout), Unlocked())
      .def(
          "synchronize", [](Work &self) { self.wait(); }, Unlocked())
      .def("result", &Work::result)
      .def("source_rank", &Work::source_rank)
      .def("_source_rank", &Work::source_rank)
      .def_property_readonly("_name", &Work::name)
      .def("_tensors", [](const Work &self) { return self.results; })
      .def("_then", &call_when_done);

  py::class_<ProcessGroup, GroupRef>(module, "Group")
      .def("rank", &ProcessGroup::rank)
      .def("size", &ProcessGroup::size)
      .def_property_readonly("backend", &ProcessGroup::backend)
      .def_property("timeout", &ProcessGroup::timeout, &ProcessGroup::set_timeout)
      .def_readwrite("name", &ProcessGroup::name)
      .def_readwrite("description", &ProcessGroup::description)
      .def_property_readonly("sequence_number", &ProcessGroup::sequence_number)
      .def(
          "broadcast",
          [](ProcessGroup &self, const Tensor &tensor, int root, bool async, Milliseconds timeout) {
            return self.broadcast(tensor, root, {async, timeout});
          },
          Unlocked())
      .def(
          "all_reduce",
          [](ProcessGroup &self, const Tensors &tensors, int op, double factor, bool async, Milliseconds timeout) {
            return self.all_reduce(tensors, op_of(op, factor), {async, timeout});
          },
          Unlocked())
      .def(
          "reduce",
          [](ProcessGroup &self, const Tensor &tensor, int root, int op, double factor, bool async,
             Milliseconds timeout) { return self.reduce(tensor, root, op_of(op, factor), {async, timeout}); },
          Unlocked())
      .def(
          "all_gather",
          [](ProcessGroup &self, const Tensors &out, const Tensor &in, bool async, Milliseconds timeout) {
            return self.all_gather(out, in, {async, timeout});
          },
          Unlocked())
      .def(
          "all_gather_into",
          [](ProcessGroup &self, const Tensor &out, const Tensor &in, bool async, Milliseconds timeout) {
            return self.all_gather_into(out, in, {async, timeout});
          },
          Unlocked())
      .def(
          "gather",
          [](ProcessGroup &self, const Tensors &out, const Tensor &in, int root, bool async, Milliseconds timeout) {
            return self.gather(out, in, root, {async, timeout});
          },
          Unlocked())
      .def(
          "scatter",
          [](ProcessGroup &self, const Tensor &out, const Tensors &in, int root, bool async, Milliseconds timeout) {
            return self.scatter(out, in, root, {async, timeout});
          },
          Unlocked())
      .def(
          "reduce_scatter",
          [](ProcessGroup &self, const Tensor &out, const Tensors &in, int op, double factor, bool async,
             Milliseconds timeout) { return self.reduce_scatter(out, in, op_of(op, factor), {async, timeout}); },
          Unlocked())
      .def(
          "reduce_scatter_from",
          [](ProcessGroup &self, const Tensor &out, const Tensor &in, int op, double factor, bool async,
             Milliseconds timeout) { return self.reduce_scatter_from(out, in, op_of(op, factor), {async, timeout}); },
          Unlocked())
      .def(
          "all_to_all",
          [](ProcessGroup &self, const Tensors &out, const Tensors &in, bool async, Milliseconds timeout) {
            return self.all_to_all(out, in, {async, timeout});
          },
          Unlocked())
      .def(
          "all_to_all_single",
          [](ProcessGroup &self, const Tensor &out, const Tensor &in, const std::vector<int64_t> &out_rows,
             const std::vector<int64_t> &in_rows, bool async,
             Milliseconds timeout) { return self.all_to_all_single(out, in, out_rows, in_rows, {async, timeout}); },
          Unlocked())
      .def(
          "barrier",
          [](ProcessGroup &self, bool async, Milliseconds timeout) { return self.barrier({async, timeout}); },
          Unlocked())
      .def("monitored_barrier", &ProcessGroup::monitored_barrier, Unlocked())
      .def(
          "send",
          [](ProcessGroup &self, const Tensor &tensor, int to, int tag, bool async, Milliseconds timeout) {
            return self.send(tensor, to, tag, {async, timeout});
          },
          Unlocked())
      .def(
          "receive",
          [](ProcessGroup &self, const Tensor &tensor, int from, int tag, bool async, Milliseconds timeout) {
            return from < 0 ? self.receive_any(tensor, tag, {async, timeout})
                            : self.receive(tensor, from, tag, {async, timeout});
          },
          Unlocked())
      .def("abort", &ProcessGroup::abort, Unlocked())
      .def("shutdown", &ProcessGroup::shutdown, Unlocked());

  module.def(
      "gloo_group",
      [](const thd::StoreRef &store, int rank, int size, Milliseconds timeout, const std::string &interface) {
        thd::GlooOptions options;
        options.timeout = timeout;
        options.interface = interface;
        return unlocked(thd::gloo_group(store, rank, size, options));
      },
      py::arg("store"), py::arg("rank"), py::arg("size"), py::arg("timeout"), py::arg("interface") = "", Unlocked());

  module.def("threaded_group", &thd::threaded_group, py::arg("store"), py::arg("rank"), py::arg("size"),
             py::arg("timeout"), Unlocked());
  module.def("fake_group", &thd::fake_group, py::arg("store"), py::arg("rank"), py::arg("size"), py::arg("timeout"),
             Unlocked());

  module.def("debug_level", [] { return int(thd::debug_level()); });
  module.def("set_debug_level", [](int level) { thd::set_debug_level(thd::DebugLevel(level)); });
  module.def("set_debug_level_from_environment", &thd::set_debug_level_from_environment);
}

}  // namespace torch::distributed
