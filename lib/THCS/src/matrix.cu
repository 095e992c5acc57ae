#include "matrix.cuh"

namespace thcs {

Matrix::Matrix(const THSTensor *t, const OnDevice &on) : rows_{t->size[0], t->size[1], 0, nullptr, nullptr, nullptr} {
  requireBounds(t);
  const THSMembers &members = *THSTensor_members(t);
  if (t->layout == TH_SPARSE_CSR) {
    begins_ = contiguousAs(TH_Long, members.indices);
    places_ = contiguousAs(TH_Long, members.plain);
    rows_.entries = places_->numel;
    rows_.column = thc::elements<const int64_t>(places_);
  } else {
    places_ = contiguousAs(TH_Long, members.indices);
    const int64_t n = rows_.entries = places_->size[1], count = rows_.rows + 1;
    const int64_t *row = thc::elements<const int64_t>(places_);
    rows_.column = row + n;
    if (!members.coalesced) {
      sorted_ = std::make_unique<Sorted>(row, n, rows_.rows, on);
      row = sorted_->keys();
      rows_.order = sorted_->order();
    }
    begins_ = Ref(THTensor_newWithSizeOn(places_->storage->device, TH_Long, 1, &count));
    beginsOf(thc::elements<int64_t>(begins_), rows_.rows, row, n, on);
  }
  rows_.begin = thc::elements<const int64_t>(begins_);
}

}  // namespace thcs
