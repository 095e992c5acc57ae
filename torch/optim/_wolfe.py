"""A line search whose steps satisfy the strong Wolfe conditions.

After Nocedal and Wright, Numerical Optimization, algorithms 3.5 and 3.6: walk outwards until an interval is bracketed
that must hold a good step, then narrow it. Places in between come from the cubic through two values and slopes. The
numbers that keep it from stalling (0.1 of the interval, ten times the last step) are those of Schmidt's minFunc.
"""


class Point:
    """What is known at step length `t`: the loss, the gradient, and the slope along the direction."""

    __slots__ = ("t", "loss", "grad", "slope")

    def __init__(self, t, loss, grad, slope):
        self.t, self.loss, self.grad, self.slope = t, loss, grad, slope


def cubic_minimum(x1, f1, g1, x2, f2, g2, bounds=None):
    """Where the cubic with values f and slopes g at x1 and x2 is least within `bounds` (without any: between the two).

    Where it has no minimum, the middle.
    """
    low, high = bounds if bounds is not None else ((x1, x2) if x1 <= x2 else (x2, x1))
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1**2 - g1 * g2
    if not square >= 0:
        return (low + high) / 2.0
    d2 = square**0.5 if isinstance(square, float) else square.sqrt()
    if x1 <= x2:
        least = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        least = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(least, low), high)


def _between(a, b):
    return cubic_minimum(a.t, a.loss, a.slope, b.t, b.loss, b.slope)


def strong_wolfe(evaluate, t, direction, loss, grad, slope, c1=1e-4, c2=0.9, tolerance_change=1e-9, max_ls=25):
    """Find a step length along `direction`, starting with `t`.

    Args:
        evaluate (callable): ``evaluate(t)`` gives the loss (float) and the flat gradient at step length `t`
        loss, grad, slope: at the start

    Returns ``(loss, grad, t, evaluations)`` of the step that was found.
    """
    largest = direction.abs().max()

    def at(t):
        value, gradient = evaluate(t)
        return Point(t, value, gradient, gradient.dot(direction))

    start = Point(0, loss, grad.clone(), slope)

    def too_high(point):
        return point.loss > start.loss + c1 * point.t * start.slope

    def flat(point):
        return abs(point.slope) <= -c2 * start.slope

    previous, point = start, at(t)
    evaluations = 1
    found = False
    rounds = 0
    bracket = None
    while rounds < max_ls:
        if too_high(point) or (rounds > 1 and point.loss >= previous.loss):
            bracket = [previous, point]
            break
        if flat(point):
            bracket, found = [point], True
            break
        if point.slope >= 0:
            bracket = [previous, point]
            break
        nearest = point.t + 0.01 * (point.t - previous.t)
        farthest = point.t * 10
        t = cubic_minimum(
            previous.t,
            previous.loss,
            previous.slope,
            point.t,
            point.loss,
            point.slope,
            bounds=(nearest, farthest),
        )
        previous, point = point, at(t)
        evaluations += 1
        rounds += 1
    if bracket is None:
        bracket = [start, point]

    stalled = False  # the last place was near an end of the interval
    low, high = (0, 1) if bracket[0].loss <= bracket[-1].loss else (1, 0)
    while not found and rounds < max_ls:
        if abs(bracket[1].t - bracket[0].t) * largest < tolerance_change:
            break
        t = _between(bracket[0], bracket[1])
        ends = (bracket[0].t, bracket[1].t)
        near = 0.1 * (max(ends) - min(ends))
        if min(max(ends) - t, t - min(ends)) < near:
            if stalled or t >= max(ends) or t <= min(ends):
                # Twice in a row, or outside: force it inwards, away from the nearer end.
                t = max(ends) - near if abs(t - max(ends)) < abs(t - min(ends)) else min(ends) + near
                stalled = False
            else:
                stalled = True
        else:
            stalled = False

        point = at(t)
        evaluations += 1
        rounds += 1
        if too_high(point) or point.loss >= bracket[low].loss:
            bracket[high] = point
            low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
        else:
            if flat(point):
                found = True
            elif point.slope * (bracket[high].t - bracket[low].t) >= 0:
                bracket[high] = bracket[low]
            bracket[low] = point

    best = bracket[low if len(bracket) > 1 else 0]
    return best.loss, best.grad, best.t, evaluations
