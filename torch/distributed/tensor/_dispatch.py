"""A function of DTensors: what its rule says of how arguments have to lie (_rules.py, _plans.py), the call on this rank's
parts, and results that know how they lie. What has no rule is computed by every rank on whole tensors."""

from __future__ import annotations

import torch
from torch.distributed.tensor import _decomposed, _plans, _redistribute, _rules
from torch.distributed.tensor._api import DTensor, redistribute
from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta
from torch.distributed.tensor.placement_types import Replicate

# What concerns the object and not its elements; asked of this rank's part.
_OF_THE_OBJECT = set(
    "requires_grad_ retain_grad is_floating_point is_complex is_contiguous data_ptr element_size "
    "get_device is_signed untyped_storage storage_offset is_inference is_shared share_memory_ "
    "register_post_accumulate_grad_hook __get__ __set__ __delete__ zero_ _is_view has_names is_same_size".split()
)

# Forms of rules whose results are views: of the tensor itself, unless that had to be redistributed.
_VIEWS = ("strided", "index", "expand")

# What looks at elements and gives no tensor: nothing is asked of tensors without any.
_OF_VALUES = {"allclose", "equal", "is_nonzero"}


def leaves(tree):
    """DTensors and tensors of lists, tuples and dicts, in their order."""
    if isinstance(tree, torch.Tensor):
        return [tree]
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, (list, tuple)):
        return [leaf for item in tree for leaf in leaves(item)]
    return []


def mapped(tree, function):
    """The same tree with function(leaf) for its tensors."""
    if isinstance(tree, torch.Tensor):
        return function(tree)
    if isinstance(tree, dict):
        return {key: mapped(value, function) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)) and type(tree) is not torch.Size:
        items = [mapped(item, function) for item in tree]
        return type(tree)(*items) if hasattr(tree, "_fields") else type(tree)(items)
    return tree


def _meta(tensor):
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device="meta")


def _attribute(func, args):
    """Of torch.Tensor's properties; NotImplemented where it is none."""
    name = getattr(getattr(func, "__self__", None), "__name__", "")
    if func.__name__ == "__get__":
        with torch._C.DisableTorchFunctionSubclass():
            found = func(*args)
        if not isinstance(found, torch.Tensor):
            return found
        if name in ("data", "grad"):
            return DTensor._made(found, args[0]._spec if name == "data" else args[0]._spec.gradient())
        functions = {"T": torch.t, "mT": lambda t: t.transpose(-2, -1), "real": torch.real, "imag": torch.imag}
        functions |= {"H": torch.adjoint, "mH": torch.adjoint}
        if name in functions:
            return functions[name](args[0])
        raise NotImplementedError(f"DTensor.{name}")
    if func.__name__ == "__set__" and name in ("real", "imag"):
        part, value = getattr(torch, name)(args[0]), args[1]
        part.copy_(value) if isinstance(value, torch.Tensor) and value.dim() else part.fill_(value)
        return None
    with torch._C.DisableTorchFunctionSubclass():
        if name == "data" and func.__name__ == "__set__" and isinstance(args[1], DTensor):
            args[0]._spec = args[1]._spec
            return func(args[0], args[1]._local_tensor)
        return func(*args)


def _hook(tensor, hook):
    spec = tensor._spec.gradient()

    def asked(grad):
        answer = hook(DTensor._made(grad, spec))
        return redistribute(answer, spec.placements)._local_tensor if isinstance(answer, DTensor) else answer

    with torch._C.DisableTorchFunctionSubclass():
        return torch.Tensor.register_hook(tensor, asked)


def _backward(func, args, kwargs):
    def lain(tensors, grads):
        tensors = [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)
        if grads is None:
            return None
        grads = [grads] if isinstance(grads, torch.Tensor) else list(grads)
        return [
            redistribute(g, t._spec.gradient().placements)._local_tensor if isinstance(g, DTensor) else g
            for t, g in zip(tensors, grads)
        ]

    outputs = args[0]
    if func is torch.autograd.grad:
        given = dict(zip(("outputs", "inputs", "grad_outputs"), args)) | kwargs
        given["grad_outputs"] = lain(given["outputs"], given.get("grad_outputs"))
        inputs = [given["inputs"]] if isinstance(given["inputs"], torch.Tensor) else list(given["inputs"])
        with torch._C.DisableTorchFunctionSubclass():
            found = func(**given)
        return tuple(
            DTensor._made(g, t._spec.gradient()) if g is not None and isinstance(t, DTensor) else g
            for t, g in zip(inputs, found)
        )
    names = ("tensors", "grad_tensors", "retain_graph", "create_graph", "grad_variables", "inputs")
    given = dict(zip(names, args)) | kwargs
    given["grad_tensors"] = lain(outputs, given.get("grad_tensors"))
    with torch._C.DisableTorchFunctionSubclass():
        return func(**given)


