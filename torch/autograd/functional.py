"""Jacobians, Hessians, and their products with vectors."""

import torch

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


# ---- arguments and results ---------------------------------------------------------------------------------
def _as_tuple(values, name, function):
    """(is it a tuple?, the tensors of a tuple or a tensor alone). TypeError for anything else."""
    what = (
        f"The {name} given to {function}"
        if name != "outputs of the user-provided function"
        else (f"The outputs of the user-provided function given to {function}")
    )
    if isinstance(values, torch.Tensor):
        return False, (values,)
    if not isinstance(values, tuple):
        raise TypeError(
            f"{what} must be either a Tensor or a tuple of Tensors but the given {name} has type {type(values)}."
        )
    for i, value in enumerate(values):
        if not isinstance(value, torch.Tensor):
            raise TypeError(
                f"{what} must be either a Tensor or a tuple of Tensors but the value at index {i} has type {type(value)}."
            )
    return True, values


def _prepared(inputs, create_graph, need_graph):
    """The inputs as beginnings of a graph of their own: with create_graph it goes on into that of the given ones."""
    prepared = []
    for tensor in inputs:
        if create_graph and tensor.requires_grad:
            prepared.append(tensor.view_as(tensor))
        else:
            prepared.append(tensor.detach().requires_grad_(need_graph))
    return tuple(prepared)


def _finished(tensors, create_graph):
    """Results without a graph, unless it was asked for."""
    return tensors if create_graph else tuple(tensor.detach() for tensor in tensors)


def _unpacked(tensors, is_tuple):
    return tensors if is_tuple else tensors[0]


def _outputs_of(func, inputs, function):
    return _as_tuple(func(*inputs), "outputs of the user-provided function", function)


def _check_recorded(outputs, strict):
    for i, output in enumerate(outputs):
        if strict and not output.requires_grad:
            raise RuntimeError(
                f"Output {i} of the user-provided function does not require gradients. The outputs must be computed in a "
                "differentiable manner from the input when running in strict mode."
            )


def _checked_vector(v, like, is_tuple):
    if len(v) != len(like):
        if is_tuple:
            raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}.")
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (vector, tensor) in enumerate(zip(v, like)):
        if vector.size() != tensor.size():
            which = f"Entry {i} in " if is_tuple else ""
            raise RuntimeError(f"{which}v has invalid size: should be {tensor.size()} but got {vector.size()}.")


def _vector(v, like, is_tuple, create_graph, function, what):
    """The tuple `v`, or a one where `like` is a scalar."""
    if v is None:
        if len(like) != 1 or like[0].nelement() != 1:
            raise RuntimeError(f"The vector v can only be None if {what} a single Tensor with a single element.")
        return (torch.ones_like(like[0]),)
    _, v = _as_tuple(v, "v", function)
    v = _prepared(v, create_graph, need_graph=False)
    _checked_vector(v, like, is_tuple)
    return v


def _grad(outputs, inputs, grad_outputs, create_graph, retain_graph=None):
    """torch.autograd.grad of the outputs that have a gradient; None for inputs that none depends on."""
    chosen = [
        (o, g) for o, g in zip(outputs, grad_outputs or (None,) * len(outputs)) if o is not None and o.requires_grad
    ]
    if not chosen:
        return (None,) * len(inputs)
    return torch.autograd.grad(
        [o for o, _ in chosen],
        inputs,
        [g for _, g in chosen],
        allow_unused=True,
        create_graph=create_graph,
        retain_graph=retain_graph,
    )


def _or_zeros(grads, inputs, strict, create_graph, stage):
    """The gradients with zeros for those that are missing, which strict mode refuses."""
    filled = []
    for i, (grad, tensor) in enumerate(zip(grads, inputs)):
        if grad is None and strict:
            raise RuntimeError(_MISSING[stage].format(i=i))
        if strict and create_graph and not grad.requires_grad:
            raise RuntimeError(_CONSTANT.get(stage, _CONSTANT["back"]).format(i=i))
        filled.append(torch.zeros_like(tensor) if grad is None else grad)
    return tuple(filled)


_STRICT = " This is not allowed in strict mode"
_HESSIAN = (
    "While computing the hessian, found that the jacobian of the user-provided function with respect to input {i} is "
    "independent of the input."
    f"{_STRICT}: there is no second derivative."
)
_MISSING = {
    "back": f"The output of the user-provided function is independent of input {{i}}.{_STRICT}.",
    "back_trick": f"The gradient with respect to the input is independent of entry {{i}} of its weights.{_STRICT}.",
    "double_back": f"The jacobian of the user-provided function is independent of input {{i}}.{_STRICT}.",
    "double_back_trick": f"The hessian of the user-provided function is independent of entry {{i}} of its weights.{_STRICT}.",
}
_CONSTANT = {
    stage: f"The {what} of the user-provided function is independent of input {{i}}.{_STRICT} when create_graph=True."
    for stage, what in (("back", "jacobian"), ("double_back", "hessian"), ("double_back_trick", "hessian"))
}


