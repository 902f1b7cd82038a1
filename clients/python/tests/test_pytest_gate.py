"""``pytest --tapedeck-gate`` with a real dashboard: failures that are all known do not fail pytest."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone

import httpx
import pytest
from conftest import Stack, section

from pytest_tapedeck import gate
from pytest_tapedeck.session_recording import Owner
from tapedeck import Tapedeck

Run = Callable[..., pytest.RunResult]

NEW = "def test_new(): raise ValueError('nobody has seen this one at the gate')\n"


@pytest.fixture
def run(pytester: pytest.Pytester, stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("TAPEDECK_URL", stack.url)
    monkeypatch.setenv("TAPEDECK_API_KEY", stack.api_key)
    monkeypatch.delenv("DISPLAY", raising=False)

    def run_tests(tests: str, *options: str) -> pytest.RunResult:
        pytester.makepyfile(test_gate=tests)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", "--tapedeck=failed", "--tapedeck-gate", *options)

    return run_tests


@pytest.fixture
def message(request: pytest.FixtureRequest) -> str:
    """Returns the message of the known failure: workers that run at the same time do not let each other's through."""
    return "the gate knows " + re.sub("[^a-z]+", " ", request.node.name).strip()


@pytest.fixture
def known(message: str) -> str:
    return f"def test_known(): raise RuntimeError({message!r})\ndef test_good(): pass\n"


@pytest.fixture
def let_through(run: Run, known: str, message: str, client: Tapedeck, owner: httpx.Client) -> Iterator[None]:
    """While a test runs, the cause of ``test_known`` lets CI pass."""
    assert run(known, "--tapedeck-label=build=gate-0").ret == 1
    (failed,) = (each for each in client.tests.list(q="build:gate-0") if message in (each["message"] or ""))
    me = owner.get("/v1/me").json()["userId"]
    until = (datetime.now(timezone.utc) + timedelta(days=1)).isoformat().replace("+00:00", "Z")
    mute = {"cause": failed["cause"], "assigneeUserId": me, "mutedUntil": until, "reason": "TAP-7", "letsPass": True}
    owner.put("/v1/failure-triage", json=mute).raise_for_status()
    yield
    owner.put("/v1/failure-triage", json={"cause": failed["cause"], "mutedUntil": None}).raise_for_status()


@pytest.mark.usefixtures("let_through")
def test_known_failures_pass_and_a_new_one_does_not(run: Run, known: str, client: Tapedeck) -> None:
    passed = run(known, "--tapedeck-label=build=gate-1")
    assert passed.ret == 0
    assert section(passed)[-1] == "CI passes: every failure is known."
    (test_run,) = client.test_runs.list(build="gate-1")
    assert test_run["outcome"] == "failed"
    red = run(known + NEW)
    assert red.ret == 1
    assert "1 known (let through by " in section(red)[-1]
    assert ", 1 new: test_gate › test_new, since " in section(red)[-1]


@pytest.mark.usefixtures("let_through")
@pytest.mark.parametrize(
    ("conftest", "options", "problem"),
    [
        ("", ["--maxfail=1"], "the run stopped early"),
        ("def pytest_sessionfinish(session): session.testsfailed += 1", [], "something failed outside of tests"),
        (
            "def pytest_sessionfinish(session): session.exitstatus = 1",
            ["-k", "test_good"],
            "pytest failed, and no test did",
        ),
    ],
)
def test_a_session_stays_red_when_something_else_went_wrong(
    run: Run, known: str, pytester: pytest.Pytester, conftest: str, options: list[str], problem: str
) -> None:
    pytester.makeconftest(conftest)
    result = run(known, *options)
    assert (result.ret, section(result)[-1]) == (1, f"The gate stays shut: {problem}.")


@pytest.mark.usefixtures("let_through")
def test_the_gate_is_asked_for_all_workers_of_xdist(run: Run, message: str) -> None:
    many = "".join(f"def test_{number}(): raise RuntimeError({message!r})\n" for number in range(4))
    assert run(many, "-n2").ret == 0
    assert run(many + NEW, "-n2").ret == 1
    crashed = run(many + "def test_crash():\n    import os\n    os._exit(3)\n", "-n2")
    assert (crashed.ret, section(crashed)[-1]) == (1, "The gate stays shut: not all results have arrived.")


def test_a_session_stays_red_when_the_dashboard_is_away(run: Run, known: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPEDECK_URL", "http://127.0.0.1:9")
    away = run(known)
    assert (away.ret, section(away)[-1]) == (1, "The gate stays shut: not all results have arrived.")


def test_the_gate_stays_shut_when_the_dashboard_does_not_answer_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert gate.GATE_SECONDS == 5
    monkeypatch.setattr(gate, "GATE_SECONDS", 0.2)
    monkeypatch.setenv("TAPEDECK_API_KEY", "tdk_none")
    said: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("TAPEDECK_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        assert not gate.passes_gate([Owner("test run", 1)], None, said.append)
    problem = "The dashboard did not answer within 0.2 seconds"
    assert said == [f"The gate could not be asked: {problem}. The run stays failed."]
