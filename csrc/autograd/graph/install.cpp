// THPP calls the recorders from the moment that this library is loaded.
#include <THPP/Autocast.h>
#include <THPP/Guard.h>

#include <autograd/meta.h>

namespace torch::autograd {

const thpp::Operators &recorders();  // generated

namespace {

struct Install {
  Install() {
    thpp::set_recorder(&recorders());
    thpp::set_autocast_leaf([](const Tensor &t) { return requires_grad(t) && is_leaf(t); });
  }
} install;

}  // namespace

}  // namespace torch::autograd
