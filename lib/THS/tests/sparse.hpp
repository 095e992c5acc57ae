// Sparse tensors for tests, and dense ones of them by plain loops.
#pragma once

#include <THS/THS.h>

#include "../../TH/tests/tensors.hpp"

namespace test {

// n entries with places that look random, some of them several times; with `dense` further sizes.
inline Tensor sparse(THDtype dtype, const Shape &size, int64_t n, const Shape &dense = {}, uint64_t seed = 1) {
  const int64_t ndim = int64_t(size.size());
  const Tensor indices = make(TH_Long, {ndim, n}, [&](int64_t i) {
    return std::floor(noise(i, seed + 7) * double(size[size_t(i / std::max<int64_t>(n, 1))]));
  });
  Shape shape{n}, whole = size;
  shape.insert(shape.end(), dense.begin(), dense.end());
  whole.insert(whole.end(), dense.begin(), dense.end());
  const Tensor values = random(dtype, shape, seed);
  return Tensor(THSTensor_newWithTensorAndSize(indices, values, int(whole.size()), whole.data(), false));
}

inline Tensor coo(const Tensor &indices, const Tensor &values, const THTensor *like, bool coalesced) {
  return Tensor(THSTensor_newWithTensorAndSize(indices, values, like->ndim, like->size, coalesced));
}

// Element by element, in double.
inline std::vector<double> dense(const THSTensor *t) {
  const THSMembers &members = *THSTensor_members(t);
  const int64_t n = THSTensor_nnz(t), block = members.values->numel / std::max<int64_t>(n, 1);
  std::vector<double> result(static_cast<size_t>(t->numel));
  for (int64_t i = 0; i < n; i++) {
    int64_t place = 0;
    for (int d = 0; d < members.sparse_dim; d++) place = place * t->size[d] + int64_t(get(members.indices, d * n + i));
    for (int64_t k = 0; k < block; k++) {
      double &sum = result[size_t(place * block + k)];
      const double more = get(members.values, i * block + k);
      sum = t->dtype == TH_Bool ? double(sum || more) : sum + more;
    }
  }
  return result;
}

// A CSR matrix of a coalesced one by coordinates.
inline Tensor csr(const THSTensor *t, THDtype indexDtype = TH_Long) {
  const Tensor indices(THSTensor_newIndices(t)), values(THSTensor_newValues(t));
  const Tensor rows(THTensor_newSelect(indices, 0, 0)), columns(THTensor_newSelect(indices, 0, 1));
  const Tensor line(THTensor_newContiguous(rows));
  Tensor begins(TH_Long);
  THSTensor_compress(begins, line, t->size[0]);
  const Tensor a(indexDtype, shapeOf(begins)), b(indexDtype, shapeOf(columns));
  THTensor_copy(a, begins);
  THTensor_copy(b, columns);
  return Tensor(THSTensor_newCompressed(TH_SPARSE_CSR, a, b, values, t->ndim, t->size));
}

inline Tensor coalesced(const THSTensor *t) {
  Tensor indices(TH_Long), values{THDtype(t->dtype)};
  switch (t->dtype) {
#define CASE(Name, ...) \
  case TH_##Name: THS##Name##Tensor_coalesce(indices, values, t); break;
    TH_FOR_all_complex(CASE, )
#undef CASE
  }
  return coo(indices, values, t, true);
}

inline void expectNear(const std::vector<double> &found, const std::vector<double> &expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); i++)
    ASSERT_NEAR(found[i], expected[i], tolerance * (1 + std::fabs(expected[i]))) << "element " << i;
}

}  // namespace test
