// torch._distributed_mpi: groups over MPI, for torch.distributed. Loaded when somebody asks for one, and MPI with it.
#include "../distributed/bind.h"
#include "engine.hpp"

namespace torch::distributed {
namespace {

// THD's errors are torch._distributed's classes.
void raise(const py::module_ &classes, thd::ErrorKind kind, const char *text) {
  switch (kind) {
    case thd::ErrorKind::Value: return PyErr_SetString(PyExc_ValueError, text);
    case thd::ErrorKind::Runtime: return PyErr_SetString(PyExc_RuntimeError, text);
    case thd::ErrorKind::Network: return PyErr_SetString(py::object(classes.attr("DistNetworkError")).ptr(), text);
    case thd::ErrorKind::Store: return PyErr_SetString(py::object(classes.attr("DistStoreError")).ptr(), text);
    default: return PyErr_SetString(py::object(classes.attr("DistBackendError")).ptr(), text);
  }
}

}  // namespace
}  // namespace torch::distributed

PYBIND11_MODULE(_distributed_mpi, module) {
  namespace mpi = thd::mpi;
  using torch::distributed::Unlocked;
  static const py::module_ &classes = *new py::module_(py::module_::import("torch._distributed"));
  py::register_local_exception_translator([](std::exception_ptr exception) {
    try {
      if (exception) std::rethrow_exception(exception);
    } catch (const thd::Error &error) {
      torch::distributed::raise(classes, error.kind(), error.what());
    }
  });
  module.def("start", &mpi::start, Unlocked(), "Starts MPI unless it runs.");
  module.def("finish", &mpi::finish, Unlocked(), "Ends MPI, if it was started here and nothing is under way.");
  module.def("world_rank", &mpi::world_rank, "This process's place among those that mpirun has started.");
  module.def("world_size", &mpi::world_size, "How many processes mpirun has started.");
  module.def("version", &mpi::version, "The library's name and version.");
  module.def("thread_level", &mpi::thread_level, "What threads may do: MPI_THREAD_MULTIPLE or less.");
  module.def("exchange", &mpi::exchange, py::arg("mine"), py::arg("timeout"), Unlocked(),
             "What every process says, by rank; all of them call this.");
  module.def(
      "group",
      [](thd::StoreRef store, int rank, int size, thd::Milliseconds timeout) {
        return torch::distributed::unlocked(mpi::group(std::move(store), rank, size, timeout));
      },
      py::arg("store"), py::arg("rank"), py::arg("size"), py::arg("timeout"), Unlocked(),
      "A group of the processes that meet at a store.");
}
