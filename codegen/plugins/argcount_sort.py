class ArgcountSort:
    """Overloads are tried in the order of how few arguments they need: max(t) before max(t, dim)."""

    def sort(self, overloads):
        return tuple(sorted(overloads, key=lambda o: sum(not a.optional for a in o.inputs)))
