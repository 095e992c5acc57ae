// Reductions as MPI knows them. Its own are used where they give THD's bits: sums and products of IEEE numbers and of
// integers that wrap, order and bits of integers. Others, such as those of half types, or a minimum in which NaN wins,
// are THD's loops.
#include "engine.hpp"

namespace thd::mpi {
namespace {

constexpr int kKinds = ReduceOp::PremulSum + 1;
MPI_Datatype elements[TH_NUM_DTYPES];  // so many bytes each: MPI passes them to THD's loops
MPI_Op operations[kKinds];

template <ReduceOp::Kind kKind>
void apply(void *in, void *inout, int *count, MPI_Datatype *type) {
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype)
    if (elements[dtype] == *type) return reducer_of(THDtype(dtype), kKind)(inout, in, inout, size_t(*count));
}
constexpr MPI_User_function *kFunctions[kKinds] = {
    apply<ReduceOp::Sum>,  apply<ReduceOp::Sum>, apply<ReduceOp::Product>, apply<ReduceOp::Min>, apply<ReduceOp::Max>,
    apply<ReduceOp::Band>, apply<ReduceOp::Bor>, apply<ReduceOp::Bxor>,    apply<ReduceOp::Sum>};

// Signed ones where their order counts; else unsigned, which wrap around.
MPI_Datatype type_of(THDtype dtype, bool ordered) {
  switch (dtype) {
    case TH_Byte: return MPI_UINT8_T;
    case TH_Char: return ordered ? MPI_INT8_T : MPI_UINT8_T;
    case TH_Short: return ordered ? MPI_INT16_T : MPI_UINT16_T;
    case TH_UInt16: return MPI_UINT16_T;
    case TH_Int: return ordered ? MPI_INT32_T : MPI_UINT32_T;
    case TH_UInt32: return MPI_UINT32_T;
    case TH_Long: return ordered ? MPI_INT64_T : MPI_UINT64_T;
    case TH_UInt64: return MPI_UINT64_T;
    case TH_Float: return ordered ? MPI_DATATYPE_NULL : MPI_FLOAT;
    case TH_Double: return ordered ? MPI_DATATYPE_NULL : MPI_DOUBLE;
    default: return MPI_DATATYPE_NULL;
  }
}
MPI_Op op_of(ReduceOp::Kind op) {
  switch (op) {
    case ReduceOp::Sum:
    case ReduceOp::Avg:
    case ReduceOp::PremulSum: return MPI_SUM;
    case ReduceOp::Product: return MPI_PROD;
    case ReduceOp::Min: return MPI_MIN;
    case ReduceOp::Max: return MPI_MAX;
    case ReduceOp::Band: return MPI_BAND;
    case ReduceOp::Bor: return MPI_BOR;
    case ReduceOp::Bxor: return MPI_BXOR;
  }
  return MPI_OP_NULL;
}

}  // namespace

void make_reductions() {
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    check(MPI_Type_contiguous(int(TH_elementSize(THDtype(dtype))), MPI_BYTE, &elements[dtype]), "MPI_Type_contiguous");
    check(MPI_Type_commit(&elements[dtype]), "MPI_Type_commit");
  }
  for (int kind = 0; kind < kKinds; ++kind) {
    // The smaller of -0 and 0, or of two NaNs, is the first one: ranks that add up in different orders would differ.
    const bool any_order = kind != ReduceOp::Min && kind != ReduceOp::Max;
    check(MPI_Op_create(kFunctions[kind], any_order, &operations[kind]), "MPI_Op_create");
  }
}

Reduction reduction_of(THDtype dtype, ReduceOp::Kind op) {
  reducer_of(dtype, op);  // raises where there is none
  const MPI_Datatype own = type_of(dtype, op == ReduceOp::Min || op == ReduceOp::Max);
  if (own != MPI_DATATYPE_NULL) return {own, op_of(op)};
  return {elements[dtype], operations[op]};
}

}  // namespace thd::mpi