def run(func, types, args, kwargs):
    """What DTensor.__torch_function__ answers."""
    name = getattr(func, "__name__", "")
    if name in ("__get__", "__set__", "__delete__"):
        return _attribute(func, args)
    if name in ("backward", "grad") and getattr(func, "__module__", "") == "torch.autograd":
        return _backward(func, args, kwargs)
    if name == "register_hook":
        return _hook(*args)
    if name in _decomposed.INITIALISERS and getattr(func, "__module__", "") == "torch.nn.init":
        _decomposed.INITIALISERS[name](**kwargs)
        return kwargs["tensor"]
    if name in _OF_THE_OBJECT:
        with torch._C.DisableTorchFunctionSubclass():
            found = func(*args, **kwargs)
        return args[0] if isinstance(found, torch.Tensor) else found
    if kwargs.get("out") is not None:
        return _written(func, args, {key: value for key, value in kwargs.items() if key != "out"}, kwargs["out"])
    rule = _rules.find(func, name, args, kwargs)
    made = _made_of_others(rule, func, args, kwargs)
    if made is not NotImplemented:
        return made
    tensors = leaves((args, kwargs))
    meshes = {t.device_mesh for t in tensors if isinstance(t, DTensor)}
    if len(meshes) != 1:
        raise RuntimeError(f"{name}(): all DTensors lie on one mesh, not on {sorted(map(str, meshes))}")
    (mesh,) = meshes
    for t in tensors:
        if not isinstance(t, DTensor) and (t.dim() or name == "copy_"):
            raise RuntimeError(
                f"{name}(): got mixed torch.Tensor and DTensor, of shapes "
                f"{[tuple(t.shape) for t in tensors]}: distribute_tensor() or DTensor.from_local() makes DTensors of plain ones"
            )
    return _call(func, name, rule, args, kwargs, tensors, mesh)


def _written(func, args, kwargs, out):
    """With out=, which has to have the result's shape."""
    made = func(*args, **kwargs)
    pairs = list(zip(out, made)) if isinstance(out, (list, tuple)) else [(out, made)]
    for target, result in pairs:
        if not isinstance(target, DTensor):
            raise RuntimeError(f"{func.__name__}(): out= is a torch.Tensor, got mixed torch.Tensor and DTensor")
        if target.shape != result.shape:
            raise RuntimeError(
                f"{func.__name__}(): out= of shape {tuple(target.shape)} is given for a result of {tuple(result.shape)}"
            )
    for target, result in pairs:
        target.copy_(result)
    return out


def _made_of_others(rule, func, args, kwargs):
    """What a rule that is no Plan says to do instead of the call; or NotImplemented."""
    if rule is None:
        return NotImplemented
    if rule.form == "draws":
        return _decomposed.refused(func)
    if rule.form == "fills":
        return _decomposed.filled(func, *args, **kwargs)
    if rule.form == "loss":
        return _decomposed.loss(func, rule, args, kwargs)
    if rule.form == "parts":
        return getattr(_decomposed, rule.words[0])(func, **rule.given)
    return NotImplemented


