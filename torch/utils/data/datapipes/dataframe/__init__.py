"""Pipes of data frames: those of pandas, or of what `dataframe_wrapper.set_df_wrapper` has named."""

from ..datapipe import DFIterDataPipe
from .dataframes import CaptureDataFrame
from .datapipes import DataFramesAsTuplesPipe

__all__ = ["CaptureDataFrame", "DFIterDataPipe", "DataFramesAsTuplesPipe"]
