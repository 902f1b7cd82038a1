"""The recording of a session: of its own, or that of ``tapedeck run``. Nothing here ever fails a test."""

from __future__ import annotations

import json
import os
import re
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tapedeck import Recorder, Tapedeck, TapedeckError
from tapedeck._calls import api_key_of, backoff, instant, url_at, url_of
from tapedeck._clock import monotonic
from tapedeck._guardian import Guardian
from tapedeck.types import CreateJobMarker, Job, Keep, Outcome

from .results import ResultMarker

START_TIMEOUT = 20.0
"""Seconds for which the tests are held back for the first frame."""
URL_TIMEOUT = 3.0
"""Seconds for which they are held back for the recording's address. Links lead to the job without it."""
END_PATIENCE = 30.0
"""Seconds for which the end of the tests waits for a dashboard that is away."""
MAX_BATCH, MAX_BATCH_BYTES = 500, 500_000
"""Markers of one call, and roughly their JSON."""


@dataclass(frozen=True)
class Order:
    runner: str | None
    display: str | None
    name: str
    labels: Mapping[str, str]
    keep: Keep
    max_seconds: int


class SessionRecording:
    """Markers are sent in the background, so that tests wait neither for the network nor for the dashboard."""

    def __init__(self, client: Tapedeck, recorder: Recorder | None, job: Job, guardian: Guardian | None = None) -> None:
        self._client = client
        self._recorder = recorder
        self._job = job
        self._guardian = guardian
        self._queue: list[ResultMarker] = []
        self._changed = threading.Condition()
        self._give_up_at: float | None = None
        self._refused = 0
        self._problem = ""
        self._sender = threading.Thread(target=self._send_all, name="tapedeck-markers", daemon=True)
        self._sender.start()

    @classmethod
    def start(cls, order: Order) -> SessionRecording:
        """Waits for the first frame.

        :raises TapedeckError, ValueError: with a sentence why nothing can be recorded.
        """
        job_id, job_url = os.environ.get("TAPEDECK_JOB_ID", ""), os.environ.get("TAPEDECK_JOB_URL", "")
        if job_id.isdecimal() and job_url:
            client = open_own_client(os.environ.get("TAPEDECK_URL") or job_url.partition("/jobs/")[0])
            job = client.jobs.wait(int(job_id), "recording", timeout=START_TIMEOUT)
            return cls(client, None, stored(client, job))
        client = open_own_client()
        recorder = client.record(
            runner=order.runner or runner_with(client, order.display),
            display=order.display,
            name=order.name,
            labels=order.labels,
            keep=order.keep,
            max_duration_seconds=order.max_seconds,
            start_timeout=START_TIMEOUT,
            playable_timeout=0,
        )
        recorder.__enter__()
        try:
            guardian = Guardian.start(client.url, api_key_of(None), recorder.job["id"])
            return cls(client, recorder, stored(client, recorder.job), guardian)
        except BaseException:
            # Such as Ctrl-C. Nobody would end it later.
            recorder.end("error")
            raise

    @property
    def job_id(self) -> int:
        return self._job["id"]

    @property
    def is_own(self) -> bool:
        """Whether this session ends it."""
        return self._recorder is not None

    @property
    def url(self) -> str:
        return url_of(self._client.url, self._job)

    def url_at(self, moment: datetime) -> str:
        """:param moment: by this machine's clock."""
        return url_at(self.url, self._job, self._client.dashboard_time(moment))

    def mark(self, marker: ResultMarker) -> None:
        # Now: this machine's clock may be set before it is sent.
        marker = replace(marker, at=self._client.dashboard_time(marker.at))
        with self._changed:
            self._queue.append(marker)
            self._changed.notify()

    def follow(self, test: str | None) -> None:
        """Says what runs now."""
        if self._guardian is not None:
            self._guardian.follow(test)

    def end(self, outcome: Outcome) -> str | None:
        """Sends what is left, and ends the recording if it is the session's own.

        :returns: what went wrong, as a sentence.
        """
        until = monotonic() + END_PATIENCE
        with self._changed:
            self._give_up_at = until
            self._changed.notify()
        self._sender.join()
        faults = []
        if self._recorder is not None:
            try:
                self._recorder.end(outcome, patience=max(0, until - monotonic()))
            except Exception as error:
                self._problem = sentence_of(error)
                faults.append("was not ended")
        if self._guardian is not None:
            # It goes on trying.
            self._guardian.end(outcome) if "was not ended" in faults else self._guardian.dismiss()
        missing = len(self._queue) + self._refused
        if missing > 0:
            faults.append("lacks 1 marker" if missing == 1 else f"lacks {missing} markers")
        self._client.close()
        return f"The recording {self.url} {' and '.join(faults)}: {self._problem}" if faults else None

    def _send_all(self) -> None:
        """Sends the markers that there are in one call. Those that come meanwhile are the next call's."""
        failures = 0
        while batch := self._next():
            try:
                if failures > 0:
                    batch = self._without_stored(batch)
                if batch:
                    self._client.jobs.mark_all(self.job_id, [self._body(marker) for marker in batch])
                self._remove(batch)
                failures = 0
            except Exception as error:
                self._problem = sentence_of(error)
                if not isinstance(error, TapedeckError) or error.status in (0, 429, 502, 503, 504):
                    # Also when a test has replaced or forbidden sockets: for its time, nothing can be sent.
                    failures += 1
                    if not self._pause(backoff(failures)):
                        return
                elif error.status in (401, 403, 404):
                    # The key has no access any more, or the job was deleted.
                    return
                else:
                    self._take_refusal(batch, error)
                    failures = 0

    def _take_refusal(self, batch: list[ResultMarker], error: TapedeckError) -> None:
        """What is left is sent again."""
        # Such as markers after the end of a recording that ended early.
        refused = refused_of(batch, error)
        self._refused += len(refused)
        self._remove(refused)

    def _next(self) -> list[ResultMarker]:
        """:returns: no markers when the session has ended and all are sent."""
        with self._changed:
            while not self._queue and self._give_up_at is None:
                self._changed.wait()
            batch, size = self._queue[:MAX_BATCH], 0
        for count, marker in enumerate(batch):
            size += len(json.dumps(self._body(marker)))
            if size > MAX_BATCH_BYTES and count > 0:
                return batch[:count]
        return batch

    def _body(self, marker: ResultMarker) -> CreateJobMarker:
        body: CreateJobMarker = {"label": marker.label, "kind": marker.kind, "at": instant(marker.at)}
        if marker.message is not None:
            body["message"] = marker.message
        return body

    def _without_stored(self, batch: list[ResultMarker]) -> list[ResultMarker]:
        """The answer to an earlier try may have been lost."""
        stored = {(each["label"], each["at"]) for each in self._client.jobs.markers(self.job_id)}
        added = [marker for marker in batch if (marker.label, instant(marker.at)) in stored]
        self._remove(added)
        return [marker for marker in batch if marker not in added]

    def _remove(self, markers: list[ResultMarker]) -> None:
        gone = set(markers)
        with self._changed:
            self._queue = [marker for marker in self._queue if marker not in gone]

    def _pause(self, seconds: float) -> bool:
        """:returns: whether there is time for another try."""
        until = monotonic() + seconds
        with self._changed:
            while (left := until - monotonic()) > 0:
                if self._give_up_at is not None and until > self._give_up_at:
                    return False
                self._changed.wait(left)
        return True


