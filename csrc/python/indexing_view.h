// The two halves of an index while it is read (indexing.cpp): a view, and index tensors over it.
#pragma once

#include <string>
#include <vector>

#include "tensor_object.h"

namespace torch::python {

// A view of a tensor whose geometry is still being changed.
class View {
 public:
  explicit View(const thpp::Tensor &t);
  View(const View &other);  // copies no more than ndim entries
  int ndim() const { return ndim_; }
  int64_t size(int d) const { return size_[d]; }
  void select(int d, int64_t index, int place);  // place: what a message calls the dimension
  void slice(int d, PyObject *slice);
  void unsqueeze(int d);
  thpp::Tensor tensor() const;
  std::string shape_text() const;

 private:
  const thpp::Tensor &base_;
  int ndim_;
  int64_t offset_;
  int64_t size_[TH_MAX_DIM], stride_[TH_MAX_DIM];
};

class Indexed {
 public:
  Indexed(const thpp::Tensor &self, PyObject *index);
  explicit Indexed(const View &plain) : view(plain) {}
  thpp::Tensor read();
  void fill(THScalar value);
  void write(const thpp::Tensor &value);

 private:
  bool gathered() const { return !indices_.empty(); }
  std::vector<const THTensor *> handles() const;
  void gather(int d, thpp::Tensor index);
  void gather_mask(int d, const thpp::Tensor &mask);
  void split_only_mask();
  int apply_tensor(int d, const thpp::Tensor &index, int place);  // returns the next dimension
  void put(const thpp::Tensor &target, const thpp::Tensor &value);

  View view;
  std::vector<thpp::Tensor> indices_;  // undefined: all of that dimension
  thpp::Tensor only_mask_;  // set while the whole index is one mask at dimension 0
};

}  // namespace torch::python
