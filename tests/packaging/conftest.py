"""The wheel, built once."""

import pytest
from building import build


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    return build(tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("wheel"))