def refused_of(batch: list[ResultMarker], error: TapedeckError) -> list[ResultMarker]:
    """Those that the error names; all if it names none."""
    places = [re.match(r"markers\.(\d+)\b", fault["path"]) for fault in error.errors]
    indices = {int(place[1]) for place in places if place is not None}
    return [marker for index, marker in enumerate(batch) if index in indices] or batch


def stored(client: Tapedeck, job: Job) -> Job:
    """The job once its recording has an address, which takes a moment from the first frame on."""
    until = monotonic() + URL_TIMEOUT
    with suppress(TapedeckError):
        while job["recording"] is None and monotonic() < until:
            time.sleep(0.1)
            job = client.jobs.get(job["id"])
    return job


def runner_with(client: Tapedeck, display: str | None) -> int:
    """The runner that has the display of these tests. Another machine's display may have the same number.

    :raises ValueError: unless it is clear which one.
    """
    if display is None:
        raise ValueError("There is no DISPLAY to record. Set it, or use --tapedeck-runner")
    runners = [
        runner
        for runner in client.runners.list()
        if runner["state"] == "online" and display in [each["id"] for each in runner["displays"]]
    ]
    here = os.environ.get("TAPEDECK_RUNNER_NAME") or socket.gethostname()
    chosen = [runner for runner in runners if runner["name"] == here] or runners
    if len(chosen) == 1:
        return chosen[0]["id"]
    if not chosen:
        raise ValueError(f"No runner that is online has the display {display}")
    names = ", ".join(runner["name"] for runner in chosen)
    raise ValueError(f"{names} have a display {display}. Choose one with --tapedeck-runner")


def set_outcome(job_id: int, outcome: Outcome) -> None:
    """Replaces the outcome of a recording that has ended."""
    with open_own_client() as client:
        client.jobs.update(job_id, {"outcome": outcome}, patience=END_PATIENCE)


def open_own_client(url: str | None = None) -> Tapedeck:
    """A client whose calls stay what they are when tests replace those of httpx, as pytest-httpx does."""
    client = Tapedeck(url, retries=1)
    http_client: Any = client._transport._client
    transport = getattr(http_client, "_transport", None)
    for owner, name in (
        *((http_client, "send"), (http_client, "_send_single_request"), (transport, "handle_request")),
        (getattr(transport, "_pool", None), "handle_request"),
    ):
        if hasattr(owner, name):
            setattr(owner, name, getattr(owner, name))
    return client


def sentence_of(error: Exception) -> str:
    if isinstance(error, TapedeckError):
        return next((fault["message"] for fault in error.errors), error.detail)
    return str(error) or type(error).__name__
