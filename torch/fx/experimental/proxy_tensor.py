"""make_fx: programs as graphs of operators, as they run below autograd.

    graph_module = make_fx(function)(*example_inputs)

The function is computed with the inputs, and each operator becomes a node, those of gradients that it asks for
(torch.autograd.grad) among them. What is recorded is one way through the program, for tensors of these shapes.
"""

import contextlib
import inspect

import torch
from torch._absent import rest_of
from torch.fx._lazy_graph_module import _make_graph_module
from torch.fx._symbolic_trace import PH, Tracer
from torch.fx.experimental import _recorder
from torch.fx.interpreter import Interpreter
from torch.fx.node import map_aggregate
from torch.fx.proxy import Proxy
from torch.utils import _pytree as pytree

py_sym_types = ()  # sizes are numbers here


# ---- the mode ------------------------------------------------------------------------------------------------
class ProxyTorchDispatchMode:
    """What get_proxy_mode() gives while make_fx records: it has the tracer."""

    def __init__(self, recorder):
        self._recorder = recorder
        self.tracer = recorder.tracer
        self.tracing_mode = "real"

    @property
    def enable_tracing(self):
        """Whether what is computed now is recorded."""
        return self._recorder.enabled


def get_proxy_mode():
    """A ProxyTorchDispatchMode while make_fx records; else None."""
    recorder = _recorder.current()
    return None if recorder is None or not recorder.enabled else ProxyTorchDispatchMode(recorder)


def get_innermost_proxy_mode():
    """A ProxyTorchDispatchMode while make_fx records; else None."""
    return get_proxy_mode()


@contextlib.contextmanager
def disable_proxy_modes_tracing(enable_current=False):
    """A context in which nothing is recorded."""
    recorder = _recorder.current()
    before = [(one, one.enabled) for one in _recorder.all_of_them() if not (enable_current and one is recorder)]
    for one, _ in before:
        one.enabled = False
    try:
        yield get_proxy_mode()
    finally:
        for one, enabled in before:
            one.enabled = enabled


@contextlib.contextmanager
def maybe_disable_fake_tensor_mode():
    """A context that changes nothing: there are no fake tensors."""
    yield


@contextlib.contextmanager
def maybe_disable_thunkify():
    """A context that changes nothing: no sizes are computed later."""
    yield


@contextlib.contextmanager
def maybe_enable_thunkify():
    """A context that changes nothing: no sizes are computed later."""
    yield


# ---- recording -----------------------------------------------------------------------------------------------
class PythonKeyTracer(Tracer):
    """The Tracer of make_fx: nothing is a leaf, and tensors that are no inputs become constants of the graph."""

    def __init__(self):
        super().__init__(autowrap_modules=())
        self.recorder = _recorder.Recorder(self)
        self._constants = {}  # {id of a tensor: (the tensor, its name)}

    def call_module(self, m, forward, args, kwargs):
        """What forward() does."""
        return forward(*args, **kwargs)

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        """The attribute."""
        return attr_val

    def _patch(self, patcher, fn):
        """Nothing is exchanged: functions see tensors."""

    def create_arg(self, a):
        """A get_attr node for a tensor."""
        if not isinstance(a, torch.Tensor):
            return super().create_arg(a)
        if id(a) not in self._constants:
            prefix = "_param_constant" if isinstance(a, torch.nn.Parameter) else "_tensor_constant"
            name = self.get_fresh_qualname(prefix)
            setattr(self.root, name, a)
            self._constants[id(a)] = a, name
        return self.create_node("get_attr", self._constants[id(a)][1], (), {})


def dispatch_trace(root, tracer, concrete_args=None):
    """The GraphModule that the tracer makes of the function."""
    graph = tracer.trace(root, concrete_args)
    _recorder.drop_places(graph)
    name = type(root).__name__ if isinstance(root, torch.nn.Module) else root.__name__
    return _make_graph_module(tracer.root, graph, name)


def _named(function, count):
    """The function; one with `count` names for its arguments, if it has none itself."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is not None and not code.co_flags & inspect.CO_VARARGS and inspect.isfunction(function):
        return function
    names = ", ".join(f"arg{i}" for i in range(count))
    return eval(f"lambda {names}: function({names})", {"function": function})  # noqa: S307 - names are made here


def _as_program(function, args, recorder):
    """What the tracer calls with proxies: it computes the function with `args`, and gives nodes for what it returns."""
    leaves = pytree.tree_leaves(args)

    def program(*proxies):
        for value, proxy in zip(leaves, pytree.tree_leaves(proxies)):
            if isinstance(value, torch.Tensor) and isinstance(proxy, Proxy):
                recorder.start(value, proxy.node)
        with recorder.recording():
            results = function(*args)
        return pytree.tree_map(lambda value: _proxy(recorder, value), results)

    return program


def _proxy(recorder, value):
    if not isinstance(value, torch.Tensor):
        return value
    return recorder.tracer.proxy(recorder.output_of(value))


def _trace(function, args):
    tracer = PythonKeyTracer()
    named = _named(function, len(args))
    program = _with_names(_as_program(function, args, tracer.recorder), named)
    return dispatch_trace(program, tracer, pytree.tree_map(lambda _: PH, tuple(args)))


def _with_names(program, named):
    """The program with the names of the function's arguments, which placeholders get."""
    program.__wrapped__ = named
    program.__name__ = named.__name__
    return program


