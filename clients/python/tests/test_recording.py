"""Recording a real display with a real runner."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TypedDict

import anyio
import httpx
import pytest
from conftest import Stack

from tapedeck import AsyncTapedeck, Tapedeck, TapedeckError
from tapedeck.types import Job


class Place(TypedDict):
    runner: int
    display: str


def place(stack: Stack) -> Place:
    """The display by its name: the machine may have others."""
    return {"runner": stack.runner_id, "display": stack.display}


def started_at(job: Job) -> datetime:
    assert job["startedAt"] is not None
    return datetime.fromisoformat(job["startedAt"].replace("Z", "+00:00"))


def test_events_tell_of_a_change_that_is_made_while_they_are_followed(client: Tapedeck, stack: Stack) -> None:
    created: Job | None = None
    for event in client.events():
        if event["type"] == "resync" and created is None:
            created = client.jobs.create(
                {"runnerId": stack.runner_id, "displayId": stack.display, "stopCondition": "interrupt"}
            )
        elif event["type"] == "job" and created is not None and event["data"]["id"] == created["id"]:
            break
    assert created is not None
    client.jobs.cancel(created["id"])


def test_a_block_is_recorded_from_its_first_frame_to_its_end(client: Tapedeck, stack: Stack, tmp_path: Path) -> None:
    order = {"suite": "smoke"}
    with client.record(
        runner=stack.runner, display=stack.display, name="Checkout", labels=order, max_duration_seconds=300
    ) as rec:
        assert rec.job["status"] == "recording"
        marker = rec.mark("Pay is clicked", kind="step")
        assert marker["offsetSeconds"] is not None
        assert marker["offsetSeconds"] >= 0
    job = rec.job
    assert (job["status"], job["stopReason"], job["outcome"]) == ("completed", "cancelled", "passed")
    assert (job["name"], job["labels"], job["maxDurationSeconds"]) == ("Checkout", order, 300)
    recording = job["recording"]
    assert recording is not None
    assert recording["state"] == "ready"
    assert rec.url == recording["url"]
    assert rec.url_at(started_at(job) + timedelta(seconds=1.5)) == f"{rec.url}?t=1.5"
    assert [each["label"] for each in client.recordings.markers(recording["id"])] == ["Pay is clicked"]
    video = client.recordings.download(recording["id"], tmp_path / "run.mp4").read_bytes()
    assert (len(video) > 1000, video[4:8]) == (True, b"ftyp")

    share = client.recordings.share(recording["id"], expires_at=datetime.now(timezone.utc) + timedelta(hours=1))
    assert httpx.get(share["url"]).status_code == 200
    assert httpx.get(client.recordings.signed_url(recording["id"])["url"]).content == video
    assert [each["id"] for each in client.recordings.list(q="suite:smoke")] == [recording["id"]]
    client.recordings.delete(recording["id"])
    with pytest.raises(TapedeckError) as caught:
        client.recordings.get(recording["id"])
    assert (caught.value.status, caught.value.code) == (404, "not_found")


def test_an_exception_makes_the_outcome_failed_unless_the_block_said_otherwise(client: Tapedeck, stack: Stack) -> None:
    with pytest.raises(ZeroDivisionError), client.record(**place(stack), keep="failed") as failed:
        _ = 1 / 0
    with pytest.raises(ZeroDivisionError), client.record(**place(stack), playable_timeout=0) as skipped:
        skipped.outcome("skipped")
        _ = 1 / 0
    with pytest.raises(KeyboardInterrupt), client.record(**place(stack), playable_timeout=0) as interrupted:
        raise KeyboardInterrupt
    with client.record(**place(stack), playable_timeout=0) as marked:
        marked.mark("The total is wrong", kind="fail")
    recordings = (failed, skipped, interrupted, marked)
    outcomes = [client.jobs.wait(rec.job["id"], "ended")["outcome"] for rec in recordings]
    assert outcomes == ["failed", "skipped", "error", "failed"]
    assert failed.job["displayId"] == stack.display


def test_what_cannot_be_recorded_is_said_and_leaves_no_job_behind(client: Tapedeck, stack: Stack) -> None:
    with pytest.raises(ValueError, match=r"There is no runner 'nobody'\. See client\.runners\.list\(\)\."):
        client.record(runner="nobody").__enter__()
    with pytest.raises(TapedeckError, match=r"Check that a runner with this display is online\.") as caught:
        client.record(runner=stack.runner_id, display=stack.display, start_timeout=0, name="Hurry").__enter__()
    assert caught.value.code == "not_started"
    (job,) = client.jobs.list(q="Hurry")
    assert client.jobs.wait(job["id"], "ended", timeout=30)["stopReason"] == "cancelled"


def test_a_job_is_created_followed_changed_and_ended(client: Tapedeck, stack: Stack) -> None:
    (runner,) = client.runners.list()
    assert (runner["id"], runner["name"]) == (stack.runner_id, stack.runner)
    job = client.jobs.create(
        {
            "runnerId": runner["id"],
            "displayId": stack.display,
            "stopCondition": "duration",
            "stopConditionConfig": {"durationSeconds": 600},
        },
        idempotency_key="python-1",
    )
    client.jobs.wait(job["id"], "recording", timeout=30)
    changed = client.jobs.update(job["id"], {"labels": {"team": "web"}, "pinned": True})
    assert (changed["labels"], changed["pinned"]) == ({"team": "web"}, True)
    marker = client.jobs.mark(job["id"], "Here")
    client.jobs.delete_marker(job["id"], marker["id"])
    assert list(client.jobs.markers(job["id"])) == []
    client.jobs.cancel(job["id"])
    assert client.jobs.wait(job["id"], timeout=60)["stopReason"] == "cancelled"
    assert "created" in [event["type"] for event in client.jobs.events(job["id"])]
    assert client.request("GET", "/v1/storage")["state"] == "ok"
    with pytest.raises(TapedeckError) as caught:
        client.request("POST", "/v1/jobs", body={"runnerId": 0, "displayId": "99", "stopCondition": "duration"})
    assert {"runnerId", "displayId"} <= {fault["path"] for fault in caught.value.errors}


def test_the_async_client_does_the_same_and_several_at_once(stack: Stack) -> None:
    async def record(client: AsyncTapedeck, name: str) -> Job:
        async with client.record(runner=stack.runner, display=stack.display, name=name) as rec:
            await rec.mark("Begun")
            await rec.outcome("failed")
        return rec.job

    async def main() -> None:
        async with AsyncTapedeck(stack.url, stack.api_key) as client:
            jobs = await asyncio.gather(record(client, "gathered 1"), record(client, "gathered 2"))
            assert [job["outcome"] for job in jobs] == ["failed", "failed"]
            assert [job["status"] for job in jobs] == ["completed", "completed"]
            found = [job["name"] async for job in client.jobs.list(q="gathered")]
            assert sorted(found) == ["gathered 1", "gathered 2"]

    asyncio.run(main())


def test_a_cancelled_task_ends_its_recording(stack: Stack) -> None:
    async def main() -> None:
        async with AsyncTapedeck(stack.url, stack.api_key) as client:
            begun = asyncio.Event()

            async def record() -> None:
                async with client.record(**place(stack), name="cancelled task", playable_timeout=0):
                    begun.set()
                    await asyncio.sleep(3600)

            task = asyncio.create_task(record())
            # If it fails, there is nothing to wait for.
            task.add_done_callback(lambda _: begun.set())
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            (job,) = [job async for job in client.jobs.list(q='"cancelled task"')]
            ended = await client.jobs.wait(job["id"], "ended", timeout=30)
            assert (ended["status"], ended["outcome"]) == ("completed", "error")

    asyncio.run(main())


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_cancelled_scope_of_anyio_or_trio_ends_its_recording(stack: Stack, backend: str) -> None:
    async def main() -> None:
        async with AsyncTapedeck(stack.url, stack.api_key) as client:
            with anyio.CancelScope() as scope:
                async with client.record(**place(stack), name=f"scope of {backend}"):
                    scope.cancel()
                    await anyio.sleep_forever()
            (job,) = [job async for job in client.jobs.list(q=f'"scope of {backend}"')]
            ended = await client.jobs.wait(job["id"], "ended", timeout=30)
            assert (ended["status"], ended["outcome"]) == ("completed", "error")

    anyio.run(main, backend=backend)


def test_a_key_revoked_in_the_middle_is_a_sentence_and_never_hides_the_blocks_own_exception(
    client: Tapedeck,
    stack: Stack,
    revocable_key: tuple[str, Callable[[], None]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    key, revoke = revocable_key
    one, two = Tapedeck(stack.url, key), Tapedeck(stack.url, key)
    with (
        caplog.at_level(logging.WARNING),
        pytest.raises(TapedeckError, match=r"The end of the recording http.* failed: ") as caught,
        one.record(**place(stack)) as first,
    ):
        with pytest.raises(ZeroDivisionError), two.record(**place(stack)) as second:
            revoke()
            _ = 1 / 0
        assert f"The end of the recording {second.url} failed: " in caplog.text
    assert caught.value.status == 401
    for rec in (first, second):
        # The recording is there once it is ended.
        client.jobs.cancel(rec.job["id"])
        assert client.jobs.wait(rec.job["id"], timeout=60)["status"] == "completed"
