"""Signatures: each form, and what is refused with which words."""

import pytest

from codegen import signature
from codegen.errors import DeclarationError, Where

AT = Where("s.cwrap", 7)

FORMS = [
    "f() -> void",
    "f(Tensor self) -> self",
    "f(Tensor self, Tensor? weight=None, Tensor|Number other=None, Tensor|Number? min=None) -> Tensor",
    "f(int... size) -> Tensor",
    "f(Tensor... tensors, object... args) -> Tensor|Tensor[]",
    "f(int[] size, float[]? at=None, Dims dim=(-2, -1), str mode='a, b)', *, Scalar alpha=1, bool b) -> Tensor[]",
    "f(Tensor self, int n=-1, float p=inf, float tol=1e-05) -> Tensor result",
    "f(Tensor self) -> (Tensor values, IndexTensor indices)",
    "f(*, int n) -> int",
    "f(Tensor self, int reduction=Mean) -> Tensor",
]


@pytest.mark.parametrize("text", FORMS)
def test_what_is_read_is_written_again(text):
    s = signature.parse(text, AT)
    assert signature.text(s.name, s.arguments, s.outputs, s.returns) == text


def test_what_is_read():
    s = signature.parse("topk(Tensor|Number self, int... k, *, Dtype? dtype=None) -> (Tensor v, IndexTensor i)", AT)
    self, k, dtype = s.arguments
    assert (s.name, self.name, self.type.name, self.number, self.optional) == ("topk", "self", "Tensor", True, False)
    assert (k.type.name, k.long_args, k.kwarg_only) == ("int[]", True, False)
    assert (dtype.default, dtype.nullable, dtype.kwarg_only) == ("None", True, True)
    assert [(a.name, a.type.name, a.output) for a in s.outputs] == [("v", "Tensor", True), ("i", "IndexTensor", True)]
    assert s.returns == ""
    assert signature.parse("f() -> Tensor", AT).outputs == ()
    (mean,) = signature.parse("f(int reduction=Mean) -> Tensor", AT).arguments
    assert (mean.default, mean.python_default) == ("1", "0")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f(Tensor self)", "expected 'name(type name, …) -> result', not 'f(Tensor self)'"),
        ("f -> Tensor", "expected 'name(type name, …) -> result'"),
        ("3f() -> Tensor", "'3f' is not a name"),
        ("f(Tensor 3x) -> Tensor", "'3x' is not a name"),
        ("f(Tensor) -> Tensor", "expected 'type name' or 'type name=default', not 'Tensor'"),
        ("f(Tensor self,, int n) -> Tensor", "nothing stands between two commas"),
        ("f(Tensor self, ) -> Tensor", "nothing stands between two commas"),
        ("f(Dims dim=(1, 2) -> Tensor", "a bracket is not closed in 'Dims dim=(1, 2'"),
        ("f(str s='a) -> Tensor", "' is not closed or not opened"),
        ("f(int n=1)) -> Tensor", ") is not closed or not opened"),
        ("f(Tenso self) -> Tensor", "unknown type 'Tenso' of argument 'self'; allowed: Device, Dims, Dtype"),
        ("f(int64_t n) -> Tensor", "unknown type 'int64_t' of argument 'n'"),
        ("f(Dtype... types) -> Tensor", "there is no list of Dtype, as which 'types' could be given one by one"),
        ("f(Scalar|Number n) -> Tensor", "|Number belongs to Tensor, and 'n' is Scalar"),
        ("f(PyBool? flag) -> Tensor", "'flag' cannot be None: PyBool has no empty value"),
        ("f(int n=) -> Tensor", "expected 'type name' or 'type name=default', not 'int n='"),
        ("f(str s=Mean) -> Tensor", "the default of 's' is no number, text, tuple or word of Python: Mean"),
        ("f(int n=one) -> Tensor", "the default of 'n' is no number, text, tuple or word of Python: one"),
        ("f(int a=1, int b) -> Tensor", "'b' has no default but follows 'a', which has one"),
        ("f(int a, *) -> Tensor", "a * stands once, before arguments that have to be named"),
        ("f(*, int a, *, int b) -> Tensor", "a * stands once, before arguments that have to be named"),
        ("f(int a, int a) -> Tensor", "two arguments are called 'a'"),
        ("f(Tensor a) -> Tensor a", "two arguments are called 'a'"),
        ("f() -> tensor", "unknown result 'tensor'; allowed: Tensor, Tensor[], Tensor|Tensor[], bool, int, self, void"),
        ("f() -> int n", "unknown result 'int n'; allowed: "),
        ("f() -> Tensor? a", "unknown result 'Tensor? a'"),
        ("f() -> (Tensor, Tensor)", "unknown result 'Tensor'"),
        ("f() -> Tensor a, Tensor b", "several outputs stand in brackets, and one does not"),
        ("f() -> (Tensor a)", "several outputs stand in brackets, and one does not"),
    ],
)
def test_refused(text, words):
    with pytest.raises(DeclarationError, match=r"^s\.cwrap:7: ") as caught:
        signature.parse(text, AT)
    assert words in str(caught.value)


def test_required_keywords_may_follow_optional_ones():
    assert [a.optional for a in signature.parse("f(int a=1, *, int b) -> void", AT).arguments] == [True, False]