def _check_twice(jacobians, strict):
    for i, jacobian in enumerate(jacobians):
        if strict and (jacobian is None or not jacobian.requires_grad):
            raise RuntimeError(_HESSIAN.format(i=i))


def _scalar_output(outputs, is_tuple, function):
    if is_tuple:
        raise RuntimeError(f"The function given to {function} should return a single Tensor")
    if outputs[0].nelement() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {function} should contain a single element")


def _weighted(outputs, like, inputs, strict, stage):
    """The gradients for outputs that are weighted by zeros, and these weights, which they are linear in: their gradient for
    the weights is the Jacobian's product from the other side (J. Townsend, A new trick for calculating Jacobian vector
    products, 2017). like: tensors of the outputs' sizes."""
    weights = tuple(torch.zeros_like(tensor, requires_grad=True) for tensor in like)
    back = _grad(outputs, inputs, weights, create_graph=True)
    return _or_zeros(back, inputs, strict, False, stage), weights


# ---- products with vectors ---------------------------------------------------------------------------------
def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(*inputs), v times its Jacobian at the inputs).

    `inputs`: a tensor or a tuple of them; `v`: of the outputs' sizes, may be missing where that is one number.
    `create_graph`: the results have gradients. `strict`: RuntimeError where an output does not depend on an input, instead
    of zeros.
    """
    with torch.enable_grad():
        is_tuple, inputs = _as_tuple(inputs, "inputs", "vjp")
        inputs = _prepared(inputs, create_graph, need_graph=True)
        outputs_tuple, outputs = _outputs_of(func, inputs, "vjp")
        _check_recorded(outputs, strict)
        v = _vector(v, outputs, outputs_tuple, create_graph, "vjp", "the user-provided function returns")
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        grads = _grad(outputs, inputs, v, create_graph)
        product = _or_zeros(grads, inputs, strict, create_graph, "back")
    return (
        _unpacked(_finished(outputs, create_graph), outputs_tuple),
        _unpacked(_finished(product, create_graph), is_tuple),
    )


_INPUT = "the input to the user-provided function is"


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(*inputs), its Jacobian at the inputs times v): the backward pass of a backward pass, which is linear in v.

    `v`: of the inputs' sizes, may be missing where that is one number. The rest as in `vjp`.
    """
    with torch.enable_grad():
        is_tuple, inputs = _as_tuple(inputs, "inputs", "jvp")
        inputs = _prepared(inputs, create_graph, need_graph=True)
        v = _vector(v, inputs, is_tuple, create_graph, "jvp", _INPUT)
        outputs_tuple, outputs = _outputs_of(func, inputs, "jvp")
        _check_recorded(outputs, strict)
        back, weights = _weighted(outputs, outputs, inputs, strict, "back")
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        product = _grad(back, weights, v, create_graph)
        product = _or_zeros(product, outputs, strict, create_graph, "back_trick")
    return (
        _unpacked(_finished(outputs, create_graph), outputs_tuple),
        _unpacked(_finished(product, create_graph), outputs_tuple),
    )


def _hessian_product(func, inputs, v, create_graph, strict, name):
    """vhp's answer, or by the weights' gradient that of hvp."""
    with torch.enable_grad():
        is_tuple, inputs = _as_tuple(inputs, "inputs", name)
        inputs = _prepared(inputs, create_graph, need_graph=True)
        v = _vector(v, inputs, is_tuple, create_graph, name, _INPUT)
        outputs_tuple, outputs = _outputs_of(func, inputs, name)
        _check_recorded(outputs, strict)
        _scalar_output(outputs, outputs_tuple, name)
        back, of, stage = _grad(outputs, inputs, None, create_graph=True), inputs, "double_back"
        _check_twice(back, strict)
        if name == "hvp":
            (back, of), stage = _weighted(back, inputs, inputs, strict, stage), "double_back_trick"
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        product = _or_zeros(_grad(back, of, v, create_graph), inputs, strict, create_graph, stage)
    return (
        _unpacked(_finished(outputs, create_graph), outputs_tuple),
        _unpacked(_finished(product, create_graph), is_tuple),
    )


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(*inputs), v times its Hessian at the inputs). func returns one number; `v` has the inputs' sizes. The rest as
    in `vjp`."""
    return _hessian_product(func, inputs, v, create_graph, strict, "vhp")


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(*inputs), its Hessian at the inputs times v): as `vhp`, which is faster and gives the same where the Hessian
    is symmetric."""
    return _hessian_product(func, inputs, v, create_graph, strict, "hvp")


