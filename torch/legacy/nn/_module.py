"""Module: a layer that keeps its last output and the last gradient of its input, and collects gradients of parameters.

A module of 2017 says how its output is computed and how each gradient is. Here it says the first, in `compute`
(class Computed): what updateOutput does is recorded, and gradients come from autograd. A module that somebody else
wrote derives from Module and says everything itself.
"""

import copy
import inspect
import math

import torch
from torch._thnn._backends import type2backend
from torch.legacy.nn.utils import clear, recursiveType, target_of


def flat(value):
    """The tensors in nested lists, in order."""
    if isinstance(value, (list, tuple)):
        return [tensor for each in value for tensor in flat(each)]
    return [value]


def shaped(value, tensors):
    """Lists like those of `value`, of tensors from an iterator."""
    if isinstance(value, (list, tuple)):
        return [shaped(each, tensors) for each in value]
    return next(tensors)


def keep(old, new):
    """`new` in the tensor or list `old`, which is the same object from call to call; no element is copied."""
    if isinstance(new, (list, tuple)):
        old = old if isinstance(old, list) else []
        old[:] = [keep(old[i] if i < len(old) else None, each) for i, each in enumerate(new)]
        return old
    new = new.detach()
    if isinstance(old, torch.Tensor) and old.dtype == new.dtype and old.device == new.device:
        old.data = new  # set_ would count as a write into the new one's memory, which the graph has saved
        return old
    return new


class Tape:
    """A computation: leaves in place of its inputs and parameters, and the result with its graph."""

    def __init__(self, compute, input, parameters):
        self.key = self.mark(input, parameters)
        self.leaves = [self._leaf(tensor) for tensor in flat(input)]
        self.parameters = [self._leaf(tensor) for tensor in parameters]
        with torch.enable_grad():
            self.output = compute(shaped(input, iter(self.leaves)), *self.parameters)

    @staticmethod
    def _leaf(tensor):
        if not isinstance(tensor, torch.Tensor):
            return tensor
        return tensor.detach().requires_grad_(tensor.is_floating_point())

    @staticmethod
    def mark(input, parameters):
        """Differs where another tensor stands, or has been written since."""
        tensors = [t for t in (*flat(input), *parameters) if isinstance(t, torch.Tensor)]
        return [(t.data_ptr(), 0 if t.is_inference() else t._version, t.size(), t.stride(), t.dtype) for t in tensors]

    def gradients(self, gradOutput, inputs=True, parameters=False):
        """(of the inputs, of the parameters), as asked for; zeros where the output does not depend on a tensor."""
        outputs, given = flat(self.output), flat(gradOutput)
        if len(outputs) != len(given):
            raise RuntimeError(f"gradOutput has {len(given)} tensors, the output {len(outputs)}")
        pairs = [(o, g) for o, g in zip(outputs, given) if o.requires_grad]
        asked = (self.leaves if inputs else []), (self.parameters if parameters else [])
        leaves = [t for t in (*asked[0], *asked[1]) if isinstance(t, torch.Tensor) and t.requires_grad]
        found = []
        if pairs and leaves:
            outputs, given = zip(*pairs)
            found = torch.autograd.grad(outputs, leaves, given, retain_graph=True, allow_unused=True)
        by_leaf = {id(leaf): gradient for leaf, gradient in zip(leaves, found)}
        taken = {t.data_ptr() for t in given}

        def of(leaf):
            gradient = by_leaf.get(id(leaf))
            if gradient is None:
                return torch.zeros_like(leaf) if isinstance(leaf, torch.Tensor) else None
            return gradient.clone() if gradient.data_ptr() in taken else gradient

        return [of(leaf) for leaf in asked[0]], [of(leaf) for leaf in asked[1]]


class Typed:
    """What modules and criteria have in common: a type, copies."""

    _tape = None

    def __init__(self):
        self.gradInput = torch.Tensor()
        self._type = self.gradInput.type()

    def __repr__(self):
        return f"nn.{type(self).__name__}"

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name != "_tape"}

    @property
    def _backend(self):
        return type2backend[self._type]

    def type(self, type=None, tensorCache=None):
        """The type's name; with a type, all tensors are converted to it, and the module is returned."""
        if type is None:
            return self._type
        name = target_of(type)[0]
        self._tape = None
        cache = {} if tensorCache is None else tensorCache
        for key, value in list(self.__dict__.items()):
            setattr(self, key, recursiveType(value, name, cache))
        self._type = name
        return self

    def float(self, *args):
        return self.type("torch.FloatTensor", *args)

    def double(self, *args):
        return self.type("torch.DoubleTensor", *args)

    def cuda(self, *args):
        return self.type("torch.cuda.FloatTensor", *args)


