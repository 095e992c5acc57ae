import torch
from torch import profiler
from torch.profiler import ProfilerActivity, profile, record_function, schedule
from torch.utils.benchmark import Compare, Measurement, Timer
from torch.utils.flop_counter import FlopCounterMode

with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as p:
    with record_function("step"):
        torch.ones(3)
    p.step()
reveal_type(p)
reveal_type(p.key_averages().table(sort_by="cpu_time_total"))
reveal_type(p.export_chrome_trace("trace.json"))
reveal_type(profiler.supported_activities())
reveal_type(schedule(wait=1, warmup=1, active=2))
timer = Timer("x + 1", setup="x = torch.ones(3)")
reveal_type(timer)
measured = timer.timeit(10)
reveal_type(measured)
reveal_type(measured.mean)
reveal_type(measured.median)
reveal_type(measured.times)
reveal_type(measured.has_warnings)
reveal_type(timer.blocked_autorange(min_run_time=0.1))
reveal_type(timer.adaptive_autorange())
reveal_type(Measurement.merge([measured]))
reveal_type(Compare([measured]).trim_significant_figures())
with FlopCounterMode(display=False) as counter:
    torch.ones(2, 2) @ torch.ones(2, 2)
reveal_type(counter)
reveal_type(counter.get_total_flops())
reveal_type(counter.get_flop_counts())
profile(record_shapes="yes")  # an error
profile(shapes=True)  # an error
schedule(wait=1, warmup=1)  # an error
schedule(1, 1, 1)  # an error
Timer(stmt=3)  # an error
timer.timeit("10")  # an error
timer.time(10)  # an error
