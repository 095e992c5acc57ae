"""The worker processes of one iterator, seen from the parent: start, send, receive, stop."""

# join() would import it otherwise, perhaps when a program ends, and by that lose the exit code of Ctrl-C.
import multiprocessing.connection  # noqa: F401
import os
import select
import signal
import time

from . import MP_STATUS_CHECK_INTERVAL
from .transport import Channel, Closed
from .worker import import_numpy, worker_loop


class Workers:
    """`count` processes, numbered from 0. `arguments(i)` are those of worker_loop after the channel.

    Every way out stops all of them: close(), an error in here, the end of the program."""

    def __init__(self, context, count, arguments, timeout):
        self.closed = False
        self._timeout = timeout
        self._owner = os.getpid()
        self._poll = select.poll()
        self._of_fd = {}  # descriptor → (number of the worker, whether it is its channel)
        self.channels = []
        self.processes = []
        import_numpy()  # once here, not again in each process that is forked
        try:
            for i in range(count):
                ours, theirs = Channel.pair()
                self.channels.append(ours)
                process = context.Process(target=worker_loop, args=(theirs, *arguments(i)), daemon=True)
                process.start()
                theirs.close()
                self.processes.append(process)
                self._watch(i)
        except BaseException:
            self.close()
            raise

    def _watch(self, i):
        for fd, is_channel in ((self.channels[i].fileno(), True), (self.processes[i].sentinel, False)):
            self._of_fd[fd] = i, is_channel
            self._poll.register(fd, select.POLLIN)

    def _unwatch(self, i):
        for fd in (self.channels[i].fileno(), self.processes[i].sentinel):
            if self._of_fd.pop(fd, None) is not None:
                self._poll.unregister(fd)

    def send(self, i, message):
        """Send `message` to worker i, without waiting. A worker that has died is found by receive()."""
        try:
            self.channels[i].post(message)
        except Closed:
            return
        self._watch_room(i)

    def _watch_room(self, i):
        events = select.POLLIN | select.POLLOUT if self.channels[i].waiting else select.POLLIN
        self._poll.modify(self.channels[i].fileno(), events)

    def receive(self):
        """The next message of any worker. Raises RuntimeError, and stops all of them, if one has died or nothing has
        come for the timeout (0: as long as it takes)."""
        deadline = time.monotonic() + self._timeout if self._timeout > 0 else None
        while True:
            wait = MP_STATUS_CHECK_INTERVAL if deadline is None else max(0, deadline - time.monotonic())
            ready = self._poll.poll(1000 * wait)
            # Messages first: what a worker has sent before its death is still to be had.
            ended = []
            for fd, events in ready:
                i, is_channel = self._of_fd[fd]
                if not is_channel:
                    ended.append(i)
                    continue
                if events & select.POLLOUT:
                    self._send_waiting(i)
                if events & ~select.POLLOUT:
                    try:
                        return self.channels[i].receive()
                    except Closed:
                        ended.append(i)
                    except BaseException:  # a message is lost: whoever waited for it would wait for ever
                        self.close()
                        raise
            if ended:
                self._fail(ended)
            if deadline is not None and time.monotonic() >= deadline:
                self.close(grace=0)
                raise RuntimeError(f"DataLoader timed out after {self._timeout} seconds")

    def _send_waiting(self, i):
        try:
            self.channels[i].flush()
        except Closed:
            return
        self._watch_room(i)

    def _fail(self, numbers):
        """Raise for workers that have ended, or have closed their channel and are about to."""
        reasons = []
        for i in sorted(set(numbers)):
            process = self.processes[i]
            process.join(MP_STATUS_CHECK_INTERVAL)
            reasons.append(f"worker {i}, pid {process.pid}, {_how_it_ended(process.exitcode)}")
        pids = ", ".join(str(self.processes[i].pid) for i in sorted(set(numbers)))
        self.close(grace=1)
        raise RuntimeError(f"DataLoader worker (pid(s) {pids}) exited unexpectedly: {'; '.join(reasons)}")

    def stop(self, i):
        """Let worker i end: nothing is expected of it any longer."""
        self._unwatch(i)
        self.channels[i].close()

    def close(self, grace=MP_STATUS_CHECK_INTERVAL):
        """Stop all workers. Those in the midst of a batch have `grace` seconds to finish it."""
        if self.closed or os.getpid() != self._owner:  # a forked copy has nothing to stop
            return
        self.closed = True
        for channel in self.channels:
            channel.close()
        try:
            deadline = time.monotonic() + grace
            for process in self.processes:
                process.join(max(0, deadline - time.monotonic()))
        finally:  # also after Ctrl-C
            for end in ("terminate", "kill"):
                left = [process for process in self.processes if process.is_alive()]
                for process in left:
                    getattr(process, end)()
                for process in left:
                    process.join(1)


def _how_it_ended(code):
    """Words for an exit code of multiprocessing."""
    if code is None:
        return "has closed its connection and goes on running"
    if code >= 0:
        return f"ended with exit code {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    hint = "; the system may have run out of memory" if -code == signal.SIGKILL else ""
    return f"was killed by signal: {signal.strsignal(-code) or name} ({name}){hint}"
