"""What a module consists of: parameters, buffers and submodules, and how to find them."""

from collections.abc import Iterator

from torch import Tensor
from torch.nn.parameter import Parameter

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.nn.modules.module import Module


class ModuleMembers:
    """Part of Module: walks over what it consists of."""

    def get_submodule(self, target: str) -> "Module":
        """The submodule of that path, "encoder.layers.0"; itself for "". AttributeError if there is none."""
        module = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, ModuleMembers):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: "Module", strict: bool = False) -> None:
        """Puts `module` in the place of the submodule of that path, which must be there if `strict`. AttributeError if
        its parent, or what is replaced, is no module."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, ModuleMembers):
            raise ValueError("`module` is not an nn.Module, found " + str(type(module)))
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{type(parent).__name__} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), ModuleMembers):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter of that path. AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        found = getattr(module, name)
        if not isinstance(found, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return found

    def get_buffer(self, target: str) -> Tensor:
        """The buffer of that path. AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return module._buffers[name]

    def _named_members(self, get_members_fn, prefix="", recurse=True, remove_duplicate: bool = True):
        """(name, member) of what get_members_fn(module) gives, of this module and, if `recurse`, of all below."""
        seen = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, member in get_members_fn(module):
                if member is None or member in seen:
                    continue
                if remove_duplicate:
                    seen.add(member)
                yield f"{path}.{name}" if path else name, member

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters, each once; those of submodules only if `recurse`."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """(name, parameter) of all parameters; `prefix` stands before the names. One that has several names has its
        first, or all of them unless remove_duplicate."""
        return self._named_members(lambda module: module._parameters.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers, each once; those of submodules only if `recurse`."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """(name, buffer) of all buffers, as named_parameters() gives parameters."""
        return self._named_members(lambda module: module._buffers.items(), prefix, recurse, remove_duplicate)

    def children(self) -> "Iterator[Module]":
        """The submodules right below, each once."""
        for _, module in self.named_children():
            yield module

    def named_children(self) -> "Iterator[tuple[str, Module]]":
        """(name, module) of the submodules right below, each once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self, remove_duplicate: bool = True) -> "Iterator[Module]":
        """The module itself and all below, each once, or as often as it is there unless remove_duplicate."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_modules(self, memo: "set[Module] | None" = None, prefix: str = "", remove_duplicate: bool = True):
        """(path, module) of the module itself, whose path is `prefix`, and of all below. `memo`: a set of modules to
        leave out, to which the others are added."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)
