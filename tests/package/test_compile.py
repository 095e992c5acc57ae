"""torch.compile and torch.jit: functions and modules are handed back and called as they are, with the names that compilers and
scripts ask for; what needs a script says that there is none."""

import copy
import pathlib
import pickle
import subprocess
import sys
import warnings

import pytest
import torch

HOME = str(pathlib.Path(torch.__file__).parents[1])
ours = pytest.mark.skipif(not hasattr(torch._C, "_storage_filename"), reason="of ours alone")


# ---- functions are handed back -----------------------------------------------------------------------------
def double(x):
    return 2 * x


@ours
def test_compile():
    program = f"""
import sys; sys.path.insert(0, {HOME!r})
import warnings, torch
def double(x):
    return 2 * x
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    assert torch.compile(double, disable=True) is double and not said
    assert torch.compile(double) is double and len(said) == 1
    assert said[0].filename == "<string>" and said[0].lineno == 9, (said[0].filename, said[0].lineno)
    assert torch.compile(double, mode="max-autotune", fullgraph=True) is double
    @torch.compile(dynamic=True)
    def triple(x):
        return 3 * x
    assert triple(2) == 6 and torch.compile()(double) is double and len(said) == 1
    assert torch.jit.script(double)(3) == 6 and torch.jit.trace(double, torch.ones(1))(3) == 6 and len(said) == 3
    assert torch.jit.script(double).__wrapped__ is double and len(said) == 3
print("done")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 3)
        self.scale = 2
        self.register_buffer("seen", torch.zeros(1))

    def forward(self, x):
        return self.layer(x) * self.scale

    def other(self):
        return self.scale


@pytest.fixture
def compiled():
    module = Scaled()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return module, torch.compile(module, backend="eager")


def test_names_in_a_compiled_module(compiled):
    module, made = compiled
    assert list(made.state_dict()) == ["_orig_mod.seen", "_orig_mod.layer.weight", "_orig_mod.layer.bias"]
    assert [name for name, _ in made.named_parameters()] == ["_orig_mod.layer.weight", "_orig_mod.layer.bias"]
    assert [name for name, _ in made.named_modules()] == ["", "_orig_mod", "_orig_mod.layer"]
    assert made._orig_mod is module and repr(made).startswith("OptimizedModule(\n  (_orig_mod): Scaled(")
    assert type(made) is torch._dynamo.OptimizedModule and not isinstance(made, Scaled)
    made.load_state_dict({name: torch.ones_like(value) for name, value in made.state_dict().items()})
    assert module.layer.weight.tolist() == [[1, 1]] * 3
    with pytest.raises(RuntimeError, match="Missing key"):
        made.load_state_dict(module.state_dict())


def test_a_compiled_module_is_its_original_otherwise(compiled):
    module, made = compiled
    x = torch.ones(1, 2)
    assert torch.equal(made(x), module(x)) and made.other() == made.scale == 2 and made.layer is module.layer
    made.scale = 3
    made.more = torch.nn.Linear(1, 1)
    assert module.scale == 3 and list(module._modules) == ["layer", "more"] and list(made._modules) == ["_orig_mod"]
    assert torch.equal(made(x), module(x))
    assert made.eval() is made and not module.training and not made.training
    made.training = True
    assert module.training and {"layer", "scale", "forward"} <= set(dir(made))
    del made.scale
    assert not hasattr(module, "scale")
    with pytest.raises(AttributeError, match="'Scaled' object has no attribute 'nothing'"):
        repr(made.nothing)
    with pytest.raises(TypeError):
        made[0]


def test_a_compiled_module_is_copied_and_pickled(compiled):
    module, made = compiled
    copied = copy.deepcopy(made)
    assert type(copied) is type(made) and copied._orig_mod is not module and copied.scale == 2
    loaded = pickle.loads(pickle.dumps(torch._dynamo.OptimizedModule(torch.nn.Linear(2, 2), None)))
    assert list(loaded.state_dict()) == ["_orig_mod.weight", "_orig_mod.bias"]
    hooked = []
    made.register_forward_hook(lambda *args: hooked.append(1))
    made(torch.ones(1, 2))
    assert hooked == [1] and not module._forward_hooks


def test_what_is_not_wrapped(compiled):
    module, _ = compiled
    assert torch.compile(module, disable=True) is module and torch.compile(Scaled) is Scaled
    module.compile(backend="eager")
    assert list(module.state_dict())[0] == "seen"


@ours
@pytest.mark.filterwarnings("ignore")
def test_what_scripts_have_is_said_to_be_missing():
    module = Scaled()
    assert (
        torch.jit.trace(module, torch.ones(1, 2)) is module and torch.jit.script(module)(torch.ones(1, 2)).numel() == 3
    )
    with pytest.raises(RuntimeError, match="module Scaled has no 'save': .* there is no TorchScript in this torch"):
        module.save("model.pt")
    with pytest.raises(RuntimeError, match="function 'double' has no 'code': .* there is no TorchScript"):
        repr(torch.jit.script(double).code)
    assert not hasattr(module, "code") and not hasattr(torch.jit.script(double), "graph")
    with pytest.raises(AttributeError, match="^'Scaled' object has no attribute 'nothing'$"):
        repr(module.nothing)
    with pytest.raises(AttributeError, match="^'Scaled' object has no attribute 'save'$"):
        repr(Scaled().save)


@ours
@pytest.mark.filterwarnings("ignore")
def test_scripted_functions_are_called_as_they_are():
    made = torch.jit.script(double)
    assert made(3) == 6 and made.__name__ == "double" and repr(made) == repr(double) and torch.jit.script(made) is made
    with pytest.raises(AttributeError, match="function 'double' has no attribute 'nothing'"):
        repr(made.nothing)
    Scaled.twice = torch.jit.script(lambda self, x: (self, x))
    module = Scaled()
    assert module.twice(3) == (module, 3)
    del Scaled.twice


def test_compile_refuses():
    with pytest.raises(AssertionError, match="callable"):
        torch.compile(3)
    with pytest.raises(RuntimeError, match="mode or options"):
        torch.compile(double, mode="default", options={"a": 1})
    with pytest.raises(TypeError):
        torch.compile(double, no_such_argument=3)


def test_directions_for_compilers():
    compiler = torch.compiler
    assert compiler.allow_in_graph(double) is double and compiler.allow_in_graph([double]) == [double]
    assert compiler.assume_constant_result(double) is double
    assert compiler.disable(double)(3) == 6 and compiler.disable(recursive=False)(double)(3) == 6
    with compiler.set_stance("force_eager"):
        assert double(4) == 8
    with pytest.raises(AssertionError):
        compiler.disable(3)
    assert compiler.wrap_numpy(lambda x: x + 1)(torch.ones(2)).tolist() == [2, 2]


def test_annotations_for_scripts():
    jit = torch.jit
    assert jit.unused(double) is double and jit.export(double) is double and jit.ignore(double) is double
    assert jit.ignore()(double) is double and jit.annotate(list[int], [1]) == [1]
    assert jit.script_if_tracing(double)(3) == 6 and jit.Attribute(3, int).value == 3
    assert not isinstance(double, (jit.ScriptFunction, jit.ScriptModule))
    with pytest.raises(RuntimeError, match="jit.ignore must be a bool or a function"):
        jit.ignore(3)


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ([1, 2], list[int], True),
        ([1, "a"], list[int], False),
        ({"a": [1]}, dict[str, list[int]], True),
        ({"a": [1.5]}, dict[str, list[int]], False),
        ((1, "a"), tuple[int, str], True),
        ((1,), tuple[int, str], False),
        (None, int | None, True),
        ("a", int | None, False),
        (3, (int, str), True),
        (torch.ones(1), torch.Tensor, True),
        ([1], list, RuntimeError),
    ],
)
def test_instances_of_generic_types(value, kind, expected):
    if expected is RuntimeError:
        with pytest.raises(RuntimeError):
            torch.jit.isinstance(value, kind)
    else:
        assert torch.jit.isinstance(value, kind) is expected


@ours
@pytest.mark.parametrize("name", ["save", "load", "freeze", "CompilationUnit", "ScriptModule"])
def test_what_needs_scripts_refuses(name):
    args = {"save": (None, "file"), "load": ("file",), "freeze": (None,)}.get(name, ())
    with pytest.raises(RuntimeError, match=f"torch.jit.{name}: there is no TorchScript"):
        getattr(torch.jit, name)(*args)
    if args:
        with pytest.raises(TypeError, match="missing"):
            getattr(torch.jit, name)()
