"""Functions in threads of their own."""

import functools
import threading


def at_once(*functions, times=1):
    """Calls each in a thread of its own, `times` times, and raises the first error."""
    errors, start = [], threading.Barrier(len(functions))

    def run(function):
        try:
            start.wait()
            for _ in range(times):
                function()
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=run, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def in_threads(count, function):
    """function(0), function(1) … at once."""
    at_once(*(functools.partial(function, i) for i in range(count)))
