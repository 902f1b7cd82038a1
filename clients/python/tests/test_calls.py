"""Calls over a real socket: tries, time limits, and failures."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from replay import KEY, Exchange, replay

from tapedeck import Tapedeck, TapedeckError
from tapedeck.types import CreateJob

AUTH = {"authorization": f"Bearer {KEY}"}
JOB = {"id": 7, "status": "queued", "startedAt": None, "recording": None}
ENDED = {**JOB, "status": "completed", "startedAt": "2026-11-21T01:12:00.000Z", "recording": {"state": "ready"}}
ORDER: CreateJob = {"runnerId": 1, "displayId": ":99", "stopCondition": "interrupt"}
# The job that record() requests.
RECORDED = {"stopCondition": "interrupt", "maxDurationSeconds": 4 * 60 * 60, "outcomeExpected": True}
CUT = {"cut": True}


def problem(status: int, code: str, **more: Any) -> dict[str, Any]:
    headers = {"content-type": "application/problem+json", **more.pop("headers", {})}
    return {"status": status, "headers": headers, "body": {"code": code, "detail": f"{code}!", **more}}


def call(method: str, path: str, response: dict[str, Any], **request: Any) -> Exchange:
    return {"request": {"method": method, "path": path, "headers": AUTH, **request}, "response": response}


def ok(body: Any, status: int = 200) -> dict[str, Any]:
    return {"status": status, "body": body}


def test_a_job_is_created_once_however_often_the_call_is_sent() -> None:
    first = {**AUTH, "idempotency-key": "*"}
    again = {**AUTH, "idempotency-key": "<same>"}
    exchanges = [
        call("POST", "/v1/jobs", CUT, headers=first, body=ORDER),
        call("POST", "/v1/jobs", problem(503, "unavailable"), headers=again, body=ORDER),
        call("POST", "/v1/jobs", ok(JOB, 201), headers=again, body=ORDER),
    ]
    with replay(exchanges) as server:
        assert Tapedeck(server.url, KEY).jobs.create(ORDER)["id"] == 7


def test_a_marker_whose_answer_was_lost_is_not_sent_again() -> None:
    path, body = "/v1/jobs/7/markers", {"label": "Pay", "kind": "step"}
    refused = problem(429, "too_many_requests", headers={"retry-after": "1"})
    with replay([call("POST", path, refused, body=body), call("POST", path, CUT, body=body)]) as server:
        with pytest.raises(TapedeckError) as caught:
            Tapedeck(server.url, KEY).jobs.mark(7, "Pay", kind="step")
        assert (caught.value.status, caught.value.code) == (0, "unreachable")
        assert server.times[1] - server.times[0] >= 1


def test_a_wait_longer_than_a_minute_is_not_waited_for() -> None:
    refused = problem(429, "too_many_requests", headers={"retry-after": "61"})
    with replay([call("GET", "/v1/jobs/7", refused)]) as server:
        with pytest.raises(TapedeckError) as caught:
            Tapedeck(server.url, KEY).jobs.get(7)
        assert caught.value.retry_after == 61


def test_a_deletion_whose_answer_was_lost_has_worked() -> None:
    path = "/v1/recordings/5"
    with replay([call("DELETE", path, CUT), call("DELETE", path, problem(404, "not_found"))]) as server:
        Tapedeck(server.url, KEY).recordings.delete(5)
    with replay([call("DELETE", path, problem(404, "not_found"))]) as server, pytest.raises(TapedeckError):
        Tapedeck(server.url, KEY).recordings.delete(5)


def test_an_error_has_every_fault_of_the_problem_document() -> None:
    faults = [
        {"path": "name", "code": "too_small", "message": "Send a name."},
        {"path": "", "code": "custom", "message": "No."},
    ]
    refused = problem(422, "validation_failed", errors=faults, requestId="r-1")
    with replay([call("PATCH", "/v1/jobs/7", refused, body={"name": ""})]) as server:
        with pytest.raises(TapedeckError) as caught:
            Tapedeck(server.url, KEY).jobs.update(7, {"name": ""})
        error = caught.value
        assert (error.status, error.code, error.detail) == (422, "validation_failed", "validation_failed!")
        assert (list(error.errors), error.request_id) == (faults, "r-1")
        assert str(error) == "name: Send a name.\nNo."


def test_answers_of_something_else_than_a_dashboard_are_named() -> None:
    page = {"status": 200, "headers": {"content-type": "text/html"}, "body": b"<html>"}
    moved = {"status": 308, "headers": {"location": "https://new.example.com/"}}
    for response, code in ((page, "not_a_dashboard"), (moved, "redirected"), (ok(b"{"), "not_a_dashboard")):
        with replay([call("GET", "/v1/jobs/7", response)]) as server:
            with pytest.raises(TapedeckError) as caught:
                Tapedeck(server.url, KEY).jobs.get(7)
            assert caught.value.code == code
            assert server.url in caught.value.detail or "new.example.com" in caught.value.detail
    bad_gateway = {"status": 502, "headers": {"content-type": "text/html"}, "body": b"<html>"}
    with replay([call("GET", "/v1/jobs/7", bad_gateway)] * 2) as server:
        with pytest.raises(TapedeckError) as caught:
            Tapedeck(server.url, KEY, retries=1).jobs.get(7)
        assert (caught.value.status, caught.value.code) == (502, "unreachable")


def test_a_list_is_read_page_after_page_as_it_is_used() -> None:
    query = {"q": "suite:smoke", "status": ["queued", "recording"]}
    pages = [
        call("GET", "/v1/jobs", ok({"data": [{"id": 3}, {"id": 2}], "nextCursor": "c2"}), query=query),
        call("GET", "/v1/jobs", ok({"data": [{"id": 1}], "nextCursor": None}), query={**query, "cursor": "c2"}),
    ]
    with replay(pages) as server:
        jobs = Tapedeck(server.url, KEY).jobs.list(q="suite:smoke", status=["queued", "recording"])
        assert [next(jobs)["id"], next(jobs)["id"]] == [3, 2]
        assert len(server.times) == 1
        assert [job["id"] for job in jobs] == [1]


def test_waiting_goes_on_until_the_job_gets_there_or_the_time_is_over() -> None:
    query = {"waitFor": "playable", "timeoutSeconds": "60"}
    path = "/v1/jobs/7"
    with replay([call("GET", path, ok(JOB), query=query), call("GET", path, ok(ENDED), query=query)]) as server:
        assert Tapedeck(server.url, KEY).jobs.wait(7)["status"] == "completed"
    at_once = {"waitFor": "recording", "timeoutSeconds": "0"}
    with replay([call("GET", path, ok(JOB), query=at_once)]) as server:
        with pytest.raises(TapedeckError, match=r"Job 7 is still queued after 0 s\. Wait longer, or cancel it\."):
            Tapedeck(server.url, KEY).jobs.wait(7, "recording", timeout=0)


def test_waiting_goes_on_when_too_many_calls_of_the_key_wait_already() -> None:
    query = {"waitFor": "playable", "timeoutSeconds": "60"}
    refused = problem(429, "too_many_requests", headers={"retry-after": "0"})
    exchanges = [call("GET", "/v1/jobs/7", refused, query=query)] * 7
    with replay([*exchanges, call("GET", "/v1/jobs/7", ok(ENDED), query=query)]) as server:
        assert Tapedeck(server.url, KEY, retries=0).jobs.wait(7)["status"] == "completed"
    at_once = {**query, "timeoutSeconds": "0"}
    with replay([call("GET", "/v1/jobs/7", refused, query=at_once)]) as server:
        with pytest.raises(TapedeckError) as caught:
            Tapedeck(server.url, KEY, retries=0).jobs.wait(7, timeout=0)
    assert caught.value.status == 429


def test_a_recording_that_fails_before_its_first_frame_says_why() -> None:
    body = {**RECORDED, "selector": {"display": ":99"}}
    failed = {
        **JOB,
        "status": "failed",
        "error": {"code": "display_unavailable", "message": "There is no display :99."},
    }
    waiting = {"waitFor": "recording", "timeoutSeconds": "60"}
    exchanges = [
        call("POST", "/v1/jobs", ok(JOB, 201), body=body),
        call("GET", "/v1/jobs/7", ok(failed), query=waiting),
        call("POST", "/v1/jobs/7/cancel", ok(failed)),
    ]
    with replay(exchanges) as server:
        with pytest.raises(TapedeckError) as caught, Tapedeck(server.url, KEY).record(display=":99"):
            raise AssertionError("The block was entered.")
        assert caught.value.code == "not_started"
        assert caught.value.detail == "The recording did not begin: There is no display :99."


def test_a_runner_that_is_named_records_its_only_display() -> None:
    runner = {"id": 3, "name": "ci", "displays": [{"id": ":99"}]}
    body = {**RECORDED, "runnerId": 3, "displayId": ":99"}
    exchanges = [
        call("GET", "/v1/runners", ok({"data": [runner], "nextCursor": None})),
        call("POST", "/v1/jobs", problem(422, "validation_failed"), body=body),
    ]
    with replay(exchanges) as server, pytest.raises(TapedeckError), Tapedeck(server.url, KEY).record(runner="ci"):
        pass
    for displays, sentence in (
        ([{"id": ":1"}, {"id": ":2"}], 'Runner "ci" has :1, :2. Choose one as display.'),
        ([], 'Runner "ci" has no display.'),
    ):
        runners = ok({"data": [{**runner, "displays": displays}], "nextCursor": None})
        with replay([call("GET", "/v1/runners", runners)]) as server:
            with pytest.raises(ValueError, match=sentence), Tapedeck(server.url, KEY).record(runner="ci"):
                pass


def test_the_end_of_a_block_waits_for_a_dashboard_that_is_away() -> None:
    body = {**RECORDED, "selector": {}}
    begun = {**ENDED, "status": "recording", "outcome": None}
    exchanges = [
        call("POST", "/v1/jobs", ok(JOB, 201), body=body),
        call("GET", "/v1/jobs/7", ok(begun), query={"waitFor": "recording", "timeoutSeconds": "60"}),
        call("PATCH", "/v1/jobs/7", CUT, body={"outcome": "passed"}),
        call("PATCH", "/v1/jobs/7", ok(begun), body={"outcome": "passed"}),
        call("POST", "/v1/jobs/7/cancel", CUT),
        call("POST", "/v1/jobs/7/cancel", ok(ENDED)),
    ]
    with replay(exchanges) as server, Tapedeck(server.url, KEY, retries=0).record(playable_timeout=0) as rec:
        pass
    assert rec.job["status"] == "completed"


def test_a_download_goes_on_where_its_connection_broke(tmp_path: Path) -> None:
    video = hashlib.sha256(b"video").digest() * 1000
    etag, half = '"v1"', len(video) // 2
    path, plain = "/v1/recordings/5/video", {**AUTH, "accept-encoding": "identity"}
    ranged = {**plain, "range": f"bytes={half}-", "if-range": etag}
    common = {"content-type": "video/mp4", "etag": etag}
    broken = {"status": 200, "headers": {**common, "content-length": str(len(video))}, "body": video[:half]}
    rest = {"status": 206, "headers": common, "body": video[half:]}
    changed = {"status": 200, "headers": {**common, "etag": '"v2"'}, "body": video}
    target = tmp_path / "run.mp4"
    with replay([call("GET", path, broken, headers=plain), call("GET", path, rest, headers=ranged)]) as server:
        progress: list[tuple[int, int]] = []
        client = Tapedeck(server.url, KEY)
        assert client.recordings.download(5, target, on_progress=lambda *at: progress.append(at)) == target
        assert target.read_bytes() == video
        assert progress[-1] == (len(video), len(video))
    with replay([call("GET", path, broken, headers=plain), call("GET", path, changed, headers=ranged)]) as server:
        with pytest.raises(TapedeckError, match="changed while it was downloaded"):
            Tapedeck(server.url, KEY).recordings.download(5, tmp_path / "other.mp4")
    assert [file.name for file in tmp_path.iterdir()] == ["run.mp4"]


def test_without_a_usable_address_or_key_it_says_which_one_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAPEDECK_URL", raising=False)
    monkeypatch.delenv("TAPEDECK_API_KEY", raising=False)
    for url, key, sentence in (
        (None, KEY, "Set the dashboard's address.*TAPEDECK_URL"),
        ("tapedeck.example.com", KEY, '"tapedeck.example.com" is no address'),
        ("http://127.0.0.1:3000", None, "Set an API key.*TAPEDECK_API_KEY"),
        ("http://127.0.0.1:3000", "tdk_ä", "has characters that no key has"),
    ):
        with pytest.raises(ValueError, match=sentence):
            Tapedeck(url, key)
    with replay([call("GET", "/v1/jobs/7", ok(JOB))]) as server:
        monkeypatch.setenv("TAPEDECK_URL", f"{server.url}/")
        monkeypatch.setenv("TAPEDECK_API_KEY", f"{KEY}\n")
        with Tapedeck() as client:
            assert client.jobs.get(7)["id"] == 7


def test_events_go_on_after_a_connection_that_ends_until_the_key_is_refused() -> None:
    stream = {"content-type": "text/event-stream"}

    def events(*texts: str) -> dict[str, Any]:
        return {"status": 200, "headers": stream, "body": "".join(texts).encode()}

    begun = 'event: job\ndata: {"id": 7,\ndata:  "name": "Zürich"}\n\n'
    exchanges = [
        call("GET", "/v1/events", events(": connected\n\n", begun, "event: of_a_later_version\ndata: {}\n\n")),
        call("GET", "/v1/events", CUT),
        call("GET", "/v1/events", events('event: runner_removed\ndata: {"id": 3}\n\n')),
        call("GET", "/v1/events", problem(401, "unauthorized")),
    ]
    seen: list[Any] = []
    with replay(exchanges) as server:
        with pytest.raises(TapedeckError) as caught:
            for event in Tapedeck(server.url, KEY).events():
                seen.append((event["type"], event["data"]))
    assert seen == [
        ("resync", {}),
        ("job", {"id": 7, "name": "Zürich"}),
        ("resync", {}),
        ("runner_removed", {"id": 3}),
    ]
    assert (caught.value.status, caught.value.code) == (401, "unauthorized")


def test_events_fail_at_once_when_the_first_connection_is_no_stream_of_events() -> None:
    page = {"status": 200, "headers": {"content-type": "text/html"}, "body": b"<p>Sign in</p>"}
    with replay([call("GET", "/v1/events", page)]) as server:
        with pytest.raises(TapedeckError, match="is not a Tapedeck dashboard"):
            next(Tapedeck(server.url, KEY).events())
