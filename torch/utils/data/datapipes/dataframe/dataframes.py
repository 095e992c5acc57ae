"""What is done to a data frame, recorded and done to each frame of a pipe.

    frames = IterableWrapper(several).trace_as_dataframe()
    frames["sum"] = frames.a + frames["b"] * 2      # recorded
    for row in frames: …                            # done

All captures of one recording share `ctx`: {"operations": what is to be done, in order, "variables": those that it fills, of
which the first is the frame, "schema_df": a frame that `columns` is asked of}.
"""

import operator
import pkgutil

from .._decorator import functional_datapipe
from ..datapipe import DFIterDataPipe, IterDataPipe
from .structures import DataChunkDF

__all__ = [
    "Capture",
    "CaptureA",
    "CaptureAdd",
    "CaptureCall",
    "CaptureControl",
    "CaptureDataFrame",
    "CaptureDataFrameWithDataPipeOps",
    "CaptureF",
    "CaptureGetAttr",
    "CaptureGetItem",
    "CaptureInitial",
    "CaptureLikeMock",
    "CaptureMul",
    "CaptureSetItem",
    "CaptureSub",
    "CaptureVariable",
    "CaptureVariableAssign",
    "DataFrameTracedOps",
    "DataFrameTracer",
    "disable_capture",
    "get_val",
]


class CaptureControl:
    """Whether recording is refused."""

    disabled = False


def disable_capture():
    """From now on what would record raises RuntimeError."""
    CaptureControl.disabled = True


def get_val(capture):
    """The value of a capture; a string in quotation marks; anything else as it is."""
    if isinstance(capture, Capture):
        return capture.execute()
    return f'"{capture}"' if isinstance(capture, str) else capture


def _new_context(schema_df=None):
    return {"operations": [], "variables": [], "schema_df": schema_df}


# ---- what is recorded --------------------------------------------------------------------------------------
class Capture:
    """An expression that is not computed yet: `execute` computes it. Its attributes, items, sums and calls are captures,
    too; sums and calls are variables of their own, so that they are computed once."""

    def __init__(self, schema_df=None):
        self.ctx = _new_context(schema_df)

    def __str__(self):
        return "\n".join(map(str, self.ctx["operations"]))

    def __getstate__(self):
        # Frames stay behind: they may be large, and come anew with the pipe.
        self.ctx["schema_df"] = None
        for variable in self.ctx["variables"]:
            variable.calculated_value = None
        return dict(self.__dict__)

    def __setstate__(self, state):
        self.__dict__.update(state)

    def __getattr__(self, name):
        if name in ("kwarg", "kwargs"):
            raise RuntimeError(f"{type(self).__name__} has no {name}")
        if name.startswith("__") or name == "ctx":  # what Python asks; a capture that pickle is making
            raise AttributeError(name)
        return CaptureGetAttr(self, name, ctx=self.ctx)

    def __getitem__(self, key):
        return CaptureGetItem(self, key, ctx=self.ctx)

    def __setitem__(self, key, value):
        self.ctx["operations"].append(CaptureSetItem(self, key, value, ctx=self.ctx))

    def __add__(self, other):
        return self._variable(CaptureAdd(self, other, ctx=self.ctx))

    def __sub__(self, other):
        return self._variable(CaptureSub(self, other, ctx=self.ctx))

    def __mul__(self, other):
        return self._variable(CaptureMul(self, other, ctx=self.ctx))

    def __call__(self, *args, **kwargs):
        if self._is_context_empty():  # a function that is called with what is recorded joins that recording
            others = (one for one in (*args, *kwargs.values()) if isinstance(one, Capture))
            self.ctx = next((one.ctx for one in others if not one._is_context_empty()), self.ctx)
        return self._variable(CaptureCall(self, ctx=self.ctx, args=args, kwargs=kwargs))

    def _variable(self, value):
        variable = CaptureVariable(value, ctx=self.ctx)
        self.ctx["operations"].append(CaptureVariableAssign(ctx=self.ctx, variable=variable, value=value))
        return variable

    def _is_context_empty(self):
        return not self.ctx["operations"] and not self.ctx["variables"]

    def apply_ops_2(self, dataframe):
        """Does all that is recorded to a frame."""
        self.ctx["variables"][0].calculated_value = dataframe
        for operation in self.ctx["operations"]:
            operation.execute()

    @property
    def columns(self):
        """The names of the columns of what is recorded, for the frame `schema_df`."""
        self.apply_ops_2(self.ctx["schema_df"])
        return self.execute().columns


