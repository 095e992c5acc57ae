"""gradcheck, gradgradcheck: gradients compared with finite differences."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Sequence

import torch
from torch.autograd.function import Function

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor
    from torch.types import _TensorOrTensors

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """A gradient is not what finite differences say, or not as the backward pass wants it."""


# ---- inputs and outputs ------------------------------------------------------------------------------------
def _as_tuple(values):
    if isinstance(values, (tuple, list)):
        return tuple(values)
    return (values,)


def _is_sparse(value):
    return isinstance(value, torch.Tensor) and value.layout != torch.strided


def _flat(grad):
    return (grad.to_dense() if _is_sparse(grad) else grad).reshape(-1)


def _sparse():
    from torch.autograd import _check_sparse

    return _check_sparse


def _wants_gradient(value):
    return isinstance(value, torch.Tensor) and value.requires_grad


def _check_inputs(inputs) -> bool:
    if not any(map(_wants_gradient, inputs)):
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    for i, tensor in enumerate(inputs):
        if not _wants_gradient(tensor):
            continue
        if tensor.dtype not in (torch.float64, torch.complex128):
            warnings.warn(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check will "
                "likely fail if all the inputs are not of double precision floating point or complex. ",
                stacklevel=3,
            )
        if _is_sparse(tensor):
            continue  # which has no strides
        if any(step == 0 and size > 1 for step, size in zip(tensor.stride(), tensor.size())):
            raise RuntimeError(
                f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to "
                "be able to compute the numerical gradients correctly. You should call .contiguous on the input before "
                "passing it to gradcheck."
            )
        tensor.retain_grad()


def _differentiable(outputs):
    return tuple(output for output in _as_tuple(outputs) if output.requires_grad)


def _parts(output):
    """(what a message begins with, the function to a real tensor) of what is checked of an output."""
    if not output.is_complex():
        return (("", lambda t: t),)
    return tuple(
        (f"While considering the {name} part of complex outputs only, ", function)
        for name, function in (("imaginary", torch.imag), ("real", torch.real))
    )


# ---- finite differences ------------------------------------------------------------------------------------
def _places(tensor):
    return itertools.product(*map(range, tensor.size()))


def _slope(outputs_of, write, value, step, eps):
    """The derivatives of all outputs where an element moves by `step` times eps to either side of its value."""
    write(value + step * eps)
    above = outputs_of()
    write(value - step * eps)
    below = outputs_of()
    write(value)
    return [(a - b) / (2 * eps) for a, b in zip(above, below)]


def _numerical(outputs_of, tensor, eps):
    """For each output its Jacobian: a row for each element of the input. Of a complex input the derivative in the real
    direction and i times that in the imaginary one, which is what the backward pass computes."""
    sparse = _is_sparse(tensor)
    data = tensor.data._values() if sparse else tensor.data
    rows, numbers = [], []
    for place, number in _sparse().places(tensor) if sparse else ((place, None) for place in _places(tensor)):
        numbers.append(number)
        value = data[place].item()

        def write(new, place=place):
            data[place] = new

        slopes = _slope(outputs_of, write, value, 1, eps)
        if tensor.is_complex():
            other = _slope(outputs_of, write, value, 1j, eps)
            slopes = [torch.complex(a, b) for a, b in zip(slopes, other)]
        rows.append([slope.reshape(-1) for slope in slopes])
    columns = zip(*rows)
    jacobians = [torch.stack(column) for column in columns]
    if not sparse:
        return jacobians
    # Elements that are no values do not move.
    places = torch.tensor(numbers, device=tensor.device)
    return [j.new_zeros(tensor.numel(), j.size(1)).index_copy_(0, places, j) for j in jacobians]


def _zeros(tensor, *columns):
    return torch.zeros((tensor.numel(), *columns), dtype=tensor.dtype, device=tensor.device)


def _analytical(output, inputs):
    """For each input the Jacobian of a real output, by one backward pass for each element of the output."""
    columns = [[] for _ in inputs]
    for place in _places(output):
        one = torch.zeros_like(output, memory_format=torch.contiguous_format)
        one[place] = 1
        grads = torch.autograd.grad(output, inputs, one, retain_graph=True, allow_unused=True)
        for column, grad, tensor in zip(columns, grads, inputs):
            if grad is not None and grad.size() != tensor.size():
                raise GradcheckError("Analytical gradient has incorrect size")
            column.append(_zeros(tensor) if grad is None else _flat(grad))
    return [torch.stack(column, 1) if column else _zeros(tensor, 0) for column, tensor in zip(columns, inputs)]


# ---- checks ------------------------------------------------------------------------------------------------
def _close(a, b, rtol, atol):
    dtype = torch.promote_types(a.dtype, b.dtype)
    return torch.allclose(a.to(dtype), b.to(dtype), rtol, atol)


def _mismatch(prefix, o, i, numerical, analytical):
    return (
        f"{prefix}Jacobian mismatch for output {o} with respect to input {i},\nnumerical:{numerical}\n"
        f"analytical:{analytical}\n"
    )


def _check_dtypes(output, inputs):
    grads = torch.autograd.grad(output, inputs, torch.ones_like(output), retain_graph=True, allow_unused=True)
    for grad, tensor in zip(grads, inputs):
        if grad is not None and grad.dtype != tensor.dtype:
            raise GradcheckError("Gradient has dtype mismatch")


def _check_slow(func, inputs, wanted, options):
    outputs = _differentiable(func(*inputs))
    moved = inputs
    if any(map(_is_sparse, inputs)):
        moved = _sparse().perturbed(inputs, options["masked"])
    moved_wanted = [moved[_place_of(inputs, tensor)] for tensor in wanted]
    for o, output in enumerate(outputs):
        for prefix, part in _parts(output):

            def outputs_of(o=o, part=part):
                return [part(_differentiable(func(*moved))[o]).detach().clone()]

            real = part(output)
            analytical = _analytical(real, wanted)
            again = _analytical(real, wanted) if options["nondet"] is not None else analytical
            for i in range(len(wanted)):
                if not _close(analytical[i], again[i], 0.0, options["nondet"]):
                    raise GradcheckError(
                        "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times "
                        "gives different values, although analytical gradient matches numerical gradient."
                        f"The tolerance for nondeterminism was {options['nondet']}."
                    )
            for i, tensor in enumerate(wanted):
                numerical = _numerical(outputs_of, moved_wanted[i], options["eps"])
                expected = numerical[0] if numerical else torch.zeros((0, output.numel()), dtype=tensor.dtype)
                if not _close(expected, analytical[i], options["rtol"], options["atol"]):
                    raise GradcheckError(_mismatch(prefix, o, _place_of(inputs, tensor), expected, analytical[i]))


def _check_forward(func, inputs, options):
    """The same of forward mode, a column of the Jacobian at a time."""
    from torch.autograd._check_forward import mismatches

    chosen = [o for o, output in enumerate(_as_tuple(func(*inputs))) if output.requires_grad]
    for o, i, numerical, analytical in mismatches(lambda *given: _as_tuple(func(*given)), inputs, chosen, options):
        raise GradcheckError(_mismatch("While checking forward mode, ", o, i, numerical, analytical))


def _place_of(inputs, tensor):
    return next(i for i, other in enumerate(inputs) if other is tensor)


def _direction(tensor, generator):
    """A random vector of length 1 of the tensor's shape."""
    vector = torch.randn(tensor.size(), dtype=tensor.dtype, generator=generator).to(tensor.device)
    length = torch.linalg.vector_norm(vector)
    return vector / length if tensor.numel() else vector


