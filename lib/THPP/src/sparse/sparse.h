// What operators of sparse tensors share. A function here that has the name of an operator is what that is of sparse tensors
// (the key `sparse`); all are made of guarded operators, so that what they do is recorded.
#pragma once

#include <THS/THS.h>

#include "kit/results.h"
#include "kit/sparse_rows.h"
#include "sparse_bodies.h"

namespace thpp::sparse {

inline bool is_sparse(const Tensor &t) { return t.defined() && t.layout() != TH_STRIDED; }
inline bool is_coo(const Tensor &t) { return t.defined() && t.layout() == TH_SPARSE_COO; }
inline bool is_compressed(const Tensor &t) { return is_sparse(t) && !is_coo(t); }
inline bool is_blocked(THLayout layout) { return layout == TH_SPARSE_BSR || layout == TH_SPARSE_BSC; }
inline bool is_by_rows(THLayout layout) { return layout == TH_SPARSE_CSR || layout == TH_SPARSE_BSR; }
inline const char *name_of(THLayout layout) { return TH_layoutName(layout); }
// A number that stands for a compressed layout.
inline THLayout compressed_layout(int64_t number) {
  if (number < TH_SPARSE_CSR || number > TH_SPARSE_BSC)
    THError(TH_ERROR_VALUE, "a compressed layout's number is %d to %d, got %lld", TH_SPARSE_CSR, TH_SPARSE_BSC,
            (long long)number);
  return THLayout(number);
}

// Members as they are: what is done with them is not recorded as done with the tensor. Indices lead nowhere else than into the
// tensor: RuntimeError if they do.
inline Tensor member(THTensor *of) { return Tensor::retain(of); }
inline Tensor raw_indices(const Tensor &t) {
  THSTensor_checkBounds(t.get());
  return member(THSTensor_members(t.get())->indices);
}
inline Tensor raw_plain(const Tensor &t) {
  THSTensor_checkBounds(t.get());
  return member(THSTensor_members(t.get())->plain);
}
inline Tensor raw_values(const Tensor &t) { return member(THSTensor_members(t.get())->values); }
inline int sparse_dims(const Tensor &t) { return THSTensor_members(t.get())->sparse_dim; }
inline int dense_dims(const Tensor &t) { return THSTensor_members(t.get())->dense_dim; }
// The same of a strided one: none.
inline int dense_dims_of(const Tensor &t) { return is_sparse(t) ? dense_dims(t) : 0; }
inline bool coalesced(const Tensor &t) { return THSTensor_members(t.get())->coalesced; }
inline int64_t nnz(const Tensor &t) {
  return raw_values(t).size(is_coo(t) ? 0 : THSTensor_members(t.get())->indices->ndim - 1);
}
// Of a compressed tensor: dimensions of its batch, and the sizes of its blocks (1, 1 where there are none).
inline int batch_dims(const Tensor &t) { return raw_indices(t).dim() - 1; }
inline std::pair<int64_t, int64_t> block_of(const Tensor &t) {
  if (!is_blocked(t.layout())) return {1, 1};
  const Tensor values = raw_values(t);
  return {values.size(batch_dims(t) + 1), values.size(batch_dims(t) + 2)};
}

inline Tensor coo(const Tensor &indices, const Tensor &values, IntList size, bool coalesced) {
  return thpp::_sparse_coo_tensor_unsafe(indices, values, size, coalesced);
}
inline Tensor compressed(THLayout layout, const Tensor &indices, const Tensor &plain, const Tensor &values,
                         IntList size) {
  return thpp::_sparse_compressed_tensor_unsafe(indices, plain, values, size, layout);
}

// Without entries.
Tensor empty_coo(IntList size, int sparse_dims, THDtype dtype, THDevice device);
Tensor empty_compressed(THLayout layout, IntList size, int dense_dims, IntList block, THDtype dtype, THDevice device);

// By coordinates, whatever layout it has; the same order of values, but for blocks, whose elements are entries then.
Tensor to_coo(const Tensor &t);
// By coordinates and coalesced.
inline Tensor to_coalesced(const Tensor &t) { return thpp::coalesce(is_coo(t) ? t : to_coo(t)); }
// In the layout of `like`, blocks of its size; strided: dense.
Tensor in_layout_of(const Tensor &t, const Tensor &like);

Scalar negated(const Scalar &x);

// Values as they take part in promotion beside a strided tensor of no dimensions: where the sparse one has none either, alike.
Tensor values_beside(const Tensor &self, const Tensor &number);

// "SparseCPU", as messages have it.
const char *backend_name(const Tensor &t);
[[noreturn]] void refuse(const char *operation, const Tensor &t);

}  // namespace thpp::sparse
