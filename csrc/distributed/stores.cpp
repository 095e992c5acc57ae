// Stores. A value is bytes; a str is taken for its UTF-8.
#include "bind.h"

namespace torch::distributed {
namespace {

using thd::Bytes;
using thd::Keys;
using thd::Milliseconds;
using thd::Store;
using thd::StoreRef;

std::vector<py::bytes> as_bytes(const std::vector<Bytes> &values) { return {values.begin(), values.end()}; }

// A store whose functions a class of Python defines.
class PythonStore : public Store {
 public:
  using Store::Store;
  using Store::wait;
  void set(const std::string &key, const Bytes &value) override { call("set", key, Raw{value}); }
  Bytes get(const std::string &key) override { return call("get", key).cast<Bytes>(); }
  int64_t add(const std::string &key, int64_t amount) override { return call("add", key, amount).cast<int64_t>(); }
  Bytes compare_set(const std::string &key, const Bytes &expected, const Bytes &desired) override {
    return call("compare_set", key, Raw{expected}, Raw{desired}).cast<Bytes>();
  }
  bool delete_key(const std::string &key) override { return call("delete_key", key).cast<bool>(); }
  bool check(const Keys &keys) override { return call("check", keys).cast<bool>(); }
  int64_t num_keys() override { return call("num_keys").cast<int64_t>(); }
  Keys list_keys() override { return call("list_keys").cast<Keys>(); }
  void append(const std::string &key, const Bytes &value) override { call("append", key, Raw{value}); }
  void multi_set(const Keys &keys, const std::vector<Bytes> &values) override {
    for (size_t i = 0; i < keys.size(); ++i) set(keys[i], values.at(i));
  }
  void wait(const Keys &keys, Milliseconds timeout) override { call("wait", keys, timeout); }
  void queue_push(const std::string &key, const Bytes &value) override { call("queue_push", key, Raw{value}); }
  Bytes queue_pop(const std::string &key, bool block) override { return call("queue_pop", key, block).cast<Bytes>(); }
  int64_t queue_len(const std::string &key) override { return call("queue_len", key).cast<int64_t>(); }
  StoreRef clone() override { return shared_from_this(); }

 private:
  // Under the interpreter's lock; what is returned is let go of under it, too.
  struct Answer {
    py::object value;
    ~Answer() {
      const py::gil_scoped_acquire lock;
      value = py::object();
    }
    template <class T>
    T cast() const {
      const py::gil_scoped_acquire lock;
      return value.cast<T>();
    }
  };
  // A value, which becomes an object under the lock.
  struct Raw {
    const Bytes &bytes;
  };
  static py::bytes object(const Raw &value) { return py::bytes(value.bytes); }
  template <class T>
  static const T &object(const T &value) {
    return value;
  }
  template <class... Args>
  Answer call(const char *name, const Args &...args) {
    const py::gil_scoped_acquire lock;
    const py::function function = py::get_override(static_cast<const Store *>(this), name);
    if (!function) throw thd::Error(thd::ErrorKind::Runtime, std::string("this store's class does not define ") + name);
    return {function(object(args)...)};
  }
};

// THD's own stores have no types of their own: Python's do.
template <int kKind>
class Own : public Store {
 public:
  explicit Own(StoreRef store) : store(std::move(store)) {}
  using Store::wait;
  void set(const std::string &key, const Bytes &value) override { store->set(key, value); }
  Bytes get(const std::string &key) override { return store->get(key); }
  int64_t add(const std::string &key, int64_t amount) override { return store->add(key, amount); }
  Bytes compare_set(const std::string &key, const Bytes &expected, const Bytes &desired) override {
    return store->compare_set(key, expected, desired);
  }
  bool delete_key(const std::string &key) override { return store->delete_key(key); }
  bool check(const Keys &keys) override { return store->check(keys); }
  int64_t num_keys() override { return store->num_keys(); }
  Keys list_keys() override { return store->list_keys(); }
  void append(const std::string &key, const Bytes &value) override { store->append(key, value); }
  void multi_set(const Keys &keys, const std::vector<Bytes> &values) override { store->multi_set(keys, values); }
  std::vector<Bytes> multi_get(const Keys &keys) override { return store->multi_get(keys); }
  void wait(const Keys &keys, Milliseconds timeout) override { store->wait(keys, timeout); }
  void queue_push(const std::string &key, const Bytes &value) override { store->queue_push(key, value); }
  Bytes queue_pop(const std::string &key, bool block) override { return store->queue_pop(key, block); }
  int64_t queue_len(const std::string &key) override { return store->queue_len(key); }
  StoreRef clone() override { return std::make_shared<Own>(store->clone()); }
  StoreRef hasty(Milliseconds timeout) override { return store->hasty(timeout); }
  void set_timeout(Milliseconds timeout) override { store->set_timeout(timeout); }
  Milliseconds timeout() const override { return store->timeout(); }

