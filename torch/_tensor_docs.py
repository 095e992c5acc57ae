"""Documentation of what is bound by hand in C++; that of declared operators is generated, torch/_torch_docs.py."""

import re

import torch
from torch._C import _add_docstr

_CONVERSIONS = {
    "bfloat16": "bfloat16",
    "bool": "bool, which is True for every element that is not 0",
    "byte": "uint8",
    "cdouble": "complex128",
    "cfloat": "complex64",
    "chalf": "complex32",
    "char": "int8",
    "double": "float64",
    "float": "float32",
    "half": "float16",
    "int": "int32",
    "long": "int64",
    "short": "int16",
}

_METHODS = {
    "apply_": """apply_(callable) -> Tensor

Replaces each element by callable(element), in place, in the order of the dimensions. `callable` gets and gives
Python numbers; what it raises is raised, with the elements before already replaced. Slow: for what no operator does.
""",
    "as_subclass": """as_subclass(cls) -> Tensor

The same elements as a tensor of the type `cls`, which must derive from Tensor: TypeError otherwise.
""",
    "backward": """backward(gradient=None, retain_graph=None, create_graph=False, inputs=None) -> None

Adds the gradients of this tensor to the `.grad` of the leaves that it was computed from. `gradient`: that of the tensor
itself, of its shape; it may be missing for one number. The rest as in torch.autograd.backward. RuntimeError if the tensor
requires no gradient, or if the graph's saved tensors were freed or written.
""",
    "cpu": """cpu(*, memory_format=None) -> Tensor

The tensor on the CPU: itself, if it is there.
""",
    "cuda": """cuda(device=None, non_blocking=False, *, memory_format=None) -> Tensor

The tensor on a GPU, by default the current one. AssertionError in a build without CUDA.
""",
    "data_ptr": """data_ptr() -> int

The address of the first element; 0 for a tensor without elements. On the device meta a storage begins at 0.
""",
    "dim": """dim() -> int

The number of dimensions; 0 for a single number.
""",
    "element_size": """element_size() -> int

Bytes of one element: 4 for float32.
""",
    "get_device": """get_device() -> int

The index of the device that the tensor is on; -1 for the CPU and the device meta.
""",
    "is_complex": """is_complex() -> bool

Whether the dtype is one of complex numbers.
""",
    "is_contiguous": """is_contiguous(*, memory_format=torch.contiguous_format) -> bool

Whether the elements lie in memory without gaps, in the order of the dimensions, the last one fastest; with
torch.channels_last or torch.channels_last_3d dimension 1 fastest, then the others. False for tensors that do not have
the format's number of dimensions.
""",
    "is_floating_point": """is_floating_point() -> bool

Whether the dtype is one of floating-point numbers: float16, bfloat16, float32, float64, or one of float8.
""",
    "is_nonzero": """is_nonzero() -> bool

Whether the one element is not 0. RuntimeError for a tensor of another number of elements.
""",
    "is_pinned": """is_pinned() -> bool

Whether the memory is locked, so that a GPU can read it.
""",
    "is_same_size": """is_same_size(other) -> bool

Whether `other` has the same shape.
""",
    "is_set_to": """is_set_to(tensor) -> bool

Whether both have the same storage, offset, shape and strides.
""",
    "is_signed": """is_signed() -> bool

Whether the dtype has negative numbers: all but bool and the unsigned integers.
""",
    "item": """item() -> bool, int, float or complex

The one element as a Python number. RuntimeError for a tensor of another number of elements.
""",
    "map_": """map_(other, callable) -> Tensor

Replaces each element by callable(element, element of `other`), in place. `other` has the same dtype and a shape that
broadcasts to this one. Slow, as `apply_`.
""",
    "map2_": """map2_(x, y, callable) -> Tensor

Replaces each element by callable(element, element of `x`, element of `y`), in place. `x` and `y` have the same dtype
and shapes that broadcast to this one. Slow, as `apply_`.
""",
    "ndimension": """ndimension() -> int

The same as :meth:`~Tensor.dim`.
""",
    "nelement": """nelement() -> int

The same as :meth:`~Tensor.numel`.
""",
    "new": """new(*size) -> Tensor
new(data) -> Tensor

A tensor of this one's type, on its device, as torch.FloatTensor(...) and its like make it: of these sizes, with whatever
the memory holds, or with the elements of a sequence.
""",
    "new_tensor": """new_tensor(data, *, dtype=None, device=None, requires_grad=False) -> Tensor

torch.tensor(data), of this tensor's dtype unless `dtype` is given.
""",
    "numel": """numel() -> int

The number of elements: the product of the shape.
""",
    "detach_": """detach_() -> Tensor

Takes the tensor out of the graph of gradients: it becomes a leaf that requires none. RuntimeError for views.
""",
    "numpy": """numpy(*, force=False) -> numpy.ndarray

An array over the same memory: what is written to one changes the other. TypeError for a dtype that NumPy does not
have, such as bfloat16, and for a tensor that is not on the CPU; with `force` such a tensor is copied first.
""",
    "pin_memory": """pin_memory(device=None) -> Tensor

The tensor in locked memory, which a GPU can read. RuntimeError where there is no accelerator.
""",
    "register_hook": """register_hook(hook) -> RemovableHandle

Calls hook(gradient) each time the gradient of this tensor is known; a tensor that it returns takes its place. The handle's
`remove()` takes the hook away. RuntimeError if the tensor requires no gradient.
""",
    "register_post_accumulate_grad_hook": """register_post_accumulate_grad_hook(hook) -> RemovableHandle

Calls hook(tensor) each time a gradient was added to this leaf's `.grad`. RuntimeError for tensors that were computed or
require no gradient.
""",
    "requires_grad_": """requires_grad_(requires_grad=True) -> Tensor

Sets `requires_grad`, in place.
""",
    "retain_grad": """retain_grad() -> None

Makes the backward pass leave this tensor's gradient in its `.grad`, as it does for leaves. RuntimeError if it requires none.
""",
    "size": """size(dim=None) -> torch.Size or int

The shape, or its entry `dim`, which counts from the end if negative. IndexError for a dimension that there is not.
""",
    "storage_offset": """storage_offset() -> int

The place of the first element in the storage, counted in elements.
""",
    "stride": """stride(dim=None) -> tuple of ints or int

For each dimension, or for `dim`, how many elements of the storage lie between neighbours along it. IndexError for a
dimension that there is not.
""",
    "to": """to(dtype, non_blocking=False, copy=False, *, memory_format=torch.preserve_format) -> Tensor
to(device=None, dtype=None, non_blocking=False, copy=False, *, memory_format=torch.preserve_format) -> Tensor
to(other, non_blocking=False, copy=False, *, memory_format=torch.preserve_format) -> Tensor

The tensor in another dtype, on another device, or in those of `other`. If nothing changes it is the tensor itself,
unless `copy` is True. torch.channels_last as `memory_format` takes 4 dimensions, torch.channels_last_3d 5; RuntimeError
for others. Floating-point numbers are cut towards 0 on their way to integers; complex ones lose their
imaginary parts, with a warning.
""",
    "tolist": """tolist() -> list or number

The elements as nested lists of Python numbers, a list for each dimension; of a tensor of no dimensions the number.
""",
    "type_as": """type_as(other) -> Tensor

The tensor in the dtype of `other`, on its device; itself, if nothing changes.
""",
    "untyped_storage": """untyped_storage() -> torch.UntypedStorage

The memory behind the tensor, which its views share.
""",
}

