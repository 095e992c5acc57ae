/* Kernels of an object that is loaded at run time: nvrtc ends each source with this table, by which the driver finds them. */
#ifndef HOST_CUDA_MODULE_H
#define HOST_CUDA_MODULE_H

#include "../cuda_runtime.h"

namespace hostcuda {

struct KernelEntry {
  const char *expression;  // as the program's author names it; null ends the table
  const void *function;
  const Parameters *parameters;
};
template <class T>
KernelEntry kernelEntry(const char *expression, T *kernel) {
  return {expression, reinterpret_cast<const void *>(kernel), &KernelOf<T>::parameters};
}

}  // namespace hostcuda

#endif
