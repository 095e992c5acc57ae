// What stands between a call of an operator and its body.
//
// Every function of Functions.h looks at the flags of its tensors. Where none has a bit of TH_GUARDED it runs its body,
// and that is all it costs. Otherwise a library that knows what the bit means is called instead, through the function's
// slot in the table that the library has handed over:
//
//     thpp::Operators table{};
//     table.add = [](const Tensor &self, const Tensor &other, const Scalar &alpha) {
//       const thpp::NoRecording off;              // from here on bodies run, whatever the bits say
//       Tensor result = thpp::add(self, other, alpha);
//       …                                         // remember how result was made; mark it TH_RECORDED
//       return result;
//     };
//     thpp::set_recorder(&table);
#pragma once

#include <cstdint>
#include <span>

#include <THPP/Operators.h>

namespace thpp {

enum class Form : uint8_t { Functional, InPlace, Out };

// What a declaration's key `derivative` says.
enum class Derivative : uint8_t {
  Formula,  // a formula per input, or nothing yet
  Composite,  // the body is made of guarded calls, and these are recorded
  None,  // there is nothing to record
  Inner,  // it is called below recorded calls alone, and never recorded itself
};

// One function of an operator.
struct Op {
  const char *name;  // of the operator, as declared
  Form form;
  Derivative derivative;
  // Its names in PyTorch's dispatcher: "add_" and "Tensor". Of several overloads that it stands for, that without numbers
  // for tensors. aten is "" or "_" of what is not there.
  const char *aten;
  const char *overload;
};

// All of them, in the order of Operators' slots.
THPP_API std::span<const Op> operators();

// Called for tensors with TH_RECORDED. An empty slot means that the body is to run if the operator is a composite or has
// no derivative, else that it is refused by name, as all of those are without a table; nobody fills those of out= forms
// of operators with formulas. nullptr takes the table away; it must live until then, and no operator may run in another thread meanwhile.
THPP_API void set_recorder(const Operators *table);

// Whether the calling thread records at all, by its user's wish (torch.no_grad). True at first.
THPP_API bool grad_mode();
THPP_API void set_grad_mode(bool on);

// While one lives, its thread records nothing: functions run their bodies. What stands below a recorded call.
class NoRecording {
 public:
  THPP_API NoRecording();
  THPP_API ~NoRecording();
  NoRecording(const NoRecording &) = delete;
};

}  // namespace thpp
