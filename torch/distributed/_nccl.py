"""Groups over NCCL, of tensors on GPUs: ProcessGroupNCCL.

Operations work on a stream of the group's own, which waits for what the current stream holds when they are called; wait()
makes the current stream wait for them, and the host goes on. Each device of a process has a communicator, made when it is
first used: rank 0 puts NCCL's unique id into the store. What ranks send to each other alone goes by a communicator of the
two. A thread watches what is under way: where it takes longer than the timeout, or NCCL reports an error, all that waits
fails with the rank, the operation and its sizes, and the communicator is of no use any more.
"""

from __future__ import annotations

import torch
from torch.distributed._groups import _one
from torch.distributed._nccl_base import Launcher, whole_of
from torch.distributed._options import ReduceOp


class ProcessGroupNCCL(Launcher):
    """A group over NCCL, of tensors on GPUs: ProcessGroupNCCL(store, rank, size, options), or a timeout for options.

    Tensors may have any strides; they are moved in any dtype, and reduced in those that NCCL computes in. RuntimeError:
    there is no GPU, or torch was built without NCCL.
    """

    # ---- collectives: each takes what the method of ProcessGroup of the same name takes ------------------------
    def broadcast(self, tensors, opts):
        """Root's tensor, for all."""
        tensor = _one(tensors, "broadcast")
        self._check("broadcast", [tensor])
        self._check_root("broadcast", opts.rootRank)

        def build(begun):
            whole = whole_of(begun, tensor, opts.rootRank != self._rank)
            self._moved("broadcast", begun, whole, whole, opts.rootRank)

        return self._launch("broadcast", [tensor], [tensor], build, opts)

    def allreduce(self, tensors, opts):
        """The reduction of all, for all."""
        return self.allreduce_coalesced([_one(tensors, "all_reduce")], opts)

    def allreduce_coalesced(self, tensors, opts):
        """The same of several tensors."""
        tensors = list(tensors)
        if not tensors:
            self._refuse("all_reduce", "there is no tensor")
        for tensor in tensors:
            self._check("all_reduce", [tensors[0], tensor], tensor.dtype if tensor is not tensors[0] else None)
            self._check_op("all_reduce", opts.reduceOp, tensor.dtype)

        def build(begun):
            for tensor in tensors:
                whole = whole_of(begun, tensor, True)
                self._reduced("all_reduce", begun, whole, whole, whole.numel(), opts.reduceOp)

        return self._launch("all_reduce", tensors, tensors, build, opts)

    def reduce(self, tensors, opts):
        """The reduction of all, for root."""
        tensor, root = _one(tensors, "reduce"), opts.rootRank
        self._check("reduce", [tensor])
        self._check_root("reduce", root)
        self._check_op("reduce", opts.reduceOp, tensor.dtype)

        def build(begun):
            here = root == self._rank
            whole = whole_of(begun, tensor, here)
            self._reduced("reduce", begun, whole, whole if here else None, whole.numel(), opts.reduceOp, root)

        return self._launch("reduce", [tensor], [tensor], build, opts)

    def allgather(self, outputs, inputs, opts):
        """outputs[0][r]: rank r's tensor, of its own size."""
        received, tensor = list(_one(outputs, "all_gather")), _one(inputs, "all_gather")
        self._check("all_gather", [tensor, *received])
        self._check_count("all_gather", received, "the output")
        if received[self._rank].shape != tensor.shape:
            self._refuse(
                "all_gather",
                f"this rank gives {list(tensor.shape)}, and has room for {list(received[self._rank].shape)} of its own",
            )

        def build(begun):
            mine = tensor.contiguous()
            if all(each.shape == tensor.shape for each in received):
                flat = mine.new_empty(self._size * mine.numel())
                self._moved("all_gather", begun, mine, flat)
                for part, each in zip(flat.chunk(self._size) if mine.numel() else (), received, strict=False):
                    begun.after.append(lambda part=part, each=each: each.copy_(part.view(each.shape)))
                return
            for rank, each in enumerate(received):
                whole = whole_of(begun, each, True)
                self._moved("broadcast", begun, mine if rank == self._rank else whole, whole, rank)

        return self._launch("all_gather", [tensor], received, build, opts)

    def _allgather_base(self, output, input, opts):
        """output: all ranks' inputs, one behind the other."""
        self._check("all_gather_into_tensor", [input, output])
        if output.numel() != self._size * input.numel():
            self._refuse(
                "all_gather_into_tensor",
                f"an output of {list(output.shape)} does not hold {self._size} times {list(input.shape)}",
            )

        def build(begun):
            self._moved("all_gather", begun, input.contiguous(), whole_of(begun, output, True))

        return self._launch("all_gather_into_tensor", [input], [output], build, opts)

    def reduce_scatter(self, outputs, inputs, opts):
        """output: what ranks' inputs[0][rank] add up to."""
        sent, output = list(_one(inputs, "reduce_scatter")), _one(outputs, "reduce_scatter")
        self._check("reduce_scatter", [*sent, output])
        self._check_count("reduce_scatter", sent, "the input")
        self._check_op("reduce_scatter", opts.reduceOp, output.dtype)
        if sent[self._rank].numel() != output.numel():
            self._refuse(
                "reduce_scatter",
                f"an output of {list(output.shape)} does not hold an input of {list(sent[self._rank].shape)}",
            )

        def build(begun):
            whole = whole_of(begun, output, True)
            if all(each.numel() == output.numel() for each in sent):
                flat = torch.cat([each.reshape(-1) for each in sent])
                self._reduced("reduce_scatter", begun, flat, whole, output.numel(), opts.reduceOp)
                return
            for rank, each in enumerate(sent):
                self._reduced(
                    "reduce", begun, each.contiguous(), whole if rank == self._rank else None, each.numel(),
                    opts.reduceOp, rank,
                )  # fmt: skip

        return self._launch("reduce_scatter", sent, [output], build, opts)

    def _reduce_scatter_base(self, output, input, opts):
        """output: a part of what ranks' inputs add up to."""
        self._check("reduce_scatter_tensor", [input, output])
        self._check_op("reduce_scatter_tensor", opts.reduceOp, input.dtype)
        if input.numel() != self._size * output.numel():
            self._refuse(
                "reduce_scatter_tensor",
                f"an input of {list(input.shape)} is not {self._size} times an output of {list(output.shape)}",
            )

        def build(begun):
            whole = whole_of(begun, output, True)
            self._reduced("reduce_scatter", begun, input.contiguous(), whole, output.numel(), opts.reduceOp)

        return self._launch("reduce_scatter_tensor", [input], [output], build, opts)

    def allgather_into_tensor_coalesced(self, outputs, inputs, opts):
        """_allgather_base() of several tensors at once."""
        return self._each_coalesced(self._allgather_base, outputs, inputs, opts)

    def reduce_scatter_tensor_coalesced(self, outputs, inputs, opts):
        """_reduce_scatter_base() of several tensors at once."""
        return self._each_coalesced(self._reduce_scatter_base, outputs, inputs, opts)

    def _each_coalesced(self, operation, outputs, inputs, opts):
        self._start_coalescing()
        try:
            for output, input in zip(outputs, inputs, strict=True):
                operation(output, input, opts)
        except BaseException:
            self._gathered = None
            raise
        return self._end_coalescing(opts)

    def gather(self, outputs, inputs, opts):
        """At root, outputs[0][r]: rank r's tensor."""
        received, tensor, root = list(outputs[0]) if outputs else [], _one(inputs, "gather"), opts.rootRank
        self._check("gather", [tensor, *received])
        self._check_root("gather", root)
        if root == self._rank:
            self._check_count("gather", received, "the output")

        def build(begun):
            if root != self._rank:
                self._moved("send", begun, tensor.contiguous(), None, root)
            for rank, each in enumerate(received if root == self._rank else ()):
                if rank == self._rank:
                    each.copy_(tensor)
                else:
                    self._moved("receive", begun, None, whole_of(begun, each, True), rank)

        return self._launch("gather", [tensor], received, build, opts)

    def scatter(self, outputs, inputs, opts):
        """output: root's inputs[0][rank]."""
        sent, output, root = list(inputs[0]) if inputs else [], _one(outputs, "scatter"), opts.rootRank
        self._check("scatter", [output, *sent])
        self._check_root("scatter", root)
        if root == self._rank:
            self._check_count("scatter", sent, "the input")

        def build(begun):
            if root != self._rank:
                self._moved("receive", begun, None, whole_of(begun, output, True), root)
            for rank, each in enumerate(sent if root == self._rank else ()):
                if rank == self._rank:
                    output.copy_(each)
                else:
                    self._moved("send", begun, each.contiguous(), None, rank)

        return self._launch("scatter", [output, *sent], [output], build, opts)

    def alltoall(self, outputs, inputs, opts):
        """outputs[r]: rank r's inputs[rank]."""
        received, sent = list(outputs), list(inputs)
        self._check("all_to_all", [*sent, *received])
        self._check_count("all_to_all", received, "the output")
        self._check_count("all_to_all", sent, "the input")
        mine = sent[self._rank], received[self._rank]
        if mine[0].numel() != mine[1].numel():
            self._refuse(
                "all_to_all", f"{list(mine[0].shape)} for this rank itself, and room for {list(mine[1].shape)}"
            )

        def build(begun):
            for rank in range(self._size):
                if rank == self._rank:
                    received[rank].copy_(sent[rank].reshape(received[rank].shape))
                    continue
                self._moved("send", begun, sent[rank].contiguous(), None, rank)
                self._moved("receive", begun, None, whole_of(begun, received[rank], True), rank)

        return self._launch("all_to_all", sent, received, build, opts)

    def alltoall_base(self, output, input, output_split_sizes, input_split_sizes, opts):
        """Rows of input for each rank, of output from each rank."""
        name = "all_to_all_single"
        self._check(name, [input, output])
        rows = [self._rows(name, *each) for each in ((output, output_split_sizes), (input, input_split_sizes))]
        if rows[0][self._rank] != rows[1][self._rank]:
            self._refuse(name, f"{rows[1][self._rank]} rows for this rank itself, and room for {rows[0][self._rank]}")

        def build(begun):
            whole = whole_of(begun, output, True)
            parts = zip(whole.split(rows[0]), input.contiguous().split(rows[1]), strict=True)
            for rank, (to, part) in enumerate(parts):
                if rank == self._rank:
                    to.copy_(part)
                    continue
                self._moved("send", begun, part, None, rank)
                self._moved("receive", begun, None, to, rank)

        return self._launch(name, [input], [output], build, opts)

    def _rows(self, name, tensor, sizes):
        rows = tensor.shape[0] if tensor.dim() else 1
        if not sizes:
            if rows % self._size:
                self._refuse(name, f"{rows} rows are not to be divided among {self._size} ranks")
            return [rows // self._size] * self._size
        if len(sizes) != self._size or sum(sizes) != rows or min(sizes) < 0:
            self._refuse(name, f"split sizes {list(sizes)} do not make up {rows} rows for {self._size} ranks")
        return list(sizes)

    # ---- messages --------------------------------------------------------------------------------------------
    def send(self, tensors, rank, tag):
        """Sends a tensor to one rank. Tags do not count: messages come in the order in which they were sent."""
        return self._message("send", _one(tensors, "send"), rank)

    def recv(self, tensors, rank, tag):
        """Receives a tensor from one rank."""
        return self._message("receive", _one(tensors, "recv"), rank)

    def recv_anysource(self, tensors, tag):
        """RuntimeError: NCCL knows beforehand who sends."""
        raise RuntimeError(f"rank {self._rank} of {self._size}: recv over NCCL names the rank that sends")

    def _message(self, kind, tensor, peer):
        self._check(kind, [tensor])
        self._check_root(kind, peer)
        if peer == self._rank:
            self._refuse(kind, f"rank {peer} has no messages for itself")

        def build(begun):
            place = peer if communicator is None else communicator.places.index(peer)
            if kind == "send":
                self._moved("send", begun, tensor.contiguous(), None, place)
            else:
                begun.source = peer
                self._moved("receive", begun, None, whole_of(begun, tensor, True), place)

        name = f"send to rank {peer}" if kind == "send" else f"recv from rank {peer}"
        communicator = None if self._gathered is not None else self._pair(tensor.device, peer)
        results = [tensor] if kind == "receive" else []
        return self._launch(name, [tensor], results, build, None, communicator, collective=False)

    def barrier(self, opts):
        """Done when all ranks have called it: wait() waits on the host."""
        devices = list(getattr(opts, "device_ids", None) or ())
        if devices:
            device = torch.device("cuda", devices[0])
        else:
            known = [key for key in self._communicators if isinstance(key, torch.device)]
            device = self._bound or (known[-1] if known else torch.device("cuda", torch.cuda.current_device()))
        token = torch.zeros(1, device=device)

        def build(begun):
            self._reduced("all_reduce", begun, token, token, 1, ReduceOp.SUM)

        work = self._launch("barrier", [token], [], build, opts)
        if not opts.asyncOp and work is not None:
            work.wait()
        return work


ProcessGroupNCCL.__module__ = "torch.distributed"
