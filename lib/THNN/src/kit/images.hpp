// Images and volumes whose channels lie innermost, as users have them who say channels_last.
#pragma once

#include <algorithm>

#include "module.hpp"

namespace thnn {

// Of (batch, channels, …) over n dimensions.
bool areChannelsLast(const THTensor *t, int n);

// A result that has its shape, (batch, channels, …), is to lie so, unless it has that shape already.
void setChannelsLast(THResult &result);

// (batch, channels, …) as (batch, …, channels).
inline Ref withChannelsLast(const THTensor *t) {
  Ref view(THTensor_newWithTensor(const_cast<THTensor *>(t)));
  std::rotate(view->size + 1, view->size + 2, view->size + view->ndim);
  std::rotate(view->stride + 1, view->stride + 2, view->stride + view->ndim);
  return view;
}

}  // namespace thnn
