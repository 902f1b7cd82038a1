"""Ends of the block of ``record()``: by a signal, before it has begun, and with a dashboard of another version."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from conftest import Stack, job_of
from replay import KEY, Exchange, replay

from tapedeck import Tapedeck, TapedeckError

JOB = {"id": 7, "status": "queued", "startedAt": None, "recording": None, "outcome": None, "error": None}
RECORDING = {**JOB, "status": "recording", "startedAt": "2026-11-21T01:12:00.000Z"}
ORDER = {"stopCondition": "interrupt", "selector": {}, "maxDurationSeconds": 14_400, "outcomeExpected": True}
CUT = {"cut": True}

SYNC = """
import pathlib, sys, time
from tapedeck import Tapedeck
try:
    with Tapedeck() as client, client.record(runner={runner}, display="{display}", name="{name}"):
        pathlib.Path("recording").touch()
        time.sleep(600)
finally:
    pathlib.Path("cleaned up").touch()
"""
ASYNC = """
import pathlib, {library}
from tapedeck import AsyncTapedeck

begun = []

async def record(client, name):
    async with client.record(runner={runner}, display="{display}", name=name):
        begun.append(name)
        if len(begun) == {count}:
            pathlib.Path("recording").touch()
        await {library}.sleep(600)

async def main():
    async with AsyncTapedeck() as client:
        {main}

{library}.run({argument})
"""
TWO = """await asyncio.gather(record(client, "{name}"), record(client, "{name} too"))"""
SCRIPTS = {
    "sync": (SYNC, {}),
    "asyncio": (ASYNC, {"library": "asyncio", "argument": "main()", "main": 'await record(client, "{name}")'}),
    "two of asyncio": (ASYNC, {"library": "asyncio", "argument": "main()", "main": TWO}),
    "trio": (ASYNC, {"library": "trio", "argument": "main", "main": 'await record(client, "{name}")'}),
}


def run_script(script: str, stack: Stack, folder: Path, until: str) -> subprocess.Popen[str]:
    """Starts it, and returns when it has written a file."""
    variables = {"TAPEDECK_URL": stack.url, "TAPEDECK_API_KEY": stack.api_key}
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        env={**os.environ, **variables},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not (folder / until).exists():
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise AssertionError(process.communicate()[0])
        time.sleep(0.05)
    return process


@pytest.mark.parametrize("kind", SCRIPTS)
def test_sigterm_ends_the_recording_and_then_the_script(
    client: Tapedeck, stack: Stack, tmp_path: Path, kind: str
) -> None:
    script, texts = SCRIPTS[kind]
    name = f"sigterm {uuid4().hex[:8]}"
    filled = {key: text.format(name=name) for key, text in texts.items()}
    names = [name, f"{name} too"] if kind.startswith("two") else [name]
    place = {"name": name, "runner": stack.runner_id, "display": stack.display, "count": len(names)}
    process = run_script(script.format(**place, **filled), stack, tmp_path, "recording")
    process.terminate()
    output, _ = process.communicate(timeout=120)
    assert process.returncode == -signal.SIGTERM, output
    for each in names:
        job = job_of(client, each)
        assert (job["outcome"], job["status"], job["stopReason"]) == ("error", "completed", "cancelled")


def test_a_handler_of_the_program_for_sigterm_stays(client: Tapedeck, stack: Stack, tmp_path: Path) -> None:
    name = f"handled {uuid4().hex[:8]}"
    script = f"""
import pathlib, signal, threading
from tapedeck import Tapedeck
ended = threading.Event()
signal.signal(signal.SIGTERM, lambda number, frame: ended.set())
with Tapedeck() as client, client.record(runner={stack.runner_id}, display="{stack.display}", name="{name}"):
    pathlib.Path("recording").touch()
    ended.wait(600)
"""
    process = run_script(script, stack, tmp_path, "recording")
    process.terminate()
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    assert job_of(client, name)["outcome"] == "passed"


def test_a_signal_before_the_first_frame_withdraws_the_job(client: Tapedeck, stack: Stack, tmp_path: Path) -> None:
    name = f"withdrawn {uuid4().hex[:8]}"
    # The runner waits for this display for 10 seconds.
    script = f"""