  const StoreRef store;
};
enum { kHash, kFile, kTCP, kPrefix };

template <int kKind>
auto bind_own(py::module_ &module, const char *name, const char *doc) {
  return py::class_<Own<kKind>, Store, std::shared_ptr<Own<kKind>>>(module, name, doc);
}

}  // namespace

void bind_stores(py::module_ &module) {
  py::class_<Store, PythonStore, StoreRef>(module, "Store", "Keys and values that processes share.")
      .def(py::init<>())
      .def("set", &Store::set, py::arg("key"), py::arg("value"), Unlocked())
      .def(
          "get",
          [](Store &self, const std::string &key) {
            const Bytes value = [&] {
              const py::gil_scoped_release unlocked;
              return self.get(key);
            }();
            return py::bytes(value);
          },
          py::arg("key"))
      .def("add", &Store::add, py::arg("key"), py::arg("amount"), Unlocked())
      .def(
          "compare_set",
          [](Store &self, const std::string &key, const Bytes &expected, const Bytes &desired) {
            const Bytes value = [&] {
              const py::gil_scoped_release unlocked;
              return self.compare_set(key, expected, desired);
            }();
            return py::bytes(value);
          },
          py::arg("key"), py::arg("expected_value"), py::arg("desired_value"))
      .def("delete_key", &Store::delete_key, py::arg("key"), Unlocked())
      .def("check", &Store::check, py::arg("keys"), Unlocked())
      .def("num_keys", &Store::num_keys, Unlocked())
      .def("list_keys", &Store::list_keys, Unlocked())
      .def("append", &Store::append, py::arg("key"), py::arg("value"), Unlocked())
      .def("multi_set", &Store::multi_set, py::arg("keys"), py::arg("values"), Unlocked())
      .def(
          "multi_get",
          [](Store &self, const Keys &keys) {
            const std::vector<Bytes> values = [&] {
              const py::gil_scoped_release unlocked;
              return self.multi_get(keys);
            }();
            return as_bytes(values);
          },
          py::arg("keys"))
      .def(
          "wait", [](Store &self, const Keys &keys) { self.wait(keys); }, py::arg("keys"), Unlocked())
      .def(
          "wait", [](Store &self, const Keys &keys, Milliseconds timeout) { self.wait(keys, timeout); },
          py::arg("keys"), py::arg("timeout"), Unlocked())
      .def("queue_push", &Store::queue_push, py::arg("key"), py::arg("value"), Unlocked())
      .def(
          "queue_pop",
          [](Store &self, const std::string &key, bool block) {
            const Bytes value = [&] {
              const py::gil_scoped_release unlocked;
              return self.queue_pop(key, block);
            }();
            return py::bytes(value);
          },
          py::arg("key"), py::arg("block") = true)
      .def("queue_len", &Store::queue_len, py::arg("key"), Unlocked())
      .def("clone", &Store::clone, Unlocked())
      .def("set_timeout", &Store::set_timeout, py::arg("timeout"), Unlocked())
      .def_property_readonly("timeout", &Store::timeout)
      .def("has_extended_api", [](const Store &) { return true; });

  bind_own<kHash>(module, "HashStore", "A store of the threads of one process.").def(py::init([] {
    return std::make_shared<Own<kHash>>(thd::hash_store());
  }));
  bind_own<kFile>(module, "FileStore", "A store in a file that all processes can open.")
      .def(py::init([](const std::string &path, int world_size) {
             return std::make_shared<Own<kFile>>(thd::file_store(path, world_size));
           }),
           py::arg("file_name"), py::arg("world_size") = -1, Unlocked());
  bind_own<kPrefix>(module, "PrefixStore", "The keys of another store that begin with a prefix.")
      .def(py::init([](const std::string &prefix, const StoreRef &store) {
             return std::make_shared<Own<kPrefix>>(thd::prefix_store(prefix, store));
           }),
           py::arg("prefix"), py::arg("store"))
      .def_property_readonly("underlying_store",
                             [](const Own<kPrefix> &self) { return thd::underlying_store(self.store); })
      .def_property_readonly("prefix", [](const Own<kPrefix> &self) { return thd::prefix_of(self.store); })
      .def_property_readonly("_underlying_non_prefix_store", [](const Own<kPrefix> &self) {
        StoreRef store = thd::underlying_store(self.store);
        while (const auto *prefixed = dynamic_cast<const Own<kPrefix> *>(store.get()))
          store = thd::underlying_store(prefixed->store);
        return store;
      });
  bind_own<kTCP>(module, "TCPStore", "A store that one process serves, at an address, for all others.")
      .def(py::init([](const std::string &host, uint16_t port, std::optional<int> world_size, bool is_master,
                       Milliseconds timeout, bool wait_for_workers, bool multi_tenant, std::optional<int> listen_fd,
                       bool) {
             thd::TCPStoreOptions options;
             options.host = host;
             options.port = port;
             options.is_master = is_master;
             options.world_size = world_size.value_or(-1);
             options.wait_for_workers = wait_for_workers;
             options.multi_tenant = multi_tenant;
             options.listen_fd = listen_fd.value_or(-1);
             options.timeout = timeout;
             return std::make_shared<Own<kTCP>>(thd::tcp_store(options));
           }),
           py::arg("host_name"), py::arg("port"), py::arg("world_size") = py::none(), py::arg("is_master") = false,
           py::arg("timeout") = Milliseconds(thd::kStoreTimeout), py::arg("wait_for_workers") = true,
           py::arg("multi_tenant") = false, py::arg("master_listen_fd") = py::none(), py::arg("use_libuv") = true,
           Unlocked())
      .def_property_readonly("host", [](const Own<kTCP> &self) { return thd::tcp_store_host(self.store); })
      .def_property_readonly("port", [](const Own<kTCP> &self) { return thd::tcp_store_port(self.store); })
      .def_property_readonly("libuvBackend", [](const Own<kTCP> &) { return false; });
}

}  // namespace torch::distributed
