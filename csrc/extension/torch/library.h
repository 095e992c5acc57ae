// Operators of one's own in C++:
//
//     TORCH_LIBRARY(mylib, m) {
//       m.def("scale(Tensor x, float by=2.0) -> Tensor");
//       m.def("twice", &twice);  // its schema is the function's type
//     }
//     TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("scale", &scale_cpu); }
//
// In Python they are torch.ops.mylib.scale once the library is loaded, by torch.ops.load_library or by an import. In C++,
// c10::Dispatcher::singleton().findSchemaOrThrow("mylib::scale", "").typed<Tensor(const Tensor &, double)>().call(x, 3).
#pragma once

#include <string>
#include <utility>

#include <torch/keys.h>
#include <torch/values.h>

namespace torch {

// A function, or what stands for having none, to be registered.
class CppFunction {
 public:
  template <class F>
    requires(!std::is_same_v<std::decay_t<F>, CppFunction>)
  CppFunction(F &&function)
      : kernel_(operators::Signature<std::decay_t<F>>::kernel(std::forward<F>(function))),
        signature_(operators::Signature<std::decay_t<F>>::schema()) {}
  // The key's kernel is to be passed by.
  static CppFunction makeFallthrough() { return CppFunction(); }

 private:
  friend class Library;
  template <class F>
  friend CppFunction dispatch(DispatchKey key, F &&function);
  CppFunction() = default;
  operators::Kernel kernel_;
  std::string signature_, key_;
};
// A kernel of another key than the block's.
template <class F>
CppFunction dispatch(DispatchKey key, F &&function) {
  CppFunction made(std::forward<F>(function));
  made.key_ = toString(key);
  return made;
}

// A schema, where a name might be meant.
struct SchemaText {
  std::string text;
};
inline SchemaText schema(std::string text) { return {std::move(text)}; }

// What the block of TORCH_LIBRARY is given. Nothing here throws: blocks run while a library is loaded, and what is wrong
// becomes an exception in Python when the operators are looked for.
class Library {
 public:
  enum Kind { DEF, FRAGMENT, IMPL };
  Library(Kind kind, std::string space, const char *key, const char *file, int line)
      : kind_(kind), space_(std::move(space)), key_(key), where_(std::string(file) + ":" + std::to_string(line)) {
    if (kind == DEF) add(operators::Event::Owner, "");
  }

  // Of a schema: "scale(Tensor x, float by=2.0) -> Tensor".
  Library &def(std::string schema) & {
    add(kind_ == IMPL ? operators::Event::Error : operators::Event::Definition,
        kind_ == IMPL ? "m.def(\"" + schema + "\") in TORCH_LIBRARY_IMPL, whose blocks have m.impl alone" : schema);
    return *this;
  }
  Library &def(SchemaText schema) & { return def(std::move(schema.text)); }
  // The same with the function that computes it for every key; of a name alone, its type is the schema.
  template <class F>
  Library &def(std::string schema_or_name, F &&function) & {
    CppFunction made(std::forward<F>(function));
    const bool inferred = schema_or_name.find('(') == std::string::npos;
    const std::string name = schema_or_name.substr(0, schema_or_name.find('('));
    def(inferred ? name + made.signature_ : std::move(schema_or_name));
    if (made.key_.empty()) made.key_ = "CompositeImplicitAutograd";
    return impl(name, std::move(made));
  }
  template <class F>
  Library &def(SchemaText schema, F &&function) & {
    return def(std::move(schema.text), std::forward<F>(function));
  }
  // A kernel of the block's key.
  template <class F>
  Library &impl(std::string name, F &&function) & {
    CppFunction made(std::forward<F>(function));
    operators::Event event{
        operators::Event::Implementation, space_, std::move(name), made.key_, made.signature_, where_};
    if (event.key.empty()) event.key = key_.empty() ? "CompositeImplicitAutograd" : key_;
    event.falls_through = !made.kernel_;
    operators::add(std::move(event), std::move(made.kernel_));
    return *this;
  }
  template <class F>
  Library &fallback(F &&) & {
    add(operators::Event::Error, "m.fallback(): torch's own operators take no kernels from outside");
    return *this;
  }
  // The module of Python that has the rest of these operators: errors name it.
  Library &set_python_module(const char *name, const char * = "") & {
    add(operators::Event::Module, name);
    return *this;
  }

