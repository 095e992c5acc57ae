"""Derivatives by finite differences."""

STEP = 1e-4


def slope(function, leaves, along):
    """The derivative of a number that depends on leaves, in a direction, and how far two measurements of it are apart."""

    def at(step):
        return function([leaf + step * d for leaf, d in zip(leaves, along)])

    near = (at(STEP) - at(-STEP)) / (2 * STEP)
    far = (at(2 * STEP) - at(-2 * STEP)) / (4 * STEP)
    return (4 * near - far) / 3, abs(near - far)
