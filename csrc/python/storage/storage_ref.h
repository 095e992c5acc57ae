// An owned reference to a storage.
#pragma once

#include <TH/THStorage.h>

namespace torch::python {

class StorageRef {
 public:
  explicit StorageRef(THStorage *owned) : storage_(owned) {}
  StorageRef(const StorageRef &) = delete;
  ~StorageRef() { THStorage_free(storage_); }
  THStorage *get() const { return storage_; }

 private:
  THStorage *storage_;
};

}  // namespace torch::python
