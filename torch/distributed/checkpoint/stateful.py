"""What has a state that checkpoints save and load."""

from typing import Any, Protocol, TypeVar, runtime_checkable

from torch._absent import rest_of

__all__ = ["Stateful", "StatefulT"]


@runtime_checkable
class Stateful(Protocol):
    """Anything with state_dict() and load_state_dict(): saved by what the first gives, loaded by the second."""

    def state_dict(self) -> dict[str, Any]:
        """What is to be saved."""
        ...

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes what was loaded."""
        ...


StatefulT = TypeVar("StatefulT", bound=Stateful)


__getattr__, __dir__ = rest_of(__name__)
