"""Types of schemas as objects; the answers are PyTorch 2.13's."""

import pickle

import pytest
import torch

I, T, S, F = (one.get() for one in (torch.IntType, torch.TensorType, torch.StringType, torch.FloatType))  # noqa: E741
ANY, NONE, NUMBER, COMPLEX, BOOL = (
    one.get() for one in (torch.AnyType, torch.NoneType, torch.NumberType, torch.ComplexType, torch.BoolType)
)
List, Optional, Dict, Tuple, Union = (
    torch.ListType,
    torch.OptionalType,
    torch.DictType,
    torch.TupleType,
    torch.UnionType,
)


@pytest.mark.parametrize(
    ("found", "annotation", "schema", "kind"),
    [
        (I, "int", "int", "IntType"),
        (NUMBER, "number", "Scalar", "NumberType"),
        (torch.SymIntType.get(), "int", "SymInt", "SymIntType"),
        (torch.DeviceObjType.get(), "Device", "Device", "DeviceObjType"),
        (List(I), "List[int]", "int[]", "ListType"),
        (List(Optional(T)), "List[Optional[Tensor]]", "Tensor?[]", "ListType"),
        (Optional(Optional(I)), "Optional[int]", "int?", "OptionalType"),
        (Union([I, NONE]), "Optional[int]", "int?", "OptionalType"),
        (Optional(Union([I, NONE])), "Optional[int]", "int?", "OptionalType"),
        (Union([I, S]), "Union[int, str]", "Union(int, str)", "UnionType"),
        (Dict(S, T), "Dict[str, Tensor]", "Dict(str, Tensor)", "DictType"),
        (Tuple([I, T]), "Tuple[int, Tensor]", "(int, Tensor)", "TupleType"),
        (Tuple([]), "Tuple[()]", "()", "TupleType"),
        (torch.FutureType(I), "Future[int]", "Future[int]", "FutureType"),
        (List.ofTensors(), "List[Tensor]", "Tensor[]", "ListType"),
    ],
)
def test_texts(found, annotation, schema, kind):
    assert (str(found), found.annotation_str, repr(found)) == (annotation,) * 3
    assert found.str() == schema and found.kind() == kind


@pytest.mark.skipif(not hasattr(torch._C, "_storage_filename"), reason="of ours alone")
@pytest.mark.parametrize(
    "found", [I, T, List(I), Optional(T), Dict(S, T), torch.TensorType.create_from_tensor(torch.ones(1))]
)
def test_pickles(found):
    assert pickle.loads(pickle.dumps(found)) == found


SUBTYPES = {
    "I": "I ANY NUMBER O(I) O(NUMBER) U([I,S]) O(ANY) U([I,F,COMPLEX])",
    "BOOL": "BOOL ANY O(ANY)",
    "NONE": "ANY NONE O(I) O(T) O(NUMBER) O(ANY)",
    "NUMBER": "ANY NUMBER O(NUMBER) O(ANY) U([I,F,COMPLEX])",
    "U([I,F,COMPLEX])": "ANY NUMBER O(NUMBER) O(ANY) U([I,F,COMPLEX])",
    "O(I)": "ANY O(I) O(NUMBER) O(ANY)",
    "O(ANY)": "ANY O(ANY)",
    "L(I)": "ANY L(I) O(ANY)",
    "L(ANY)": "ANY L(ANY) O(ANY)",
    "Tu([I,T])": "ANY Tu([I,T]) Tu([ANY,T]) O(ANY)",
    "Tu([])": "ANY Tu([]) O(ANY)",
}
SPACE = {**globals(), "L": List, "O": Optional, "Tu": Tuple, "U": Union}
ALL = sorted({*SUBTYPES, *(one for each in SUBTYPES.values() for one in each.split())})


@pytest.mark.parametrize("name", SUBTYPES)
def test_subtypes(name):
    found = eval(name, SPACE)
    assert {one for one in ALL if found.isSubtypeOf(eval(one, SPACE))} == set(SUBTYPES[name].split())
    equal = {"NUMBER", "U([I,F,COMPLEX])"} if name in ("NUMBER", "U([I,F,COMPLEX])") else {name}
    assert {one for one in ALL if found == eval(one, SPACE)} == equal


def test_parts():
    assert List(I).getElementType() == I and Dict(S, T).getValueType() == T and Tuple([I, T]).elements() == [I, T]
    assert Union([I, S]).containedTypes() == [I, S] and Optional(I).containedTypes() == [I] and I.containedTypes() == []
    assert torch.InferredType(I).type() == I and torch.InferredType("why").reason() == "why"
    assert not torch.InferredType("why").success() and torch.IntType.get() is I


def test_types_of_tensors():
    one = torch.TensorType.create_from_tensor(torch.ones(2, 3))
    assert one.str() == "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)" and str(one) == "Tensor"
    assert (one.dtype(), one.sizes(), one.dim(), one.scalarType()) == (torch.float32, [2, 3], 2, "Float")
    assert one.isSubtypeOf(T) and not T.isSubtypeOf(one) and one != T
    assert (T.dtype(), T.sizes(), T.dim(), T.scalarType(), T.undefined()) == (None, None, None, None, False)


def test_types_of_arguments():
    x, k, d, w = torch.parse_schema("a::b(Tensor x, int[2] k, ScalarType? d, Tensor?[] w) -> ()").arguments
    assert isinstance(x.type, torch.TensorType) and isinstance(k.type, torch.ListType) and k.N == 2
    assert k.type == List(I) and d.type == Optional(I) and w.type == List(Optional(T))
    assert any(one.type.isSubtypeOf(List.ofTensors()) for one in torch.ops.aten.cat.default._schema.arguments)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (torch.IntType, TypeError),
        (torch.Type, TypeError),
        (lambda: List(3), TypeError),
        (lambda: Tuple(I), TypeError),
        (lambda: I == 3, TypeError),
        (lambda: hash(List(I)), TypeError),
        (lambda: I.isSubtypeOf(3), TypeError),
        (lambda: Dict(List(I), I), RuntimeError),
        (lambda: Optional(NONE), RuntimeError),
        (lambda: Union([I, I]), RuntimeError),
        (lambda: I.dtype(), RuntimeError),
        (lambda: torch.unify_type_list([]), RuntimeError),
        (lambda: torch.unify_type_list([I, F]), RuntimeError),
    ],
)
def test_refused(call, error):
    with pytest.raises(error):
        call()


def test_unified():
    assert torch.unify_type_list([I, I]) == I and torch.unify_type_list([I, NONE]) == Optional(I)
    assert torch.unify_type_list([Optional(I), I]) == Optional(I)
