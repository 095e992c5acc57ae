// How messages name operations.
#pragma once

#include <string>

#include <TH/TH.h>
#include <THPP/Tensor.h>

namespace thd {

inline const char *dtype_name(THDtype dtype) {
  constexpr const char *kNames[] = {
#define THD_NAME(Name, type, kind, kernels, name, alias) name,
      TH_DTYPES(THD_NAME)
#undef THD_NAME
  };
  return kNames[dtype];
}
// "float32 [2, 3]"
inline std::string shape_name(const thpp::Tensor &tensor) {
  std::string text = std::string(dtype_name(tensor.dtype())) + " [";
  for (size_t i = 0; i < tensor.sizes().size(); ++i) text += (i ? ", " : "") + std::to_string(tensor.sizes()[i]);
  return text + "]";
}
// "float32 [2, 3], float32 [2, 3]"; "4 tensors, the first float32 [2, 3]"
inline std::string shape_names(const std::vector<thpp::Tensor> &tensors) {
  if (tensors.empty()) return "no tensors";
  if (tensors.size() > 3) return std::to_string(tensors.size()) + " tensors, the first " + shape_name(tensors.front());
  std::string text;
  for (const thpp::Tensor &tensor : tensors) text += (text.empty() ? "" : ", ") + shape_name(tensor);
  return text;
}

}  // namespace thd