import pathlib
from tapedeck import Tapedeck
from tapedeck._sync.jobs import Jobs
wait = Jobs.wait
def waiting(*args, **options):
    pathlib.Path("queued").touch()
    return wait(*args, **options)
Jobs.wait = waiting
with Tapedeck() as client, client.record(runner={stack.runner_id}, display=":1977", name="{name}"):
    pass
"""
    process = run_script(script, stack, tmp_path, "queued")
    process.terminate()
    process.communicate(timeout=120)
    assert process.returncode == -signal.SIGTERM
    (job,) = client.jobs.list(q=f'"{name}"')
    assert client.jobs.wait(job["id"], "ended", timeout=60)["status"] == "cancelled"


def test_a_job_that_does_not_begin_in_time_is_withdrawn(client: Tapedeck, stack: Stack) -> None:
    name = f"too late {uuid4().hex[:8]}"
    with (
        pytest.raises(TapedeckError, match=r"Job \d+ is still (queued|starting) after 1 s\.") as caught,
        client.record(runner=stack.runner_id, display=":1977", name=name, start_timeout=1),
    ):
        raise AssertionError("The block was entered.")
    assert caught.value.code == "not_started"
    (job,) = client.jobs.list(q=f'"{name}"')
    job = client.jobs.wait(job["id"], "ended", timeout=60)
    assert (job["status"], job["maxDurationSeconds"]) == ("cancelled", 4 * 60 * 60)


def call(method: str, path: str, response: dict[str, Any], **request: Any) -> Exchange:
    return {"request": {"method": method, "path": path, **request}, "response": response}


def ok(body: Any) -> dict[str, Any]:
    return {"status": 200, "body": body}


def test_a_job_whose_creation_got_no_answer_is_found_by_its_key_and_cancelled() -> None:
    first, again = {"idempotency-key": "*"}, {"idempotency-key": "<same>"}
    exchanges = [
        call("POST", "/v1/jobs", CUT, headers=first, body=ORDER),
        call("POST", "/v1/jobs", ok(JOB), headers=again, body=ORDER),
        call("POST", "/v1/jobs/7/cancel", ok({**JOB, "status": "cancelled"})),
    ]
    with replay(exchanges) as server, pytest.raises(TapedeckError) as caught:
        Tapedeck(server.url, KEY, retries=0).record().__enter__()
    assert caught.value.code == "unreachable"


def test_an_order_that_is_refused_is_sent_once() -> None:
    refused = {"status": 422, "body": {"code": "validation_failed", "detail": "No.", "errors": []}}
    with replay([call("POST", "/v1/jobs", refused, body=ORDER)]) as server, pytest.raises(TapedeckError):
        Tapedeck(server.url, KEY).record().__enter__()


def test_without_a_cap_none_is_sent() -> None:
    plain = {key: value for key, value in ORDER.items() if key != "maxDurationSeconds"}
    refused = {"status": 422, "body": {"code": "validation_failed", "detail": "No.", "errors": []}}
    with replay([call("POST", "/v1/jobs", refused, body=plain)]) as server, pytest.raises(TapedeckError):
        Tapedeck(server.url, KEY).record(max_duration_seconds=None).__enter__()


def test_how_much_of_the_past_is_wanted_is_sent_with_the_order() -> None:
    refused = {"status": 422, "body": {"code": "validation_failed", "detail": "No.", "errors": []}}
    body = {**ORDER, "preSeconds": 45}
    with replay([call("POST", "/v1/jobs", refused, body=body)]) as server, pytest.raises(TapedeckError):
        Tapedeck(server.url, KEY).record(pre_seconds=45).__enter__()


def test_what_is_asked_of_the_video_is_sent_with_the_order() -> None:
    asked = {**ORDER, "video": {"preset": "sharp", "framesPerSecond": 30}}
    refused = {"status": 422, "body": {"code": "validation_failed", "detail": "No.", "errors": []}}
    with replay([call("POST", "/v1/jobs", refused, body=asked)]) as server, pytest.raises(TapedeckError):
        Tapedeck(server.url, KEY).record(video={"preset": "sharp", "framesPerSecond": 30}).__enter__()
