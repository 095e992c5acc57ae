"""Whether every operator that can give a floating result says how it is differentiated, or is listed as still to do."""

from .emitters.cpp import once
from .emitters.table import slots
from .errors import DeclarationError, Where

TODO = "derivatives.todo"


def check(operators, todo):
    """Raises unless the file `todo` lists, by their slots, exactly the functions that do not say."""
    overloads = [o for name in sorted(operators) for o in operators[name] if not o.in_python]
    named = {slot: o for o, slot in slots(once(overloads)).items()}
    listed = {}
    for number, line in enumerate(todo.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            listed[line] = Where(todo.name, number)
    for slot, where in listed.items():
        if slot not in named:
            raise DeclarationError(where, f"there is no operator '{slot}'")
        if named[slot].says_derivative or named[slot].derivative_kind == "none":
            raise DeclarationError(where, f"'{slot}' says how it is differentiated at {named[slot].where}")
    for slot, o in named.items():
        if not o.says_derivative and o.derivative_kind != "none" and slot not in listed:
            raise DeclarationError(
                o.where,
                f"{o.name}: key 'derivative' is missing: a formula per input, composite, or none (why). "
                f"An operator whose derivative is still to be written has a line '{slot}' in {todo.name}",
            )
