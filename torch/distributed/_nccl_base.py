"""ProcessGroupNCCL without its operations: communicators, checks, how operations are launched, and the end."""

from __future__ import annotations

import contextlib
import datetime
import os

import torch
from torch import _distributed as _thd
from torch.cuda import nccl as _nccl
from torch.distributed._groups import _UNSET, _call
from torch.distributed._nccl_work import Communicator, DistBackendError, NCCLWork, Options, failing, ms, shown
from torch.distributed._options import ReduceOp, reduction
from torch.distributed.constants import default_pg_nccl_timeout

_OPERATIONS = {ReduceOp.SUM: 0, ReduceOp.PRODUCT: 1, ReduceOp.MAX: 2, ReduceOp.MIN: 3, ReduceOp.AVG: 4}
_OPERATIONS[ReduceOp.PREMUL_SUM] = 0
_TYPES = _nccl._NUMBERS | {torch.uint32: "Uint32", torch.uint64: "Uint64"}
# Sums of complex numbers are those of their parts.
_PARTS = {torch.complex64: torch.float32, torch.complex128: torch.float64}
_PARTED = (ReduceOp.SUM, ReduceOp.AVG, ReduceOp.PREMUL_SUM)


class _Begun:
    """An operation before it is launched: NCCL's calls, and what is to be done on the stream after them."""

    def __init__(self, name, tensors, results):
        self.name, self.tensors, self.results = name, tensors, results
        self.calls, self.after = [], []
        self.source = None


