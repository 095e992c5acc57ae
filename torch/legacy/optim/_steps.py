"""One step by one gradient."""

import functools

import torch


def method(function):
    """Makes an optimiser of function(opfunc, x, config, state): where the state is, what cannot be."""

    @functools.wraps(function)
    def optimiser(opfunc, x, config, state=None):
        if config is None and state is None:
            raise ValueError(f"{function.__name__} requires a dictionary to retain state between iterations")
        config = {} if config is None else config
        return function(opfunc, x, config, config if state is None else state)

    return optimiser


def _evaluated(opfunc, x, config):
    """The value, and the gradient with weight decay."""
    value, gradient = opfunc(x)
    if gradient.size() != x.size():
        raise ValueError(f"a gradient of size {tuple(gradient.size())} for an x of size {tuple(x.size())}")
    decay, decays = config.get("weightDecay", 0), config.get("weightDecays")
    if decay != 0 and decays is not None:
        raise ValueError(f"both weightDecay ({decay}) and weightDecays are given")
    if decay != 0:
        gradient = gradient.add(x, alpha=decay)
    elif decays is not None:
        gradient = gradient.addcmul(decays, x)
    return value, gradient


def _rate(config, state, default=1e-3):
    """The learning rate of this call, which "learningRateDecay" lowers; counts calls."""
    calls = state.get("evalCounter", 0)
    state["evalCounter"] = calls + 1
    return config.get("learningRate", default) / (1 + calls * config.get("learningRateDecay", 0))


def _zeros(state, x, *names):
    """Tensors of the state, at first zeros like x."""
    return [state.setdefault(name, torch.zeros_like(x)) for name in names]


def _moved(x, gradient, rate, config):
    """x after a step against the gradient; each element has a rate of its own with "learningRates"."""
    rates = config.get("learningRates")
    return x.add_(gradient if rates is None else gradient * rates, alpha=-rate)


@method
def sgd(opfunc, x, config, state):
    """Gradient descent. learningRate 1e-3, learningRateDecay, learningRates, weightDecay, weightDecays, momentum,
    dampening (as the momentum), nesterov."""
    momentum = config.get("momentum", 0)
    dampening = config.get("dampening", momentum)
    nesterov = config.get("nesterov", False)
    if nesterov and (momentum <= 0 or dampening != 0):
        raise ValueError(f"Nesterov momentum requires a momentum and zero dampening, not {momentum} and {dampening}")
    value, gradient = _evaluated(opfunc, x, config)
    if momentum != 0:
        if "dfdx" in state:
            state["dfdx"].mul_(momentum).add_(gradient, alpha=1 - dampening)
        else:
            state["dfdx"] = gradient.clone()
        gradient = gradient.add(state["dfdx"], alpha=momentum) if nesterov else state["dfdx"]
    _moved(x, gradient, _rate(config, state), config)
    return x, value


@method
def nag(opfunc, x, config, state):
    """Nesterov's accelerated gradient: the momentum (0.9) is followed first, the gradient taken there."""
    momentum = config.get("momentum", 0.9)
    if momentum <= 0:
        raise ValueError(f"Momentum must be positive for Nesterov Accelerated Gradient, not {momentum}")
    (velocity,) = _zeros(state, x, "dfdx")
    x.add_(velocity, alpha=momentum)
    value, gradient = _evaluated(opfunc, x, config)
    velocity.mul_(momentum)
    rate = _rate(config, state)
    _moved(x, gradient, rate, config)
    _moved(velocity, gradient, rate, config)
    return x, value


@method
def adagrad(opfunc, x, config, state):
    """Rates by the root of the sum of squares of all gradients. learningRate 1e-3, learningRateDecay, weightDecay."""
    value, gradient = _evaluated(opfunc, x, config)
    (sum,) = _zeros(state, x, "paramVariance")
    sum.addcmul_(gradient, gradient)
    x.addcdiv_(gradient, sum.sqrt().add_(1e-10), value=-_rate(config, state))
    return x, value


@method
def adadelta(opfunc, x, config, state):
    """Steps as large as those before, by the gradients before. rho 0.9, eps 1e-6, weightDecay."""
    rho, eps = config.get("rho", 0.9), config.get("eps", 1e-6)
    value, gradient = _evaluated(opfunc, x, config)
    state["evalCounter"] = state.get("evalCounter", 0) + 1
    squares, steps = _zeros(state, x, "paramVariance", "accDelta")
    squares.mul_(rho).addcmul_(gradient, gradient, value=1 - rho)
    step = gradient * ((steps + eps) / (squares + eps)).sqrt_()
    steps.mul_(rho).addcmul_(step, step, value=1 - rho)
    x.sub_(step)
    return x, value


