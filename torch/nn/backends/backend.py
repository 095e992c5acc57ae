"""A table of functions by name."""


class FunctionBackend:
    """Functions are registered by names, and are then attributes."""

    def __init__(self):
        self.function_classes = {}

    def __getattr__(self, name):
        found = self.__dict__.get("function_classes", {}).get(name)
        if found is None:
            raise AttributeError(f"{type(self).__name__} has no function '{name}'")
        return found

    def register_function(self, name, function_class):
        """RuntimeError where the name is taken."""
        if name in self.function_classes:
            raise RuntimeError(
                f"Trying to register second function under name {name} in {type(self).__name__}: it has "
                f"{self.function_classes[name].__name__}"
            )
        self.function_classes[name] = function_class