def _check_fast(func, inputs, wanted, options):
    """One number for each pair: a random direction's derivative, weighted by random weights of the output."""
    generator = torch.Generator().manual_seed(0)
    outputs = _differentiable(func(*inputs))
    for o, output in enumerate(outputs):
        for prefix, part in _parts(output):
            real = part(output)
            weights = _direction(real, generator)
            grads = torch.autograd.grad(real, wanted, weights, retain_graph=True, allow_unused=True)
            for tensor, grad in zip(wanted, grads):
                direction = _direction(tensor, generator)
                value = tensor.detach().clone()

                def moved(step, tensor=tensor, direction=direction, value=value, o=o, part=part):
                    tensor.data.copy_(value + step * direction)
                    return part(_differentiable(func(*inputs))[o]).detach().clone()

                above, below = moved(options["eps"]), moved(-options["eps"])
                tensor.data.copy_(value)
                numerical = float(((above - below) / (2 * options["eps"]) * weights).sum())
                analytical = 0.0 if grad is None else float((grad.conj() * direction).sum().real)
                if abs(numerical - analytical) > options["atol"] + options["rtol"] * abs(analytical):
                    i = _place_of(inputs, tensor)
                    text = _mismatch(prefix, o, i, numerical, analytical)

                    def outputs_of(o=o, part=part):
                        return [part(_differentiable(func(*inputs))[o]).detach().clone()]

                    slow = _numerical(outputs_of, tensor, options["eps"])[0]
                    exact = _analytical(real, (tensor,))[0]
                    raise GradcheckError(
                        f"{text}\nThese two numbers were computed in fast mode. In slow mode:\n\nNumerical:\n {slow}\n"
                        f"Analytical:\n{exact}\n\nThe max per-element difference (slow mode) is: "
                        f"{float((slow - exact).abs().max())}.\n"
                    )


