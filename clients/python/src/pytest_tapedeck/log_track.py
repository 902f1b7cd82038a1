"""The log records and the captured output of tests as a track of the recording: sent in the background."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Literal

import pytest

from tapedeck import Tapedeck
from tapedeck._calls import NewTrackLine
from tapedeck._clock import now

from .background import BackgroundSender, is_away
from .secret_mask import SecretMask

Level = Literal["debug", "info", "warn", "error"]

MAX_WAITING = 50_000
"""Lines, while the dashboard is away. Later ones are left out."""
MAX_LINES = 2_000
"""Maximum number of lines in one call."""
BATCH_SECONDS = 1.0


class LogTrack(logging.Handler):
    """Nothing that it meets fails a test, and no test waits for it."""

    def __init__(
        self, client: Tapedeck, job_id: int, name: str, instant: Callable[[datetime], str], mask: SecretMask
    ) -> None:
        super().__init__()
        self._client = client
        self._job_id = job_id
        self._name = name
        self._instant = instant
        self._mask = mask
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))
        self._lines: list[NewTrackLine] = []
        self._changed = threading.Condition()
        self._received: int | None = None
        self._is_refused = False
        self._lost = 0
        self._sender = BackgroundSender(
            "tapedeck-log", self._changed, lambda: bool(self._lines), self._send, BATCH_SECONDS
        )

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While a test runs, as pytest itself: a handler that is always there changes what ``basicConfig`` does."""
        root = logging.getLogger()
        root.addHandler(self)
        try:
            yield
        finally:
            root.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        # Our own calls are logged, too.
        if not threading.current_thread().name.startswith("tapedeck-"):
            try:
                self.add(self.format(record), level_of(record.levelno), now())
            except Exception:
                # The arguments of a test's own record do not fit: pytest reports that.
                return

    def add_captured(self, report: pytest.TestReport, at: datetime) -> None:
        """Adds the output of a phase of a test, which is known at the end of the phase."""
        for title, text in report.sections:
            level: Level = "info" if title == f"Captured stdout {report.when}" else "error"
            if level == "info" or title == f"Captured stderr {report.when}":
                for line in text.splitlines():
                    self.add(line, level, at)

    def add(self, text: str, level: Level, at: datetime) -> None:
        line: NewTrackLine = {"at": self._instant(at), "text": self._mask.apply(text), "level": level}
        with self._changed:
            if self._is_refused or len(self._lines) >= MAX_WAITING:
                self._lost += 1
                return
            self._lines.append(line)
            self._changed.notify()

    def finish(self, until: float) -> int:
        """Sends what is left.

        :param until: when to give up if the dashboard is away, by ``monotonic()``.
        :returns: how many lines are missing.
        """
        self._sender.finish(until)
        return self._lost + len(self._lines)

    def _send(self, _is_again: bool) -> bool:
        with self._changed:
            batch = self._lines[:MAX_LINES]
        try:
            if self._received is None:
                # Known before anything is sent: then it can be sent again.
                self._received = self._client.jobs.add_track_lines(self._job_id, self._name, [])["received"]
            track = self._client.jobs.add_track_lines(self._job_id, self._name, batch, start=self._received)
        except Exception as error:
            if is_away(error):
                raise
            # For example a dashboard without tracks, or a track that is full.
            with self._changed:
                self._is_refused = True
            return False
        self._received = track["received"]
        with self._changed:
            del self._lines[: len(batch)]
        return True


def level_of(number: int) -> Level:
    if number >= logging.ERROR:
        return "error"
    if number >= logging.WARNING:
        return "warn"
    return "info" if number >= logging.INFO else "debug"
