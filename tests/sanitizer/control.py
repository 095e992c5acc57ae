"""control.py address|thread: mistakes with a tensor's memory, each of which ends the process with a report. So TH's memory
is the sanitizer's to see, block for block."""

import subprocess
import sys

MISTAKES = {
    "address": {
        "": "a.sum().item()",
        "heap-buffer-overflow": "ctypes.string_at(a.data_ptr(), 13)",
        "heap-use-after-free": "p = a.data_ptr(); del a; ctypes.string_at(p, 4)",
    },
    "thread": {
        "": "b = a.clone(); write(lambda: b.add_(1))",
        "data race": "write(lambda: a.add_(1))",
    },
}
BEFORE = """
import ctypes, threading, torch
torch.set_num_threads(1)

def write(other):
    both = threading.Barrier(2)

    def run(change):
        for _ in range(20):
            both.wait()
            change()

    threads = [threading.Thread(target=run, args=(change,)) for change in (lambda: a.add_(1), other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

"""

mistakes = MISTAKES[sys.argv[1]]
for report, mistake in mistakes.items():
    elements = 3 if sys.argv[1] == "address" else 100_000  # for which the interpreter's lock is given up
    code = f"{BEFORE}a = torch.ones({elements}); {mistake}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if report:
        assert done.returncode != 0 and f"Sanitizer: {report}" in done.stderr, (report, done)
    else:
        assert done.returncode == 0, done
print(f"{len(mistakes)} passed, 0 failed")
