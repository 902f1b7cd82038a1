"""The markers of a session: sent in the background, as many in a call as there are, and never twice."""

from __future__ import annotations

from datetime import datetime, timezone
from threading import Event
from typing import Any, cast

from replay import KEY, Exchange, replay

from pytest_tapedeck.results import ResultMarker
from pytest_tapedeck.session_recording import SessionRecording
from tapedeck import Tapedeck
from tapedeck.types import Job

JOB = {"id": 7, "startedAt": "2026-11-21T01:12:00.000Z", "recording": {"url": "http://tapedeck.test/recordings/5"}}
PATH = "/v1/jobs/7/markers"
AT = [f"2026-11-21T01:12:0{second}.500Z" for second in range(3)]
REFUSED = {"code": "unauthorized", "detail": "The key was revoked."}


def added(seconds: list[int], response: dict[str, Any]) -> Exchange:
    markers = [{"label": f"test_{second}", "kind": "pass", "at": AT[second]} for second in seconds]
    return {"request": {"method": "POST", "path": f"{PATH}/batch", "body": {"markers": markers}}, "response": response}


def listed(*seconds: int) -> Exchange:
    data = [{"label": f"test_{second}", "at": AT[second]} for second in seconds]
    response = {"status": 200, "body": {"data": data, "nextCursor": None}}
    return {"request": {"method": "GET", "path": PATH}, "response": response}


def refused(*paths: str) -> dict[str, Any]:
    errors = [{"path": path, "code": "too_big", "message": "The recording has ended."} for path in paths]
    return {
        "status": 422,
        "body": {"code": "validation_failed", "detail": "The recording has ended.", "errors": errors},
    }


def problem_of(*exchanges: Exchange) -> str | None:
    """Marks a test, two more while the dashboard answers that, and ends."""
    arrived, held = Event(), Event()
    first = {**exchanges[0], "response": {**exchanges[0]["response"], "arrived": arrived, "held": held}}
    with replay([first, *exchanges[1:]]) as server:
        recording = SessionRecording(Tapedeck(server.url, KEY), None, cast(Job, JOB))
        for second in range(3):
            at = datetime(2026, 11, 21, 1, 12, second, 500_000, timezone.utc)
            recording.mark(ResultMarker(f"test_{second}", "pass", at))
            assert arrived.wait(10)
        held.set()
        return recording.end("passed")


OK = {"status": 201, "body": {"data": []}}
CUT = {"cut": True}
URL = "http://tapedeck.test/recordings/5"


def test_markers_are_sent_when_the_dashboard_is_back_and_none_twice() -> None:
    # Of the second call, one was added although its answer was lost.
    assert problem_of(added([0], CUT), listed(0), added([1, 2], CUT), listed(0, 1), added([2], OK)) is None


def test_what_is_missing_is_one_sentence_with_its_reason() -> None:
    revoked = {"status": 401, "body": REFUSED}
    assert problem_of(added([0], OK), added([1, 2], revoked)) == (
        f"The recording {URL} lacks 2 markers: The key was revoked."
    )
    assert problem_of(added([0], OK), added([1, 2], refused(""))) == (
        f"The recording {URL} lacks 2 markers: The recording has ended."
    )


def test_a_marker_that_is_refused_keeps_no_other_away() -> None:
    problem = f"The recording {URL} lacks 1 marker: The recording has ended."
    assert problem_of(added([0], OK), added([1, 2], refused("markers.0.at")), added([2], OK)) == problem
    assert problem_of(added([0], refused("markers.0.at")), added([1, 2], OK)) == problem


def test_what_would_be_too_much_for_one_call_is_sent_in_several() -> None:
    at = datetime(2026, 11, 21, 1, 12, 0, 500_000, timezone.utc)
    # As JSON, a control character takes six bytes.
    message = "\x1b" * 8000
    one = {"label": "a", "kind": "pass", "at": AT[0]}
    first: Exchange = {
        "request": {
            "method": "POST",
            "path": f"{PATH}/batch",
            "body": {"markers": [one]},
        },
        "response": {**OK, "arrived": Event(), "held": Event()},
    }
    body = {"label": "test", "kind": "fail", "at": AT[0], "message": message}
    calls = [
        {"request": {"method": "POST", "path": f"{PATH}/batch", "body": {"markers": [body] * 10}}, "response": OK}
        for _ in range(3)
    ]
    with replay([first, *calls]) as server:
        recording = SessionRecording(Tapedeck(server.url, KEY), None, cast(Job, JOB))
        recording.mark(ResultMarker("a", "pass", at))
        assert first["response"]["arrived"].wait(10)
        for _ in range(30):
            recording.mark(ResultMarker("test", "fail", at, message))
        first["response"]["held"].set()
        assert recording.end("failed") is None
