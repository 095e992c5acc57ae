"""Many evaluations in one call, along lines."""

from torch.legacy.optim._steps import method
from torch.optim._wolfe import strong_wolfe
from torch.optim.lbfgs import _Memory


@method
def lbfgs(opfunc, x, config, state):
    """Quasi-Newton steps. maxIter 20, maxEval 1.25 maxIter, tolFun 1e-5 (of the gradient's absolute sum), tolX 1e-9 (of a
    step's, or of the value's change), nCorrection 100, learningRate 1. `lineSearch(opfunc, x, t, direction, value,
    gradient, slope, lineSearchOptions)` returns (value, gradient, x, t, evaluations); without one, steps have the length
    of the learning rate. Returns x, all values, and the number of evaluations."""
    most, tolerance = config.get("maxIter", 20), config.get("tolX", 1e-9)
    most_evaluations = config.get("maxEval", most * 1.25)
    rate, search = config.get("learningRate", 1), config.get("lineSearch")
    value, gradient = opfunc(x)
    values, evaluations = [value], 1
    state["funcEval"] = state.get("funcEval", 0) + 1
    state.setdefault("nIter", 0)
    memory, t = _Memory(state, config.get("nCorrection", 100)), state.get("t")
    for left in range(most, 0, -1):
        if gradient.abs().sum() <= config.get("tolFun", 1e-5):
            break
        state["nIter"] += 1
        first = state["nIter"] == 1
        direction = memory.direction(gradient, first=first, last_step=t)
        memory.remember(gradient)
        slope = float(gradient.dot(direction))
        t = min(1.0, 1.0 / float(gradient.abs().sum())) * rate if first else rate
        before, taken = value, 0
        if search is not None:
            options = config.get("lineSearchOptions")
            value, gradient, x, t, taken = search(opfunc, x, t, direction, value, gradient, slope, options)
        else:
            x.add_(direction, alpha=t)
            if left > 1:  # nobody asks for the value after the last step
                value, gradient = opfunc(x)
                taken = 1
        if taken:
            values.append(value)
        evaluations += taken
        state["funcEval"] += taken
        small = float(direction.abs().sum()) * t <= tolerance or abs(float(value) - float(before)) < tolerance
        if evaluations >= most_evaluations or slope > -tolerance or (left > 1 and small):
            break
    memory.write()
    state.update(d=memory.previous_direction, prev_flat_grad=memory.previous_grad, t=t)
    return x, values, evaluations


@method
def cg(opfunc, x, config, state):
    """Conjugate gradients (Polak and Ribière's), each line searched until the strong Wolfe conditions hold with rho (0.01)
    and sig (0.5). maxIter 20 is the most evaluations in a line, maxEval (1.25 maxIter) the most in all; a step is at
    first at most ratio (100) times the last. Returns x, all values, and the number of evaluations."""
    in_line = config.get("maxIter", 20)
    most = abs(config.get("maxEval", in_line * 1.25))
    value, gradient = opfunc(x)
    gradient = gradient.clone()
    values, evaluations = [value], 1
    direction, slope = gradient.neg(), -float(gradient.dot(gradient))
    step, steepest = 1 / (1 - slope), True
    while evaluations < most and slope < 0:
        start = x.clone()

        def at(t, start=start, direction=direction):
            x.copy_(start).add_(direction, alpha=float(t))
            found, slopes = opfunc(x)
            return float(found), slopes.clone()

        limits = {"c1": config.get("rho", 0.01), "c2": config.get("sig", 0.5)}
        limits["max_ls"] = int(max(1, min(in_line, most - evaluations)))
        found, new, t, taken = strong_wolfe(at, step, direction, float(value), gradient, slope, **limits)
        evaluations += taken
        x.copy_(start).add_(direction, alpha=float(t))
        if not found < float(value):
            x.copy_(start)
            if steepest:  # nothing is lower along the gradient itself
                break
            direction, slope = gradient.neg(), -float(gradient.dot(gradient))
            step, steepest = 1 / (1 - slope), True
            continue
        value = found
        values.append(value)
        beta = float(new.dot(new) - new.dot(gradient)) / float(gradient.dot(gradient))
        gradient, last = new, slope
        direction = direction * beta - gradient
        slope, steepest = float(gradient.dot(direction)), False
        if slope > 0:
            direction, slope, steepest = gradient.neg(), -float(gradient.dot(gradient)), True
        if slope < 0:
            step = float(t) * min(config.get("ratio", 100), last / slope)
    return x, values, evaluations
