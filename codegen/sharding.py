"""How an operator runs on the parts of tensors that lie on several ranks: the key `sharding` of a declaration.

    sharding: mk,kn->mn; linear self mat2; unless p

is a form, and options of it. What no form is said of runs on whole tensors, unless a form follows from other keys
(`derived`). torch/distributed/tensor/_rules.py interprets the rows that emitters/sharding.py writes.

Forms:
  mk,kn->mn       letters for the dimensions of the tensors that are given and of the results, as of einsum: dimensions
                  with one letter are split alike, and what is split by a letter that no result has gives terms of a sum.
                  `_` is a dimension that has to be whole, `*` any number of dimensions that are broadcast, `~` any number
                  that have to be whole. Several stand with | between them: the first that fits.
  pointwise       each element by itself, operands broadcast
  reduce OP       over the dimensions of the argument `dim`, or all; parts are joined by OP
  along ARG…      dimensions that arguments name have to be whole; the others are split alike
  trailing ARG    as many last dimensions as that list is long have to be whole
  join ARG        tensors of a list are put one behind another along the dimension; `stack ARG`: along a new one
  strided         a view that takes dimensions as they are, or leaves some out
  reshape, expand a view of another shape, which is an argument
  index           what Python writes in brackets
  rows            rows of a table, by an index
  equation        letters that the first argument says
  padding ARG     half as many last dimensions as that list is long have to be whole
  loss            pointwise, and what `reduction` says of it
  parts NAME      made of functions that have rules: torch/distributed/tensor/_decomposed.py
  draws, fills    random numbers: refused, as ranks would draw different ones; or drawn for the whole tensor, in place
  whole (why)     on whole tensors

Options:
  linear ARG…     of terms of one of these tensors, the others being whole, the results are terms
  additive        of terms of all tensors, the results are terms
  unless ARG…     not where one of these is given, and is neither None nor 0
"""

import dataclasses
import re

from .errors import DeclarationError, choices

JOINS = ("sum", "max", "min", "product")
# Forms by how many words follow: {form: (least, most)}.
FORMS = {
    "pointwise": (0, 0),
    "reduce": (1, 1),
    "along": (1, 3),
    "trailing": (1, 1),
    "join": (1, 1),
    "stack": (1, 1),
    "strided": (0, 0),
    "reshape": (0, 0),
    "expand": (0, 0),
    "rows": (0, 0),
    "equation": (0, 0),
    "padding": (1, 1),
    "loss": (0, 0),
    "index": (0, 0),
    "parts": (1, 1),
    "draws": (0, 0),
    "fills": (0, 0),
}
OF_ARGUMENTS = ("along", "trailing", "padding", "join", "stack")
OPTIONS = ("linear", "additive", "unless")
_SIDE = r"[a-z_*~]*(?:,[a-z_*~]*)*"
_LETTERS = re.compile(rf"{_SIDE}->{_SIDE}")

# Functions of torch.nn.functional and methods that no declaration stands for, by their rules.
PYTHON = {
    "pointwise": "bool byte char int logsigmoid long short softsign tanhshrink",
    "pointwise; linear self": "__neg__ bfloat16 data double float half to to_dense type",
    "along dim": "normalize softmin",
    "parts cross_entropy": "cross_entropy",
    "parts nll_loss": "nll_loss",
    "draws": "dropout1d dropout2d dropout3d",
    "index": "__getitem__",
    "nc~->nc~": "interpolate upsample",
}


@dataclasses.dataclass(frozen=True)
class Rule:
    """What the key says."""

    form: str  # a word of FORMS, "letters" or "whole"
    words: tuple[str, ...] = ()
    options: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (option, its words)

    def __str__(self):
        """The key's text; parsing it gives an equal rule."""
        text = " | ".join(self.words) if self.form == "letters" else " ".join((self.form, *self.words))
        if self.form == "whole":
            text = f"whole ({self.words[0]})"
        return "; ".join([text, *(" ".join((name, *words)) for name, words in self.options)])


