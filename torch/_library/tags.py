"""torch.Tag: what an operator's author says of it, for compilers."""

import enum

Tag = enum.Enum(
    "Tag",
    "core cudagraph_unsafe data_dependent_output dynamic_output_shape flexible_layout generated inplace inplace_view "
    "maybe_aliasing_or_mutating needs_contiguous_strides needs_exact_strides needs_fixed_stride_order "
    "nondeterministic_bitwise nondeterministic_seeded out out_variant pointwise pt2_compliant_tag reduction view_copy",
    module="torch",
    start=0,
)
Tag.__doc__ = "What an operator's author says of it, for compilers. Nothing here reads it."
