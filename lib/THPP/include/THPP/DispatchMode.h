// Modes: whom a thread asks before an operator's body runs. They stand below recording and autocast, and see what these
// have made of a call: torch.utils.checkpoint keeps results of a first run by one, and gives them back in the second.
#pragma once

#include <functional>
#include <span>
#include <variant>
#include <vector>

#include <THPP/Guard.h>

namespace thpp {

// An argument of a call. std::monostate: an optional one that is not given. Valid as long as the call.
using Argument = std::variant<std::monostate, const Tensor *, const Scalar *, TensorList, IntList, FloatList, int64_t,
                              double, bool, char, const char *, THDtype, THDevice, MemoryFormat, THGenerator *>;

class DispatchMode {
 public:
  virtual ~DispatchMode() = default;
  // Stands for one call, without this mode. `run` computes it, and gives what `call` has to give: the results in their
  // order. Of an operator in place that is its tensor; what `call` gives is not looked at, and the tensor is as it left it.
  virtual std::vector<Tensor> call(const Op &op, std::span<const Argument> arguments,
                                   const std::function<std::vector<Tensor>()> &run) = 0;
};

// The calling thread's modes; the last one is asked, and what it calls asks the one before, or those that it enters itself.
// Asked about functions that give tensors or write in place, but for composites, whose parts are seen, and for those with
// out=.
THPP_API void push_dispatch_mode(DispatchMode *mode);
THPP_API DispatchMode *pop_dispatch_mode();

struct EnteredMode;
// While one lives, its thread's calls ask none of the modes that were entered before.
class WithoutModes {
 public:
  THPP_API WithoutModes();
  THPP_API ~WithoutModes();
  WithoutModes(const WithoutModes &) = delete;

 private:
  const EnteredMode *const asked_, *const bottom_;
};

// While one lives, its thread records inside of NoRecording, too: for a body that needs a gradient.
class RecordingAnew {
 public:
  THPP_API RecordingAnew();
  THPP_API ~RecordingAnew();
  RecordingAnew(const RecordingAnew &) = delete;

 private:
  const int before_;
};

}  // namespace thpp
