// Entries of tensors by coordinates: which of them, and at what places.
#pragma once

#include "sparse.h"

namespace thpp::sparse {

inline Tensor number(int64_t n) { return wrapped_number(n); }
inline Tensor line_of(const Tensor &places, int64_t d) { return thpp::select(places, 0, d); }
inline int64_t product(IntList sizes) {
  int64_t all = 1;
  for (int64_t n : sizes) all = TH_saturatedProduct(all, n);
  return all;
}
inline std::vector<int64_t> joined(IntList a, IntList b) {
  std::vector<int64_t> all = list(a);
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// Lines of places in another order, or fewer of them.
Tensor lines(const Tensor &places, const std::vector<int64_t> &which);
// What a mask of entries says, as their numbers.
inline Tensor numbers_of(const Tensor &mask) { return thpp::view(thpp::nonzero(mask), {-1}); }
// Places as one number each, in the order of places; and back.
Tensor keys_of(const Tensor &places, IntList size);
Tensor places_of_keys(const Tensor &keys, IntList size);
// The entries whose numbers `which` has; at the places that they have, or others.
Tensor chosen(const Tensor &self, const Tensor &which);
Tensor chosen(const Tensor &self, const Tensor &which, const Tensor &places, IntList size);
// By coordinates of `sparse` dimensions: entries are split, or blocks made of them. None is left out for being 0.
Tensor regridded(const Tensor &self, int64_t sparse);
// What is done with a tensor by coordinates, done with one of any layout; the result is of that layout again, where it can be.
bool could_be_like(const Tensor &made, const Tensor &like);
inline Tensor back_to_layout(const Tensor &made, const Tensor &like) {
  return could_be_like(made, like) ? in_layout_of(made, like) : made;
}
// Of a batch of compressed matrices: what is done with the batch, done with each member, of whose dimensions it changes the
// first alone.
template <class F>
Tensor by_batch(const Tensor &self, const F &f) {
  const Tensor begins = thpp::contiguous(f(raw_indices(self)));
  const IntList matrix = self.sizes().subspan(size_t(batch_dims(self)));
  return compressed(self.layout(), begins, thpp::contiguous(f(raw_plain(self))),
                    thpp::contiguous(f(thpp::_values(self))),
                    joined(begins.sizes().first(size_t(begins.dim() - 1)), matrix));
}
template <class F>
Tensor by_coordinates(const Tensor &self, const F &f) {
  return is_coo(self) ? f(self) : back_to_layout(f(to_coo(self)), self);
}

}  // namespace thpp::sparse
