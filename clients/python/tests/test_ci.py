"""The labels of CI systems. The TypeScript client reads the same vectors: see test/vectors/README.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tapedeck import ci_labels

FILE = Path(__file__).resolve().parents[3] / "test" / "vectors" / "computed" / "ci-labels.json"
VECTORS = json.loads(FILE.read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["title"] for vector in VECTORS])
def test_ci_labels(vector: dict[str, Any]) -> None:
    assert ci_labels(vector["env"]) == vector["labels"]


def test_without_an_environment_that_of_the_process_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_ACTIONS", "GITLAB_CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BUILDKITE", "true")
    monkeypatch.setenv("BUILDKITE_BUILD_NUMBER", "5")
    assert ci_labels()["build"] == "5"