def make_fx(
    f,
    decomposition_table=None,
    tracing_mode="real",
    _allow_non_fake_inputs=False,
    *,
    pre_dispatch=False,
    record_module_stack=False,
    _allow_fake_constant=False,
    _error_on_data_dependent_ops=True,
    record_stack_traces=False,
    proxy_module_inputs=False,
    _disable_torch_fn_metadata_mode=False,
):
    """A function that computes ``f(*args)`` and returns a GraphModule of the operators, torch.ops.aten's, that were computed.

    `decomposition_table`: {operator: function}; a function's operators are recorded instead of its operator. `tracing_mode`:
    "real"; with "fake" the function is given copies of the inputs, which stay as they are. RuntimeError where the program asks
    for elements of a tensor; NotImplementedError for "symbolic" (sizes here are numbers) and `pre_dispatch` (what is
    recorded is computed below autograd).
    """
    if tracing_mode not in ("real", "fake", "symbolic"):
        raise AssertionError(f"tracing_mode must be real/fake/symbolic, got {tracing_mode}")
    if tracing_mode == "symbolic":
        raise NotImplementedError(
            'make_fx(tracing_mode="symbolic"): sizes are numbers in this torch; "real" records them'
        )
    for name, value in (("pre_dispatch", pre_dispatch), ("proxy_module_inputs", proxy_module_inputs)):
        if value:
            raise NotImplementedError(f"make_fx({name}=True): this torch records what is computed below autograd")

    def wrapped(*args):
        if tracing_mode == "fake":
            args = pytree.tree_map(_copy, args)
        kept = pytree.tree_map(_copy, args) if decomposition_table else None
        made = _trace(f, args)
        return _decomposed(made, kept, decomposition_table) if decomposition_table else made

    return wrapped


def _copy(value):
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().clone().requires_grad_(value.requires_grad)


# ---- decomposing ---------------------------------------------------------------------------------------------
class _Substituting(Interpreter):
    """Runs a graph with functions in the place of operators."""

    def __init__(self, module, table, chosen=lambda node: True):
        super().__init__(module)
        self.table, self.chosen = table, chosen
        self.node = None

    def run_node(self, n):
        self.node = n
        return super().run_node(n)

    def call_function(self, target, args, kwargs):
        if target in self.table and self.chosen(self.node):
            return self.table[target](*args, **kwargs)
        return super().call_function(target, args, kwargs)


def _recorded_again(interpreter, module, args):
    """What the interpreter computes of the module."""
    codegen = module.graph._codegen
    leaves = module.graph.process_inputs(*pytree.tree_map(_copy, args))

    def run(*leaves):
        with torch.no_grad():
            return interpreter.run(*leaves, enable_io_processing=False)

    names = [node.target for node in module.graph.nodes if node.op == "placeholder"]
    made = _trace_leaves(run, leaves, names)
    made.graph.set_codegen(codegen)
    return _make_graph_module(made, made.graph, type(module).__name__)


def _decomposed(module, args, table):
    """The module recorded again, as long as it has operators of the table."""
    for _ in range(100):
        if not any(node.target in table for node in module.graph.nodes if node.op == "call_function"):
            return module
        module = _recorded_again(_Substituting(module, table), module, args)
    raise RuntimeError(f"make_fx: the functions of the decomposition table {list(table)} call their own operators")


def _trace_leaves(run, leaves, names):
    tracer = PythonKeyTracer()
    program = _as_program(run, tuple(leaves), tracer.recorder)

    def with_placeholders():
        return program(*(tracer.create_proxy("placeholder", name, (), {}) for name in names))

    return dispatch_trace(with_placeholders, tracer)


class DecompositionInterpreter(Interpreter):
    """Runs a graph of operators and records in `new_graph` what is computed, with the functions of
    `decomposition_table`, {operator: function}, in the place of operators."""

    def __init__(self, module, new_graph, decomposition_table=None, **kwargs):
        super().__init__(module, **kwargs)
        self.new_graph = new_graph
        self.decomposition_table = decomposition_table or {}
        self.tracer = PythonKeyTracer()
        self.tracer.graph, self.tracer.root, self.tracer.tensor_attrs = new_graph, module, {}

    def placeholder(self, target, args, kwargs):
        """An input, and a placeholder for it."""
        value = super().placeholder(target, args, kwargs)
        node = self.tracer.create_proxy("placeholder", target, args, kwargs).node
        if isinstance(value, torch.Tensor):
            self.tracer.recorder.start(value, node)
        return value

    def get_attr(self, target, args, kwargs):
        """A constant, by the name that it has."""
        value = super().get_attr(target, args, kwargs)
        if isinstance(value, torch.Tensor):
            self.tracer.recorder.start(value, self.tracer.create_proxy("get_attr", target, args, kwargs).node)
        return value

    def call_function(self, target, args, kwargs):
        """An operator, or what stands for it."""
        with self.tracer.recorder.recording():
            return self.decomposition_table.get(target, target)(*args, **kwargs)

    def output(self, target, args, kwargs):
        """The results, and a node for them."""
        results = super().output(target, args, kwargs)
        recorder = self.tracer.recorder
        nodes = map_aggregate(
            results, lambda value: recorder.output_of(value) if isinstance(value, torch.Tensor) else value
        )
        self.tracer.create_node("output", target, (nodes,), {})
        return results


def selective_decompose(joint_gm, *args, decomposition, should_decompose, trace_joint_graph):
    """The module recorded again with the functions of `decomposition`, {operator: function}, in the place of those nodes of
    which should_decompose(node) is true. NotImplementedError for `trace_joint_graph`, whose inputs stand in two tuples."""
    if trace_joint_graph:
        raise NotImplementedError(
            "selective_decompose(trace_joint_graph=True): this torch has no joint graphs (AOTAutograd)"
        )
    return _recorded_again(_Substituting(joint_gm, decomposition or {}, should_decompose), joint_gm, args)


__getattr__, __dir__ = rest_of(__name__)
