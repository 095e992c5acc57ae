"""Lists of partitions: their order, their devices, their union."""

from torch.fx.experimental.partitioner_utils import Partition, get_extra_size_of

__all__ = [
    "check_dependency",
    "combine_two_partitions",
    "get_bfs_level_partition",
    "get_device_partition_stats",
    "get_device_to_partitions_mapping",
    "get_logical_id_to_device",
    "get_node_to_partition_mapping",
    "reorganize_partitions",
    "reset_partition_device",
    "set_parents_and_children",
]


def reset_partition_device(partitions):
    """Takes the devices away."""
    for partition in partitions:
        partition.logical_device_ids = []


def set_parents_and_children(partitions):
    """Which ones take what others compute."""
    for partition in partitions:
        partition.parents, partition.children = set(), set()
    for partition in partitions:
        for node in partition.nodes:
            for other in partitions:
                if other is partition or node in other.nodes or not any(user in other.nodes for user in node.users):
                    continue
                partition.children.add(other)
                other.parents.add(partition)


def reorganize_partitions(partitions):
    """Numbers them anew and finds their parents and children."""
    for i, partition in enumerate(partitions):
        partition.partition_id = i
    set_parents_and_children(partitions)


def combine_two_partitions(partition_0, partition_1, partitions):
    """Puts one with all their nodes at the list's end, in the place of both."""
    made = Partition(len(partitions))
    made.nodes = partition_0.nodes | partition_1.nodes
    made.recalculate_mem_size()
    partitions.append(made)
    partitions.remove(partition_0)
    partitions.remove(partition_1)
    reorganize_partitions(partitions)


def get_bfs_level_partition(partitions):
    """Notes how many partitions are before each one."""
    level, here, seen = 0, [p for p in partitions if not p.parents], set()
    while here:
        following = []
        for partition in here:
            if partition not in seen:
                seen.add(partition)
                partition.bfs_level = level
                following += partition.children
        level, here = level + 1, following


def check_dependency(partition):
    """Whether it takes, through others, what it computes itself."""
    seen, waiting = set(), [partition]
    while waiting:
        for child in waiting.pop().children:
            if child is partition:
                return True
            if child not in seen:
                seen.add(child)
                waiting.append(child)
    return False


def get_node_to_partition_mapping(partitions):
    """{node: the number of its partition}"""
    return {node: partition.partition_id for partition in partitions for node in partition.nodes}


# ---- devices ---------------------------------------------------------------------------------------------------
def get_logical_id_to_device(devices):
    """{number: device}"""
    return {device.logical_id: device for device in devices}


def get_device_partition_stats(partitions, devices):
    """({device: its partitions}, {device: bytes that are left there}, the partitions without a device)"""
    numbered = get_logical_id_to_device(devices)
    on_device = {device: [] for device in devices}
    left = {device: device.available_mem_bytes for device in devices}
    homeless = [partition for partition in partitions if partition.logical_device_ids == []]
    for partition in partitions:
        for number in partition.logical_device_ids:
            on_device[numbered[number]].append(partition)
            left[numbered[number]] -= partition.used_mem_bytes
    return on_device, left, homeless


def _needed_beside(partition, others):
    """Bytes that the partition takes on a device that has the others."""
    present = {node for other in others for node in other.nodes}
    if not present:
        return partition.used_mem_bytes
    present |= partition.nodes
    return sum(get_extra_size_of(node, present) for node in partition.nodes)


def get_device_to_partitions_mapping(partitions, devices):
    """Gives a device to each partition without one, that with the least memory left which can hold it. Whether all have one
    then."""
    on_device, left, homeless = get_device_partition_stats(partitions, devices)
    for partition in homeless:
        for device in sorted(left, key=left.get):
            needed = _needed_beside(partition, on_device[device])
            if needed < left[device]:
                on_device[device].append(partition)
                partition.logical_device_ids.append(device.logical_id)
                left[device] -= needed
                break
        else:
            return False
    return True
