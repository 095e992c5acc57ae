"""The version as programs compare it: `torch.__version__ >= "2.0"`, `torch.__version__ < (2, 14)`."""

import functools
import re
from collections.abc import Iterable

from torch.version import __version__ as internal_version

__all__ = ["TorchVersion"]

_PHASES = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}
# Every spelling that installers take, https://peps.python.org/pep-0440/#appendix-b in groups.
_VERSION = re.compile(
    r"""\s*v?(?:(\d+)!)?(\d+(?:\.\d+)*)
    (?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d*))?
    (?:-(\d+)|([-_.]?(?:post|rev|r)[-_.]?(\d*)))?
    ([-_.]?dev[-_.]?(\d*))?
    (?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_BEFORE, _AFTER = (-1,), (1,)  # any pair that begins with 0


@functools.lru_cache
def _key(text):
    """What sorts as PEP 440 orders versions; None where `text` is not one."""
    match = _VERSION.fullmatch(text)
    if not match:
        return None
    epoch, release, phase, number, short, post, post_number, dev, dev_number, local = match.groups()
    numbers = [int(part) for part in release.split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    pre, is_post = _AFTER, short is not None or post is not None
    if phase:
        pre = (0, _PHASES.get(phase.lower(), phase.lower()), int(number or 0))
    elif dev and not is_post:
        pre = _BEFORE  # 1.0.dev1 comes before 1.0a1
    return (
        int(epoch or 0),
        tuple(numbers),
        pre,
        (0, int(short or post_number or 0)) if is_post else _BEFORE,
        (0, int(dev_number or 0)) if dev else _AFTER,
        tuple(
            (1, int(part), "") if part.isdigit() else (0, 0, part) for part in re.split("[-_.]", (local or "").lower())
        )
        if local
        else (),
    )


class TorchVersion(str):
    """A version, as text. Compared with text, a tuple (major, minor, …) or an object whose text is a version, it orders as
    PEP 440 has it, so "2.9" is older than "2.13"; with text that is no version, as text.

    >>> torch.torch_version.TorchVersion("2.13.0+th1") > "2.9"
    True
    """

    __slots__ = ()

    def _with(self, other):
        """The keys of both, versions' or texts; None where `other` is no version at all."""
        if isinstance(other, str):
            text = str.__str__(other)
        elif isinstance(other, Iterable):
            text = ".".join(map(str, other))
            if _key(text) is None:
                return None
        elif type(other).__name__ == "Version":  # packaging's, of whichever copy of it
            text = str(other)
        else:
            return None
        own, others = _key(str.__str__(self)), _key(text)
        return (own, others) if own is not None and others is not None else (str.__str__(self), text)

    def __lt__(self, other):
        keys = self._with(other)
        return NotImplemented if keys is None else keys[0] < keys[1]

    def __le__(self, other):
        keys = self._with(other)
        return NotImplemented if keys is None else keys[0] <= keys[1]

    def __eq__(self, other):
        keys = self._with(other)
        return NotImplemented if keys is None else keys[0] == keys[1]

    def __ne__(self, other):
        keys = self._with(other)
        return NotImplemented if keys is None else keys[0] != keys[1]

    def __ge__(self, other):
        keys = self._with(other)
        return NotImplemented if keys is None else keys[0] >= keys[1]

    def __gt__(self, other):
        keys = self._with(other)
        return NotImplemented if keys is None else keys[0] > keys[1]

    __hash__ = str.__hash__


__version__ = TorchVersion(internal_version)