def parse(text, at):
    """The Rule of a key's text."""
    first, *rest = (part.strip() for part in text.split(";"))
    options = tuple(_option(part, at) for part in rest)
    why = re.fullmatch(r"whole \((.+)\)", first)
    if why:
        if options:
            raise DeclarationError(at, f"what runs on whole tensors has no options: '{text}'")
        return Rule("whole", (why[1],))
    if "->" in first:
        return Rule("letters", tuple(_letters(part.strip(), at) for part in first.split("|")), options)
    form, *words = first.split() or [""]
    if form not in FORMS:
        raise DeclarationError(
            at, f"unknown sharding '{form}'; allowed: letters such as mk,kn->mn, whole (why), {choices(FORMS)}"
        )
    least, most = FORMS[form]
    if not least <= len(words) <= most:
        many = f"{least}" if least == most else f"{least} to {most}"
        raise DeclarationError(at, f"sharding '{form}' has {many} words behind it, not '{' '.join(words)}'")
    if form == "reduce" and words[0] not in JOINS:
        raise DeclarationError(at, f"unknown way to join parts '{words[0]}'; allowed: {choices(JOINS)}")
    return Rule(form, tuple(words), options)


def _letters(text, at):
    text = text.replace(" ", "")
    if not _LETTERS.fullmatch(text):
        raise DeclarationError(at, f"letters of dimensions are such as *mk,kn->*mn, not '{text}'")
    inputs, _, outputs = text.partition("->")
    for term in (*inputs.split(","), *outputs.split(",")):
        if any(term.count(letter) > 1 for letter in term if letter != "_") or {"*", "~"} <= {*term}:
            raise DeclarationError(at, f"'{term}' of '{text}' has a letter twice")
    unknown = {*outputs} - {*inputs, ",", "_", "~"}
    if unknown:
        raise DeclarationError(at, f"no tensor of '{text}' has the letters {choices(unknown)} of its result")
    return text


def _option(text, at):
    name, *words = text.split() or [""]
    if name not in OPTIONS:
        raise DeclarationError(at, f"unknown option of sharding '{name}'; allowed: {choices(OPTIONS)}")
    if (name == "additive") == bool(words):
        raise DeclarationError(at, f"option '{name}' of sharding names {'no' if words else 'an'} argument")
    return name, tuple(words)


def check(o, refuse):
    """Refuses a rule that does not fit the operator."""
    rule = o.sharding
    if rule is None:
        return
    tensors = [a for a in o.inputs if "Tensor" in a.type.name]
    if not (tensors or o.in_python or rule.form in ("whole", "draws")):
        refuse(f"sharding '{rule}' belongs to operators with tensors")
    names = {a.name for a in o.python}
    of_rule = rule.words if rule.form in OF_ARGUMENTS else ()
    for word in (*of_rule, *(w for name, words in rule.options if name != "linear" for w in words)):
        if word not in names:
            refuse(f"sharding names no argument: '{word}'; allowed: {choices(names)}")
    for word in next((words for name, words in rule.options if name == "linear"), ()):
        if word not in {a.name for a in tensors}:
            refuse(f"sharding says it is linear in '{word}'; tensors are: {choices(a.name for a in tensors)}")
    if rule.form == "letters":
        least = sum(not a.nullable for a in tensors)
        for text in rule.words:
            given, made = (side.split(",") for side in text.split("->"))
            if not least <= len(given) <= len(tensors):
                refuse(f"sharding '{text}' has {len(given)} tensors, where {least} to {len(tensors)} are given")
            if o.outputs and len(made) != len(o.outputs):
                refuse(f"sharding '{text}' has {len(made)} results, and there are {len(o.outputs)}")
    if rule.form in ("join", "stack") and not any(a.type.name == "Tensor[]" for a in tensors):
        refuse(f"sharding '{rule}' belongs to lists of tensors")
    if rule.form == "fills" and o.returns != "self":
        refuse("sharding 'fills' belongs to operators that write self")


def derived(o):
    """The rule that other keys tell, or None: kernels whose operands are broadcast and promoted compute each element by
    itself, so does what has the same meaning for the values of a sparse tensor, and a view takes dimensions as they are."""
    single = len(o.outputs) == 1 or o.returns == "Tensor"
    if single and o.sparse == "linear":
        return Rule("pointwise", (), (("linear", ("self",)),))
    if single and o.sparse in ("values", "pair", "zero"):
        return Rule("pointwise")
    if len(o.outputs) == 1 and o.kernel and o.dtype in ("promote", "promote_exact", "promote_float", "bool"):
        return Rule("pointwise")
    if o.view == "self" and not o.outputs and not o.writes:
        return Rule("strided")
    return None


def rule_of(o):
    """What is said, or follows; None: nothing, or that it runs on whole tensors."""
    rule = o.sharding or derived(o)
    return None if rule is None or rule.form == "whole" else rule
