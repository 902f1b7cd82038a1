"""Misspelled variables, as the TypeScript client names them, too."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from tapedeck import Tapedeck, _known_variables
from tapedeck._known_variables import KNOWN_VARIABLES, warning_of

FILE = Path(__file__).resolve().parents[3] / "test" / "vectors" / "computed" / "known-variables.json"
VECTORS = json.loads(FILE.read_text())


def test_the_client_knows_the_variables_that_the_dashboard_runners_and_commands_read() -> None:
    assert list(KNOWN_VARIABLES) == VECTORS["known"]


@pytest.mark.parametrize("vector", VECTORS["warnings"], ids=[vector["title"] for vector in VECTORS["warnings"]])
def test_warnings(vector: dict[str, Any]) -> None:
    assert warning_of(vector["env"]) == vector["warning"]


def test_a_client_that_reads_the_environment_warns_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(_known_variables, "_has_warned", False)
    monkeypatch.setenv("TAPEDECK_ULR", "http://127.0.0.1:9")
    monkeypatch.delenv("TAPEDECK_URL", raising=False)
    with caplog.at_level(logging.WARNING, "tapedeck"):
        Tapedeck("http://127.0.0.1:9", "tdk_1")
        assert caplog.messages == []
        for _ in range(2):
            with pytest.raises(ValueError, match="TAPEDECK_URL"):
                Tapedeck(api_key="tdk_1")
    assert caplog.messages == ["TAPEDECK_ULR is not a variable of Tapedeck. Did you mean TAPEDECK_URL?"]
