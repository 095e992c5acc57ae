// torch._distributed: stores, groups and works of THD, and the reducer. What users see of them is torch/distributed.
#include "bind.h"

PYBIND11_MODULE(_distributed, module) {
  torch::distributed::bind_errors(module);
  torch::distributed::bind_stores(module);
  torch::distributed::bind_groups(module);
  torch::distributed::bind_reducer(module);
}