@method
def adam(opfunc, x, config, state):
    """learningRate 1e-3, learningRateDecay, beta1 0.9, beta2 0.999, epsilon 1e-8, weightDecay."""
    beta1, beta2 = config.get("beta1", 0.9), config.get("beta2", 0.999)
    value, gradient = _evaluated(opfunc, x, config)
    mean, square = _zeros(state, x, "m", "v")
    t = state["t"] = state.get("t", 0) + 1
    mean.lerp_(gradient, 1 - beta1)
    square.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
    rate = _rate(config, state) * (1 - beta2**t) ** 0.5 / (1 - beta1**t)
    x.addcdiv_(mean, square.sqrt().add_(config.get("epsilon", 1e-8)), value=-rate)
    return x, value


@method
def adamax(opfunc, x, config, state):
    """Adam with the largest gradient of late instead of their squares' mean. learningRate 2e-3, beta1 0.9, beta2 0.999,
    epsilon 1e-38, weightDecay."""
    beta1, beta2 = config.get("beta1", 0.9), config.get("beta2", 0.999)
    value, gradient = _evaluated(opfunc, x, config)
    mean, largest = _zeros(state, x, "m", "u")
    t = state["t"] = state.get("t", 0) + 1
    mean.lerp_(gradient, 1 - beta1)
    torch.maximum(largest.mul_(beta2), gradient.abs() + config.get("epsilon", 1e-38), out=largest)
    x.addcdiv_(mean, largest, value=-_rate(config, state, 2e-3) / (1 - beta1**t))
    return x, value


@method
def rmsprop(opfunc, x, config, state):
    """Rates by the root of the mean square of late. learningRate 1e-2, alpha 0.99, epsilon 1e-8, weightDecay."""
    alpha = config.get("alpha", 0.99)
    value, gradient = _evaluated(opfunc, x, config)
    (squares,) = _zeros(state, x, "m")
    squares.mul_(alpha).addcmul_(gradient, gradient, value=1 - alpha)
    x.addcdiv_(gradient, squares.sqrt().add_(config.get("epsilon", 1e-8)), value=-_rate(config, state, 1e-2))
    return x, value


@method
def rprop(opfunc, x, config, state):
    """Steps by signs alone: longer where the sign stays (etaplus 1.2), shorter where it turns (etaminus 0.5), between
    stepsizemin 1e-6 and stepsizemax 50, at first stepsize 0.1. Takes niter (1) steps and returns their values."""
    values = []
    for _ in range(config.get("niter", 1)):
        value, gradient = _evaluated(opfunc, x, config)
        values.append(value)
        (last,) = _zeros(state, x, "delta")
        if "stepsizes" not in state:
            state["stepsizes"] = torch.full_like(x, config.get("stepsize", 0.1))
        agreement = gradient * last
        factor = torch.ones_like(x).masked_fill_(agreement > 0, config.get("etaplus", 1.2))
        factor.masked_fill_(agreement < 0, config.get("etaminus", 0.5))
        state["stepsizes"].mul_(factor).clamp_(config.get("stepsizemin", 1e-6), config.get("stepsizemax", 50.0))
        gradient = gradient.masked_fill(agreement < 0, 0)
        x.addcmul_(gradient.sign(), state["stepsizes"], value=-1)
        last.copy_(gradient)
    return x, values


@method
def asgd(opfunc, x, config, state):
    """Gradient descent whose positions are averaged from call t0 (1e6) on; eta0 1e-4, lambda 1e-4, alpha 0.75. Returns the
    average as well."""
    eta0, decay = config.get("eta0", 1e-4), config.get("lambda", 1e-4)
    value, gradient = _evaluated(opfunc, x, config)
    eta, mu = state.get("eta_t", eta0), state.get("mu_t", 1)
    x.mul_(1 - decay * eta).add_(gradient, alpha=-eta)
    (average,) = _zeros(state, x, "ax")
    average.lerp_(x, mu) if mu != 1 else average.copy_(x)
    t = state["t"] = state.get("t", 0) + 1
    state["eta_t"] = eta0 / (1 + decay * eta0 * t) ** config.get("alpha", 0.75)
    state["mu_t"] = 1 / max(1, t - config.get("t0", 1e6))
    return x, value, average
