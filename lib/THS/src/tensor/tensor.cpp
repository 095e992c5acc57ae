// Sparse tensors: how they are made of members, and what keeps these.
#include <algorithm>
#include <string>
#include <utility>

#include <THS/THSTensor.h>

#include "kit/messages.hpp"
#include "kit/tensor.hpp"

namespace th {
namespace {

void releaseMembers(void *, void *data) {
  auto *const members = static_cast<THSMembers *>(data);
  THTensor_free(members->indices);
  THTensor_free(members->plain);
  THTensor_free(members->values);
  TH_free(members, sizeof *members);
}

class StorageRef {
 public:
  explicit StorageRef(THStorage *storage) : storage_(storage) {}
  StorageRef(const StorageRef &) = delete;
  ~StorageRef() { THStorage_free(storage_); }
  operator THStorage *() const { return storage_; }

 private:
  THStorage *storage_;
};

THSTensor *newOver(THLayout layout, const THSMembers &members, int ndim, const int64_t *size) {
  auto *const kept = static_cast<THSMembers *>(TH_alloc(sizeof(THSMembers)));
  *kept = members;
  for (THTensor *member : {kept->indices, kept->plain, kept->values})
    if (member) THTensor_retain(member);
  const StorageRef storage(THStorage_newWithDataOn(kept->values->storage->device, kept, 0, releaseMembers, nullptr));
  Ref made(THTensor_newWithLayout(layout, dtypeOf(kept->values), storage, ndim, size));
  if (THSTensor_isChecking() && isHere(kept->values)) THSTensor_checkInvariants(made);
  return made.release();
}

void checkDevices(const char *what, const THTensor *indices, const THTensor *values) {
  const THDevice a = indices->storage->device, b = values->storage->device;
  if (a.kind != b.kind || a.index != b.index)
    THError(TH_ERROR_RUNTIME, "device of %s (%s:%d) must match device of values (%s:%d)", what,
            TH_deviceName(THDeviceKind(a.kind)), a.index, TH_deviceName(THDeviceKind(b.kind)), b.index);
}

bool isBlocked(THLayout layout) { return layout == TH_SPARSE_BSR || layout == TH_SPARSE_BSC; }
bool isByRows(THLayout layout) { return layout == TH_SPARSE_CSR || layout == TH_SPARSE_BSR; }

// As messages call a layout.
const char *layoutOf(const THTensor *t) {
  static constexpr const char *names[] = {"Strided", "Sparse", "SparseCsr", "SparseCsc", "SparseBsr", "SparseBsc"};
  return names[t->layout];
}

void requireSparse(const THTensor *self, const char *what) {
  if (self->layout == TH_STRIDED)
    THError(TH_ERROR_NOT_IMPLEMENTED,
            "Could not run 'aten::%s' with arguments from the 'CPU' backend: the tensor is strided", what);
}

// A member of a compressed tensor, by rows or by columns.
THTensor *newMember(const THTensor *self, bool byRows, const char *what, THTensor *THSMembers::*member) {
  if (self->layout == TH_STRIDED || self->layout == TH_SPARSE_COO || isByRows(THLayout(self->layout)) != byRows)
    THError(TH_ERROR_RUNTIME, "%s expected sparse %s compressed tensor layout but got %s", what,
            byRows ? "row" : "column", layoutOf(self));
  return THTensor_newWithTensor(THSTensor_members(self)->*member);
}

}  // namespace
}  // namespace th

using namespace th;

