"""Stopping in generated code."""

__all__ = ["set_trace"]


def set_trace(gm):
    """The module, which stops in pdb when it runs."""

    def body(current):
        def with_stop(lines):
            return ["import pdb; pdb.set_trace()\n", *(current(lines) if current else lines)]

        return with_stop

    with gm.graph.on_generate_code(body):
        gm.recompile()
    return gm