class Module(Typed):
    """The base class of all modules: `output`, `gradInput`; forward and backward in terms of updateOutput,
    updateGradInput and accGradParameters, which subclasses have."""

    train = True
    # Parameters by attribute; the gradient of `weight` is collected in `gradWeight`.
    parameterNames = ("weight", "bias")

    def __init__(self):
        super().__init__()
        self.output = torch.Tensor()

    @staticmethod
    def _gradName(name):
        return "grad" + name[0].upper() + name[1:]

    def _present(self):
        return [name for name in self.parameterNames if getattr(self, name, None) is not None]

    def parameters(self):
        """([parameters], [their gradients]), or None where there are none."""
        names = self._present()
        if not names:
            return None
        return [getattr(self, name) for name in names], [getattr(self, self._gradName(name)) for name in names]

    def updateOutput(self, input):
        return self.output

    def forward(self, input):
        return self.updateOutput(input)

    def backward(self, input, gradOutput, scale=1):
        self.updateGradInput(input, gradOutput)
        self.accGradParameters(input, gradOutput, scale)
        return self.gradInput

    def backwardUpdate(self, input, gradOutput, lr):
        """A step of gradient descent right away, without collecting gradients."""
        self.updateGradInput(input, gradOutput)
        self.accUpdateGradParameters(input, gradOutput, lr)
        return self.gradInput

    def updateGradInput(self, input, gradOutput):
        return self.gradInput

    def accGradParameters(self, input, gradOutput, scale=1):
        pass

    def accUpdateGradParameters(self, input, gradOutput, lr):
        names = self._present()
        saved = [getattr(self, self._gradName(name), None) for name in names]
        try:
            for name in names:
                setattr(self, self._gradName(name), getattr(self, name))
            self.accGradParameters(input, gradOutput, -lr)
        finally:
            for name, gradient in zip(names, saved):
                setattr(self, self._gradName(name), gradient)

    def sharedAccUpdateGradParameters(self, input, gradOutput, lr):
        if self.parameters() is not None:
            self.zeroGradParameters()
            self.accGradParameters(input, gradOutput, 1)
            self.updateParameters(lr)

    def zeroGradParameters(self):
        for gradient in (self.parameters() or ((), ()))[1]:
            gradient.zero_()

    def updateParameters(self, learningRate):
        for parameter, gradient in zip(*(self.parameters() or ((), ()))):
            parameter.add_(gradient, alpha=-learningRate)

    def training(self):
        self.train = True

    def evaluate(self):
        self.train = False

    def share(self, mlp, *names):
        """From here on the named tensors have the memory of another module's."""
        for name in names:
            if getattr(self, name, None) is not None:
                getattr(self, name).set_(getattr(mlp, name))
        return self

    def clone(self, *names):
        """A copy; it shares the named tensors."""
        return copy.deepcopy(self).share(self, *names)

    def reset(self, stdv=None):
        """New initial values, in modules that have parameters."""

    def write(self, f):
        raise NotImplementedError("torch.legacy.nn.Module.write: modules are written by torch.save")

    def read(self, f):
        raise NotImplementedError("torch.legacy.nn.Module.read: modules are read by torch.load")

    def flattenParameters(self):
        """(parameters, gradients) as two vectors, whose elements are the module's from here on; None without any."""
        found = self.parameters()
        if found is None:
            return None
        return _flatten(found[0]), _flatten(found[1])

    def apply(self, callback):
        for module in self.listModules():
            callback(module)

    def findModules(self, cls, container=None):
        """([modules of a class], [the container of each])"""
        nodes, containers = ([self], [container]) if isinstance(self, cls) else ([], [])
        for child in getattr(self, "modules", ()):
            below = child.findModules(cls, self)
            nodes += below[0]
            containers += below[1]
        return nodes, containers

    def listModules(self):
        """This module and all below it."""
        return [self, *(each for child in getattr(self, "modules", ()) for each in child.listModules())]

    def clearState(self):
        """Forgets outputs, gradients of inputs and what else the next forward makes anew."""
        self._tape = None
        return clear(self, "output", "gradInput")

    def replace(self, callback):
        """Puts what `callback` returns in the place of each module below; returns it for this one."""
        out = callback(self)
        for i, module in enumerate(getattr(self, "modules", ())):
            self.modules[i] = module.replace(callback)
        return out


def _flatten(tensors):
    """One vector of all elements, each once where tensors share memory; the tensors become views of it."""
    storages, places, total = {}, [], 0
    for tensor in tensors:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in storages:
            count = storage.nbytes() // tensor.element_size()
            storages[storage.data_ptr()] = total, tensor.as_strided((count,), (1,), 0)
            total += count
        start = storages[storage.data_ptr()][0] + tensor.storage_offset()
        places.append((start, tensor.size(), tensor.stride()))
    used = torch.zeros(total, dtype=torch.bool, device=tensors[0].device)
    for start, size, stride in places:
        used.as_strided(size, stride, start).fill_(True)
    number = used.cumsum(0) - 1
    for start, size, stride in places:
        span = sum((n - 1) * step for n, step in zip(size, stride))
        if number[start + span] - number[start] != span:
            raise ValueError(f"a parameter of size {tuple(size)} and strides {stride} leaves gaps in its memory")
    vector = torch.cat([whole for _, whole in storages.values()])[used]
    for tensor, (start, size, stride) in zip(tensors, places):
        tensor.set_(vector.untyped_storage(), int(number[start]), size, stride)
    return vector