class CaptureF(Capture):
    """One with arguments, `kwargs`."""

    def __init__(self, ctx=None, **kwargs):
        self.ctx = _new_context() if ctx is None else ctx
        self.kwargs = kwargs


class CaptureA(CaptureF):
    """A value with a name."""

    def __str__(self):
        return f"{self.kwargs['name']}"

    def execute(self):
        """The value."""
        return self.kwargs["real_attribute"]


class CaptureLikeMock:
    """The context in which the function of that name, such as "pandas.concat", is recorded instead of called."""

    def __init__(self, name):
        path, _, self.attribute = name.rpartition(".")
        self.get_target = lambda: pkgutil.resolve_name(path)
        self.name = name

    def __enter__(self):
        self.save = getattr(self.get_target(), self.attribute)
        setattr(self.get_target(), self.attribute, CaptureA(name=self.name, real_attribute=self.save))

    def __exit__(self, *error):
        setattr(self.get_target(), self.attribute, self.save)


class CaptureCall(Capture):
    """A call."""

    def __init__(self, callable, ctx=None, **kwargs):  # noqa: A002 - PyTorch's name
        self.ctx = _new_context() if ctx is None else ctx
        self.kwargs, self.callable = kwargs, callable

    def __str__(self):
        return f"{self.callable}({self.kwargs['args']},{self.kwargs['kwargs']})"

    def execute(self):
        """What the call returns, of the values of its arguments."""

        def value(one):
            return one.execute() if isinstance(one, Capture) else one

        named = {name: value(one) for name, one in self.kwargs["kwargs"].items()}
        return get_val(self.callable)(*map(value, self.kwargs["args"]), **named)


class CaptureVariableAssign(CaptureF):
    """`variable = value`."""

    def __str__(self):
        return f"{self.kwargs['variable']} = {self.kwargs['value']}"

    def execute(self):
        """Computes the variable."""
        self.kwargs["variable"].calculated_value = self.kwargs["value"].execute()


class CaptureVariable(Capture):
    """A variable: var_0, var_1…"""

    names_idx = 0

    def __init__(self, value, ctx):
        if CaptureControl.disabled:
            raise RuntimeError("Attempting to create capture variable with capture off")
        self.ctx, self.value = ctx, value
        self.name = f"var_{CaptureVariable.names_idx}"
        CaptureVariable.names_idx += 1
        self.ctx["variables"].append(self)

    def __str__(self):
        return self.name

    def execute(self):
        """What has been computed for it."""
        return self.calculated_value

    def apply_ops(self, dataframe):
        """Does all that is recorded to a frame, and returns the variable's value."""
        self.apply_ops_2(dataframe)
        return self.calculated_value


class CaptureGetItem(Capture):
    """`left[key]`."""

    def __init__(self, left, key, ctx):
        self.ctx, self.left, self.key = ctx, left, key

    def __str__(self):
        return f"{self.left}[{get_val(self.key)}]"

    def execute(self):
        """The item."""
        return self.left.execute()[self.key]


class CaptureSetItem(Capture):
    """`left[key] = value`."""

    def __init__(self, left, key, value, ctx):
        self.ctx, self.left, self.key, self.value = ctx, left, key, value

    def __str__(self):
        return f"{self.left}[{get_val(self.key)}] = {self.value}"

    def execute(self):
        """Sets the item."""
        value = self.value.execute() if isinstance(self.value, Capture) else self.value
        self.left.execute()[self.key] = value


class _Arithmetic(Capture):
    def __init__(self, left, right, ctx):
        self.ctx, self.left, self.right = ctx, left, right

    def __str__(self):
        return f"{self.left} {self._sign} {self.right}"

    def execute(self):
        """The number, column or frame."""
        return self._operator(get_val(self.left), get_val(self.right))


class CaptureAdd(_Arithmetic):
    """`left + right`."""

    _sign, _operator = "+", staticmethod(operator.add)


