// Making tensors, for the functions written by hand.
#pragma once

#include "dispatch.h"

namespace thpp {

// A device that is not given is the CPU; an `out` must be on the one that is.

// `out` in this shape; made if it is undefined, of `dtype` or, without one, of dtype `otherwise`.
THTensor *shaped(Tensor &out, IntList size, std::optional<THDtype> dtype, THDtype otherwise,
                 std::optional<THDevice> device = {});
// `out` as it is, for kernels that give it its size once nothing can be refused any more; made if it is undefined.
THTensor *typed(Tensor &out, std::optional<THDtype> dtype, THDtype otherwise, std::optional<THDevice> device = {});
// Uninitialised.
Tensor empty_strided(THDtype dtype, IntList size, IntList stride, THDevice device = {});
// self's memory as elements of another dtype: `offset` and strides are in those. A view, so it counts writes with self.
Tensor reinterpreted(const Tensor &self, THDtype dtype, int64_t offset, IntList size, IntList stride);
// The elements of a tensor that has values, contiguous in the host's memory: itself or a copy. For what the host looks
// at or computes: a few numbers, indices.
Tensor on_host(const Tensor &t);

inline bool channels_last(MemoryFormat format) { return format >= MemoryFormat::ChannelsLast; }
// Of a tensor of this shape in a format that has its channels last.
std::vector<int64_t> format_strides(MemoryFormat format, IntList size);

}  // namespace thpp
