#include "start.h"

#include <THC/THC.h>

#include "rows.h"

namespace torch::cuda {

static THGenerator *generator(THDevice device) { return THCState_generator(THC_state(device.index)); }
static THNNState *nn_state(THDevice device) { return THC_state(device.index); }

void start() {
  THC_init();
  static const thpp::Kernels kernels = [] {
    thpp::Kernels found{};
    fill(found);
    return found;
  }();
  static const thpp::BackendTable table = {&kernels,        generator,     nn_state,
                                           THC_deviceCount, THC_getDevice, THC_setNonBlocking};
  thpp::register_backend(TH_CUDA, TH_STRIDED, &table);
}

}  // namespace torch::cuda