_VECTORIZED = (
    "Computing Jacobian using forward-AD or forward-over-reverse Hessian is only implemented for `vectorize=True`."
)


# ---- whole matrices ----------------------------------------------------------------------------------------
def _rows(output, i, inputs, strict, create_graph):
    """The Jacobian of one output, for each input: its sizes are the output's, then the input's."""
    columns = [[] for _ in inputs]
    for at in range(output.nelement()):
        grads = (
            torch.autograd.grad(
                (output.reshape(-1)[at],), inputs, retain_graph=True, create_graph=create_graph, allow_unused=True
            )
            if output.requires_grad
            else (None,) * len(inputs)
        )
        for k, (grad, tensor) in enumerate(zip(grads, inputs)):
            if strict and grad is None:
                raise RuntimeError(
                    f"Output {i} of the user-provided function is independent of input {k}. This is not allowed in strict "
                    "mode."
                )
            if strict and create_graph and not grad.requires_grad:
                raise RuntimeError(_CONSTANT["back"].format(i=k))
            columns[k].append(torch.zeros_like(tensor) if grad is None else grad)
    return tuple(
        (torch.stack(column) if column else tensor.new_zeros((0, *tensor.size()))).view(output.size() + tensor.size())
        for column, tensor in zip(columns, inputs)
    )


def _forward_jacobian(func, inputs, create_graph, strict):
    """The Jacobian, by one forward pass for each element of the inputs."""
    if create_graph:
        raise NotImplementedError(
            'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not supported together'
        )
    if strict:
        raise RuntimeError(
            'torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are not supported together'
        )
    from torch.autograd._check_forward import directions, tangents_of

    is_tuple, inputs = _as_tuple(inputs, "inputs", "jacobian")
    inputs = tuple(tensor.detach() for tensor in inputs)
    outputs_tuple, outputs = _outputs_of(func, inputs, "jacobian")
    columns = [
        [
            tangents_of(lambda *given: _outputs_of(func, given, "jacobian")[1], inputs, k, one)
            for one in directions(tensor)
        ]
        for k, tensor in enumerate(inputs)
    ]
    rows = tuple(
        tuple(
            (torch.stack([column[i] for column in of], -1) if of else output.new_zeros((*output.size(), 0))).reshape(
                output.size() + tensor.size()
            )
            for of, tensor in zip(columns, inputs)
        )
        for i, output in enumerate(outputs)
    )
    return _unpacked(tuple(_unpacked(row, is_tuple) for row in rows), outputs_tuple)


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The Jacobian of a function at the inputs: for each output and each input a tensor of the output's sizes followed by
    the input's; tuples of them as func returns and takes tuples.

    `create_graph`, `strict`: as in `vjp`. `strategy`: "forward-mode" computes a column of it at a time, by torch.autograd.forward_ad,
    and wants vectorize=True, which changes nothing else.
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than '
            'inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        if not vectorize:
            raise NotImplementedError(_VECTORIZED)
        return _forward_jacobian(func, inputs, create_graph, strict)
    with torch.enable_grad():
        is_tuple, inputs = _as_tuple(inputs, "inputs", "jacobian")
        inputs = _prepared(inputs, create_graph, need_graph=True)
        outputs_tuple, outputs = _outputs_of(func, inputs, "jacobian")
        _check_recorded(outputs, strict)
        if strict and vectorize:
            raise RuntimeError(
                "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together. Please "
                "either set `strict=False` or `vectorize=False`."
            )
        rows = tuple(
            _finished(_rows(output, i, inputs, strict, create_graph), create_graph) for i, output in enumerate(outputs)
        )
    rows = tuple(_unpacked(row, is_tuple) for row in rows)
    return _unpacked(rows, outputs_tuple)


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """The Hessian at the inputs of a function that returns one number: for each pair of inputs a tensor of the sizes of
    the first followed by the second's. Either strategy of the outer Jacobian is the same backward pass. The rest as in
    `jacobian`."""
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')
    if outer_jacobian_strategy == "forward-mode" and not vectorize:
        raise NotImplementedError(_VECTORIZED)
    is_tuple, inputs = _as_tuple(inputs, "inputs", "hessian")

    def gradient(*inputs):
        outputs_tuple, outputs = _outputs_of(func, inputs, "hessian")
        _check_recorded(outputs, strict)
        _scalar_output(outputs, outputs_tuple, "hessian")
        grads = _grad((outputs[0].reshape(()),), inputs, None, create_graph=True)
        _check_twice(grads, strict)
        return tuple(torch.zeros_like(t) if grad is None else grad for grad, t in zip(grads, inputs))

    result = jacobian(
        gradient,
        inputs,
        create_graph=create_graph,
        strict=strict,
        vectorize=vectorize,
    )
    return result if is_tuple else result[0][0]
