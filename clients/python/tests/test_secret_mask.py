"""Masking of secrets. The TypeScript client reads the same vectors: see test/vectors/README.md."""

from __future__ import annotations

import json
import os
from pathlib import Path
from time import thread_time
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


def test_hostile_text_takes_time_in_proportion_to_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        monkeypatch.delenv(name)
    monkeypatch.setenv("SHOP_TOKEN", 'a+b/c é"d')
    mask = SecretMask()

    def cost_of(piece: str, characters: int) -> float:
        """Seconds of this thread's processor time, which does not depend on what else the machine does."""
        text = piece * (characters // len(piece))
        begun = thread_time()
        mask.apply(text)
        return thread_time() - begun

    # Eight times the length takes eight times the time, or 64 times if it grows with the square, which is many seconds.
    pieces: list[str] = json.loads((FILE.parent / "hostile-text.json").read_text())
    assert [each for each in pieces if cost_of(each, 32_000) > 20 * max(0.05, cost_of(each, 4_000))] == []
