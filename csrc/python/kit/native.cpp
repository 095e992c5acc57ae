#include "native.h"

#include <set>
#include <string>

#include "errors.h"

namespace torch::python {

std::vector<PyMethodDef> joined(const char *owner, std::span<const PyMethodDef *const> tables) {
  std::vector<PyMethodDef> all;
  std::set<std::string> names;
  std::string twice;
  for (const PyMethodDef *row : tables)
    for (; row->ml_name; ++row) {
      if (!names.insert(row->ml_name).second) twice += std::string(" ") + row->ml_name;
      all.push_back(*row);
    }
  if (!twice.empty()) raise(PyExc_SystemError, "%s binds these names twice:%s", owner, twice.c_str());
  all.push_back({nullptr, nullptr, 0, nullptr});
  return all;
}

}  // namespace torch::python
