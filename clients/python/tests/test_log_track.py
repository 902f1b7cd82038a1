"""The log of a session: sent in the background, whole and once."""

from __future__ import annotations

import json
import logging
import time

import httpx
import pytest

from pytest_tapedeck.log_track import LogTrack
from pytest_tapedeck.secret_mask import SecretMask
from tapedeck import Tapedeck
from tapedeck._calls import instant
from tapedeck._clock import monotonic


class Dashboard:
    """Stores a track as the dashboard does."""

    def __init__(self) -> None:
        self.stored = b""
        self.failures: list[httpx.Response | None] = []
        """Answers in place of the right ones; None if the connection breaks after the lines are stored."""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/health":
            return httpx.Response(200, json={})
        failure = self.failures.pop(0) if self.failures else False
        if isinstance(failure, httpx.Response):
            return failure
        start = int(request.url.params.get("from", len(self.stored)))
        assert start <= len(self.stored)
        assert self.stored[start:] == request.content[: len(self.stored) - start]
        self.stored = self.stored[:start] + request.content
        if failure is None:
            raise httpx.ReadError("the connection broke")
        return httpx.Response(200, json={"received": len(self.stored), "refused": 0})

    @property
    def texts(self) -> list[str]:
        return [json.loads(line)["text"] for line in self.stored.splitlines()]


def track_of(dashboard: Dashboard) -> LogTrack:
    http_client = httpx.Client(transport=httpx.MockTransport(dashboard))
    client = Tapedeck("http://tapedeck.test", "tdk_test", retries=0, http_client=http_client)
    return LogTrack(client, 7, "log.pytest", instant, SecretMask())


def test_records_of_a_test_are_sent_with_their_levels_and_those_outside_of_tests_are_not() -> None:
    dashboard = Dashboard()
    track = track_of(dashboard)
    logger = logging.getLogger("shop")
    with track.listening():
        logger.warning("took %d s", 2)
        logger.error("answered %d", 500)
    logger.error("too late")
    assert track.finish(monotonic() + 10) == 0
    lines = [json.loads(line) for line in dashboard.stored.splitlines()]
    assert [(line["level"], line["text"]) for line in lines] == [
        ("warn", "shop: took 2 s"),
        ("error", "shop: answered 500"),
    ]


def test_lines_whose_answer_is_lost_are_sent_again_and_stored_once() -> None:
    dashboard = Dashboard()
    # The first call asks how much there is.
    dashboard.failures = [httpx.Response(200, json={"received": 0, "refused": 0}), None, httpx.Response(503, json={})]
    track = track_of(dashboard)
    with track.listening():
        for number in range(5):
            logging.getLogger("shop").error("line %d", number)
            time.sleep(0.01)
    assert track.finish(monotonic() + 30) == 0
    assert dashboard.texts == [f"shop: line {number}" for number in range(5)]


def test_a_dashboard_without_tracks_fails_nothing_and_the_lines_are_counted() -> None:
    dashboard = Dashboard()
    dashboard.failures = [httpx.Response(404, json={"code": "not_found", "detail": "Not found."})]
    track = track_of(dashboard)
    with track.listening():
        logging.getLogger("shop").error("one")
    assert track.finish(monotonic() + 10) == 1


def test_secrets_are_masked_before_they_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "tok-0123/456")
    monkeypatch.setenv("SHORT_TOKEN", "abc")
    monkeypatch.setenv("TAPEDECK_MASK", "sesame\nopen\nand")
    monkeypatch.setenv("SHOP_PASSWORD", 'quo"ted')
    dashboard = Dashboard()
    track = track_of(dashboard)
    with track.listening():
        logging.getLogger("shop").error('tok-0123/456 tok-0123%2F456 abc and sesame "quo\\"ted", \\nCookie: a=b; c=d')
    track.finish(monotonic() + 10)
    assert dashboard.texts == ['shop: *** *** abc and *** "***", \\nCookie: ***']
