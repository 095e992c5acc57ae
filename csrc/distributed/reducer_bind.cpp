// The reducer for Python: torch/nn/parallel/distributed.py makes it.
#include "bind.h"
#include "reducer.h"

namespace torch::distributed {
namespace {

using thd::GroupRef;
using Tensor = thpp::Tensor;

// A Python object that C++ holds, and lets go of under the interpreter's lock.
std::shared_ptr<py::object> held(py::object object) {
  return {new py::object(std::move(object)), [](py::object *gone) {
            const py::gil_scoped_acquire lock;
            delete gone;
          }};
}

// A work of Python's that fills a tensor; None: it is done.
struct PythonWork final : Pending {
  PythonWork(py::object work, Tensor tensor) : work(held(std::move(work))), tensor(std::move(tensor)) {}
  Tensor wait() override {
    const py::gil_scoped_acquire lock;
    if (!work->is_none()) work->attr("wait")();
    return tensor;
  }
  const std::shared_ptr<py::object> work;
  const Tensor tensor;
};
BeginReduce in_place(py::object function) {
  if (function.is_none()) return nullptr;
  return [kept = held(std::move(function))](const Tensor &tensor) -> std::shared_ptr<Pending> {
    const py::gil_scoped_acquire lock;
    return std::make_shared<PythonWork>((*kept)(tensor), tensor);
  };
}
std::function<Tensor(const Tensor &)> of_tensor(py::object function) {
  if (function.is_none()) return nullptr;
  return [kept = held(std::move(function))](const Tensor &tensor) {
    const py::gil_scoped_acquire lock;
    return (*kept)(tensor).cast<Tensor>();
  };
}

// A torch.futures.Future of a tensor, or of a list that holds one.
struct PythonPending final : Pending {
  explicit PythonPending(py::object future) : future(held(std::move(future))) {}
  Tensor wait() override {
    const py::gil_scoped_acquire lock;
    py::object value = future->attr("wait")();
    if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
      if (py::len(value) != 1)
        throw py::value_error("a communication hook's future must hold one tensor, not " +
                              std::to_string(py::len(value)));
      value = value[py::int_(0)];
    }
    try {
      return value.cast<Tensor>();
    } catch (const py::cast_error &) {
      throw py::type_error("a communication hook's future must hold a tensor, not " +
                           py::str(py::type::of(value).attr("__name__")).cast<std::string>());
    }
  }
  const std::shared_ptr<py::object> future;
};

CommHook python_hook(py::object state, py::object hook) {
  return
      [state = held(std::move(state)), hook = held(std::move(hook))](GradBucket &bucket) -> std::shared_ptr<Pending> {
        const py::gil_scoped_acquire lock;
        py::object future = (*hook)(*state, GradBucket(bucket));
        if (!py::hasattr(future, "wait"))
          throw py::type_error("a communication hook must return a torch.futures.Future, not " +
                               py::str(py::type::of(future).attr("__name__")).cast<std::string>());
        return std::make_shared<PythonPending>(std::move(future));
      };
}

}  // namespace