_PROPERTIES = {
    "H": "The conjugate transpose of a matrix. RuntimeError for another number of dimensions, but for 0.",
    "T": "The tensor with its dimensions in reverse order, a view. Meant for matrices: others are warned about.",
    "data": "A tensor over the same elements of which no derivatives are recorded. Assigning makes this one a view of "
    "the assigned tensor.",
    "device": "The torch.device that the elements are on.",
    "dtype": "The torch.dtype of the elements.",
    "grad": "The derivative that backward() has left here, or None.",
    "grad_fn": "The function in the graph of derivatives that has made this tensor, or None.",
    "imag": "The imaginary parts of a complex tensor, a view; assigning writes them. RuntimeError for other dtypes.",
    "is_leaf": "Whether no recorded operator has made this tensor.",
    "is_nested": "Whether it holds tensors of several shapes.",
    "is_quantized": "Whether the elements are integers with a scale.",
    "itemsize": "Bytes of one element.",
    "layout": "The torch.layout: torch.strided.",
    "mH": "The tensor with its last two dimensions exchanged and its elements conjugated. RuntimeError for vectors.",
    "mT": "The tensor with its last two dimensions exchanged, a view. RuntimeError for vectors.",
    "nbytes": "Bytes of all elements: numel() * itemsize.",
    "ndim": "The number of dimensions, as dim().",
    "output_nr": "Which of the results of `grad_fn` this tensor is.",
    "real": "The real parts of a complex tensor, a view; any other tensor itself. Assigning writes them.",
    "retains_grad": "Whether retain_grad() was called on this tensor, which is no leaf.",
    "requires_grad": "Whether derivatives with respect to this tensor are wanted.",
    "shape": "The number of elements along each dimension, a torch.Size.",
}

