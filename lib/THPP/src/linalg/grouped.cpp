// Products of groups of matrices that lie beside one another, as mixtures of experts have them.
#include "results.h"

#include <utility>

#include "bodies.h"

namespace thpp {

namespace {

// [begin, end) of each group along a dimension of `size` steps, of where the groups end.
std::vector<std::pair<int64_t, int64_t>> groups_of(const Tensor &offs, int64_t size) {
  const Tensor here = on_host(thpp::to(offs, TH_Long));
  const int64_t *const end = here.data<int64_t>();
  std::vector<std::pair<int64_t, int64_t>> groups;
  int64_t begin = 0;
  for (int64_t i = 0; i < here.numel(); ++i) {
    if (end[i] < begin || end[i] > size)
      THError(
          TH_ERROR_RUNTIME,
          "grouped_mm(): offsets must rise and stay within the %lld steps that they divide, but offset %lld is %lld "
          "after %lld",
          (long long)size, (long long)i, (long long)end[i], (long long)begin);
    groups.emplace_back(begin, end[i]);
    begin = end[i];
  }
  return groups;
}

}  // namespace

// A matrix of two dimensions is divided along the dimension that the other's batch, or both of them, leave to be divided:
// rows of the first, columns of the second, or what is summed over.
Tensor body::_grouped_mm(const Tensor &self, const Tensor &mat2, const Tensor &offs, const Tensor &bias,
                         std::optional<THDtype> out_dtype) {
  const THDtype dtype = self.dtype();
  if (dtype != TH_Float && dtype != TH_BFloat16 && dtype != TH_Half)
    THError(TH_ERROR_RUNTIME, "Expected mat_a to be Float32, BFloat16 or Float16 matrix, got %s", TH_typeName(dtype));
  THCheck_factorDtypes(self.get(), mat2.get());
  const bool batch = self.dim() == 3, batch2 = mat2.dim() == 3;
  if (!batch && self.dim() != 2)
    THError(TH_ERROR_RUNTIME, "mat_a has to be 2 or 3d, but is %s", shape_text(self).c_str());
  if (!batch2 && mat2.dim() != 2)
    THError(TH_ERROR_RUNTIME, "mat_b has to be 2 or 3d, but is %s", shape_text(mat2).c_str());
  if (self.size(-1) != mat2.size(-2))
    THError(TH_ERROR_RUNTIME, "contraction dimension of mat_a and mat_b must match, but they are %s and %s",
            shape_text(self).c_str(), shape_text(mat2).c_str());
  if (bias.defined()) THError(TH_ERROR_RUNTIME, "Bias not supported yet: add it to grouped_mm's result");
  if (out_dtype && *out_dtype != dtype)
    THError(TH_ERROR_RUNTIME, "Grouped gemm output dtype must match `mat_a` dtype: %s and %s", TH_dtypeName(*out_dtype),
            TH_dtypeName(dtype));
  if (offs.defined() == (batch && batch2))
    THError(TH_ERROR_RUNTIME, "Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d");
  if (offs.defined() && offs.dim() != 1)
    THError(TH_ERROR_RUNTIME, "offs has to be 1D, but is %s", shape_text(offs).c_str());
  if (offs.defined() && offs.dtype() != TH_Int)
    THError(TH_ERROR_RUNTIME, "Offsets have to be int32, but are %s", TH_dtypeName(offs.dtype()));
  if (batch && batch2) {
    if (self.size(0) != mat2.size(0))
      THError(TH_ERROR_RUNTIME, "batched dimension has to match, but they are %s and %s", shape_text(self).c_str(),
              shape_text(mat2).c_str());
    return thpp::bmm(self, mat2);
  }
  const int64_t count = offs.size(0), rows = self.size(-2), columns = mat2.size(-1);
  if ((batch && self.size(0) != count) || (batch2 && mat2.size(0) != count))
    THError(TH_ERROR_RUNTIME, "matrix batch sizes have to match: %s, %s and %lld offsets", shape_text(self).c_str(),
            shape_text(mat2).c_str(), (long long)count);

  const bool summed = !batch && !batch2;
  const std::vector<int64_t> size = summed ? std::vector{count, rows, columns} : std::vector{rows, columns};
  const Tensor result = thpp::zeros(size, dtype, self.device());
  if (!has_values(offs)) return result;
  const auto groups = groups_of(offs, batch2 ? rows : batch ? columns : self.size(1));
  for (int64_t g = 0; g < count; ++g) {
    const auto [begin, end] = groups[size_t(g)];
    const auto part = [&](const Tensor &t, int dim) { return thpp::narrow(t, dim, begin, end - begin); };
    const Tensor left = batch ? thpp::select(self, 0, g) : part(self, batch2 ? 0 : 1);
    const Tensor right = batch2 ? thpp::select(mat2, 0, g) : part(mat2, batch ? 1 : 0);
    const Tensor to = summed ? thpp::select(result, 0, g) : part(result, batch2 ? 0 : 1);
    thpp::addmm_(to, left, right, 0, 1);
  }
  return result;
}

}  // namespace thpp
