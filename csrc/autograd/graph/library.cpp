// The table of users' operators: what C++ registered, in order, and which kernel a call from C++ is for.
#include <autograd/library.h>

#include <deque>
#include <map>
#include <mutex>
#include <string_view>

#include <TH/THException.hpp>

namespace torch::operators {

class Operator {
 public:
  std::string qualified;  // "ns::name", "ns::name.overload"
  bool defined = false, python = false;
  std::map<std::string, size_t, std::less<>> kernels;  // by key; fallthrough is one that is not there
};

namespace {

struct Table {
  std::mutex mutex;
  std::deque<Event> events;
  std::deque<Kernel> kernels;  // whose addresses stay
  std::map<std::string, Operator> operators;
  std::unique_ptr<PythonSide> python;

  Operator &entry(const std::string &qualified) {
    Operator &op = operators[qualified];
    op.qualified = qualified;
    return op;
  }
};
// Never destroyed: kernels of libraries that are unloaded later may be in it.
Table &table() {
  static Table *const made = new Table;
  return *made;
}

thread_local unsigned excluded_keys = 0;

std::string qualified_name(const Event &event) {
  const std::string name = event.text.substr(0, event.text.find('('));
  return name.find("::") != std::string::npos ? name : event.space + "::" + name;
}

const char *backend_of(const thpp::Tensor &tensor) {
  switch (tensor.device().kind) {
    case TH_CUDA: return "CUDA";
    case TH_Meta: return "Meta";
    default: return "CPU";
  }
}

// Of several backends, the last in this order.
int rank(std::string_view backend) { return backend == "Meta" ? 3 : backend == "CUDA" ? 2 : backend == "CPU" ? 1 : 0; }

void find_backend(const Values &values, std::string_view &found) {
  for (const Value &value : values) {
    if (const auto *tensor = std::get_if<thpp::Tensor>(&value.any); tensor && tensor->defined()) {
      if (rank(backend_of(*tensor)) > rank(found)) found = backend_of(*tensor);
    } else if (const auto *list = std::get_if<Values>(&value.any)) {
      find_backend(*list, found);
    }
  }
}

const size_t *first(const Operator &op, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    if (const auto found = op.kernels.find(key); found != op.kernels.end()) return &found->second;
  return nullptr;
}

// Autograd's kernel, then the backend's, then one for all of them.
const size_t *kernel_for(const Operator &op, std::string_view backend) {
  if (!(excluded_keys & kAutograd))
    if (const size_t *found = first(op, {"Autograd" + std::string(backend), "Autograd"})) return found;
  if (!(excluded_keys & kADInplaceOrView))
    if (const size_t *found = first(op, {"ADInplaceOrView"})) return found;
  return first(op, {backend, "CompositeExplicitAutograd", "CompositeImplicitAutograd"});
}

std::string keys_of(const Operator &op) {
  std::string keys;
  for (const auto &[key, kernel] : op.kernels) keys += (keys.empty() ? "" : ", ") + key;
  return keys;
}

}  // namespace

unsigned excluded() { return excluded_keys; }
void set_excluded(unsigned keys) { excluded_keys = keys; }

void add(Event event, Kernel kernel) noexcept {
  Table &all = table();
  const std::lock_guard held(all.mutex);
  if (event.kind == Event::Definition) {
    all.entry(qualified_name(event)).defined = true;
  } else if (event.kind == Event::Implementation) {
    event.kernel = all.kernels.size();
    Operator &op = all.entry(qualified_name(event));
    if (!event.falls_through) op.kernels.insert_or_assign(event.key, event.kernel);
    all.kernels.push_back(std::move(kernel));
  }
  all.events.push_back(std::move(event));
}

size_t event_count() {
  Table &all = table();
  const std::lock_guard held(all.mutex);
  return all.events.size();
}
Event event(size_t number) {
  Table &all = table();
  const std::lock_guard held(all.mutex);
  return all.events.at(number);
}

void run_kernel(size_t kernel, Values &values) {
  Table &all = table();
  const Kernel *found;
  {
    const std::lock_guard held(all.mutex);
    found = &all.kernels.at(kernel);
  }
  (*found)(values);
}

const Operator &find(const std::string &name, const std::string &overload) {
  const std::string qualified = overload.empty() ? name : name + "." + overload;
  Table &all = table();
  PythonSide *python;
  {
    const std::lock_guard held(all.mutex);
    const auto found = all.operators.find(qualified);
    if (found != all.operators.end() && found->second.defined) return found->second;
    python = all.python.get();
  }
  if (!python || !python->defines(qualified))
    throw th::Exception(TH_ERROR_RUNTIME, "Could not find schema for " + qualified +
                                              ": no TORCH_LIBRARY that is loaded, and nothing in Python, defines it");
  computed_by_python(qualified);
  const std::lock_guard held(all.mutex);
  return all.operators.at(qualified);
}

void call(const Operator &op, Values &values) {
  if (op.python) return table().python->call(op.qualified, values);
  std::string_view backend;
  find_backend(values, backend);
  const size_t *const kernel = kernel_for(op, backend.empty() ? "Undefined" : backend);
  if (!kernel)
    throw th::Exception(TH_ERROR_NOT_IMPLEMENTED, "Could not run '" + op.qualified + "' with arguments from the '" +
                                                      std::string(backend.empty() ? "Undefined" : backend) +
                                                      "' backend: nothing registered a kernel for it there. '" +
                                                      op.qualified + "' is only available for these backends: [" +
                                                      keys_of(op) + "].");
  run_kernel(*kernel, values);
}

void set_python_side(std::unique_ptr<PythonSide> side) {
  Table &all = table();
  const std::lock_guard held(all.mutex);
  all.python = std::move(side);
}

void computed_by_python(const std::string &qualified) {
  Table &all = table();
  const std::lock_guard held(all.mutex);
  Operator &op = all.entry(qualified);
  op.python = op.defined = true;
}

}  // namespace torch::operators
