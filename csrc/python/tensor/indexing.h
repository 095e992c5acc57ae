// An index, while it is read and when it has been (indexing.cpp).
#pragma once

#include <vector>

#include "tensor_object.h"

namespace torch::python {

class Indexed {
 public:
  Indexed(const thpp::Tensor &self, PyObject *index);
  thpp::Tensor read() const;
  void write(const thpp::Tensor &value) const;

 private:
  void gather(int d, thpp::Tensor index, int dims);
  int apply_tensor(int d, const thpp::Tensor &index, int place);  // returns the next dimension

  thpp::Tensor view_;                  // what ints, slices, None and `...` leave of self
  std::vector<thpp::Tensor> indices_;  // into the view, from its first dimension; undefined: all of that dimension
  bool whole_ = false;                 // the view is self
  int covered_ = 0;                    // dimensions of the view that they stand for; a mask stands for several
};

}  // namespace torch::python
