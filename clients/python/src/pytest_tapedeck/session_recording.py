"""The recording of a session: of its own, or that of ``tapedeck run``. Nothing here ever fails a test."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from tapedeck import Recorder, Tapedeck, TapedeckError
from tapedeck._calls import api_key_of, instant, url_at, url_of
from tapedeck._clock import monotonic
from tapedeck._guardian import Guardian
from tapedeck.types import CreateJobMarker, Job, Keep, NewTestResult, Outcome, Runner

from .delivery import Delivery, sentence_of
from .log_track import LogTrack
from .secret_mask import SecretMask

START_TIMEOUT = 20.0
"""Seconds for which the tests are held back for the first frame."""
URL_TIMEOUT = 3.0
"""Seconds for which they are held back for the recording's address. Links lead to the job without it."""
END_PATIENCE = 30.0
"""Seconds for which the end of the tests waits for a dashboard that is away."""


class WithoutRunner(ValueError):
    """No runner that is online has the display."""


class Owner(NamedTuple):
    """The owner of a process's results."""

    kind: Literal["job", "test run"]
    id: int


@dataclass(frozen=True)
class Order:
    runner: int | str | None
    display: str | None
    name: str
    labels: Mapping[str, str]
    keep: Keep
    max_seconds: int
    worker: str
    """The worker of xdist; empty without xdist."""


class SessionRecording:
    def __init__(
        self, client: Tapedeck, recorder: Recorder | None, job: Job, guardian: Guardian | None = None, worker: str = ""
    ) -> None:
        self._client = client
        self._recorder = recorder
        self._job = job
        self._guardian = guardian
        self._delivery = Delivery(client, job["id"])
        self.mask = SecretMask()
        # A track has one sender: workers may share a recording, and its runner writes the track "log".
        self.log = LogTrack(client, job["id"], f"log.pytest{worker and f'.{worker}'}", self.instant, self.mask)

    @classmethod
    def start(cls, order: Order) -> SessionRecording:
        """Records the display, or adds to the recording of ``tapedeck run``. Waits for the first frame.

        :raises TapedeckError, ValueError: with a sentence why nothing can be recorded.
        """
        job_id, job_url = os.environ.get("TAPEDECK_JOB_ID", ""), os.environ.get("TAPEDECK_JOB_URL", "")
        if job_id.isdecimal() and job_url:
            client = open_own_client(os.environ.get("TAPEDECK_URL") or job_url.partition("/jobs/")[0])
            job = client.jobs.wait(int(job_id), "recording", timeout=START_TIMEOUT)
            return cls(client, None, stored(client, job), worker=order.worker)
        return cls.record(order)

    @classmethod
    def record(cls, order: Order) -> SessionRecording:
        """Begins a recording of the session's own, and waits for the first frame.

        :raises TapedeckError, ValueError: with a sentence why nothing can be recorded.
        """
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
            return cls(client, recorder, stored(client, recorder.job), guardian, order.worker)
        except BaseException:
            # For example Ctrl-C. Nobody would end it later.
            recorder.end("error")
            raise

    @property
    def owner(self) -> Owner:
        return Owner("job", self.job_id)

    @property
    def job_id(self) -> int:
        return self._job["id"]

    @property
    def display(self) -> str:
        """The display that is recorded, such as ``:104``."""
        return self._job["displayId"]

    @property
    def is_own(self) -> bool:
        """Whether this session ends it."""
        return self._recorder is not None

    @property
    def url(self) -> str:
        return url_of(self._client.url, self._job)

    def link_to(self, key: str, moment: datetime, *, waits: bool) -> str:
        """The link to a test result, or to its moment while the dashboard has not stored it.

        :param moment: by this machine's clock.
        :param waits: whether to wait for the dashboard, for a moment.
        """
        result_id = self._delivery.id_of(key, waits=waits)
        return self.url_at(moment) if result_id is None else f"{self.url}?result={result_id}"

    def url_at(self, moment: datetime) -> str:
        """:param moment: by this machine's clock."""
        return url_at(self.url, self._job, self._client.dashboard_time(moment))

    def instant(self, moment: datetime) -> str:
        """Converts a time of this machine's clock, which may be set in the meantime, to the dashboard's."""
        return instant(self._client.dashboard_time(moment))

    def report(self, result: NewTestResult) -> None:
        self._delivery.report(result)

    def mark(self, marker: CreateJobMarker) -> None:
        self._delivery.mark(marker)

    def attach(self, key: str, title: str, item: object) -> None:
        """The recording's log contains the output of tests."""

    def follow(self, test: str | None) -> None:
        """Says what runs now."""
        if self._guardian is not None:
            self._guardian.follow(test)

    def end(self, outcome: Outcome | None) -> str | None:
        """Sends what is left, and ends the recording if it is the session's own.

        :param outcome: None if no test ran in this process.
        :returns: what went wrong, as a sentence.
        """
        until = monotonic() + END_PATIENCE
        missing, problem = self._delivery.finish(until)
        lines = self.log.finish(until)
        if lines > 0:
            missing = f"{missing} and {lines} lines of its log" if missing else f"{lines} lines of its log"
        faults = [] if missing is None else [f"lacks {missing}"]
        was_ended = True
        if self._recorder is not None:
            try:
                self._recorder.end(outcome, patience=max(0, until - monotonic()))
            except Exception as error:
                problem, was_ended = sentence_of(error), False
                faults.insert(0, "was not ended")
        if self._guardian is not None:
            # It keeps trying.
            self._guardian.dismiss() if was_ended else self._guardian.end(outcome)
        self._client.close()
        return f"The recording {self.url} {' and '.join(faults)}: {problem}" if faults else None


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
    return runner_of(
        client,
        None,
        lambda runner: display in [each["id"] for each in runner["displays"]],
        nobody=f"No runner that is online has the display {display}",
        several=f"have a display {display}",
    )


def runner_of(
    client: Tapedeck, name: str | int | None, fits: Callable[[Runner], bool], *, nobody: str, several: str
) -> int:
    """The runner that is online and fits: the one of this name, else the one of this machine, or else the only one.

    :param nobody: why there is none.
    :param several: what several runners do.
    :raises ValueError: unless it is clear which one.
    """
    runners = [runner for runner in client.runners.list() if runner["state"] == "online" and fits(runner)]
    here = name or os.environ.get("TAPEDECK_RUNNER_NAME") or socket.gethostname()
    chosen = [runner for runner in runners if runner["name"] == here] or ([] if name else runners)
    if len(chosen) == 1:
        return chosen[0]["id"]
    if not chosen:
        raise WithoutRunner(nobody)
    names = ", ".join(runner["name"] for runner in chosen)
    raise ValueError(f"{names} {several}. Choose one with --tapedeck-runner")


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
