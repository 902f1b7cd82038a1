"""The dashboard, display and runner that e2e/python-client.explore.test.ts has started."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import Any, cast

# httpx imports it with its first client, and pytester forgets what is imported while it runs.
import httpcore  # noqa: F401
import httpx
import pytest

from tapedeck import Tapedeck
from tapedeck.types import Job, Marker

pytest_plugins = ["pytester"]

CI_SYSTEMS = ("GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "CIRCLECI", "TF_BUILD", "JENKINS_URL")


@pytest.fixture(autouse=True)
def outside_of_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests may run in a CI system themselves."""
    for name in CI_SYSTEMS:
        monkeypatch.delenv(name, raising=False)


@dataclass(frozen=True)
class Stack:
    url: str
    api_key: str
    display: str
    runner: str
    runner_id: int


@pytest.fixture(scope="session")
def stack() -> Stack:
    env = os.environ
    return Stack(
        env["TEST_URL"], env["TEST_API_KEY"], env["TEST_DISPLAY"], env["TEST_RUNNER"], int(env["TEST_RUNNER_ID"])
    )


@pytest.fixture
def client(stack: Stack) -> Iterator[Tapedeck]:
    with Tapedeck(stack.url, stack.api_key) as client:
        yield client


@pytest.fixture
def owner(stack: Stack) -> Iterator[httpx.Client]:
    """The owner, signed in as by a browser."""
    with httpx.Client(base_url=stack.url, headers={"origin": stack.url}) as owner:
        sign_in = {"email": os.environ["TEST_EMAIL"], "password": os.environ["TEST_PASSWORD"]}
        owner.post("/api/auth/sign-in/email", json=sign_in).raise_for_status()
        yield owner


@pytest.fixture
def revocable_key(owner: httpx.Client) -> tuple[str, Callable[[], None]]:
    """An API key, and what revokes it."""
    key = owner.post("/v1/api-keys", json={"name": "revocable"}).raise_for_status().json()

    def revoke() -> None:
        owner.delete(f"/v1/api-keys/{key['id']}").raise_for_status()

    return key["secret"], revoke


@pytest.fixture
def machine_clock(tmp_path: Path) -> Callable[[float], dict[str, str]]:
    """The environment of a Python program on a machine whose clock is so many seconds ahead."""
    # Python sleeps until a time of the monotonic clock, of which libfaketime makes one that is not valid.
    sleep = "import threading, time\ntime.sleep = lambda seconds: threading.Event().wait(seconds)"
    (tmp_path / "sitecustomize.py").write_text(sleep)
    [library] = Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")
    own = {"LD_PRELOAD": str(library), "FAKETIME_DONT_FAKE_MONOTONIC": "1", "PYTHONPATH": str(tmp_path)}
    return lambda ahead: {**own, "FAKETIME": f"{ahead:+g}"}


def job_of(client: Tapedeck, name: str) -> Job:
    found = next(job for job in client.jobs.list(q=f'"{name}"') if job["name"] == name)
    return client.jobs.wait(found["id"], timeout=60)


def markers_of(client: Tapedeck, job: Job) -> list[Marker]:
    return sorted(client.jobs.markers(job["id"]), key=lambda marker: marker["offsetSeconds"] or 0)


def results_of(client: Tapedeck, job: Job) -> list[dict[str, Any]]:
    """All that is stored of the job's test results, by their beginning."""
    results = [cast("dict[str, Any]", client.tests.get(each["id"])) for each in client.tests.list(jobId=job["id"])]
    return sorted(results, key=lambda result: (result["startedAt"], result["attempt"]))


def title_of(result: dict[str, Any]) -> str:
    """Without its suite."""
    return str(result["test"]).rpartition(" › ")[2]


def section(result: pytest.RunResult) -> list[str]:
    """The lines of our section at the end."""
    lines = result.outlines
    begin = next(number for number, line in enumerate(lines) if re.fullmatch(r"=+ tapedeck =+", line))
    return list(takewhile(lambda line: re.match(r"[-=!]|$", line) is None, lines[begin + 1 :]))


def second_of(link: str) -> float:
    return float(link.partition("?t=")[2])


def seconds_of(time: str) -> float:
    """Since 1970."""
    return datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()
