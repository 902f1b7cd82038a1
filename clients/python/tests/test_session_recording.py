"""The markers of a session: sent in the background, and never twice."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, cast

from replay import KEY, Exchange, replay

from pytest_tapedeck.session_recording import ResultMarker, SessionRecording
from tapedeck import Tapedeck
from tapedeck.types import Job

JOB = {"id": 7, "startedAt": "2026-11-21T01:12:00.000Z", "recording": {"url": "http://tapedeck.test/recordings/5"}}
PATH = "/v1/jobs/7/markers"
AT = [f"2026-11-21T01:12:0{second}.500Z" for second in range(3)]
REFUSED = {"code": "unauthorized", "detail": "The key was revoked."}
ENDED = {"code": "validation_failed", "detail": "The recording has ended."}


def added(second: int, response: dict[str, Any]) -> Exchange:
    body = {"label": f"test_{second}", "kind": "pass", "at": AT[second]}
    return {"request": {"method": "POST", "path": PATH, "body": body}, "response": response}


def listed(*seconds: int) -> Exchange:
    data = [{"label": f"test_{second}", "at": AT[second]} for second in seconds]
    response = {"status": 200, "body": {"data": data, "nextCursor": None}}
    return {"request": {"method": "GET", "path": PATH}, "response": response}


def problem_of(*exchanges: Exchange) -> str | None:
    """Marks three tests, and ends."""
    with replay(exchanges) as server:
        recording = SessionRecording(Tapedeck(server.url, KEY), None, cast(Job, JOB))
        for second in range(3):
            at = datetime(2026, 11, 21, 1, 12, second, 500_000, timezone.utc)
            recording.mark(ResultMarker(f"test_{second}", "pass", at))
        return recording.end("passed")


OK = {"status": 201, "body": {}}
CUT = {"cut": True}


def test_markers_are_sent_when_the_dashboard_is_back_and_none_twice() -> None:
    # The first was added although its answer was lost; the second was not.
    exchanges = [added(0, CUT), listed(0), added(1, CUT), listed(0), added(1, OK), added(2, OK)]
    assert problem_of(*exchanges) is None


def test_what_is_missing_is_one_sentence_with_its_reason() -> None:
    url = "http://tapedeck.test/recordings/5"
    refused = {"status": 401, "body": REFUSED}
    assert problem_of(added(0, OK), added(1, refused)) == f"The recording {url} lacks 2 markers: The key was revoked."
    ended = {"status": 422, "body": ENDED}
    assert problem_of(added(0, OK), added(1, ended), added(2, OK)) == (
        f"The recording {url} lacks 1 marker: The recording has ended."
    )
