"""What depends on no argument, computed once."""

import torch
from torch.fx.graph_module import GraphModule
from torch.fx.passes.split_module import split_module

__all__ = ["FoldedGraphModule", "get_unique_attr_name_in_module", "split_const_subgraphs"]


class FoldedGraphModule(GraphModule):
    """A GraphModule whose constant part, `const_subgraph_module`, is computed before the first call, or by
    run_folding()."""

    def __init__(
        self, root, graph, const_subgraph=None, fx_const_folded_attrs_name=None, device_for_folded_attrs="cuda"
    ):
        super().__init__(root, graph)
        self.const_subgraph_module = None if const_subgraph is None else GraphModule(root, const_subgraph)
        self.has_folding_been_run = False
        self.fx_const_folded_attrs_name = fx_const_folded_attrs_name
        self.device_for_folded_attrs = device_for_folded_attrs

    def __call__(self, *args, **kwargs):
        if not self.has_folding_been_run:
            self.run_folding()
        return super().__call__(*args, **kwargs)

    def run_folding(self):
        """Computes the constant part."""
        if self.const_subgraph_module is None or self.fx_const_folded_attrs_name is None:
            return
        if self.has_folding_been_run:
            raise AssertionError("the constant part has been computed already")
        self.has_folding_been_run = True
        folded = self.const_subgraph_module()

        def kept(t):
            return torch.nn.Parameter(t.detach(), requires_grad=t.requires_grad)

        tensors = torch.nn.ParameterList([kept(t) for t in folded]) if isinstance(folded, tuple) else kept(folded)
        setattr(self, self.fx_const_folded_attrs_name, tensors)


def get_unique_attr_name_in_module(mod_traced, name):
    """A name like this that the module has not got."""
    name = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    name = f"_{name}" if name[0].isdigit() else name
    found, number = name, 0
    while hasattr(mod_traced, found):
        number += 1
        found = f"{name}_{number}"
    return found


def _inline_module(gm, inline_mod_name, run_dce=True):
    """Puts the nodes of a submodule in the place of its call. {node there: node here}"""
    inner = gm.get_submodule(inline_mod_name)
    (call,) = gm.graph.find_nodes(op="call_module", target=inline_mod_name)
    here = dict(zip(inner.graph.find_nodes(op="placeholder"), call.args))
    with gm.graph.inserting_before(call):
        result = gm.graph.graph_copy(inner.graph, here)
    _replace_call(gm, call, result)
    gm.graph.erase_node(call)
    if run_dce:
        gm.graph.eliminate_dead_code()
    return here


def _replace_call(gm, call, result):
    """`result`, a node or a tuple of nodes, stands for the call."""
    if not isinstance(result, (tuple, list)):
        call.replace_all_uses_with(result)
        return
    for user in list(call.users):  # getitem
        user.replace_all_uses_with(result[user.args[1]])
        gm.graph.erase_node(user)


def split_const_subgraphs(module, skip_folding_node_fn=None, device_for_folded_attrs="cpu"):
    """A FoldedGraphModule: what depends on no argument, and does nothing beside returning a value, is computed once.
    `skip_folding_node_fn(node)` says which nodes are to be computed every time all the same."""
    traced = module if isinstance(module, GraphModule) else torch.fx.symbolic_trace(module)
    constant, attributes, found = set(), set(), False
    for node in traced.graph.nodes:
        if node.op == "get_attr":
            attributes.add(node)
        elif node.op in ("placeholder", "output") or node.is_impure():
            continue
        elif set(node.all_input_nodes) <= constant | attributes and node.all_input_nodes:
            if skip_folding_node_fn is None or not skip_folding_node_fn(node):
                constant.add(node)
                found = True
    if not found:
        return FoldedGraphModule(traced, traced.graph)
    name = get_unique_attr_name_in_module(traced, "_FX_CONST_FOLDED_ATTRS")
    split = split_module(traced, module, lambda node: 0 if node in constant else 1, keep_original_order=False)
    return _folded(traced, split, name, device_for_folded_attrs)


def _folded(traced, split, name, device):
    """The GraphModule of the part that depends on arguments, and the graph of the other."""
    (call,) = split.graph.find_nodes(op="call_module", target="submod_0")
    inner = split.submod_0
    constants = torch.fx.Graph()
    here = {p: constants.get_attr(arg.target) for p, arg in zip(inner.graph.find_nodes(op="placeholder"), call.args)}
    result = constants.graph_copy(inner.graph, here)
    constants.output(result)
    for target in inner.graph.nodes:
        if target.op == "call_module":  # a module of constants
            setattr(split, target.target, inner.get_submodule(target.target))
    with split.graph.inserting_before(call):
        split.register_parameter(name, torch.nn.Parameter(torch.empty(0), requires_grad=False))
        attribute = split.graph.get_attr(name)
        if isinstance(result, tuple):
            import operator

            elements = [split.graph.call_function(operator.getitem, (attribute, i)) for i in range(len(result))]
            _replace_call(split, call, elements)
        else:
            call.replace_all_uses_with(attribute)
    split.graph.erase_node(call)
    if hasattr(split, "submod_1"):
        _bring_modules(split, split.submod_1)
        _inline_module(split, "submod_1")
    for node in constants.nodes:
        if node.op == "get_attr" and not hasattr(split, node.target):
            setattr(split, node.target, torch.fx.graph_module._get_attr(traced, node.target))
    split.graph.lint()
    return FoldedGraphModule(split, split.graph, constants, name, device)


def _bring_modules(gm, inner):
    """What the submodule's nodes call belongs to the outer module from now on."""
    for node in inner.graph.nodes:
        if node.op == "call_module":
            gm.add_submodule(node.target, inner.get_submodule(node.target))
