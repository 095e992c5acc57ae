"""What the functions of 2017 did to gradients of expanded arguments."""


def maybe_view(tensor, size, check_same_size=True):
    """The tensor in a shape, itself where it has that."""
    return tensor if check_same_size and tensor.size() == size else tensor.contiguous().view(size)


def maybe_unexpand(tensor, old_size, check_same_size=True):
    """Sums over the dimensions that expanding `old_size` has made."""
    return tensor if check_same_size and tensor.size() == old_size else tensor.sum_to_size(old_size)


def maybe_unexpand_or_view(tensor, old_size):
    """The sum where `old_size` expands to the tensor's size, else a view."""
    expands = len(old_size) <= tensor.dim() and all(a in (1, b) for a, b in zip(old_size[::-1], tensor.size()[::-1]))
    return maybe_unexpand(tensor, old_size) if expands else maybe_view(tensor, old_size)


def prepare_onnx_paddings(dim, pad):
    """(begin of each dimension, end of each dimension), of pairs from the last dimension on."""
    pairs = [*zip(pad[0::2], pad[1::2]), *[(0, 0)] * (dim - len(pad) // 2)][::-1]
    if len(pairs) != dim:
        raise ValueError(f"{len(pad)} paddings for {dim} dimensions")
    return [begin for begin, _ in pairs] + [end for _, end in pairs]


def check_onnx_broadcast(dims1, dims2):
    """Whether two sizes differ. ValueError where old ONNX has no broadcast for them: the second is one element, or the last
    sizes of the first."""
    count = 1
    for size in dims2:
        count *= size
    differ = list(dims1) != list(dims2)
    fits = count == 1 or (len(dims1) > len(dims2) and list(dims1[len(dims1) - len(dims2) :]) == list(dims2))
    if differ and not fits:
        raise ValueError(f"Numpy style broadcasting is not supported in ONNX. Input dims are: {dims1}, {dims2}")
    return differ
