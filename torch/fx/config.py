"""Settings of torch.fx."""

disable_progress = True  # no bars while graphs are taken apart
verbose_progress = False
do_not_emit_stack_traces = False
