"""Classes of C++ in TorchScript, which this torch has not."""


def register_fake_class(qualname, fake_class=None):
    """A stand-in for a class that C++ registered for TorchScript. There are no such classes here."""
    raise NotImplementedError(
        f"register_fake_class({qualname!r}): this torch has no classes of TorchScript (torch.classes) to stand in for"
    )
