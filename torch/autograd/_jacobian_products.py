"""The Jacobian of one function times a tangent, of the function's gradient: torch.autograd.forward_ad says how."""

import torch


def shares(one, other):
    """Whether they see the same memory."""
    return one.device.type != "meta" and one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


def zeros(primal):
    try:
        return torch.empty_strided(primal.size(), primal.stride(), dtype=primal.dtype, device=primal.device).zero_()
    except RuntimeError:
        return torch.zeros_like(primal)


def products(name, outputs, targets, tangents, recorded):
    """The Jacobians of outputs by targets, times the tangents: for each output, None where it depends on none."""
    if not outputs:
        return []
    try:
        found = _twice(outputs, targets, tangents, recorded, torch.ones_like)
    except RuntimeError:
        # Gradients of eigenvectors refuse what depends on their phases, as ones do.
        try:
            found = _twice(outputs, targets, tangents, recorded, torch.zeros_like)
        except RuntimeError as error:
            raise NotImplementedError(
                f"Trying to use forward AD with {name} that does not support it because its gradient has no derivative: "
                f"{error}"
            ) from error
    if found is None:
        return [None] * len(outputs)
    found = [zeros(output.detach()) if each is None else each for each, output in zip(found, outputs)]
    return [
        _repaired(name, output, targets, tangents, _apart(tangent, tangents), recorded)
        for output, tangent in zip(outputs, found)
    ]


def _twice(outputs, targets, tangents, recorded, weight):
    """The derivative, by the weights of the outputs, of the gradients' product with the tangents; None where the outputs
    depend on no target. Of the weights it does not depend, but where some gradients take their logarithm, at zeros."""
    weights = [weight(output).requires_grad_() for output in outputs]
    gradients = torch.autograd.grad(outputs, [*targets.values()], weights, create_graph=True, allow_unused=True)
    linear = [(grad, tangents[key]) for key, grad in zip(targets, gradients) if grad is not None]
    if not linear:
        return None
    linear = [(grad, tangent.to(grad.dtype)) for grad, tangent in linear if grad.requires_grad]
    if not linear:
        return [None] * len(outputs)
    grads, along = zip(*linear)
    return torch.autograd.grad(grads, weights, along, create_graph=recorded, allow_unused=True)


def _apart(tangent, tangents):
    """A tangent that is an argument's itself, as a tensor of its own."""
    return tangent.clone() if any(shares(tangent, each) for each in tangents.values()) else tangent


# One element at a time, with gradients that are where() of what may be nan.
_ELEMENTWISE = {"sinc", "logit", "xlogy", "special_xlog1py", "special_entr"}
_ELEMENTWISE |= {f"special_{name}" for name in ("sinc", "logit", "xlogy")} | {
    f"{name}_" for name in ("sinc", "logit", "xlogy")
}


def _repaired(name, output, targets, tangents, found, recorded):
    """nan where a gradient is a finite number can come of 0 · inf in the gradient's derivative: those elements are
    computed of the gradient alone, row by row of the Jacobian."""
    bad = found.isnan() & output.isfinite()
    if not bad.any():
        return found

    def rows(weight):
        grads = torch.autograd.grad(
            output, [*targets.values()], weight, retain_graph=True, create_graph=recorded, allow_unused=True
        )
        return [(grad, tangents[key]) for key, grad in zip(targets, grads) if grad is not None]

    alike = all(each.shape == output.shape and not each.is_complex() for each in targets.values())
    if name in _ELEMENTWISE and alike:
        parts = [
            torch.autograd.grad(
                output, target, tangents[key], retain_graph=True, create_graph=recorded, allow_unused=True
            )[0]
            for key, target in targets.items()
        ]
        return torch.where(bad, sum(part for part in parts if part is not None), found)
    values = []
    for place in bad.nonzero().tolist():
        one = torch.zeros_like(output)
        one[tuple(place)] = 1
        value = sum(_real_product(*pair) for pair in rows(one))
        if output.is_complex():
            value = torch.complex(value, sum(_real_product(*pair) for pair in rows(one * 1j)))
        values.append(value)
    return found.masked_scatter(bad, torch.stack(values).to(found.dtype))


def _real_product(grad, tangent):
    return (grad.conj() * tangent).real.sum() if grad.is_complex() else (grad * tangent).sum()
