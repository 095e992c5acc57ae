"""Who brought in what could not be packaged."""

from torch.package.package_exporter import PackagingError


def find_first_use_of_broken_modules(exc):
    """{module that could not be packaged: the names on the way to it, from what was saved}, of a PackagingError."""
    if not isinstance(exc, PackagingError):
        raise AssertionError(f"exception must be a PackagingError, got {type(exc).__name__}")
    seen, first = set(), {}  # first: who brought in each name that nobody had named before
    for source, target in exc.edges:
        seen.add(source)
        if target not in seen:
            first[target] = source
            seen.add(target)

    def way_to(name):
        way = [name]
        while way[-1] in first:
            way.append(first[way[-1]])
        return way[::-1]

    return {name: way_to(name) for name in exc.broken}