_DEVICES = {
    "cpu": "the CPU",
    "cuda": "a GPU of NVIDIA's",
    "ipu": "a processor of Graphcore's",
    "maia": "a processor of Microsoft's",
    "mps": "a GPU of Apple's",
    "mtia": "a processor of Meta's",
    "vulkan": "a device of Vulkan's",
    "xla": "a device of XLA's",
    "xpu": "a GPU of Intel's",
    "meta": "the device meta, that is without elements",
}
_LAYOUTS = {
    "sparse": "sparse, with coordinates of the elements that are not 0",
    "sparse_csr": "sparse, with compressed rows",
    "mkldnn": "in a layout of oneDNN's",
}

_FUNCTIONS = {
    "as_tensor": """as_tensor(data, dtype=None, device=None) -> Tensor

The tensor `data` itself, or one over the memory of a NumPy array, where the dtype allows; otherwise, and of numbers and
nested lists, a copy as torch.tensor makes it.
""",
    "asarray": """asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False) -> Tensor

A tensor over the memory of `obj`: a tensor, a NumPy array or scalar, what has __dlpack__, a buffer (whose elements are
of the default dtype unless `dtype` says otherwise). Of numbers and nested lists a copy. `copy`: True always copies,
False raises ValueError where a copy is needed, None copies where it must.
""",
    "can_cast": """can_cast(from_, to) -> bool

Whether the promotion rules let a result of dtype `from_` be written to a tensor of dtype `to`: not from complex to
real, from floating-point to integer, from integer to bool.
""",
    "from_numpy": """from_numpy(ndarray) -> Tensor

A tensor over the memory of a NumPy array: what is written to one changes the other. TypeError for other objects and
dtypes that torch does not have; ValueError for negative strides.
""",
    "detach_": """detach_(input) -> Tensor

The same as input.detach_().
""",
    "frombuffer": """frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False) -> Tensor

A tensor of one dimension over the memory of an object with the buffer protocol: `count` elements of `dtype` from byte
`offset` on, -1 for all there are. ValueError where the buffer is empty or too short, or does not end with an element.
""",
    "get_default_dtype": """get_default_dtype() -> torch.dtype

The dtype of tensors made from Python floats: float32 unless set_default_dtype has been called.
""",
    "get_num_interop_threads": """get_num_interop_threads() -> int

How many operators may run at the same time. Here they run one after the other; the number is kept for programs that
ask.
""",
    "get_num_threads": """get_num_threads() -> int

How many threads an operator may use.
""",
    "is_complex": """is_complex(input) -> bool

Whether the tensor's dtype is one of complex numbers.
""",
    "is_floating_point": """is_floating_point(input) -> bool

Whether the tensor's dtype is one of floating-point numbers.
""",
    "is_same_size": """is_same_size(input, other) -> bool

Whether two tensors have the same shape.
""",
    "is_signed": """is_signed(input) -> bool

Whether the tensor's dtype has negative numbers.
""",
    "is_tensor": """is_tensor(obj) -> bool

Whether `obj` is a Tensor.
""",
    "is_warn_always_enabled": """is_warn_always_enabled() -> bool

What set_warn_always has set.
""",
    "numel": """numel(input) -> int

The tensor's number of elements.
""",
    "promote_types": """promote_types(type1, type2) -> torch.dtype

The smallest dtype that holds the values of both, as operators choose it for their result.
""",
    "result_type": """result_type(tensor1, tensor2) -> torch.dtype

The dtype that an operator on these two, tensors or Python numbers, gives its result. Numbers, and tensors of no
dimensions beside others, count only where they are of another kind: bool, integer, floating-point, complex.
""",
    "set_default_dtype": """set_default_dtype(d) -> None

Sets the dtype of tensors made from Python floats. TypeError for what is not a floating-point dtype.
""",
    "set_flush_denormal": """set_flush_denormal(mode) -> bool

Whether this thread's processor takes numbers too small for full precision for 0, which is faster. False where the
processor cannot.
""",
    "set_num_interop_threads": """set_num_interop_threads(int) -> None

Sets what get_num_interop_threads returns; once in a process: RuntimeError the second time.
""",
    "set_num_threads": """set_num_threads(int) -> None

Sets how many threads an operator may use. RuntimeError for less than 1. Results do not depend on it.
""",
    "set_warn_always": """set_warn_always(b) -> None

Whether warnings that are given once in a process are given each time.
""",
    "tensor": """tensor(data, *, dtype=None, device=None, pin_memory=False, requires_grad=False) -> Tensor

A tensor with a copy of `data`: a number, nested lists or tuples of equal lengths, a NumPy array, a tensor. Without
`dtype`: bool, int64, the default dtype or its complex counterpart, whichever holds Python's numbers; of arrays and
tensors their own. ValueError for lists of unequal lengths, TypeError or
RuntimeError for what is no number.
""",
}

