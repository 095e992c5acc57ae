from .base import ArgumentPlugin


class AssertNDim(ArgumentPlugin):
    """`assert_ndim: {t: 2}`: raises unless the tensor t has two dimensions."""

    def applies(self, argument):
        return argument.assert_ndim is not None

    def statements(self, argument, overload):
        return (f'check_ndim({argument.name}, {argument.assert_ndim}, "{argument.name}");',)
