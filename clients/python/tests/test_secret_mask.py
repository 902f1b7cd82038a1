"""What is no secret any more. The TypeScript client reads the same vectors: see test/vectors/README.md."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pytest_tapedeck.secret_mask import SecretMask

FILE = Path(__file__).resolve().parents[3] / "test" / "vectors" / "computed" / "secret-mask.json"
VECTORS = json.loads(FILE.read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["title"] for vector in VECTORS])
def test_secret_mask(vector: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        monkeypatch.delenv(name)
    for name, value in vector["env"].items():
        monkeypatch.setenv(name, value)
    mask = SecretMask()
    assert mask.apply(vector["text"]) == vector["masked"]
    assert mask.apply(vector["masked"]) == vector["masked"]
