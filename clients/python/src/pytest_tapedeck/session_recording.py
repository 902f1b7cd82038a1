"""The recording of a session: of its own, or that of ``tapedeck run``. Nothing here ever fails a test."""

from __future__ import annotations

import os
import re
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Literal

from tapedeck import Recorder, Tapedeck, TapedeckError
from tapedeck._calls import backoff, instant, url_at, url_of
from tapedeck.types import CreateJobMarker, Job, Keep, Outcome

START_TIMEOUT = 20.0
"""Seconds for which the tests are held back for the first frame."""
URL_TIMEOUT = 3.0
"""Seconds for which they are held back for the recording's address. Links lead to the job without it."""
END_PATIENCE = 30.0
"""Seconds for which the end of the tests waits for a dashboard that is away."""
MAX_BATCH = 500
"""Markers of one call."""


@dataclass(frozen=True)
class Order:
    runner: str | None
    display: str | None
    name: str
    labels: Mapping[str, str]
    keep: Keep
    max_seconds: int


# Two may say the same.
@dataclass(frozen=True, eq=False)
class ResultMarker:
    label: str
    kind: Literal["pass", "fail", "note"]
    at: datetime

    @property
    def body(self) -> CreateJobMarker:
        return {"label": self.label, "kind": self.kind, "at": instant(self.at)}


class SessionRecording:
    """Markers are sent in the background, so that tests wait neither for the network nor for the dashboard."""

    def __init__(self, client: Tapedeck, recorder: Recorder | None, job: Job) -> None:
        self._client = client
        self._recorder = recorder
        self._job = job
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
            client = Tapedeck(os.environ.get("TAPEDECK_URL") or job_url.partition("/jobs/")[0], retries=1)
            job = client.jobs.wait(int(job_id), "recording", timeout=START_TIMEOUT)
            return cls(client, None, stored(client, job))
        client = Tapedeck(retries=1)
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
        return cls(client, recorder, stored(client, recorder.job))

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
        return url_at(self.url, self._job, moment)

    def mark(self, marker: ResultMarker) -> None:
        with self._changed:
            self._queue.append(marker)
            self._changed.notify()

    def end(self, outcome: Outcome) -> str | None:
        """Sends what is left, and ends the recording if it is the session's own.

        :returns: what went wrong, as a sentence.
        """
        until = time.monotonic() + END_PATIENCE
        with self._changed:
            self._give_up_at = until
            self._changed.notify()
        self._sender.join()
        faults = []
        if self._recorder is not None:
            try:
                self._recorder.end(outcome, patience=max(0, until - time.monotonic()))
            except TapedeckError as error:
                self._problem = error.detail
                faults.append("was not ended")
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
                    self._client.jobs.mark_all(self.job_id, [marker.body for marker in batch])
                self._remove(batch)
                failures = 0
            except TapedeckError as error:
                self._problem = next((fault["message"] for fault in error.errors), error.detail)
                # The key has no access any more, or the job was deleted.
                if error.status in (401, 403, 404):
                    return
                if error.status in (0, 429, 502, 503, 504):
                    failures += 1
                    if not self._pause(backoff(failures)):
                        return
                else:
                    # Such as markers after the end of a recording that ended early. The others are sent again.
                    refused = refused_of(batch, error)
                    self._refused += len(refused)
                    self._remove(refused)
                    failures = 0

    def _next(self) -> list[ResultMarker]:
        """:returns: no markers when the session has ended and all are sent."""
        with self._changed:
            while not self._queue and self._give_up_at is None:
                self._changed.wait()
            return self._queue[:MAX_BATCH]

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
        until = time.monotonic() + seconds
        with self._changed:
            while (left := until - time.monotonic()) > 0:
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
    until = time.monotonic() + URL_TIMEOUT
    with suppress(TapedeckError):
        while job["recording"] is None and time.monotonic() < until:
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


def end_abandoned(job_id: int, label: str) -> str | None:
    """Ends the recording of a worker that has crashed.

    :returns: what went wrong, as a sentence.
    """
    try:
        with Tapedeck(retries=1) as client:
            client.jobs.mark(job_id, label, kind="fail", at=datetime.now(timezone.utc))
            client.jobs.update(job_id, {"outcome": "error"})
            client.jobs.cancel(job_id, patience=END_PATIENCE)
    except (TapedeckError, ValueError) as error:
        return f"The recording of a worker that crashed was not ended: {error}"
    return None