THSTensor *THSTensor_newWithTensorAndSize(THTensor *indices, THTensor *values, int ndim, const int64_t *size,
                                          bool coalesced) {
  if (indices->ndim != 2)
    THError(TH_ERROR_RUNTIME, "indices must be sparse_dim x nnz, but got: %s", shapeString(indices).c_str());
  if (dtypeOf(indices) != TH_Long)
    THError(TH_ERROR_RUNTIME, "indices must be an int64 tensor, but got: %s", TH_dtypeName(dtypeOf(indices)));
  checkDevices("indices", indices, values);
  const int64_t sparse = indices->size[0], dense = values->ndim - 1;
  if (values->ndim < 1 || values->size[0] != indices->size[1])
    THError(TH_ERROR_RUNTIME,
            "indices and values must have same nnz, but got nnz from indices: %lld, nnz from values: %lld",
            (long long)indices->size[1], (long long)(values->ndim ? values->size[0] : 1));
  if (ndim != sparse + dense)
    THError(TH_ERROR_RUNTIME, "number of dimensions must be sparse_dim (%lld) + dense_dim (%lld), but got %d",
            (long long)sparse, (long long)dense, ndim);
  TH_numel(ndim, size);
  if (!std::equal(size + sparse, size + ndim, values->size + 1))
    THError(TH_ERROR_RUNTIME, "values has incorrect size, expected the last dimensions of %s, got %s",
            shapeString(ndim, size).c_str(), shapeString(values).c_str());
  return newOver(
      TH_SPARSE_COO,
      {indices, nullptr, values, int8_t(sparse), int8_t(dense), coalesced || indices->size[1] < 2, false, {}}, ndim,
      size);
}

THSTensor *THSTensor_newCompressed(THLayout layout, THTensor *compressed, THTensor *plain, THTensor *values, int ndim,
                                   const int64_t *size) {
  const bool blocked = isBlocked(layout), byRows = isByRows(layout);
  const std::string name = TH_layoutName(layout);
  const char *const compressedName = byRows ? "crow_indices" : "ccol_indices";
  const char *const plainName = byRows ? "col_indices" : "row_indices";
  const auto fail = [&](const std::string &what) { THError(TH_ERROR_RUNTIME, "%s", what.c_str()); };
  const int batch = compressed->ndim - 1, dense = values->ndim - batch - 1 - (blocked ? 2 : 0);
  if (compressed->ndim < 1) fail(std::string(compressedName) + " must have dimensionality >= 1 but got 0");
  if (plain->ndim != compressed->ndim)
    fail(std::string(compressedName) + " and " + plainName + " dimensionalities must be equal but got " +
         std::to_string(compressed->ndim) + " and " + std::to_string(plain->ndim) + ", respectively");
  if (dense < 0)
    fail("values must have dimensionality > sum of batch and block dimensionalities (=" + std::to_string(batch) +
         " + " + (blocked ? "2" : "0") + ") but got " + std::to_string(values->ndim));
  if (ndim != batch + 2 + dense)
    fail("tensor dimensionality must be sum of batch, base, and dense dimensionalities (=" + std::to_string(batch) +
         " + 2 + " + std::to_string(dense) + ") but got " + std::to_string(ndim));
  TH_numel(ndim, size);
  if (dtypeOf(compressed) != dtypeOf(plain) || (dtypeOf(compressed) != TH_Long && dtypeOf(compressed) != TH_Int))
    fail(std::string(compressedName) + " and " + plainName +
         " must be int32 or int64, and of the same dtype, but got " + TH_dtypeName(dtypeOf(compressed)) + " and " +
         TH_dtypeName(dtypeOf(plain)));
  checkDevices(compressedName, compressed, values);
  checkDevices(plainName, plain, values);
  for (const THTensor *member : {compressed, plain, values})
    if (!std::equal(size, size + batch, member->size))
      fail("all batch dimensions of " + std::string(compressedName) + " (=" + shapeString(compressed).c_str() + "), " +
           plainName + " (=" + shapeString(plain).c_str() + "), values (=" + shapeString(values).c_str() +
           "), and tensor dimensions (=" + shapeString(ndim, size).c_str() + ") must be equal to one another");
  const int64_t entries = plain->size[batch];
  if (values->size[batch] != entries)
    fail("number of elements in " + std::string(plainName) + " (=" + std::to_string(entries) +
         ") and of values (=" + std::to_string(values->size[batch]) + ") must be the same");
  int64_t lines = size[batch + (byRows ? 0 : 1)];
  if (blocked)
    for (int d = 0; d < 2; d++) {
      const int64_t block = values->size[batch + 1 + d], whole = size[batch + d];
      if (block < 1 || whole % block)
        fail("tensor shape[" + std::to_string(batch + d) + "] (=" + std::to_string(whole) +
             ") must be divisible with blocksize[" + std::to_string(d) + "] (=" + std::to_string(block) +
             ") as defined by values shape");
      if ((d == 0) == byRows) lines = whole / block;
    }
  if (!std::equal(size + batch + 2, size + ndim, values->size + batch + 1 + (blocked ? 2 : 0)))
    fail("values has incorrect size for the dense dimensions of " + std::string(shapeString(ndim, size).c_str()) +
         ", got " + shapeString(values).c_str());
  if (compressed->size[batch] != lines + 1)
    fail(std::string(compressedName) + ".shape[-1] must be equal to the number of " + (byRows ? "rows" : "columns") +
         " + 1 (=" + std::to_string(lines + 1) + "), but got " + std::to_string(compressed->size[batch]));
  return newOver(layout, {compressed, plain, values, 2, int8_t(dense), true, false, {}}, ndim, size);
}

