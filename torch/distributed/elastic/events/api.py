"""What happened to a run, as data: events of agents and workers, and of machines that meet."""

from __future__ import annotations

import dataclasses
import enum
import json

from torch._absent import rest_of

__all__ = ["Event", "EventSource", "NodeState", "RdzvEvent"]


class EventSource(str, enum.Enum):  # noqa: UP042 - str() names the class, as torch's does
    """Whose event it is."""

    AGENT = "AGENT"
    WORKER = "WORKER"


class NodeState(str, enum.Enum):  # noqa: UP042 - str() names the class, as torch's does
    """What a machine does."""

    INIT = "INIT"
    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"


class _AsText:
    """A dataclass that is a line of JSON, and of it again."""

    _enumeration = None  # (its field that is one, the enumeration)

    def __str__(self):
        return self.serialize()

    def serialize(self) -> str:
        """The line."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def deserialize(cls, data):
        """Of a line; an event is its own. ValueError, TypeError: it is no such line."""
        if isinstance(data, cls):
            return data
        found = json.loads(data)
        field, kind = cls._enumeration
        return cls(**found | {field: kind(found[field])})


@dataclasses.dataclass
class Event(_AsText):
    """One of an agent or a worker. timestamp: in milliseconds; metadata: whatever belongs to it."""

    name: str
    source: EventSource
    timestamp: int = 0
    metadata: dict[str, str | int | float | bool | None] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class RdzvEvent(_AsText):
    """One of a machine that meets others: what it says (`message`), who it is, and in which state."""

    name: str
    run_id: str
    message: str
    hostname: str
    pid: int
    node_state: NodeState
    master_endpoint: str = ""
    rank: int | None = None
    local_id: int | None = None
    error_trace: str = ""


Event._enumeration = "source", EventSource
RdzvEvent._enumeration = "node_state", NodeState

__getattr__, __dir__ = rest_of(__name__)
