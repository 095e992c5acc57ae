"""What the C++ of an extension works with: tensors and their Python objects, conversions, errors, operators, devices."""

import gc

import pytest
import torch
from torch.utils import cpp_extension

# What is compiled to be run once need not be fast.
QUICK = ["-O0"]
IDENTITY = """
static at::Tensor kept;
at::Tensor same(at::Tensor x) { return x; }
std::vector<at::Tensor> list(std::vector<at::Tensor> tensors) { return tensors; }
void keep(at::Tensor x) { kept = x; }
at::Tensor give_back() { return std::exchange(kept, at::Tensor()); }
at::Tensor add_one(at::Tensor x) { return x.add_(1); }
at::Tensor view(at::Tensor x) { return x.view({-1}); }
"""


class Derived(torch.Tensor):
    pass


def test_a_tensor_comes_back_as_the_object_that_it_was():
    names = ["same", "list", "keep", "give_back", "add_one", "view"]
    module = cpp_extension.load_inline("identity", [IDENTITY], functions=names, extra_cflags=QUICK)
    for kind in (torch.Tensor, Derived):
        x = torch.zeros(2, 2).as_subclass(kind)
        x.name, before = "x", id(x)
        assert module.same(x) is x
        one, two = module.list([x, x])
        assert one is two is x
        module.keep(x)
        del x, one, two
        gc.collect()  # the object lives on with its tensor, which C++ alone knows now
        x = module.give_back()
        assert id(x) == before and type(x) is kind and x.name == "x"
        assert module.give_back() is None
        assert module.add_one(x) is x and x._version == 1
        view = module.view(x)
        assert view is not x and type(view) is torch.Tensor and not hasattr(view, "name")
        module.add_one(view)
        assert x._version == view._version == 2 and x.sum() == 8


def test_types_and_errors():
    """Every conversion of torch/python.h both ways, and each kind of error as the exception torch raises for it."""
    module = cpp_extension.load_inline(
        "conversions",
        [
            """
        py::object all(std::optional<torch::Tensor> t, std::vector<torch::Tensor> list, torch::Scalar number,
                       torch::ScalarType dtype, torch::IntArrayRef sizes) {
          return py::make_tuple(t, list, number, dtype, sizes);
        }
        torch::Tensor nothing() { return torch::Tensor(); }
        torch::Tensor of_nothing() { return nothing().exp(); }
        torch::Tensor cat_nothing() { return torch::cat({torch::ones(2), nothing()}); }
        torch::Tensor plus_nothing() { return nothing() + 1; }
        double first_double(torch::Tensor x) { return x.data_ptr<double>()[0]; }
        int out_of_range(torch::Tensor x) { return x.size(7); }
        void check(int kind) {
          TORCH_CHECK(kind != 0, "runtime ", kind);
          TORCH_CHECK_INDEX(kind != 1, "index ", kind);
          TORCH_CHECK_VALUE(kind != 2, "value ", kind);
          TORCH_CHECK_TYPE(kind != 3, "type ", kind);
          TORCH_CHECK_NOT_IMPLEMENTED(kind != 4, "not implemented ", kind);
          TORCH_CHECK(kind != 5);
          AT_ERROR("error ", kind);
        }
        """
        ],
        functions=[
            "all",
            "nothing",
            "of_nothing",
            "cat_nothing",
            "plus_nothing",
            "first_double",
            "out_of_range",
            "check",
        ],
        extra_cflags=QUICK,
    )
    x = torch.arange(3)
    t, tensors, number, dtype, sizes = module.all(x, [x, x.float()], 2.5, torch.float16, (2, 3))
    t.add_(1)
    assert x.tolist() == [1, 2, 3], "the tensor, not a copy"
    assert [one.dtype for one in tensors] == [torch.int64, torch.float32]
    assert (number, dtype, sizes) == (2.5, torch.float16, [2, 3])
    assert module.all(None, (), True, torch.bool, [])[:3] == (None, [], True)
    for given, got in ((7, 7), (torch.tensor(7), 7), (torch.tensor([0.5]), 0.5)):
        assert module.all(None, [], given, torch.bool, [])[2] == got
    for wrong in (
        (3, [], 1, torch.bool, []),
        (None, [None], 1, torch.bool, []),
        (None, [], "1", torch.bool, []),
        (None, [], 1, float, []),
        (None, [], 1, torch.bool, 3),
        (None, [], torch.ones(2), torch.bool, []),
    ):
        with pytest.raises(TypeError):
            module.all(*wrong)
    with pytest.raises(OverflowError):
        module.all(None, [], 2**64, torch.bool, [])
    assert module.nothing() is None
    for function in (module.of_nothing, module.cat_nothing, module.plus_nothing):
        with pytest.raises(RuntimeError, match="undefined"):
            function()
    with pytest.raises(RuntimeError, match="expected scalar type Double but found Long"):
        module.first_double(x)
    with pytest.raises(IndexError, match="Dimension out of range"):
        module.out_of_range(x)
    kinds = (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError)
    for kind, exception in enumerate(kinds):
        with pytest.raises(exception, match=f" {kind}$") as info:
            module.check(kind)
        assert info.type is exception
    with pytest.raises(RuntimeError, match="Expected kind != 5 to be true"):
        module.check(5)
    with pytest.raises(RuntimeError, match="error 6"):
        module.check(6)