void bind_reducer(py::module_ &module) {
  py::class_<GradBucket>(module, "GradBucket",
                         "Gradients that are reduced together, as a communication hook sees them.")
      .def(
          "index", [](const GradBucket &self) { return self.index; }, "Its place among the buckets.")
      .def(
          "buffer", [](const GradBucket &self) { return self.buffer; }, "All its gradients, one after the other: [n].")
      .def(
          "gradients", [](const GradBucket &self) { return self.gradients; }, "The gradients, parts of buffer().")
      .def(
          "parameters", [](const GradBucket &self) { return self.parameters; }, "The parameters that they are of.")
      .def("is_last", &GradBucket::is_last, "Whether no other bucket comes after it in this pass.")
      .def(
          "set_buffer", [](GradBucket &self, const Tensor &buffer) { self.buffer = buffer; }, py::arg("tensor"),
          "Makes another tensor what buffer() gives.");

  py::class_<Pending, std::shared_ptr<Pending>>(module, "_Pending").def("wait", &Pending::wait, Unlocked());

  py::class_<Reducer, ReducerRef>(module, "Reducer",
                                  "Gradients of several processes become their mean, bucket by bucket.")
      .def(py::init([](Tensors parameters, std::vector<std::string> names, std::vector<Indices> buckets, GroupRef group,
                       int rank, int size, std::vector<bool> sparse, size_t bucket_bytes, size_t first_bucket_bytes,
                       std::vector<size_t> bucket_bytes_list, bool find_unused, bool as_bucket_view,
                       py::object all_reduce, py::object reduce_sparse) {
             ReducerOptions options;
             options.bucket_bytes = bucket_bytes;
             options.first_bucket_bytes = first_bucket_bytes;
             options.bucket_bytes_list = std::move(bucket_bytes_list);
             options.find_unused = find_unused;
             options.as_bucket_view = as_bucket_view;
             const auto made = std::make_shared<Reducer>(std::move(parameters), std::move(names), std::move(buckets),
                                                         std::move(group), rank, size, std::move(sparse),
                                                         std::move(options), in_place(std::move(all_reduce)),
                                                         of_tensor(std::move(reduce_sparse)));
             made->install();
             return made;
           }),
           py::kw_only(), py::arg("parameters"), py::arg("names"), py::arg("buckets"), py::arg("group"),
           py::arg("rank"), py::arg("size"), py::arg("sparse"), py::arg("bucket_bytes"), py::arg("first_bucket_bytes"),
           py::arg("bucket_bytes_list"), py::arg("find_unused"), py::arg("as_bucket_view"), py::arg("all_reduce"),
           py::arg("reduce_sparse"))
      .def("prepare_for_forward", &Reducer::prepare_for_forward, Unlocked())
      .def("prepare_for_backward", &Reducer::prepare_for_backward, Unlocked())
      .def("_rebuild_buckets", &Reducer::rebuild, Unlocked())
      .def("_push_all_rebuilt_params", &Reducer::push_all_rebuilt, Unlocked())
      .def("_get_zeros_like_grad_buckets", &Reducer::zero_buckets, Unlocked())
      .def("_run_comm_hook", &Reducer::run_hook, Unlocked())
      .def("_get_local_used_map", &Reducer::used)
      .def("_set_static_graph", &Reducer::set_static_graph, Unlocked())
      .def("_remove_autograd_hooks", &Reducer::remove_hooks)
      .def("_check_reducer_finalized", &Reducer::check_finalized, Unlocked())
      .def("_reset_state", &Reducer::reset, Unlocked())
      .def("_set_group", &Reducer::set_group, Unlocked())
      .def("_set_divisor",
           [](Reducer &self, py::object function) {
             auto divisor = [kept = held(std::move(function))] {
               const py::gil_scoped_acquire lock;
               return (*kept)().cast<double>();
             };
             const py::gil_scoped_release unlocked;
             self.set_divisor(std::move(divisor));
           })
      .def("_at_end",
           [](Reducer &self, py::object function) {
             auto wait = [kept = held(std::move(function))] {
               const py::gil_scoped_acquire lock;
               (*kept)();
             };
             const py::gil_scoped_release unlocked;
             self.at_end(std::move(wait));
           })
      .def("_set_hook",
           [](Reducer &self, py::object state, py::object hook) {
             CommHook made = python_hook(std::move(state), std::move(hook));
             const py::gil_scoped_release unlocked;
             self.set_hook(std::move(made));
           })
      .def("_has_hook", &Reducer::has_hook)
      .def("_buckets", &Reducer::bucket_indices, Unlocked())
      .def("_bucket_bytes", &Reducer::bucket_sizes, Unlocked())
      .def("_stats", [](const Reducer &self) {
        const ReducerStats stats = [&] {
          const py::gil_scoped_release unlocked;
          return self.stats();
        }();
        py::dict all;
        all["iterations"] = stats.iterations;
        all["forward"] = stats.forward_ns;
        all["backward_compute"] = stats.backward_compute_ns;
        all["backward_comm"] = stats.backward_comm_ns;
        all["overlap"] = stats.overlap_ns;
        all["rebuilt"] = stats.rebuilt;
        return all;
      });

  module.def("assign_buckets", &assign_buckets, py::arg("tensors"), py::arg("limits"), py::arg("sparse"),
             py::arg("order") = Indices());
  module.def("broadcast_coalesced", &broadcast_coalesced, Unlocked());
}

}  // namespace torch::distributed
