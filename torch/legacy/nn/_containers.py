"""Modules made of modules."""

import torch
from torch.legacy.nn._module import Module, keep
from torch.legacy.nn.utils import recursiveAdd, recursiveCopy


class Container(Module):
    """A list of modules, `modules`."""

    def __init__(self):
        super().__init__()
        self.modules = []

    def add(self, module):
        self.modules.append(module)
        return self

    def get(self, index):
        return self.modules[index]

    def size(self):
        return len(self.modules)

    def applyToModules(self, func):
        for module in self.modules:
            func(module)

    def zeroGradParameters(self):
        self.applyToModules(lambda module: module.zeroGradParameters())

    def updateParameters(self, learningRate):
        self.applyToModules(lambda module: module.updateParameters(learningRate))

    def training(self):
        self.applyToModules(lambda module: module.training())
        super().training()

    def evaluate(self):
        self.applyToModules(lambda module: module.evaluate())
        super().evaluate()

    def share(self, mlp, *names):
        for module, other in zip(self.modules, mlp.modules):
            module.share(other, *names)
        return self

    def reset(self, stdv=None):
        self.applyToModules(lambda module: module.reset(stdv))
        return self

    def parameters(self):
        found = [module.parameters() for module in self.modules]
        values = [value for each in found if each is not None for value in each[0]]
        gradients = [gradient for each in found if each is not None for gradient in each[1]]
        return (values, gradients) if values else None

    def clearState(self):
        self.applyToModules(lambda module: module.clearState())
        return super().clearState()

    def _drawn(self, head, lines):
        """Text: a head, then each module by its number, moved to the right."""
        body = "".join(f"\n  {line}" for line in lines)
        return f"nn.{type(self).__name__} {{\n  {head}{body}\n}}"


class Sequential(Container):
    """One module after the other."""

    def __len__(self):
        return len(self.modules)

    def __getitem__(self, index):
        return self.modules[index]

    def insert(self, module, index):
        self.modules.insert(index, module)
        return self

    def remove(self, index=-1):
        del self.modules[index]
        return self

    def updateOutput(self, input):
        for module in self.modules:
            input = module.updateOutput(input)
        self.output = input
        return self.output

    def _backwards(self, input, gradOutput, call):
        inputs = [input, *(module.output for module in self.modules[:-1])]
        for module, given in zip(reversed(self.modules), reversed(inputs)):
            call(module, given, gradOutput)
            gradOutput = module.gradInput
        return gradOutput

    def updateGradInput(self, input, gradOutput):
        self.gradInput = self._backwards(input, gradOutput, lambda m, i, g: m.updateGradInput(i, g))
        return self.gradInput

    def backward(self, input, gradOutput, scale=1):
        self.gradInput = self._backwards(input, gradOutput, lambda m, i, g: m.backward(i, g, scale))
        return self.gradInput

    def accGradParameters(self, input, gradOutput, scale=1):
        self._backwards(input, gradOutput, lambda m, i, g: m.accGradParameters(i, g, scale))

    def accUpdateGradParameters(self, input, gradOutput, lr):
        self._backwards(input, gradOutput, lambda m, i, g: m.accUpdateGradParameters(i, g, lr))

    def __repr__(self):
        numbers = [f"({i})" for i in range(len(self.modules))]
        lines = [f"{n}: {module!r}".replace("\n", "\n  ") for n, module in zip(numbers, self.modules)]
        return self._drawn(f"[{' -> '.join(['input', *numbers, 'output'])}]", lines)


class Branches(Container):
    """Modules side by side: `_parts` says what each is given and which gradient, `_together` what becomes of theirs."""

    def _parts(self, input, gradOutput):
        raise NotImplementedError(f"{type(self).__name__}._parts")

    def _together(self, input, gradients):
        """The sum, for modules that have the same input."""
        total = None
        for gradient in gradients:
            if gradient is None:  # a module without one
                continue
            if total is None:
                total = recursiveCopy(None, gradient)[0] if isinstance(gradient, list) else gradient.clone()
            else:
                recursiveAdd(total, gradient)
        return total

    def _gathered(self, input, gradients):
        total = self._together(input, gradients)
        if total is not None:
            self.gradInput = keep(self.gradInput, total)
        return self.gradInput

    def updateGradInput(self, input, gradOutput):
        return self._gathered(input, [m.updateGradInput(i, g) for m, i, g in self._parts(input, gradOutput)])

    def backward(self, input, gradOutput, scale=1):
        return self._gathered(input, [m.backward(i, g, scale) for m, i, g in self._parts(input, gradOutput)])

    def accGradParameters(self, input, gradOutput, scale=1):
        for module, given, gradient in self._parts(input, gradOutput):
            module.accGradParameters(given, gradient, scale)

    def accUpdateGradParameters(self, input, gradOutput, lr):
        for module, given, gradient in self._parts(input, gradOutput):
            module.accUpdateGradParameters(given, gradient, lr)

    def __repr__(self):
        last = len(self.modules) - 1
        lines = [
            f"  |`-> ({i}): " + repr(module).replace("\n", "\n  " + ("       " if i == last else "  |    "))
            for i, module in enumerate(self.modules)
        ]
        return self._drawn("input", [*lines, "   +. -> output"])


