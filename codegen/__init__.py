"""Reads operator declarations and C headers, writes C++, documentation and link stubs.

    python -m codegen thpp --out DIR      the C++ tensor functions of THPP
    python -m codegen python --out DIR    their Python bindings
    python -m codegen autograd --out DIR  their recorders and derivatives for csrc/autograd
    python -m codegen nn --out DIR        the extension module over THNN
    python -m codegen docs --out DIR      torch/_torch_docs.py, _python_bodies.py, _operators.py, _sharding.py
    python -m codegen pyi --out DIR       torch/_functions.pyi, torch/_methods.pyi, …, type stubs
    python -m codegen stub --header H --soname S --out DIR
    python -m codegen symbols --header H
    python -m codegen TARGET -h           the target's files and flags

How to add an operator: write a block into declarations/*.cwrap. If TH has a kernel for it, cname names
the kernel and that is all. If it is made of others, it has no cname, and its C++ body goes into
lib/THPP/src, into a file named after the declaration's; bodies.h shows the form that is expected of it (name_out
where it has outputs). A cname torch.functional.name is a body in Python. Add a row to tests/golden.

A declaration (declarations/*.cwrap, explained in cwrap.py) is parsed once into frozen dataclasses
(model.py). Plugins refine it, one concern each; an emitter turns all of them into one kind of file.
"""
