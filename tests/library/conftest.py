"""What the tests of torch.library share: a namespace of the test's own."""

import itertools

import pytest

_numbers = itertools.count()


@pytest.fixture
def ns():
    """The name of a namespace that no other test has."""
    return f"tests_library_{next(_numbers)}"
