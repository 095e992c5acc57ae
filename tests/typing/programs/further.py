import torch
from torch import accelerator, futures, hub
from torch.package.package_exporter import PackageExporter
from torch.package.package_importer import PackageImporter
from torch.utils import checkpoint
from torch.utils.data import get_worker_info

future: futures.Future[int] = futures.Future()
reveal_type(future.done())
reveal_type(future.wait())
reveal_type(future.value())
reveal_type(future.set_result(3))
reveal_type(future.then(lambda done: str(done.wait())))
reveal_type(futures.collect_all([future]))
reveal_type(futures.wait_all([future]))
reveal_type(hub.get_dir())
reveal_type(hub.load_state_dict_from_url("file:///x.pt"))
reveal_type(hub.list("folder"))
reveal_type(accelerator.is_available())
reveal_type(accelerator.device_count())
reveal_type(accelerator.current_accelerator())
reveal_type(torch.cpu.device_count())
reveal_type(torch.compiler.is_compiling())
with PackageExporter("x.pt") as exporter:
    reveal_type(exporter.save_text("a", "b", "c"))
    reveal_type(exporter.denied_modules())
importer = PackageImporter("x.pt")
reveal_type(importer.load_text("a", "b"))
reveal_type(importer.load_binary("a", "b"))
reveal_type(importer.file_structure())
info = get_worker_info()
if info is not None:
    reveal_type(info.id)
reveal_type(checkpoint.checkpoint(torch.relu, torch.ones(2), use_reentrant=False))
reveal_type(torch.func.functional_call(torch.nn.Linear(2, 2), {}, torch.ones(2)))
hub.set_dir(3)  # an error
hub.load_state_dict_from_url()  # an error
importer.load_text("a")  # an error
PackageExporter()  # an error
future.then()  # an error