class CaptureMul(_Arithmetic):
    """`left * right`."""

    _sign, _operator = "*", staticmethod(operator.mul)


class CaptureSub(_Arithmetic):
    """`left - right`."""

    _sign, _operator = "-", staticmethod(operator.sub)


class CaptureGetAttr(Capture):
    """`src.name`."""

    def __init__(self, src, name, ctx):
        self.ctx, self.src, self.name = ctx, src, name

    def __str__(self):
        return f"{self.src}.{self.name}"

    def execute(self):
        """The attribute."""
        return getattr(get_val(self.src), self.name)


class CaptureInitial(CaptureVariable):
    """The variable that a recording begins with: input_var_0."""

    def __init__(self, schema_df=None):
        super().__init__(None, _new_context(schema_df))
        self.name = f"input_{self.name}"


class CaptureDataFrame(CaptureInitial):
    """A recording of what is done to a frame."""


# ---- pipes -------------------------------------------------------------------------------------------------
class DataFrameTracedOps(DFIterDataPipe):
    """The frames of a pipe, to each of which is done what a variable has recorded."""

    def __init__(self, source_datapipe, output_var):
        self.source_datapipe = source_datapipe
        self.output_var = output_var

    def __iter__(self):
        for frame in self.source_datapipe:
            yield self.output_var.apply_ops(frame)


# Methods of pipes, which are no attributes of frames.
_OF_PIPES = """_dataframes_as_tuples groupby _dataframes_filter map to_datapipe shuffle concat batch _dataframes_per_row
    _dataframes_concat _dataframes_shuffle""".split()


class CaptureDataFrameWithDataPipeOps(CaptureDataFrame):
    """A recording with the methods of pipes, which come after what is recorded. To iterate gives rows."""

    def as_datapipe(self):
        """The pipe of frames."""
        return DataFrameTracedOps(self.ctx["variables"][0].source_datapipe, self)

    def raw_iterator(self):
        """The frames."""
        return iter(self.as_datapipe())

    def __iter__(self):
        return iter(self._dataframes_as_tuples())

    def batch(self, batch_size=10, drop_last=False, wrapper_class=DataChunkDF):
        """Batches of `batch_size` rows."""
        frames = self._dataframes_per_row()._dataframes_concat(batch_size).as_datapipe()
        found = frames.batch(1, drop_last=drop_last, wrapper_class=wrapper_class)
        found._dp_contains_dataframe = True
        return found

    def groupby(
        self,
        group_key_fn,
        *,
        buffer_size=10000,
        group_size=None,
        guaranteed_group_size=None,
        drop_remaining=False,
    ):
        """Groups of rows for which group_key_fn, of a frame of one row, is the same."""
        return (
            self._dataframes_per_row()
            .as_datapipe()
            .groupby(
                group_key_fn,
                buffer_size=buffer_size,
                group_size=group_size,
                guaranteed_group_size=guaranteed_group_size,
                drop_remaining=drop_remaining,
            )
        )

    def shuffle(self, *args, **kwargs):
        """The rows in a random order."""
        return self._dataframes_shuffle(*args, **kwargs)

    def filter(self, *args, **kwargs):
        """The rows for which a function is true."""
        return self._dataframes_filter(*args, **kwargs)

    def collate(self, *args, **kwargs):
        """RuntimeError: rows must be in batches first."""
        raise RuntimeError("Can't collate unbatched DataFrames stream")

    def __getattr__(self, name):
        if name in ("is_shardable", "apply_sharding"):
            raise AttributeError(name)
        if name in _OF_PIPES:
            return getattr(self.as_datapipe(), name)
        return super().__getattr__(name)


@functional_datapipe("trace_as_dataframe")
class DataFrameTracer(CaptureDataFrameWithDataPipeOps, IterDataPipe):
    """A pipe of frames of which what is done to it is recorded. schema_df: a frame with the same columns, the first one
    unless told."""

    source_datapipe = None

    def __init__(self, source_datapipe, schema_df=None):
        self.source_datapipe = source_datapipe
        super().__init__(schema_df=next(iter(source_datapipe)) if schema_df is None else schema_df)

    def set_shuffle_settings(self, *args, **kwargs):
        """Accepted, without effect."""

    def is_shardable(self):
        """Whether it is divided among workers: no."""
        return False