class Computed(Module):
    """A module with `compute(input, *parameters)`: a differentiable expression, of which all gradients are taken."""

    # Whether compute runs again for its gradients: random numbers stay what they were, statistics are not updated.
    replaying = False
    inplace = False

    def compute(self, input, *parameters):
        raise NotImplementedError(f"{type(self).__name__}.compute")

    def _values(self):
        return [getattr(self, name, None) for name in self.parameterNames] if self._present() else []

    def updateOutput(self, input):
        if self.inplace:
            return self._overwritten(input)
        if self.train and not torch.is_inference_mode_enabled():
            self._tape = Tape(self.compute, input, self._values())
            output = self._tape.output
        else:
            with torch.no_grad():
                output = self.compute(input, *self._values())
            self._tape = None
        self.output = keep(self.output, output)
        return self.output

    def _overwritten(self, input):
        """The output in the input's memory."""
        self._tape = Tape(self.compute, input.clone(), self._values())
        input.copy_(self._tape.output.detach())
        self._tape.key = Tape.mark(input, self._values())
        self.output = keep(self.output, input)
        return self.output

    def _recorded(self, input):
        """The computation for this input: the last one, or one made again where anything differs."""
        if self._tape is None or self._tape.key != Tape.mark(input, self._values()):
            self.replaying = True
            try:
                self._tape = Tape(self.compute, input, self._values())
            finally:
                del self.replaying
        return self._tape

    def updateGradInput(self, input, gradOutput):
        if self.gradInput is not None:  # None: nobody wants it
            self._keep_gradients(input, self._recorded(input).gradients(gradOutput)[0])
        return self.gradInput

    def _keep_gradients(self, input, gradients):
        self.gradInput = keep(self.gradInput, shaped(input, iter(gradients)))

    def _accumulate(self, gradients, scale):
        for name, gradient in zip(self.parameterNames, gradients):
            sum = getattr(self, self._gradName(name), None)
            if gradient is not None and sum is not None:
                sum.add_(gradient, alpha=scale)

    def accGradParameters(self, input, gradOutput, scale=1):
        if self._present():
            self._accumulate(self._recorded(input).gradients(gradOutput, False, True)[1], scale)

    def backward(self, input, gradOutput, scale=1):
        if type(self).updateGradInput is not Computed.updateGradInput or self.gradInput is None:
            return super().backward(input, gradOutput, scale)
        inputs, parameters = self._recorded(input).gradients(gradOutput, True, True)
        self._keep_gradients(input, inputs)
        self._accumulate(parameters, scale)
        return self.gradInput


def expect_dims(self, input, *dims):
    """RuntimeError for an input that has none of these numbers of dimensions."""
    if input.dim() not in dims:
        wanted = " or ".join(map(str, dims))
        size = tuple(input.size())
        raise RuntimeError(f"{self!r}: expected an input of {wanted} dimensions, got {input.dim()}: {size}")


class Weighted(Computed):
    """A module with `weight` and `bias`, which begin uniform within 1 / sqrt(fan)."""

    def _make(self, weight, bias=None, fan=1):
        self.weight = torch.empty(*weight)
        self.gradWeight = torch.zeros(*weight)
        self.bias = self.gradBias = None
        if bias is not None:
            self.bias = torch.empty(*bias)
            self.gradBias = torch.zeros(*bias)
        self._fan = fan
        self.reset()

    def noBias(self):
        self.bias = self.gradBias = None
        return self

    def reset(self, stdv=None):
        """New values, uniform with a standard deviation of `stdv`."""
        bound = stdv * math.sqrt(3) if stdv is not None else 1.0 / math.sqrt(self._fan)
        for name in self._present():
            getattr(self, name).uniform_(-bound, bound)
        return self


def configured(function, base, skipped, text):
    """A class of base's whose `compute` calls `function`: its first `skipped` arguments are compute's, the others the
    constructor's and then attributes. `text` is what repr appends, a format of the attributes."""
    parameters = list(inspect.signature(function).parameters.values())[skipped:]
    signature = inspect.Signature(parameters)
    names = [each.name for each in parameters]
    name = function.__name__

    def __init__(self, *args, **kwargs):
        base.__init__(self)
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"nn.{name}: {error}") from None
        bound.apply_defaults()
        for key, value in bound.arguments.items():
            setattr(self, key, value)

    def compute(self, *args):
        return function(*args, *[getattr(self, key) for key in names])

    def __repr__(self):
        return base.__repr__(self) + text.format(**self.__dict__)

    __init__.__signature__ = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *parameters]
    )
    body = {
        "__init__": __init__,
        "compute": compute,
        "__module__": "torch.legacy.nn",
        "__doc__": function.__doc__ or f"nn.{name}{signature}",
    }
    if text:
        body["__repr__"] = __repr__
    return type(name, (base,), body)


def layer(text="", dims=None, parameterNames=()):
    """Makes a module of a function of (input, options…)."""

    def decorate(function):
        made = configured(function, Computed, 1, text)
        made.parameterNames = parameterNames
        if dims is not None:
            plain = made.compute

            def compute(self, input):
                for tensor in flat(input):
                    expect_dims(self, tensor, *dims)
                return plain(self, input)

            made.compute = compute
        return made

    return decorate
