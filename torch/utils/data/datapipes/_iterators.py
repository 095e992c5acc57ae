"""One iterator per pipe: a pipe keeps what its pass needs in itself, so that a second pass has to end the first."""

import functools
import inspect

_ADVICE = (
    "\nThis may be caused by multiple references to the same IterDataPipe. We recommend using `.fork()` if that is "
    "necessary."
)


def described(pipe):
    """A pipe as a call of its class, with those arguments that it keeps under their own names."""
    kept = vars(pipe)
    arguments = []
    for name in sorted(inspect.signature(type(pipe).__init__).parameters):
        if name in kept:
            value = kept[name]
            shown = value.__name__ if inspect.isfunction(value) or inspect.isclass(value) else repr(value)
            arguments.append(f"{name}={shown}")
    return f"{type(pipe).__name__}({', '.join(arguments)})"


def _begin(pipe):
    """Makes all earlier iterators of a pipe invalid. Returns the number of the new one."""
    if hasattr(pipe, "_begin_with_siblings"):
        return pipe._begin_with_siblings()
    pipe._valid_iterator_id = 0 if pipe._valid_iterator_id is None else pipe._valid_iterator_id + 1
    pipe.reset()
    return pipe._valid_iterator_id


def _require_valid(pipe, number):
    if hasattr(pipe, "_begin_with_siblings"):
        if not number == pipe._valid_iterator_id == pipe.main_datapipe._valid_iterator_id:
            raise RuntimeError(
                "This iterator has been invalidated, because a new iterator has been created from one of the "
                f"ChildDataPipes of {described(pipe.main_datapipe)}.{_ADVICE}"
            )
    elif number != pipe._valid_iterator_id:
        raise RuntimeError(
            "This iterator has been invalidated because another iterator has been created from the same IterDataPipe: "
            f"{described(pipe)}{_ADVICE}"
        )


def _say_where(error, pipe):
    """Adds the pipe to an error's text, unless a pipe further up has been there."""
    text = "This exception is thrown by __iter__ of"
    first, *rest = error.args or ("",)
    if text not in str(first):
        error.args = (f"{first}\n{text} {described(pipe)}", *rest)


class _Checked:
    """An iterator of a pipe whose `__iter__` is no generator."""

    def __init__(self, pipe, iterator, number):
        self.datapipe = pipe
        self.iterator = iterator
        self.iterator_id = number

    def __iter__(self):
        return self

    def __next__(self):
        _require_valid(self.datapipe, self.iterator_id)
        item = next(self.iterator)
        self.datapipe._number_of_samples_yielded += 1
        return item

    def __getattr__(self, name):
        return getattr(self.iterator, name)


def _checked_generator(function):
    @functools.wraps(function)
    def iterate(pipe):
        number = _begin(pipe)
        walk = function(pipe)
        sent = None
        try:
            while True:
                _require_valid(pipe, number)
                try:
                    item = walk.send(sent)
                except StopIteration:
                    return
                pipe._number_of_samples_yielded += 1
                sent = yield item
        except Exception as error:
            _say_where(error, pipe)
            raise
        finally:
            walk.close()

    return iterate


def _checked_function(function):
    @functools.wraps(function)
    def iterate(pipe):
        iterator = function(pipe)
        return _Checked(pipe, iterator, _begin(pipe))

    return iterate


def watch(cls):
    """Makes the `__iter__` that a class defines keep the rule. A generator begins its pass with its first item, any other
    with iter(); reset() is called then. An error that leaves a generator says in which pipe it arose."""
    function = cls.__dict__.get("__iter__")
    if function is None or hasattr(function, "__wrapped__"):
        return
    if inspect.isgeneratorfunction(function):
        cls.__iter__ = _checked_generator(function)
    else:
        cls.__iter__ = _checked_function(function)
