"""A model as TensorBoard's graph: one run of it, seen by a mode below recording. Nodes are operators, named after the module
that calls them; parameters; inputs and outputs."""

import torch
from tensorboard.compat.proto.attr_value_pb2 import AttrValue
from tensorboard.compat.proto.config_pb2 import RunMetadata
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.compat.proto.node_def_pb2 import NodeDef
from tensorboard.compat.proto.step_stats_pb2 import DeviceStepStats, StepStats
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.compat.proto.versions_pb2 import VersionDef
from torch import _C
from torch._ops import overload_of
from torch.utils._pytree import tree_leaves


def _identity(tensor):
    """What tells tensors apart while the model runs, whatever object stands for them."""
    return tensor.untyped_storage().data_ptr(), tensor.storage_offset(), tensor.shape, tensor.stride()


def _attributes(shape, text=""):
    attributes = {"attr": AttrValue(s=text.encode("utf_8"))}
    if shape is not None:
        dims = TensorShapeProto(dim=[TensorShapeProto.Dim(size=size) for size in shape])
        attributes["_output_shapes"] = AttrValue(list=AttrValue.ListValue(shape=[dims]))
    return attributes


class _Graph:
    """The nodes of one run."""

    def __init__(self, model):
        self.nodes, self.made, self.counts, self.scopes, self.kept = [], {}, {}, [], []
        self.names = {model: type(model).__name__}
        self.parameters = {}
        self._name_modules(model)

    def _name_modules(self, model):
        for name, child in model.named_children():
            if child not in self.names:
                self.names[child] = f"{self.names[model]}/{type(child).__name__}[{name}]"
                self._name_modules(child)
        tensors = [*model.named_parameters(recurse=False), *model.named_buffers(recurse=False)]
        for name, tensor in tensors:
            self.parameters.setdefault(_identity(tensor), (f"{self.names[model]}/{name}", tensor.shape))

    def add(self, name, op, inputs, shape, text=""):
        """A node; its name with a number where it is taken."""
        count = self.counts[name] = self.counts.get(name, 0) + 1
        name = name if count == 1 else f"{name}_{count - 1}"
        self.nodes.append(NodeDef(name=name, op=op, input=inputs, attr=_attributes(shape, text)))
        return name

    def source(self, tensor):
        """The node that a tensor comes from; None of one that was there before."""
        identity = _identity(tensor)
        if identity not in self.made and identity in self.parameters:
            name, shape = self.parameters[identity]
            self.made[identity] = self.add(name, "prim::GetAttr", [], shape, f"{{ name :  {name.rpartition('/')[2]} }}")
        return self.made.get(identity)

    def came(self, tensor, name):
        self.made[_identity(tensor)] = name
        self.kept.append(tensor)  # its memory is nobody else's until the end

    def asked(self, number, args):
        """An operator, when its results are there."""
        op = overload_of(number, args)
        sources = [self.source(leaf) for leaf in tree_leaves(args) if isinstance(leaf, torch.Tensor)]
        scope = self.scopes[-1] if self.scopes else "outside"

        def done(results):
            name = self.add(
                f"{scope}/{op.overloadpacket.__name__}",
                f"{op.namespace}::{op.overloadpacket.__name__}",
                [source for source in sources if source],
                results[0].shape if results and results[0] is not None else None,
            )
            for result in results:
                if result is not None:
                    self.came(result, name)

        return done


def graph(model, args, verbose=False, use_strict_trace=True):
    """(GraphDef, RunMetadata) of `model(*args)`."""
    made = _Graph(model)
    handles = []
    for module, name in made.names.items():
        handles.append(module.register_forward_pre_hook(lambda *_, name=name: made.scopes.append(name)))
        handles.append(module.register_forward_hook(lambda *_: made.scopes.pop() and None, always_call=True))
    given = args if isinstance(args, tuple) else (args,)
    for number, leaf in enumerate(leaf for leaf in tree_leaves(given) if isinstance(leaf, torch.Tensor)):
        made.came(leaf, made.add("input/x" if number == 0 else f"input/x.{number}", "IO Node", [], leaf.shape))
    training = [module for module in made.names if module.training]
    try:
        for module in training:
            module.training = False
        with torch.no_grad():
            _C._enter_dispatch_mode(made.asked)
            try:
                outputs = model(*given)
            finally:
                _C._leave_dispatch_mode()
    except RuntimeError as error:
        print(error)
        print("Error occurs, No graph saved")
        raise
    finally:
        for module in training:
            module.training = True
        for handle in handles:
            handle.remove()
    for number, leaf in enumerate(leaf for leaf in tree_leaves(outputs) if isinstance(leaf, torch.Tensor)):
        source = made.source(leaf)
        made.add(f"output/output.{number + 1}", "IO Node", [source] if source else [], leaf.shape)
    if verbose:
        for node in made.nodes:
            print(f"{node.name}: {node.op}({', '.join(node.input)})")
    stats = RunMetadata(step_stats=StepStats(dev_stats=[DeviceStepStats(device="/device:CPU:0")]))
    return GraphDef(node=made.nodes, versions=VersionDef(producer=22)), stats
