#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

PYBIND11_MODULE(bound, module) {
  module.def("total", [](const std::vector<int> &values) {
    int sum = 0;
    for (int value : values) sum += value;
    return sum;
  });
}
