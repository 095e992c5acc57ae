// THPP calls the recorders from the moment that this library is loaded.
#include <THPP/Guard.h>

namespace torch::autograd {

const thpp::Operators &recorders();  // generated

namespace {

struct Install {
  Install() { thpp::set_recorder(&recorders()); }
} install;

}  // namespace

}  // namespace torch::autograd
