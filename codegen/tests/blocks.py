"""Declarations for the tests."""

import textwrap

from codegen.cwrap import parse_text
from codegen.plugins import refine


def block(body):
    return "[[\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "  ") + "\n]]\n"


def parse(*bodies):
    return [b for i, body in enumerate(bodies) for b in parse_text(block(body), f"t{i}.cwrap")]


def one(body):
    """The only overload of the only operator, refined."""
    ((overload,),) = refine(parse(body)).values()
    return overload


ADD = """
    func: add(Tensor self, Tensor|Number other, *, Scalar alpha=1) -> Tensor result
    cname: cadd(result, self, alpha, other)
    variants: [method, function, inplace, out]
    types: all
    dtype: promote
    doc: |
      Adds.
"""