_TYPES = {
    "Generator": """Generator(device="cpu")

A source of random numbers of its own: a seed, and how far its stream has been read.
""",
    "Size": """A shape: a tuple of ints, the number of elements along each dimension.""",
    "device": """device(type, index=None)

Where a tensor's elements are: a kind of device and its index, "cuda:1", device("cuda", 1). As a context, tensors are made
there.
""",
    "dtype": """The type of a tensor's elements: torch.float32, torch.int64 and so on.""",
    "layout": """How a tensor's elements lie in memory: torch.strided.""",
    "memory_format": """The order of dimensions in memory: torch.contiguous_format, row by row; torch.preserve_format, as another tensor's;
torch.channels_last and torch.channels_last_3d, with dimension 1 of 4 or 5 innermost, as images and volumes of many
channels are best stored.
""",
}

_MEMBERS = {
    "Generator": {
        "clone_state": "clone_state() -> Generator\n\nAnother generator that goes on as this one would.",
        "device": "The torch.device that it makes numbers for.",
        "get_offset": "get_offset() -> int\n\nHow far the stream has been read.",
        "get_state": "get_state() -> Tensor\n\nThe state, a tensor of uint8, as set_state takes it.",
        "graphsafe_get_state": "graphsafe_get_state() -> Generator\n\nA generator with the same state.",
        "graphsafe_set_state": "graphsafe_set_state(state) -> Generator\n\nTakes the state of another generator.",
        "initial_seed": "initial_seed() -> int\n\nThe seed.",
        "manual_seed": "manual_seed(seed) -> Generator\n\nSets the seed, an int, and starts the stream anew.",
        "seed": "seed() -> int\n\nSets a seed from the system and returns it.",
        "set_offset": "set_offset(offset) -> None\n\nGoes on reading the stream there.",
        "set_state": "set_state(new_state) -> Generator\n\nGoes on as a generator would whose get_state this is. TypeError "
        "for a tensor that is none.",
    },
    "device": {"index": "The index, an int, or None.", "type": 'The kind of device: "cpu".'},
    "dtype": {
        "is_complex": "Whether it is one of complex numbers.",
        "is_floating_point": "Whether it is one of floating-point numbers.",
        "is_signed": "Whether it has negative numbers.",
        "itemsize": "Bytes of one element.",
        "to_complex": "to_complex() -> torch.dtype\n\nThe complex dtype whose parts are of this one.",
        "to_real": "to_real() -> torch.dtype\n\nThe dtype of a complex one's parts; itself, if it is real.",
    },
}

_TENSOR = """A tensor: elements of one dtype, on one device, along any number of dimensions. Tensors that are views of each
other share their elements.

torch.tensor, torch.zeros, torch.rand and so on make tensors; Tensor(*sizes) and Tensor(sequence) do so in the default
dtype, as ever."""


def _add(owner, docs):
    # Those that Python has wrapped keep the wrapper's own.
    for name, text in docs.items():
        _add_docstr(getattr(owner, name), text)


def _rows():
    for name, text in _CONVERSIONS.items():
        yield (
            name,
            f"{name}(*, memory_format=torch.preserve_format) -> Tensor\n\nThe tensor in {text}; itself, if it is that.\n",
        )
    for name, text in _DEVICES.items():
        yield f"is_{name}", f"Whether the tensor is on {text}."
    for name, text in _LAYOUTS.items():
        yield f"is_{name}", f"Whether the tensor is {text}."


_OF_THE_MODULE = {
    "set_anomaly_enabled": """set_anomaly_enabled(mode, check_nan=True) -> None

Whether the backward pass says where a gradient that it cannot compute came from, and whether it looks for NaN: what
torch.autograd.set_detect_anomaly sets.
""",
}


def _inspectable(docs, first=""):
    """The docstrings, those of functions with what Python's inspect reads and does not show: the signature that they begin
    with, after a first parameter."""
    shown = {}
    for name, text in docs.items():
        own, _, rest = text.partition("(")
        if own == name:
            parameters = _PARAMETERS.get(name) or _CONSTANT.sub("=...", rest.partition(") -> ")[0])
            text = f"{name}({', '.join(filter(None, (first, parameters)))})\n--\n\n{text}"
        shown[name] = text
    return shown


_CONSTANT = re.compile(r"=torch\.\w+")  # which inspect cannot read
# Those of several forms, and those that PyTorch says so.
_PARAMETERS = {
    "is_tensor": "obj, /",
    "new": "*args, **kwargs",
    "set_default_dtype": "d, /",
    "set_warn_always": "b, /",
    "to": "*args, **kwargs",
}
_add(torch.Tensor, _inspectable(dict(_rows()) | _METHODS, "$self") | _PROPERTIES)
_add(torch._C._VariableFunctions, _inspectable(_FUNCTIONS))
_add(torch._C, _inspectable(_OF_THE_MODULE) | _TYPES)
for _name, _docs in _MEMBERS.items():
    _add(getattr(torch._C, _name), _docs)
torch.Tensor.__doc__ = _TENSOR
