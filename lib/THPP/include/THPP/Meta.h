// What THTensor.meta points to: what a tensor is a view of, and, in a longer struct of libtorch, its gradient state.
//
// Every view remembers its base, whether or not anything is recorded: a later write of something recorded, through the
// view or through the base, concerns both. A view of a view has the same base.
#pragma once

#include <THPP/Tensor.h>

namespace thpp {

// Bits of THTensor.flags that TH leaves to THPP.
#define TH_VIEW 16      // meta has a base, and what is recorded of that concerns this tensor
#define TH_CUT_VIEW 32  // the same, but it was made where nothing was recorded: the base's history is not its own

// How a view was made, for the rules of writing into it.
enum class Creation : uint8_t { Plain, NoGrad, Inference, Several, Custom };

struct Meta {
  void (*release)(void *meta);  // THTensor_free calls it
  THTensor *base = nullptr;     // counted; nullptr: no view
  Creation creation = Creation::Plain;
  uint32_t made_at = 0;  // of a view: its version when it was made, or when what is recorded of it was last looked up
};

// A tensor's flags, with TH_RECORDED if its base is: the memory that it sees was written by something recorded since it was
// made, or belongs to a leaf that has asked for its gradient since.
inline uint8_t guard_flags(const THTensor *t) {
  const uint8_t flags = t->flags;
  return flags & TH_VIEW ? flags | (static_cast<const Meta *>(t->meta)->base->flags & TH_RECORDED) : flags;
}
inline uint8_t guard_flags(const Tensor &t) { return guard_flags(t.get()); }

// Whether a tensor is a view that was made where nothing was recorded, of a base that is: reading it is nothing special, but
// it must not be written where things are recorded.
inline bool aliases_recorded(const THTensor *t) {
  return (t->flags & TH_CUT_VIEW) && (static_cast<const Meta *>(t->meta)->base->flags & TH_RECORDED);
}

// Notes that `view` is a view of `of`, unless it is `of` itself, has memory of its own, or knows its base already.
THPP_API void link_view(const Tensor &view, const Tensor &of);
// The results of one call; writing into such views is restricted (Creation::Several).
THPP_API void link_view(const std::vector<Tensor> &views, const Tensor &of);

// Of new results that are views of tensors which nobody else knows: they are no views for anybody, and what is recorded of
// them is their own.
THPP_API void forget_base(TensorList results);
// Of results that share memory with an argument, and are to be treated as if they did not (unsafe_split).
THPP_API void forget_any_base(TensorList results);

}  // namespace thpp