 private:
  void add(operators::Event::Kind kind, std::string text) {
    operators::add({kind, space_, std::move(text), {}, {}, where_}, {});
  }
  Kind kind_;
  std::string space_, key_, where_;
};

// The older way: static auto registry = torch::RegisterOperators().op("mylib::twice", &twice);
class RegisterOperators {
 public:
  template <class F>
  RegisterOperators &op(const std::string &schema_or_name, F &&function) {
    const size_t colons = schema_or_name.find("::");
    Library library(Library::FRAGMENT, schema_or_name.substr(0, colons), "", "torch::RegisterOperators", 0);
    library.def(schema_or_name.substr(colons == std::string::npos ? 0 : colons + 2), std::forward<F>(function));
    return *this;
  }
};

namespace detail {

struct RegisterLibrary {
  RegisterLibrary(Library::Kind kind, void (*block)(Library &), const char *space, const char *key, const char *file,
                  int line) {
    Library library(kind, space, key, file, line);
    try {
      block(library);
    } catch (const std::exception &error) {
      operators::add(
          {operators::Event::Error, space, error.what(), {}, {}, std::string(file) + ":" + std::to_string(line)}, {});
    }
  }
};

}  // namespace detail

// ---- calls by name -----------------------------------------------------------------------------------
template <class F>
class TypedOperatorHandle {
 public:
  explicit TypedOperatorHandle(const operators::Operator &op) : op_(&op) {}
  template <class... A>
  decltype(auto) call(A &&...args) const {
    return operators::Signature<F>::call(*op_, std::forward<A>(args)...);
  }

 private:
  const operators::Operator *op_;
};
class OperatorHandle {
 public:
  explicit OperatorHandle(const operators::Operator &op) : op_(&op) {}
  // F: the type of a function, Tensor(const Tensor &, double).
  template <class F>
  TypedOperatorHandle<F> typed() const {
    return TypedOperatorHandle<F>(*op_);
  }

 private:
  const operators::Operator *op_;
};
class Dispatcher {
 public:
  static Dispatcher &singleton() {
    static Dispatcher only;
    return only;
  }
  // RuntimeError where nothing has defined it.
  OperatorHandle findSchemaOrThrow(const char *name, const char *overload) const {
    return OperatorHandle(operators::find(name, overload));
  }
};

}  // namespace torch

#define TORCH_CONCATENATED_(a, b) a##b
#define TORCH_CONCATENATED(a, b) TORCH_CONCATENATED_(a, b)
#define TORCH_LIBRARY_BLOCK(kind, space, key, name, m)                                                            \
  static void name(::torch::Library &);                                                                           \
  static const ::torch::detail::RegisterLibrary TORCH_CONCATENATED(name, _registered)(                            \
      ::torch::Library::kind, &name, #space, key, __FILE__, __LINE__);                                            \
  void name(::torch::Library &m)
// Operators of a namespace: one block for each, and fragments that add to it.
#define TORCH_LIBRARY(space, m) TORCH_LIBRARY_BLOCK(DEF, space, "", TORCH_LIBRARY_init_##space, m)
#define TORCH_LIBRARY_FRAGMENT(space, m) \
  TORCH_LIBRARY_BLOCK(FRAGMENT, space, "", TORCH_CONCATENATED(TORCH_LIBRARY_FRAGMENT_##space##_, __COUNTER__), m)
// Kernels for a dispatch key.
#define TORCH_LIBRARY_IMPL(space, key, m)                                       \
  TORCH_LIBRARY_BLOCK(IMPL, space, toString(::torch::DispatchKey::key),         \
                      TORCH_CONCATENATED(TORCH_LIBRARY_IMPL_##space##_##key##_, __COUNTER__), m)

#define TORCH_FN(function) (&function)
#define TORCH_SELECTIVE_SCHEMA(schema) schema
#define TORCH_SELECTIVE_NAME(name) name
#define C10_LOG_API_USAGE_ONCE(name) static_assert(true)  // nothing is counted here

#include <torch/torch.h>  // which includes this
