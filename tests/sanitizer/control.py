"""Under AddressSanitizer: a read beyond a tensor's last byte, and of a tensor that is gone, end the process with a
report. So TH's memory is the sanitizer's to see, block for block."""

import subprocess
import sys

MISTAKES = {
    "": "a.sum().item()",
    "heap-buffer-overflow": "ctypes.string_at(a.data_ptr(), 13)",
    "heap-use-after-free": "p = a.data_ptr(); del a; ctypes.string_at(p, 4)",
}

for report, mistake in MISTAKES.items():
    code = f"import ctypes, torch; a = torch.ones(3); {mistake}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if report:
        assert done.returncode != 0 and f"AddressSanitizer: {report}" in done.stderr, (report, done)
    else:
        assert done.returncode == 0, done
print(f"{len(MISTAKES)} passed, 0 failed")
