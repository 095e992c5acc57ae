import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # python -m pytest codegen/tests works from anywhere
