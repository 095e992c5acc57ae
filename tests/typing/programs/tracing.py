import torch
from torch import fx, nn
from torch.fx.passes.shape_prop import ShapeProp


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.linear(x))


traced = fx.symbolic_trace(Net())
reveal_type(traced)
reveal_type(traced.graph)
reveal_type(traced.code)
reveal_type(traced.recompile())
for node in traced.graph.nodes:
    reveal_type(node)
    reveal_type(node.op)
    reveal_type(node.name)
    reveal_type(node.target)
    reveal_type(node.all_input_nodes)
    reveal_type(node.users)
graph = fx.Graph()
x = graph.placeholder("x")
reveal_type(x)
reveal_type(graph.call_function(torch.relu, (x,)))
reveal_type(graph.call_module("linear", (x,)))
reveal_type(graph.output(x))
reveal_type(graph.eliminate_dead_code())
reveal_type(graph.python_code("self"))
reveal_type(x.prev)
reveal_type(x.replace_all_uses_with(x))
reveal_type(fx.Tracer().trace(Net()))
reveal_type(fx.Interpreter(traced).run(torch.ones(2, 3)))
reveal_type(fx.Transformer(traced).transform())
reveal_type(fx.GraphModule(Net(), graph))
reveal_type(fx.replace_pattern(traced, torch.relu, torch.tanh))
reveal_type(ShapeProp(traced).propagate(torch.ones(2, 3)))
with graph.inserting_before(x):
    graph.get_attr("weight")
fx.symbolic_trace()  # an error
fx.symbolic_trace(Net(), concrete=1)  # an error
fx.Graph("x")  # an error
graph.placeholder(3)  # an error
graph.erase_node("x")  # an error
graph.call_functions(torch.relu)  # an error
x.replace_input_with(x, 1)  # an error
