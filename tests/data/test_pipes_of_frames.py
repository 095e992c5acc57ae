"""Pipes of data frames, and what is done to frames and recorded. The frames are those of a small class; with pandas the same
results were recorded under PyTorch 2.13."""

import pickle
import types

import pytest
from torch.utils.data.datapipes.dataframe import dataframe_wrapper as wrapper, dataframes
from torch.utils.data.datapipes.dataframe.dataframes import CaptureA, CaptureDataFrame, CaptureLikeMock, get_val
from torch.utils.data.datapipes.dataframe.structures import DataChunkDF
from torch.utils.data.datapipes.iter import IterableWrapper


class Column(list):
    def __add__(self, other):
        return Column(a + b for a, b in zip(self, other))

    def __sub__(self, number):
        return Column(a - number for a in self)

    def __mul__(self, number):
        return Column(a * number for a in self)


class Frame:
    """Columns by name."""

    def __init__(self, **columns):
        self._columns = {name: Column(column) for name, column in columns.items()}

    columns = property(lambda self: list(self._columns))
    index = property(lambda self: range(len(next(iter(self._columns.values())))))
    iloc = property(lambda self: [types.SimpleNamespace(**dict(zip(self._columns, row))) for row in self.rows()])

    def rows(self):
        return list(zip(*self._columns.values()))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self._columns[name]

    def __getitem__(self, key):
        return self._columns[key] if isinstance(key, str) else Frame(**{n: c[key] for n, c in self._columns.items()})

    def __setitem__(self, name, column):
        self._columns[name] = column


class Wrapper:
    create_dataframe = staticmethod(lambda data, columns: Frame(**dict(zip(columns, zip(*data)))))
    is_dataframe = staticmethod(lambda data: isinstance(data, Frame))
    is_column = staticmethod(lambda data: isinstance(data, Column))
    get_columns = staticmethod(lambda frame: frame.columns)
    iterate = staticmethod(lambda frame: iter(frame.rows()))
    get_len = staticmethod(lambda frame: len(frame.index))
    get_item = staticmethod(lambda frame, index: frame[index : index + 1])
    concat = staticmethod(lambda frames: Frame(**{n: sum((list(f[n]) for f in frames), []) for n in frames[0].columns}))


@pytest.fixture(autouse=True)
def frames():
    before = wrapper.get_df_wrapper()
    wrapper.set_df_wrapper(Wrapper)
    yield
    wrapper.set_df_wrapper(before)


def frame(start):
    return Frame(i=range(start, start + 3), j=range(10 * start, 10 * start + 3))


def source(count=3):
    return IterableWrapper([frame(3 * k) for k in range(count)])


ROWS = [(0, 0), (1, 1), (2, 2), (3, 30), (4, 31), (5, 32), (6, 60), (7, 61), (8, 62)]


@pytest.mark.parametrize(
    ("make", "lengths"),
    [
        (lambda: source()._dataframes_per_row(), [1] * 9),
        (lambda: source(4)._dataframes_concat(3), [9, 3]),
        (lambda: source()._dataframes_filter(lambda row: row.i % 2 == 0), [3, 2]),
        (lambda: IterableWrapper(range(25))._to_dataframes_pipe(10, columns=["x"]), [10, 10, 5]),
        (lambda: IterableWrapper([(1, 2), (3, 4)])._to_dataframes_pipe(columns=["x", "y"]), [2]),
        (lambda: source()._dataframes_shuffle(), [3, 3, 3]),
        (lambda: source().trace_as_dataframe().map(lambda one: one[:2]), [2, 2, 2]),
    ],
)
def test_frames(make, lengths):
    pipe = make()
    assert isinstance(pipe, dataframes.DataFrameTracer)
    assert [len(one.index) for one in pipe.raw_iterator()] == lengths


def test_rows():
    assert list(source()._dataframes_as_tuples()) == ROWS == list(source()._dataframes_per_row())
    assert sorted(source().trace_as_dataframe().shuffle()) == ROWS
    assert list(source().trace_as_dataframe().filter(lambda row: row.i > 6)) == ROWS[7:]
    batches = list(source().trace_as_dataframe().batch(2))
    assert [list(one) for one in batches] == [ROWS[i : i + 2] for i in range(0, 9, 2)]
    assert all(isinstance(one, DataChunkDF) for one in batches) and [len(one) for one in batches] == [2, 2, 2, 2, 1]
    with pytest.raises(RuntimeError, match="Can't collate unbatched DataFrames"):
        source().trace_as_dataframe().collate()


def test_what_is_recorded_is_done_to_every_frame():
    pipe = source().trace_as_dataframe()
    assert pipe.columns == ["i", "j"] and not pipe.is_shardable()
    pipe["k"] = pipe.i * 2 + pipe["j"] - 1
    assert list(pipe) == [(i, j, 2 * i + j - 1) for i, j in ROWS]


def test_texts_of_a_recording(monkeypatch):
    monkeypatch.setattr(dataframes.CaptureVariable, "names_idx", 0)
    one = CaptureDataFrame()
    one["k"] = one.i * 2 + one["j"]
    assert [str(operation) for operation in one.ctx["operations"]] == [
        "var_1 = input_var_0.i * 2",
        'var_2 = var_1 + input_var_0["j"]',
        'input_var_0["k"] = var_2',
    ]
    assert (get_val(3), get_val("x"), get_val(CaptureA(name="n", real_attribute=7))) == (3, '"x"', 7)
    assert str(pickle.loads(pickle.dumps(one))) == "input_var_0"


def test_functions_that_are_recorded():
    with CaptureLikeMock("builtins.sorted"):
        found = sorted(CaptureDataFrame()["i"], reverse=True)
    assert found.apply_ops(frame(1)) == [3, 2, 1] and sorted([2, 1]) == [1, 2]


def test_recording_that_is_refused(monkeypatch):
    monkeypatch.setattr(dataframes.CaptureControl, "disabled", False)
    dataframes.disable_capture()
    with pytest.raises(RuntimeError, match="with capture off"):
        CaptureDataFrame()


def test_without_pandas(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    wrapper.set_df_wrapper(wrapper.PandasWrapper)
    with pytest.raises(RuntimeError, match="requires pandas"):
        wrapper.create_dataframe([[1]], columns=["a"])