def _check_no_gradient(func, inputs, wanted, eps):
    """Of a function no output of which has a gradient: that it does not depend on its inputs."""

    def outputs_of():
        real = [o.is_floating_point() or o.is_complex() for o in _as_tuple(func(*inputs))]
        return [o.detach().clone() for o, keep in zip(_as_tuple(func(*inputs)), real) if keep]

    for tensor in wanted:
        for jacobian in _numerical(outputs_of, tensor, eps):
            if torch.ne(jacobian, 0).any():
                raise GradcheckError("Numerical gradient for function expected to be zero")


_UNDEFINED = (
    "Expected all input grads to be undefined or zero when all output grads are undefined or zero: backward() must give "
    "None or zeros where it is given None."
)


class _NoGradient(Function):
    """The tensor itself; its gradient is undefined."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return None


def _check_undefined(func, inputs, wanted):
    """That backward() takes undefined gradients, all of them and each alone."""
    outputs = _differentiable(func(*inputs))
    if not outputs:
        return
    for places in [tuple(range(len(outputs))), *((i,) for i in range(len(outputs)) if len(outputs) > 1)]:
        _check_undefined_at(outputs, wanted, places)


def _check_undefined_at(outputs, wanted, places):
    chosen = [outputs[i] for i in places]
    try:
        grads = torch.autograd.grad(
            [_NoGradient.apply(output) for output in chosen],
            wanted,
            [torch.zeros_like(output) for output in chosen],
            retain_graph=True,
            allow_unused=True,
        )
    except RuntimeError as error:
        warnings.warn("check_undefined_grad=False leaves this check out of gradcheck", stacklevel=5)
        raise GradcheckError(_UNDEFINED) from error
    if any(grad is not None and torch.ne(_flat(grad), 0).any() for grad in grads):
        warnings.warn("check_undefined_grad=False leaves this check out of gradcheck", stacklevel=5)
        raise GradcheckError(_UNDEFINED)


def _check_batched(func, inputs, wanted):
    """That a pass with is_grads_batched gives what passes one by one do."""
    for output in _differentiable(func(*inputs)):
        rows = torch.stack([torch.rand_like(output) for _ in range(2)])
        together = torch.autograd.grad(
            output, wanted, rows, is_grads_batched=True, allow_unused=True, retain_graph=True
        )
        for row in range(2):
            alone = torch.autograd.grad(output, wanted, rows[row], allow_unused=True, retain_graph=True)
            for a, b in zip(together, alone):
                if (a is None) != (b is None) or (a is not None and not _close(a[row], b, 1e-5, 1e-8)):
                    raise GradcheckError("batched gradients differ from those of single passes")


def gradcheck(
    func: Callable[..., _TensorOrTensors],
    inputs: _TensorOrTensors,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Whether the gradients of func(*inputs) with respect to the inputs that require them are those of finite differences:
    |numerical - analytical| <= atol + rtol * |analytical| for every element.

    `inputs`: a tensor or a tuple; float64 or complex128, or the differences are too coarse. `eps`: how far an element is
    moved. `nondet_tol`: how far two backward passes may be apart. `check_undefined_grad`: backward() has to cope with
    gradients that are missing. `check_grad_dtypes`: gradients must have the inputs' dtypes. `check_batched_grad`: passes
    with is_grads_batched give the same. `fast_mode`: random directions instead of all elements, where no input is sparse.
    `masked`: of sparse inputs the elements that are no values stay 0, and have no gradients; else every element moves.

    Returns True; raises GradcheckError, or returns False if `raise_exception` is False. ValueError if no input requires a
    gradient. `check_forward_ad`: the tangents of torch.autograd.forward_ad, too, or alone without `check_backward_ad`.
    """
    if check_batched_forward_grad:
        raise NotImplementedError("gradcheck(check_batched_forward_grad=True): there is no vmap")
    if not (check_backward_ad or check_forward_ad):
        raise ValueError("Expected at least one of check_forward_ad and check_backward_ad to be True")
    inputs = _as_tuple(inputs)
    options = {"eps": eps, "atol": atol, "rtol": rtol, "nondet": nondet_tol, "masked": masked}
    try:
        _check_inputs(inputs)
        wanted = tuple(filter(_wants_gradient, inputs))
        outputs = _differentiable(func(*inputs))
        if any(map(_is_sparse, outputs)):
            _sparse().refuse_outputs(outputs)
        if not outputs:
            _check_no_gradient(func, inputs, wanted, eps)
            return True
        if check_forward_ad:
            _check_forward(func, inputs, {**options, "fast": fast_mode})
        if not check_backward_ad:
            return True
        if check_grad_dtypes:
            for output in outputs:
                _check_dtypes(output, wanted)
        fast = fast_mode and not any(map(_is_sparse, inputs))
        (_check_fast if fast else _check_slow)(func, inputs, wanted, options)
        if check_batched_grad:
            _check_batched(func, inputs, wanted)
        if check_undefined_grad:
            _check_undefined(func, inputs, wanted)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _random_like(output, noncontiguous):
    """A gradient for an output, between -1 and 1."""

    def numbers(shape):
        return torch.rand(shape, dtype=output.dtype, device=output.device) * 2 - 1

    if noncontiguous and output.dim() and output.numel() > 1:
        return numbers((*output.shape, 2))[..., 0].detach().requires_grad_()
    return numbers(output.shape).requires_grad_()


