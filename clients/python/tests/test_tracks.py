"""Lines of tracks as calls take them."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import httpx

from tapedeck import Tapedeck
from tapedeck._calls import NewTrackLine, batches_of_lines
from tapedeck._clock import DashboardClock


def test_lines_are_sent_in_calls_of_limited_size_and_in_order() -> None:
    lines: list[NewTrackLine] = [{"text": f"{number} {'x' * 500}", "offsetMs": number} for number in range(5_000)]
    batches = list(batches_of_lines(lines, DashboardClock()))
    assert len(batches) > 4
    assert all(len(batch) < 1024 * 1024 for batch in batches)
    sent = [json.loads(line) for batch in batches for line in batch.splitlines()]
    assert sent == lines


def test_a_line_without_a_time_is_of_now_and_text_is_sent_as_it_is() -> None:
    at = datetime(2026, 11, 21, 1, 12, tzinfo=timezone.utc)
    (batch,) = batches_of_lines(
        [{"text": "now"}, {"text": "then", "at": at}, {"text": "as it is", "at": "2026-11-21T01:12:00Z"}],
        DashboardClock(),
    )
    now, then, text = [json.loads(line) for line in batch.splitlines()]
    passed = datetime.now(timezone.utc) - datetime.fromisoformat(now["at"].replace("Z", "+00:00"))
    assert timedelta(0) <= passed + timedelta(seconds=1) < timedelta(minutes=1)
    assert then["at"] == "2026-11-21T01:12:00.000Z"
    assert text["at"] == "2026-11-21T01:12:00Z"


def test_each_call_goes_on_where_the_dashboard_is() -> None:
    stored = b"earlier"

    def dashboard(request: httpx.Request) -> httpx.Response:
        nonlocal stored
        if request.url.path == "/v1/health":
            return httpx.Response(200, json={})
        assert request.url.path == "/v1/jobs/7/tracks/log"
        assert request.headers["content-type"] == "application/x-ndjson"
        if request.content:
            assert request.url.params["from"] == str(len(stored))
        stored += request.content
        return httpx.Response(200, json={"received": len(stored), "refused": 1 if request.content else 0})

    client = Tapedeck(
        "http://tapedeck.test", "tdk_test", http_client=httpx.Client(transport=httpx.MockTransport(dashboard))
    )
    track = client.jobs.add_track_lines(7, "log", ({"text": "x" * 300_000, "offsetMs": n} for n in range(3)))
    assert track["received"] == len(stored)
    assert track["refused"] == 3
