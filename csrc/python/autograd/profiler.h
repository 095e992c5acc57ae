// What torch.profiler notes of one thread: operators, nodes of the backward pass, named ranges, calls of Python, memory.
#pragma once

#include <Python.h>

#include <deque>
#include <string>
#include <variant>
#include <vector>

#include <THPP/Observer.h>

namespace torch::python {

// An argument of an operator, kept beyond the call.
struct KeptTensor {
  THDtype dtype;
  std::vector<int64_t> shape;
};
using KeptArgument = std::variant<std::monostate, KeptTensor, std::vector<KeptTensor>, int64_t, double, bool,
                                  std::string, std::vector<int64_t>, std::vector<double>>;

enum class EventKind : uint8_t { Operator, Node, Range, PythonFunction, BuiltinFunction };

struct Event {
  const thpp::Op *op = nullptr;  // of an operator
  const char *name = nullptr;  // of a node or range: in `names`; of a builtin its own
  PyObject *code = nullptr;  // of a Python function, which the recording owns
  int64_t begin = 0, end = 0;  // nanoseconds of the monotonic clock; end is 0 while it goes on
  int64_t sequence = -1;  // of the node, or of that which a call may make
  int32_t parent = -1;  // the event that it lies in
  int32_t arguments = -1;  // their place in `arguments`
  EventKind kind = EventKind::Operator;
};

// A block of memory that came (bytes > 0) or went.
struct Allocation {
  int64_t time, bytes, total;
  const void *address;
  int32_t event;  // during which
};

struct RecordingOptions {
  bool shapes, memory, python;
};

// Belongs to the thread that starts it, and is ended there.
class Recording final : public thpp::Observer {
 public:
  explicit Recording(RecordingOptions options);
  ~Recording() override;

  size_t begin(const thpp::Op &op, std::span<const thpp::Argument> given, bool recording) override;
  size_t begin(const char *name, int64_t sequence) override;
  void end(size_t begun) noexcept override;
  size_t begin_range(const char *name, std::vector<KeptArgument> given);
  void begin_python(PyObject *code);  // takes a reference of its own
  void begin_builtin(const char *name);
  void end_python(EventKind kind) noexcept;  // of the innermost of that kind
  void allocated(const void *address, int64_t bytes) noexcept;

  void watch(bool on);  // whether anything is noted now
  void finish();  // what has not ended ends now

  const RecordingOptions options;
  const int64_t begun, begun_since_epoch;  // nanoseconds
  const uint64_t number;  // of this recording, in the process
  std::vector<Event> events;
  std::deque<std::vector<KeptArgument>> arguments;
  std::vector<Allocation> allocations;

 private:
  size_t add(const Event &event);
  const char *kept(const char *name);

  std::deque<std::string> names_;
  std::vector<int32_t> open_;
  int64_t total_ = 0;
  bool watching_ = false;
};

extern thread_local Recording *recording_now;  // nullptr: none

}  // namespace torch::python
