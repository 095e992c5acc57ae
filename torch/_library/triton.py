"""Kernels in Triton's language. Calling one works as it is; what torch.compile does with them is not here."""


def triton_op(name, fn=None, /, *, mutates_args, schema=None):
    """An operator made of Triton kernels that torch.compile can see into. There is no such compiler here."""
    raise NotImplementedError(
        f"triton_op({name!r}): this torch does not look into Triton's kernels; torch.library.custom_op makes an operator of "
        "a function that launches them"
    )


def wrap_triton(triton_kernel, /):
    """A Triton kernel that torch.compile can see. There is no such compiler here."""
    raise NotImplementedError(
        f"wrap_triton({getattr(triton_kernel, '__name__', triton_kernel)!r}): this torch does not look into Triton's kernels; "
        "launch the kernel itself, kernel[grid](…)"
    )


capture_triton = wrap_triton  # its older name
