// Operators that C++ of users registers by TORCH_LIBRARY (torch/library.h, which is made of this): schemas and kernels by
// dispatch key, calls by name, and what Python (torch/_library) has to do with them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <THPP/Tensor.h>

#include <autograd/export.h>

namespace torch::operators {

// One argument or result. A list's elements may be of several types until somebody says what they are to be.
struct Value;
using Values = std::vector<Value>;
struct Value {
  std::variant<std::monostate, thpp::Scalar, std::string, thpp::Tensor, THDtype, THDevice, Values> any;
};

// Takes the arguments, and leaves the results in their place.
using Kernel = std::function<void(Values &)>;

// ---- what this thread leaves out --------------------------------------------------------------------
enum Excluded : unsigned { kAutograd = 1, kADInplaceOrView = 2, kAutocast = 4 };
AUTOGRAD_API unsigned excluded();
AUTOGRAD_API void set_excluded(unsigned keys);

// ---- registering: `where` is "file:line" ------------------------------------------------------------
// Called while a library is loaded, where nobody could catch what they throw. They throw nothing: Python hears of
// everything in order, as an Event, and raises what is wrong when it is asked for an operator.
struct Event {
  enum Kind : uint8_t { Owner, Definition, Implementation, Module, Error } kind;
  std::string space, text, key, signature,
      where;  // text: a schema, "name.overload", a module's name, an error's message
  size_t kernel = 0;  // its number, of an Implementation
  bool falls_through = false;
};
AUTOGRAD_API void add(Event event, Kernel kernel) noexcept;
AUTOGRAD_API size_t event_count();
AUTOGRAD_API Event event(size_t number);
AUTOGRAD_API void run_kernel(size_t kernel, Values &values);

// ---- calling ----------------------------------------------------------------------------------------
class Operator;  // lives for good
// RuntimeError where nobody has defined it.
AUTOGRAD_API const Operator &find(const std::string &name, const std::string &overload);
AUTOGRAD_API void call(const Operator &op, Values &values);

// What Python knows of operators that C++ does not: its own, and kernels that it added to those of C++.
class PythonSide {
 public:
  virtual ~PythonSide() = default;
  virtual bool defines(const std::string &qualified) = 0;
  virtual void call(const std::string &qualified, Values &values) = 0;
};
AUTOGRAD_API void set_python_side(std::unique_ptr<PythonSide> side);
AUTOGRAD_API void computed_by_python(const std::string &qualified);  // from now on

}  // namespace torch::operators
