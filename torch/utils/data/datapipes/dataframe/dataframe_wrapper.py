"""What pipes ask of data frames, by one class: PandasWrapper, or another one with the same methods."""

import sys


def _pandas():
    try:
        import pandas
    except ImportError as error:
        raise RuntimeError("DataFrames prototype requires pandas to function: pip install pandas") from error
    return pandas


class PandasWrapper:
    """The data frames of the package pandas. RuntimeError where it is not installed."""

    @classmethod
    def create_dataframe(cls, data, columns):
        """A frame of rows."""
        return _pandas().DataFrame(data, columns=columns)

    @classmethod
    def is_dataframe(cls, data):
        """Whether it is a frame; there are none of a package that is not loaded."""
        return sys.modules.get("pandas") is not None and isinstance(data, _pandas().DataFrame)

    @classmethod
    def is_column(cls, data):
        """Whether it is a frame's column."""
        return sys.modules.get("pandas") is not None and isinstance(data, _pandas().Series)

    @classmethod
    def iterate(cls, data):
        """The rows, as named tuples."""
        _pandas()
        yield from data.itertuples(index=False)

    @classmethod
    def concat(cls, buffer):
        """Several frames, one below the other."""
        return _pandas().concat(buffer)

    @classmethod
    def get_item(cls, data, idx):
        """A frame of the row of that number."""
        _pandas()
        return data[idx : idx + 1]

    @classmethod
    def get_len(cls, df):
        """The number of rows."""
        _pandas()
        return len(df.index)

    @classmethod
    def get_columns(cls, df):
        """The names of the columns."""
        _pandas()
        return list(df.columns)


default_wrapper = PandasWrapper


def get_df_wrapper():
    """The class that is asked."""
    return default_wrapper


def set_df_wrapper(wrapper):
    """Has another class asked, for frames of another kind."""
    global default_wrapper
    default_wrapper = wrapper


def create_dataframe(data, columns=None):
    """A frame of rows."""
    return default_wrapper.create_dataframe(data, columns)


def is_dataframe(data):
    """Whether it is a frame."""
    return default_wrapper.is_dataframe(data)


def get_columns(data):
    """The names of a frame's columns."""
    return default_wrapper.get_columns(data)


def is_column(data):
    """Whether it is a frame's column."""
    return default_wrapper.is_column(data)


def concat(buffer):
    """Several frames, one below the other."""
    return default_wrapper.concat(buffer)


def iterate(data):
    """The rows of a frame."""
    return default_wrapper.iterate(data)


def get_item(data, idx):
    """A frame of the row of that number."""
    return default_wrapper.get_item(data, idx)


def get_len(df):
    """The number of a frame's rows."""
    return default_wrapper.get_len(df)
