"""The machine that every test of nixw gets."""

import pytest
from box import Box


@pytest.fixture
def box(tmp_path):
    box = Box(tmp_path)
    yield box
    if box.mirror:
        box.server.shutdown()