class Concat(Branches):
    """The outputs of modules with the same input, one after the other along a dimension."""

    def __init__(self, dimension):
        super().__init__()
        self.dimension = dimension

    def updateOutput(self, input):
        outputs = [module.updateOutput(input) for module in self.modules]
        self.output = keep(self.output, torch.cat(outputs, self.dimension))
        return self.output

    def _parts(self, input, gradOutput):
        sizes = [module.output.size(self.dimension) for module in self.modules]
        if gradOutput.size(self.dimension) != sum(sizes):
            size = tuple(gradOutput.size())
            raise RuntimeError(
                f"nn.{type(self).__name__}: outputs have {sizes} elements along dimension "
                f"{self.dimension}, gradOutput is of size {size}"
            )
        return [(m, input, g) for m, g in zip(self.modules, gradOutput.split(sizes, self.dimension))]


class DepthConcat(Concat):
    """Concat of outputs of different sizes: smaller ones are in the middle of zeros."""

    def _middle(self, output, sizes):
        """Where an output lies in one of `sizes`, by dimensions."""
        return tuple(
            slice(None) if dim == self.dimension else slice((size - own) // 2, (size - own) // 2 + own)
            for dim, (own, size) in enumerate(zip(output.size(), sizes))
        )

    def updateOutput(self, input):
        outputs = [module.updateOutput(input) for module in self.modules]
        sizes = [max(each) for each in zip(*(output.size() for output in outputs))]
        pieces = []
        for output in outputs:
            sizes[self.dimension] = output.size(self.dimension)
            piece = output.new_zeros(sizes)
            piece[self._middle(output, sizes)] = output
            pieces.append(piece)
        self.output = keep(self.output, torch.cat(pieces, self.dimension))
        return self.output

    def _parts(self, input, gradOutput):
        parts = super()._parts(input, gradOutput)
        return [(m, i, g[self._middle(m.output, g.size())].contiguous()) for m, i, g in parts]


class Parallel(Branches):
    """Each module has a slice of the input along one dimension; the outputs are joined along another."""

    def __init__(self, inputDimension, outputDimension):
        super().__init__()
        self.inputDimension, self.outputDimension = inputDimension, outputDimension

    def _slices(self, input):
        slices = input.unbind(self.inputDimension)
        if len(slices) > len(self.modules):
            raise RuntimeError(
                f"nn.Parallel: {len(self.modules)} modules for an input of size {tuple(input.size())}, "
                f"which is cut along dimension {self.inputDimension}"
            )
        return slices

    def updateOutput(self, input):
        outputs = [module.updateOutput(piece) for module, piece in zip(self.modules, self._slices(input))]
        self.output = keep(self.output, torch.cat(outputs, self.outputDimension))
        return self.output

    def _parts(self, input, gradOutput):
        slices = self._slices(input)
        used = self.modules[: len(slices)]
        sizes = [module.output.size(self.outputDimension) for module in used]
        return list(zip(used, slices, gradOutput.split(sizes, self.outputDimension)))

    def _together(self, input, gradients):
        return torch.stack(gradients, self.inputDimension)


class ConcatTable(Branches):
    """The list of the outputs of modules with the same input."""

    def __init__(self):
        super().__init__()
        self.output = []

    def updateOutput(self, input):
        self.output = [module.updateOutput(input) for module in self.modules]
        return self.output

    def _parts(self, input, gradOutput):
        if len(gradOutput) != len(self.modules):
            raise RuntimeError(f"nn.ConcatTable: {len(gradOutput)} gradients for {len(self.modules)} modules")
        return [(m, input, g) for m, g in zip(self.modules, gradOutput)]


class ParallelTable(Branches):
    """The list of outputs of modules, each of which has an element of the input."""

    def __init__(self):
        super().__init__()
        self.output, self.gradInput = [], []

    def _check(self, input):
        if len(input) != len(self.modules):
            raise RuntimeError(f"nn.ParallelTable: {len(input)} inputs for {len(self.modules)} modules")

    def updateOutput(self, input):
        self._check(input)
        self.output = [module.updateOutput(each) for module, each in zip(self.modules, input)]
        return self.output

    def _parts(self, input, gradOutput):
        self._check(input)
        return list(zip(self.modules, input, gradOutput))

    def _gathered(self, input, gradients):
        self.gradInput = gradients
        return self.gradInput


class CriterionTable(Module):
    """A criterion as a module of [input, target]."""

    def __init__(self, criterion):
        super().__init__()
        self.criterion = criterion
        self.gradInput = [criterion.gradInput]

    def updateOutput(self, input):
        self.output = self.criterion.updateOutput(*input)
        return self.output

    def updateGradInput(self, input, gradOutput=None):
        self.gradInput = [self.criterion.updateGradInput(*input)]
        return self.gradInput