def test_operators_of_cpp_agree_with_those_of_python():
    """One function with every operator and a good part of the methods; Python evaluates the same expressions."""
    rows = {
        "x + y - 2 * x / (y + 3.5)": None,
        "1 - x": None,
        "-x": None,
        "x % 2": None,
        "(x > 0).type_as(x) + (x <= y)": None,
        "(x == x) & (x != 1)": None,
        "(1 == x) | (y < 0)": None,
        "torch::where(x > 0, x, 0)": "torch.where(x > 0, x, 0)",
        "x.clamp(0, 1)": None,
        "x.clamp_min(y)": None,
        "x.pow(2) + torch::pow(2, x)": "x.pow(2) + torch.pow(2, x)",
        "x.sum(0, true)": "x.sum(0, True)",
        "x.sum({0, 1})": "x.sum((0, 1))",
        "x.mean()": None,
        "x[1][2]": None,
        "x.slice(1, 1, -1)": "x[:, 1:-1]",
        "x.slice(0, torch::nullopt, torch::nullopt, 2)": "x[::2]",
        "x.view({3, -1}).t().mm(x.reshape({3, 4}))": "x.view(3, -1).t().mm(x.reshape(3, 4))",
        "x.view(-1)": None,
        "std::get<0>(x.max(1))": "x.max(1)[0]",
        "torch::stack({x, y}, 1)": "torch.stack([x, y], 1)",
        "torch::cat(x.chunk(2, 1))": "torch.cat(x.chunk(2, 1))",
        "torch::zeros({2}, torch::kInt)": "torch.zeros(2, dtype=torch.int)",
        "torch::ones_like(x, torch::dtype(torch::kLong))": "torch.ones_like(x, dtype=torch.long)",
        "torch::full({2, 2}, 7, x.options())": "torch.full((2, 2), 7, dtype=x.dtype)",
        "torch::arange(0, 10, 3)": "torch.arange(0, 10, 3)",
        "torch::tensor({1.5, 2.5})": "torch.tensor([1.5, 2.5])",
        "torch::tensor({1, 2})": "torch.tensor([1, 2])",
        "torch::tensor(true)": "torch.tensor(True)",
        'x.to(torch::kDouble).div(3, "floor")': "x.to(torch.double).div(3, rounding_mode='floor')",
        "x.unsqueeze(0).squeeze()": None,
        "x.masked_fill(x > 0, 9)": None,
        "x.clone().add_(y, 2).mul_(3)": "x.clone().add_(y, alpha=2).mul_(3)",
        "x.argmax()": None,
        "x.permute({1, 0}).contiguous()": "x.permute(1, 0).contiguous()",
    }
    body = "\n".join(f"  results.push_back({code});" for code in rows)
    module = cpp_extension.load_inline(
        "expressions",
        f"""
        std::vector<torch::Tensor> all(torch::Tensor x, torch::Tensor y) {{
          std::vector<torch::Tensor> results;
        {body}
          return results;
        }}
        torch::Tensor parts(torch::Tensor x) {{
          x[0] = 5;
          x[1] = x[0] + 1;
          x[1][2] = -1;
          x += 1;
          torch::Tensor y = x;
          y = torch::zeros(1);  // another meaning of y, and no change of x
          return x;
        }}
        torch::Tensor blob(std::vector<double> values, py::list log) {{
          auto *memory = new std::vector<double>(std::move(values));
          auto release = [memory, log](void *) {{ delete memory; py::list(log).append("released"); }};
          return torch::from_blob(memory->data(), {{int64_t(memory->size())}}, release, torch::kDouble);
        }}""",
        functions=["all", "parts", "blob"],
        extra_cflags=QUICK,
    )
    x, y = torch.randn(3, 4), torch.randn(3, 4)
    for (code, python), got in zip(rows.items(), module.all(x, y), strict=True):
        want = eval(python or code)  # noqa: S307 - the table above
        assert got.dtype == want.dtype, code
        assert torch.equal(got, want), code
    assert module.parts(torch.zeros(2, 3)).tolist() == [[6, 6, 6], [7, 7, 0]]
    log = []
    blob = module.blob([1, 2, 3], log)
    assert (blob * 2).tolist() == [2, 4, 6]
    assert log == []
    del blob
    assert log == ["released"]


def test_devices():
    module = cpp_extension.load_inline(
        "devices",
        """
        std::vector<torch::Tensor> made(torch::Tensor like) {
          const auto meta = torch::device(torch::kMeta);
          return {torch::empty({2, 3}, meta.dtype(torch::kInt)), torch::empty({2}, torch::kMeta),
                  torch::empty({4}, torch::dtype(torch::kDouble).device(torch::kCPU)), torch::empty({5}, like.options()),
                  torch::zeros_like(torch::ones({2}), torch::kLong)};
        }
        bool on_meta(torch::Tensor x) { return x.is_meta() && !x.is_cpu() && x.device() == torch::kMeta; }
        void blob() { double d; torch::from_blob(&d, {1}, torch::dtype(torch::kDouble).device(torch::kMeta)); }""",
        functions=["made", "on_meta", "blob"],
        extra_cflags=QUICK,
    )
    like = torch.empty(1, dtype=torch.int16, device="meta")
    assert [(x.device.type, x.dtype, tuple(x.shape)) for x in module.made(like)] == [
        ("meta", torch.int32, (2, 3)),
        ("meta", torch.float32, (2,)),
        ("cpu", torch.float64, (4,)),
        ("meta", torch.int16, (5,)),
        ("cpu", torch.int64, (2,)),
    ]
    assert module.on_meta(like) and not module.on_meta(torch.ones(1))
    with pytest.raises(ValueError, match="from_blob.*meta"):
        module.blob()