def _call(func, name, rule, args, kwargs, tensors, mesh):
    in_place = name.endswith("_") and (not name.endswith("__") or name.startswith("__i")) and bool(args)
    if name.startswith("__i") and name not in ("__invert__", "__index__", "__int__"):
        in_place = True
    if name == "__setitem__":
        in_place = True
    if in_place and not isinstance(args[0], torch.Tensor):
        raise NotImplementedError(f"{name}() of DTensors: what is written comes first, and not {args[0]!r}")
    # What is asked of whole tensors, whose numbers nobody has: shapes and dtypes of results.
    try:
        if name in _OF_VALUES:
            raise NotImplementedError(name)
        with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
            at_places = name in ("__getitem__", "__setitem__")  # where a number says which

            def asked(t):
                return t if at_places and not t.dim() and not isinstance(t, DTensor) else _meta(t)

            whole = func(*mapped(args, asked), **mapped(kwargs, asked))
    except NotImplementedError:
        whole = None
    except RuntimeError:  # of COO tensors, for which strided ones were asked, but not of them alone
        if all(t.layout is torch.strided for t in tensors):
            raise
        whole = None
    if in_place and isinstance(whole, torch.Tensor) and whole.shape != args[0].shape:
        raise NotImplementedError(
            f"{name}() of DTensors: to {tuple(whole.shape)} from {tuple(args[0].shape)}, in place"
        )
    plan = _rules.plan(rule, tensors, whole, args, kwargs) if rule is not None and whole is not None else None
    if plan is None:
        plan = _plans.whole(tensors)
    if in_place and getattr(args[0], "_is_copy", False):
        raise NotImplementedError(
            f"{name}(): of a view whose tensor had to be redistributed first, so that it is a copy; clone() it, or write to "
            "the tensor itself"
        )
    specs = [_spec_of(t, mesh) for t in tensors]
    shards = [_plans.unstrided(spec) for spec in specs]
    choice = [
        _plans.choose(plan, shards, i, mesh, fixed=shards[0].placements[i] if in_place else None)
        for i in range(mesh.ndim)
    ]
    choice = _plans.even(plan, shards, choice, mesh)
    wanted = [[c[0][k] for c in choice] for k in range(len(tensors))]
    results = [[c[1][k] if c[1] else Replicate() for c in choice] for k in range(max(len(c[1]) for c in choice))]
    if shards != specs:
        _plans.strided([*wanted, *results], specs[:1] if in_place else specs, mesh)
    wanted = [tuple(way) for way in wanted]
    if in_place and (wanted[0] != specs[0].placements or any(tuple(r) != specs[0].placements for r in results)):
        return _overwritten(func, args, kwargs)
    lie = []  # in the tensors' order: one may be given twice, and lie differently
    for k, (t, spec, placements) in enumerate(zip(tensors, specs, wanted)):
        if in_place and k == 0:
            lie.append(t)
            continue
        local = t._local_tensor if isinstance(t, DTensor) else t
        local = _redistribute.redistributed(local, spec, placements)
        if local.requires_grad and torch.is_grad_enabled():
            terms = [
                i
                for i, p in enumerate(placements)
                if p.is_replicate() and any(not r[i].is_replicate() for r in results)
            ]
            if terms:
                local = _redistribute.SumOfGradients.apply(local, mesh, terms)
        lie.append(local)
    with torch._C.DisableTorchFunctionSubclass():
        parts = iter(lie)
        own_args = mapped(args, lambda t: next(parts))
        own_kwargs = mapped(kwargs, lambda t: next(parts))
        if plan.arguments is not None:
            own_args, own_kwargs = plan.arguments(own_args, own_kwargs, mesh, results, wanted)
        found = (plan.function or func)(*own_args, **own_kwargs)
    if in_place:
        return args[0]
    is_copy = rule is not None and (rule.form in _VIEWS or name == "view") and wanted[0] != specs[0].placements
    at = iter(range(10**9))
    metas = leaves(whole) if whole is not None else None

    def made(local):
        k = next(at)
        about = metas[k] if metas is not None else local
        strides = tuple(about.stride()) if about.layout is torch.strided else (0,) * about.dim()
        meta = TensorMeta(about.shape, strides, local.dtype)
        lies = results[k] if k < len(results) else results[0] if results else [Replicate()] * mesh.ndim
        with torch._C.DisableTorchFunctionSubclass():
            made = DTensor._made(local, DTensorSpec(mesh, tuple(lies), meta))
            if is_copy:
                made._is_copy = True
            return made

    return mapped(found, made)


def _spec_of(tensor, mesh):
    if isinstance(tensor, DTensor):
        return tensor._spec
    strides = tuple(tensor.stride()) if tensor.layout is torch.strided else (0,) * tensor.dim()
    meta = TensorMeta(tensor.shape, strides, tensor.dtype)
    return DTensorSpec(mesh, (Replicate(),) * mesh.ndim, meta)


def _overwritten(func, args, kwargs):
    """In place, where the tensor does not lie as the operator needs: computed on whole tensors, and written back."""
    target = args[0]
    if any(p.is_partial() for p in target.placements):
        raise RuntimeError(
            f"{func.__name__}(): in-place operations cannot change {target.placements} to what they need"
        )
    whole = redistribute(target, (Replicate(),) * target.device_mesh.ndim)
    if whole is target:
        raise NotImplementedError(f"{func.__name__}() of {target.placements}")
    if torch.is_grad_enabled() and any(t.requires_grad for t in leaves((args, kwargs))):
        raise NotImplementedError(f"{func.__name__}(): recorded in place of a tensor that lies as {target.placements}")
    with torch._C.DisableTorchFunctionSubclass():
        whole = DTensor._made(whole._local_tensor.clone(), whole._spec)
    func(whole, *args[1:], **kwargs)
    back = redistribute(whole, target.placements)
    with torch._C.DisableTorchFunctionSubclass():
        target._local_tensor.copy_(back._local_tensor)
    return target