def gradgradcheck(
    func: Callable[..., _TensorOrTensors],
    inputs: _TensorOrTensors,
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """gradcheck of the gradients themselves, with respect to the inputs and to `grad_outputs`, the gradients that the
    backward pass begins with (random ones, if they are missing; `gen_non_contig_grad_outputs`: of other strides). The
    rest as in `gradcheck`."""
    if check_fwd_over_rev:
        raise NotImplementedError("gradgradcheck(check_fwd_over_rev=True): tangents of gradients are not there")
    inputs = _as_tuple(inputs)
    if grad_outputs is None:
        outputs = _differentiable(func(*inputs))
        grad_outputs = tuple(_random_like(output, gen_non_contig_grad_outputs) for output in outputs)
    else:
        grad_outputs = _as_tuple(grad_outputs)
    count = len(grad_outputs)

    def gradients(*args):
        given, weights = args[: len(args) - count], args[len(args) - count :]
        wanted = tuple(filter(_wants_gradient, given))
        grads = torch.autograd.grad(
            _differentiable(func(*given)), wanted, weights, create_graph=True, allow_unused=True
        )
        return tuple(
            grad.to_dense(masked_grad=masked) if _is_sparse(grad) else grad for grad in grads if grad is not None
        )

    return gradcheck(
        gradients,
        inputs + grad_outputs,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        fast_mode=fast_mode,
        masked=masked,
    )


# ---- Jacobians, for programs of PyTorch 1.0 ----------------------------------------------------------------
def _deprecated(name, grad_out):
    warnings.warn(
        f"`{name}` is deprecated: it was never meant for others than gradcheck. torch.autograd.functional.jacobian is",
        FutureWarning,
        stacklevel=3,
    )
    if grad_out != 1.0:
        raise ValueError(f"Expected grad_out to be 1.0, got {grad_out}: {name} no longer supports other values")


def _refuse_complex(output, name):
    if output.is_complex():
        raise ValueError(
            f"Expected output to be non-complex, got {output.dtype}: {name} no longer supports functions that return "
            "complex outputs"
        )


def get_numerical_jacobian(fn, inputs, target=None, eps=1e-3, grad_out=1.0):
    """A Jacobian by finite differences for each tensor in `inputs` (or `target`) that requires a gradient, of the first
    output of fn(inputs): a row for each element of the input."""
    _deprecated("get_numerical_jacobian", grad_out)
    return tuple(
        get_numerical_jacobian_wrt_specific_input(
            lambda *given: _as_tuple(fn(given))[:1], None, inputs, None, eps, tensor
        )[0]
        for tensor in _as_tuple(inputs if target is None else target)
        if _wants_gradient(tensor)
    )


def get_numerical_jacobian_wrt_specific_input(fn, input_idx, inputs, outputs, eps, input=None, is_forward_ad=False):
    """A Jacobian for each output of fn(*inputs), of `inputs[input_idx]` or of another tensor `input` that fn uses."""
    tensor = inputs[input_idx] if input is None else input
    if not tensor.requires_grad:
        raise AssertionError("Expected input to have requires_grad=True")

    def outputs_of():
        found = _as_tuple(fn(*inputs))
        for output in found:
            _refuse_complex(output, "get_numerical_jacobian")
        return [output.detach().clone() for output in found]

    if tensor.numel() == 0:
        return tuple(output.new_zeros(0, output.numel()) for output in outputs_of())
    return tuple(_numerical(outputs_of, tensor, eps))


def get_analytical_jacobian(inputs, output, nondet_tol=0.0, grad_out=1.0):
    """(Jacobians by backward passes, whether two of them give the same, whether sizes fit, whether dtypes fit), for the
    tensors in `inputs` that require a gradient: a row for each element of the input."""
    _deprecated("get_analytical_jacobian", grad_out)
    _refuse_complex(output, "get_analytical_jacobian")
    wanted = [tensor for tensor in _as_tuple(inputs) if _wants_gradient(tensor)]
    first, second = _analytical(output, wanted), _analytical(output, wanted)
    reentrant = all(_close(a, b, 0.0, nondet_tol) for a, b in zip(first, second))
    same_dtypes = all(jacobian.dtype == tensor.dtype for jacobian, tensor in zip(first, wanted))
    return tuple(first), reentrant, True, same_dtypes