class Launcher:
    """What ProcessGroupNCCL's operations stand on."""

    Options = Options
    supports_coalescing = supports_splitting = True
    supports_shrinking = False

    def __init__(self, store, rank, size, options=None):
        if not torch.cuda.device_count():
            raise RuntimeError(f"a group over NCCL needs GPUs, and rank {rank} of {size} finds none")
        self._native = _nccl._native("ProcessGroupNCCL")
        if not isinstance(options, Options):
            timeout, options = options, Options()
            options._timeout = timeout if timeout is not None else default_pg_nccl_timeout
        self.options = options
        self._store, self._rank, self._size = store, rank, size
        self._timeout, self._priority = options._timeout, -1 if options.is_high_priority_stream else 0
        self._communicators, self._made, self._gone = {}, 0, None
        self._gathered = None  # operations that are coalesced
        self._sequence = 0
        self._bound = None
        self._blocking = os.environ.get("TORCH_NCCL_BLOCKING_WAIT", "0") not in ("0", "")

    # ---- questions -------------------------------------------------------------------------------------------
    def name(self):
        """What it talks by."""
        return "nccl"

    _get_backend_name = name

    def rank(self):
        """This process's place in the group."""
        return self._rank

    def size(self):
        """How many processes it has."""
        return self._size

    def set_timeout(self, timeout):
        """How long operations may take that name no timeout of their own."""
        self._timeout = self.options._timeout = timeout

    _set_default_timeout = set_timeout

    def _get_sequence_number_for_group(self):
        return self._sequence

    # ---- communicators ---------------------------------------------------------------------------------------
    def _who(self, device):
        return f"rank {self._rank} of {self._size}, {device}"

    def _meet(self, key, places):
        """Waits until the ranks of `places` have come; the unique id that the first has made."""
        prefix, store = f"{key}/", self._store
        if places[0] == self._rank:
            store.set(prefix + "id", self._native.unique_id())
        store.set(f"{prefix}{self._rank}", b"")
        if store.add(prefix + "count", 1) == len(places):
            store.set(prefix + "all", b"")
        try:
            store.wait([prefix + "all"], self._timeout)
        except _thd.DistStoreError:
            missing = [place for place in places if not store.check([f"{prefix}{place}"])]
            raise DistBackendError(
                f"rank {self._rank} of {self._size}: a communicator of NCCL needs all of ranks {places}, and after "
                f"{self._timeout.total_seconds():g} s ranks {missing} have not come"
            ) from None
        return store.get(prefix + "id")

    def _join(self, device, key, places):
        uid = self._meet(key, places)
        with failing(), torch.cuda.device(device):
            handle = self._native.join(
                len(places), bytes(uid), places.index(self._rank), device.index, ms(self._timeout), self._who(device)
            )
        return Communicator(self._native, handle, device, self._priority, places)

    def _communicator(self, device):
        if self._gone:
            raise RuntimeError(f"rank {self._rank} of {self._size}: {self._gone}")
        if device not in self._communicators:
            self._made += 1
            self._communicators[device] = self._join(device, f"all {self._made}", list(range(self._size)))
        return self._communicators[device]

    def _pair(self, device, peer):
        """Where a message goes: by the group's communicator if that is bound to the device, else by one of the two."""
        if self._bound == device or self._size == 2:
            return self._communicator(device)
        places = sorted((self._rank, peer))
        key = (device, *places)
        if key not in self._communicators:
            self._communicators[key] = self._join(device, "pair {}:{}".format(*places), places)
        return self._communicators[key]

    def eager_connect_single_device(self, device):
        """Makes the communicator of a device now, and uses it for messages, too. All ranks call this."""
        self._bound = torch.device(device)
        self._communicator(self._bound)

    def split(self, split_ranks, name):
        """The communicator of this rank's list, for adopt(); None: it is in no list, or the group has none that is bound to a
        device. All ranks call this."""
        if self._bound is None:
            return None
        mine = next((i for i, ranks in enumerate(split_ranks) if self._rank in ranks), -1)
        key = split_ranks[mine].index(self._rank) if mine >= 0 else 0
        whole, who = self._communicator(self._bound), f"{self._who(self._bound)}, {name or 'split'}"
        with failing():
            handle = self._native.split(whole.handle, mine, key, ms(self._timeout), who)
        return None if handle is None else (self._bound, handle)

    def adopt(self, split):
        """Takes what split() of a larger group has given as its communicator."""
        self._bound, handle = split
        self._communicators[self._bound] = Communicator(
            self._native, handle, self._bound, self._priority, list(range(self._size))
        )

    # ---- checks ----------------------------------------------------------------------------------------------
    def _refuse(self, name, text):
        raise ValueError(f"rank {self._rank} of {self._size}: {name}: {text}")

    def _check(self, name, tensors, dtype=None):
        for tensor in tensors:
            if not tensor.is_cuda or tensor.layout != torch.strided:
                self._refuse(name, f"tensors must be dense ones on a GPU, not on {tensor.device}, {tensor.layout}")
            if tensor.device != tensors[0].device:
                self._refuse(name, f"tensors must be on one device, not on {tensors[0].device} and {tensor.device}")
            if tensor.dtype != (dtype or tensors[0].dtype):
                self._refuse(name, f"tensors must have one dtype, not {dtype or tensors[0].dtype} and {tensor.dtype}")

    def _check_root(self, name, root):
        if not 0 <= root < self._size:
            self._refuse(name, f"there is no rank {root}")

    def _check_count(self, name, tensors, what):
        if len(tensors) != self._size:
            self._refuse(name, f"{what} must have a tensor for each rank, {self._size}, not {len(tensors)}")

    # ---- launching -------------------------------------------------------------------------------------------
    def _launch(self, name, tensors, results, build, opts, communicator=None, collective=True):
        """Calls build(begun) on the communicator's stream, and puts NCCL's calls there; a work, or None while operations
        are coalesced."""
        device = tensors[0].device
        if self._gathered is not None:
            self._gathered.append((name, tensors, results, build))
            return None
        return self._together([(name, tensors, results, build)], device, opts, communicator, collective)

    def _together(self, operations, device, opts, communicator=None, collective=True):
        communicator = communicator or self._communicator(device)
        name = operations[0][0] if len({each[0] for each in operations}) == 1 else "coalesced"
        tensors = [tensor for each in operations for tensor in each[1]]
        if collective:
            self._sequence += 1
            if _thd.debug_level() == 2:
                self._agree(name, tensors)
        timeout = _call(opts)[1] if opts is not None else _UNSET
        timeout = timeout if timeout > _UNSET else self._timeout
        number = f" (operation {self._sequence})" if collective else ""
        stream, results, source = communicator.stream, [], None
        with failing(), torch.no_grad(), torch.cuda.device(device):
            stream.wait_stream(torch.cuda.current_stream(device))
            with torch.cuda.stream(stream):
                calls, after = [], []
                for each_name, each_tensors, each_results, build in operations:
                    begun = _Begun(each_name, each_tensors, each_results)
                    build(begun)
                    calls += begun.calls
                    after += begun.after
                    results += each_results
                    source = begun.source if begun.source is not None else source
                for tensor in [*tensors, *results]:
                    tensor.record_stream(stream)
                what = f"{name} of {shown(tensors)}{number}"
                work = self._native.launch(communicator.handle, calls, stream.cuda_stream, ms(timeout), what)
                for copy in after:
                    copy()
                self._native.record(work)
        return NCCLWork(self._native, work, name, results, device, self._blocking or name == "barrier", source)

    def _agree(self, name, tensors):
        """With TORCH_DISTRIBUTED_DEBUG=DETAIL: raises on all ranks if they are about to do different things."""
        # all_gather and the like may have tensors of other sizes on each rank.
        even = name in ("all_reduce", "broadcast", "reduce", "barrier")
        mine = f"{name} of {shown(tensors) if even else tensors[0].dtype}"
        prefix = f"check {self._sequence}/"
        self._store.set(f"{prefix}{self._rank}", mine)
        keys = [f"{prefix}{rank}" for rank in range(self._size)]
        try:
            self._store.wait(keys, self._timeout)
        except _thd.DistStoreError:
            missing = [rank for rank, key in enumerate(keys) if not self._store.check([key])]
            raise DistBackendError(
                f"rank {self._rank} of {self._size}: {mine} (operation {self._sequence}): ranks {missing} call nothing"
            ) from None
        said = [bytes(each).decode() for each in self._store.multi_get(keys)]
        self._store.delete_key(f"check {self._sequence - 2}/{self._rank}")
        if len(set(said)) > 1:
            texts = "; ".join(f"rank {rank}: {text}" for rank, text in enumerate(said))
            raise DistBackendError(
                f"rank {self._rank} of {self._size}: ranks differ in what they call (operation {self._sequence}): {texts}"
            )

    # A call: (NCCL's name, address sent, address received, count, type, operation, factor, root or peer).
    def _moved(self, kind, begun, sent, received, peer=0, count=None):
        """A call that moves bytes. `sent`, `received`: contiguous tensors or None."""
        count = (sent if sent is not None else received).nbytes if count is None else count
        if count:
            begun.calls.append(
                (kind, address(sent), address(received), count, self._native.Uint8, 0, b"", peer)
            )  # fmt: skip

    def _reduced(self, kind, begun, sent, received, count, op, root=0):
        """A call that reduces `count` elements of contiguous tensors."""
        number, factor = reduction(op)
        dtype = sent.dtype
        if dtype in _PARTS:
            dtype, count = _PARTS[dtype], 2 * count
        bytes_of_factor = b""
        if number == ReduceOp.PREMUL_SUM:
            bytes_of_factor = bytes(torch.tensor([factor], dtype=dtype).view(torch.uint8).tolist())
        number = _OPERATIONS[ReduceOp.RedOpType(number)]
        if dtype is torch.bool:
            number = _nccl._OPERATIONS_OF_BOOL[number]
        kind_of_number = getattr(self._native, _TYPES[dtype])
        if count:
            begun.calls.append(
                (kind, address(sent), address(received), count, kind_of_number, number, bytes_of_factor, root)
            )

    def _check_op(self, name, op, dtype):
        """That NCCL has the reduction, of these numbers."""
        kind = ReduceOp.RedOpType(reduction(op)[0])
        if kind not in _OPERATIONS:
            self._refuse(name, f"NCCL does not reduce by {kind.name}")
        if dtype not in _TYPES and not (dtype in _PARTS and kind in _PARTED):
            self._refuse(name, f"NCCL does not reduce {dtype} by {kind.name}")
        if dtype is torch.bool and kind in (ReduceOp.AVG, ReduceOp.PREMUL_SUM):
            self._refuse(name, f"NCCL does not reduce {dtype} by {kind.name}")
        if kind == ReduceOp.PREMUL_SUM and not (dtype.is_floating_point or dtype.is_complex):
            self._refuse(name, f"a factor is for floating-point numbers, not for {dtype}")

    # ---- several at once -------------------------------------------------------------------------------------
    def _start_coalescing(self, device=None):
        if self._gathered is not None:
            raise RuntimeError("operations are being coalesced already")
        self._gathered = []

    def _drop_coalesced(self):
        self._gathered = None

    def _end_coalescing(self, opts=None, device=None):
        """The work of all that was called since _start_coalescing(); None: nothing was."""
        operations, self._gathered = self._gathered, None
        if not operations:
            return None
        devices = {each[1][0].device for each in operations}
        if len(devices) > 1:
            self._refuse("coalesced", f"operations must be on one device, not on {sorted(map(str, devices))}")
        return self._together(operations, devices.pop(), opts)

    # ---- the end ---------------------------------------------------------------------------------------------
    def _each(self):
        return [communicator.handle for communicator in self._communicators.values()]

    def abort(self):
        """Ends what is under way, with an error."""
        self._gone = "the group has been aborted"
        for handle in self._each():
            self._native.abort(handle, "the group has been aborted")

    def shutdown(self):
        """Waits for what is under way, and lets go of communicators. In a forked child: nothing."""
        self._gone = self._gone or "the group has been left"
        if torch.cuda._is_in_bad_fork():
            return
        communicators, self._communicators = self._communicators, {}
        for communicator in communicators.values():
            # What has failed has told so before.
            with contextlib.suppress(RuntimeError):
                self._native.destroy(communicator.handle, ms(min(self._timeout, _PATIENCE)))


_PATIENCE = datetime.timedelta(seconds=30)  # of a group that is left for the others


def address(tensor):
    return 0 if tensor is None or not tensor.numel() else tensor.data_ptr()


def whole_of(begun, tensor, filled):
    """The tensor, or a contiguous copy, from which `filled` ones are copied back."""
    if tensor.is_contiguous():
        return tensor
    whole = tensor.contiguous()
    if filled:
        begun.after.append(lambda: tensor.copy_(whole))
    return whole