void THSTensor_set(THSTensor *self, const THSTensor *source) {
  if (self == source || self->storage == source->storage) return;
  // Whoever shares the storage shares the new members, unless they are of another shape.
  if (self->layout == source->layout && self->dtype == source->dtype && sameShape(self->ndim, self->size, source)) {
    THSMembers &mine = *THSTensor_members(self);
    THSMembers theirs = *THSTensor_members(source);
    for (THTensor *member : {theirs.indices, theirs.plain, theirs.values})
      if (member) THTensor_retain(member);
    std::swap(mine, theirs);
    for (THTensor *member : {theirs.indices, theirs.plain, theirs.values}) THTensor_free(member);
    return;
  }
  const uint32_t version = THTensor_version(self);
  const THSMembers &members = *THSTensor_members(source);
  const Ref fresh(newOver(THLayout(source->layout), members, source->ndim, source->size));
  *TH_versionOf(fresh) = version;
  THTensor_become(self, fresh);
}

void THSTensor_setCoalesced(THSTensor *self, bool coalesced) {
  THSTensor_checkCoordinates(self, "_coalesced_");
  bool &said = THSTensor_members(self)->coalesced;
  const bool before = std::exchange(said, coalesced);
  if (!THSTensor_isChecking()) return;
  try {
    THSTensor_checkInvariants(self);
  } catch (...) {
    said = before;
    throw;
  }
}

int64_t THSTensor_nnz(const THSTensor *self) {
  requireSparse(self, "_nnz");
  const THSMembers &members = *THSTensor_members(self);
  if (!members.plain) return members.indices->size[1];
  return members.plain->size[members.plain->ndim - 1];
}
int64_t THSTensor_nDimensionI(const THTensor *self) {
  return self->layout == TH_STRIDED ? 0 : THSTensor_members(self)->sparse_dim;
}
int64_t THSTensor_nDimensionV(const THTensor *self) {
  return self->layout == TH_STRIDED ? self->ndim : THSTensor_members(self)->dense_dim;
}
void THSTensor_checkCoordinates(const THTensor *self, const char *what) {
  if (self->layout != TH_SPARSE_COO)
    THError(TH_ERROR_RUNTIME, "%s expected sparse coordinate tensor layout but got %s", what, layoutOf(self));
}
bool THSTensor_isCoalesced(const THSTensor *self) {
  THSTensor_checkCoordinates(self, "is_coalesced");
  return THSTensor_members(self)->coalesced;
}

THTensor *THSTensor_newIndices(const THSTensor *self) {
  if (self->layout != TH_SPARSE_COO)
    THError(TH_ERROR_NOT_IMPLEMENTED,
            "Could not run 'aten::_indices' with arguments from the '%s' backend: there are no coordinates",
            self->layout == TH_STRIDED ? "CPU" : "SparseCsrCPU");
  return THTensor_newWithTensor(THSTensor_members(self)->indices);
}
THTensor *THSTensor_newCrowIndices(const THSTensor *self) {
  return newMember(self, true, "crow_indices", &THSMembers::indices);
}
THTensor *THSTensor_newColIndices(const THSTensor *self) {
  return newMember(self, true, "col_indices", &THSMembers::plain);
}
THTensor *THSTensor_newCcolIndices(const THSTensor *self) {
  return newMember(self, false, "ccol_indices", &THSMembers::indices);
}
THTensor *THSTensor_newRowIndices(const THSTensor *self) {
  return newMember(self, false, "row_indices", &THSMembers::plain);
}
THTensor *THSTensor_newValues(const THSTensor *self) {
  requireSparse(self, "_values");
  return THTensor_newWithTensor(THSTensor_members(self)->values);
}
