"""`python -m venv` for an interpreter that is made of links into the store.

Its packages lie in the environment, not below the interpreter that Python calls the system's, so that
--system-site-packages alone would not show them; and there is no ensurepip. Both become lines of a .pth file, after the
virtual environment's own folder: what is installed there wins.

venv.py PACKAGES PIP ARGUMENTS...    folders with site-packages: of the environment, of pip alone
"""

import pathlib
import sys
import venv

packages, pip = sys.argv[1:3]


class Builder(venv.EnvBuilder):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.shown = [packages] if self.system_site_packages else [pip] if self.with_pip else []

    def _setup_pip(self, context):
        for name in ("pip", "pip3"):
            program = pathlib.Path(context.bin_path, name)
            program.write_text(f'#!{context.env_exe}\nimport runpy\nrunpy.run_module("pip", run_name="__main__")\n')
            program.chmod(0o755)

    def post_setup(self, context):
        library = next(pathlib.Path(context.env_dir, "lib").glob("python3*/site-packages"))
        (library / "store.pth").write_text("".join(f"{folder}\n" for folder in self.shown))


venv.EnvBuilder = Builder
venv.main(sys.argv[3:])
