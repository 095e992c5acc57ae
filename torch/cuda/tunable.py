"""Products of matrices that are timed and tuned: this torch takes cuBLAS's own choice. AssertionError without CUDA,
RuntimeError with it."""

from torch._no_device import functions_of
from torch.cuda._absent import Lacks

_WHAT = """
enable(val=True): Whether tuned products are used.
get_filename(): The file of results.
get_max_tuning_duration(): The time, in milliseconds, that tuning one product may take.
get_max_tuning_iterations(): How often a product is run to be tuned.
get_results(): What was tuned, tuples.
get_rotating_buffer_size(): The size, in MiB, of the buffer that is gone through so that caches are cold.
get_validators(): What results depend on, such as versions of libraries, tuples.
is_enabled(): Whether tuned products are used.
mgpu_tune_gemm_in_file(filename_pattern, num_gpus): Tunes the products that files name, on several GPUs.
read_file(filename=None): Takes results from a file.
record_untuned_enable(val=True): Whether products that are not tuned are written to a file.
record_untuned_is_enabled(): Whether they are.
set_filename(filename, insert_device_ordinal=False): The file of results.
set_max_tuning_duration(duration): The time, in milliseconds, that tuning one product may take.
set_max_tuning_iterations(iterations): How often a product is run to be tuned.
set_numerical_check_tolerances(enable, atol=1e-05, rtol=1e-05): How far a tuned product's numbers may be off.
set_rotating_buffer_size(buffer_size): The size, in MiB, of the buffer that is gone through so that caches are cold.
tune_gemm_in_file(filename): Tunes the products that a file names.
tuning_enable(val=True): Whether products that are not tuned yet are tuned.
tuning_is_enabled(): Whether they are.
"""
_found = functions_of(__name__, _WHAT, Lacks("tunable", "tuning of products"))
globals().update(_found)
__all__ = list(_found)
