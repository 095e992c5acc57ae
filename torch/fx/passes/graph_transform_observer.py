"""What a pass does with the nodes of a graph."""

import os

__all__ = ["GraphTransformObserver"]


class GraphTransformObserver:
    """Hears, inside its context, of nodes that are made and erased:

        with GraphTransformObserver(module, "my_pass") as seen:
            my_pass(module)
        seen.created_nodes, seen.erased_nodes

    With `log_url`, a folder, it draws the graph before and after there.
    """

    __pass_count = 0

    def __init__(self, gm, passname, subsystem=None, log_url=None):
        type(self).__pass_count += 1
        self.gm, self.passname, self.subsystem, self.log_url = gm, passname, subsystem, log_url
        self.active = True
        self.erased_nodes, self.created_nodes, self.name_to_node = set(), set(), {}
        self.copied_gms = []
        self._on_node_creation = self.get_node_creation_hook()
        self._on_node_erase = self.get_node_erase_hook()
        self._on_node_replace = self.get_node_replace_hook()
        self._on_deepcopy = self.get_deepcopy_hook()
        if log_url is not None:
            self._draw("input", {})

    @classmethod
    def get_current_pass_count(cls):
        """How many passes there have been."""
        return cls.__pass_count

    def _check_disable_pass(self):
        return False

    def apply_gm_pass(self, pass_fn):
        """pass_fn(module), observed."""
        with self:
            return None if self._check_disable_pass() else pass_fn(self.gm)

    def apply_graph_pass(self, pass_fn):
        """pass_fn(graph), observed."""
        with self:
            return None if self._check_disable_pass() else pass_fn(self.gm.graph)

    def get_node_creation_hook(self):
        """What hears of new nodes."""

        def created(node):
            self.created_nodes.add(node.name)
            self.name_to_node[node.name] = node

        return created

    def get_node_erase_hook(self):
        """What hears of erased nodes."""

        def erased(node):
            self.erased_nodes.add(node.name)
            self.name_to_node.pop(node.name, None)

        return erased

    def get_node_replace_hook(self):
        """What notes on a new node which one it stands for."""
        from torch.fx.traceback import NodeSource, NodeSourceAction

        def replaced(old, new, user):
            node = self.name_to_node.get(new)
            if node is None:
                return
            action = [NodeSourceAction.REPLACE]
            if new in self.created_nodes:
                action.append(NodeSourceAction.CREATE)
            if node.op != "placeholder":
                node.meta.setdefault("from_node", [NodeSource(old, self.passname, action)])

        return replaced

    def get_deepcopy_hook(self):
        """What observes copies, too."""

        def copied(gm):
            self.copied_gms.append(gm)
            self._install(gm)

        return copied

    def _install(self, gm):
        gm._register_create_node_hook(self._on_node_creation)
        gm._register_erase_node_hook(self._on_node_erase)
        gm._register_replace_node_hook(self._on_node_replace)
        gm._register_deepcopy_hook(self._on_deepcopy)

    def _remove(self, gm):
        gm._unregister_create_node_hook(self._on_node_creation)
        gm._unregister_erase_node_hook(self._on_node_erase)
        gm._unregister_replace_node_hook(self._on_node_replace)
        gm._unregister_deepcopy_hook(self._on_deepcopy)

    def __enter__(self):
        self._install(self.gm)
        self.erased_nodes.clear()
        self.created_nodes.clear()
        self.name_to_node = {node.name: node for node in self.gm.graph.nodes}
        return self

    def __exit__(self, type, value, tb):  # noqa: A002
        for gm in (self.gm, *self.copied_gms):
            self._remove(gm)
        if self.log_url is not None and (self.created_nodes or self.erased_nodes):
            self._draw("output", {"created": self.created_nodes, "erased": self.erased_nodes})

    def _draw(self, which, changes):
        from torch.fx.passes.graph_drawer import dot_source

        name = f"pass_{self.get_current_pass_count()}_{self.passname}_{which}_graph.dot"
        with open(os.path.join(self.log_url, name), "w") as file:
            file.write(dot_source(self.gm, self.passname, marked=changes.get("created", ())))
