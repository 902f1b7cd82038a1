"""Machines whose clock is wrong: their times become the dashboard's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from uuid import uuid4

import pytest
from conftest import Stack, second_of, seconds_of

from tapedeck import _clock
from tapedeck._clock import DashboardClock

SCRIPT = """
import asyncio, json, sys
from datetime import datetime, timezone
from tapedeck import AsyncTapedeck, Tapedeck

runner, display, name = int(sys.argv[1]), sys.argv[2], sys.argv[3]
made = []

def now():
    return datetime.now(timezone.utc)

def add(at, marker):
    made.append([at.timestamp(), marker["at"]])

async def add_async(job_id):
    async with AsyncTapedeck() as client:
        at = now()
        add(at, await client.jobs.mark(job_id, "async", at=at))

with Tapedeck() as client, Tapedeck() as other:
    with client.record(runner=runner, display=display, name=name, max_duration_seconds=300, playable_timeout=0) as rec:
        job_id = rec.job["id"]
        at = now()
        add(at, rec.mark("now"))
        at = now()
        add(at, rec.mark("at", at=at))
        at = datetime.now()
        add(at, other.jobs.mark(job_id, "first call, and a time without a zone", at=at))
        at = now()
        dashboard_time = client.dashboard_time(at).isoformat()
        add(at, client.jobs.mark_all(job_id, [{"label": "all", "at": dashboard_time}])[0])
        asyncio.run(add_async(job_id))
        at = now()
        link = [at.timestamp(), rec.url_at(at)]
print(json.dumps({"made": made, "link": link, "startedAt": rec.job["startedAt"]}))
"""


@pytest.mark.parametrize("ahead", [30, -30, 0.4])
def test_markers_and_links_are_at_the_true_moment(
    stack: Stack, machine_clock: Callable[[float], dict[str, str]], ahead: float
) -> None:
    own = {"TAPEDECK_URL": stack.url, "TAPEDECK_API_KEY": stack.api_key}
    name = f"clock {uuid4().hex[:8]}"
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(stack.runner_id), stack.display, name],
        env={**os.environ, **own, **machine_clock(ahead)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=240,
        check=True,
    )
    answer = json.loads(ran.stdout)
    assert len(answer["made"]) == 5
    for local, at in answer["made"]:
        assert abs(seconds_of(at) - (local - ahead)) < 1
    local, link = answer["link"]
    true = max(0, local - ahead - seconds_of(answer["startedAt"]))
    assert abs((second_of(link) if "?t=" in link else 0) - true) < 1


class Machine:
    """Its clocks, which this test moves."""

    wall, monotonic = 1_000_000.0, 50.0

    def pass_time(self, seconds: float) -> None:
        self.wall += seconds
        self.monotonic += seconds


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine()
    monkeypatch.setattr(_clock, "seconds", lambda: machine.wall)
    monkeypatch.setattr(_clock, "monotonic", lambda: machine.monotonic)
    return machine


def text_of(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def answered(machine: Machine, clock: DashboardClock, took: float, ahead: float, when: float = 0.5) -> None:
    """:param when: the part of the call after which the dashboard read its clock."""
    called_at = machine.monotonic
    machine.pass_time(took * when)
    time = text_of(machine.wall + ahead)
    machine.pass_time(took * (1 - when))
    clock.read(time, called_at)


def test_a_slow_answer_changes_nothing_that_a_fast_one_said(machine: Machine) -> None:
    clock = DashboardClock()
    assert clock.shift is None
    answered(machine, clock, 0.02, ahead=30)
    answered(machine, clock, 8, ahead=30, when=1)
    assert clock.shift == pytest.approx(30, abs=0.01)


def test_a_late_answer_is_no_clock_that_was_set_although_clocks_of_dashboards_differ(machine: Machine) -> None:
    clock = DashboardClock()
    answered(machine, clock, 0.02, ahead=0)
    machine.pass_time(60)
    answered(machine, clock, 4.1, ahead=0.03, when=1)
    assert clock.shift == 0


def test_an_answer_that_the_dashboard_held_says_as_much_as_one_that_it_gave_at_once(machine: Machine) -> None:
    clock = DashboardClock()
    called_at = machine.monotonic
    machine.pass_time(20.01)
    clock.read(f"{text_of(machine.wall - 0.005 + 3)}; dur=20000", called_at)
    assert clock.shift == pytest.approx(3, abs=0.001)


def test_an_answer_that_is_slow_on_one_way_makes_no_clock_wrong(machine: Machine) -> None:
    clock = DashboardClock()
    answered(machine, clock, 4.7, ahead=0, when=1)
    assert clock.shift == 0


def test_setting_a_clock_is_noticed_without_another_answer(machine: Machine) -> None:
    clock = DashboardClock()
    answered(machine, clock, 0.02, ahead=0)
    machine.wall += 3_600
    assert clock.shift == pytest.approx(-3_600, abs=0.1)
    # While a machine sleeps, its monotonic clock stops.
    machine.wall -= 3_600 - 600
    answered(machine, clock, 1, ahead=-600)
    assert clock.shift == pytest.approx(-600, abs=1)


def test_clocks_that_differ_by_little_leave_times_as_they_are(machine: Machine) -> None:
    local = datetime(2026, 11, 25, 12, tzinfo=timezone.utc)
    times: dict[float, Callable[[datetime], datetime]] = {}
    for ahead in (0.4, 1.5):
        clock = DashboardClock()
        answered(machine, clock, 0.02, ahead)
        times[ahead] = clock.time_of
    assert times[0.4](local) == local
    assert abs(times[1.5](local) - local - timedelta(seconds=1.5)) < timedelta(milliseconds=20)


@pytest.mark.parametrize("text", [None, "", "soon", "Wed, 25 Nov 2026 10:41:30 GMT"])
def test_what_is_no_time_says_nothing(text: str | None) -> None:
    clock = DashboardClock()
    clock.read(text, _clock.monotonic())
    assert clock.shift is None
