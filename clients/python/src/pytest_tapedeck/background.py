"""Sends what waits in the background: tests wait neither for the network nor for the dashboard."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tapedeck import TapedeckError
from tapedeck._calls import backoff
from tapedeck._clock import monotonic


class BackgroundSender:
    """A thread that makes one call after another while anything waits, and tries again while the dashboard is away."""

    def __init__(
        self,
        name: str,
        changed: threading.Condition,
        is_waiting: Callable[[], bool],
        send: Callable[[bool], bool],
        gather_seconds: float = 0,
    ) -> None:
        """
        :param changed: guards what waits; notify it when there is more.
        :param is_waiting: whether there is anything to send.
        :param send: makes one call and removes what it has sent. Gets whether the call before has failed, so that its
            answer may only have been lost. Returns whether to go on; is called again after an exception.
        :param gather_seconds: how long what comes first waits for what goes with it.
        """
        self._changed, self._is_waiting, self._send, self._gather_seconds = changed, is_waiting, send, gather_seconds
        self._give_up_at: float | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def finish(self, until: float) -> None:
        """Waits until all is sent.

        :param until: when to give up if the dashboard is away, by ``monotonic()``.
        """
        with self._changed:
            self._give_up_at = until
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        failures = 0
        while self._wait():
            try:
                if not self._send(failures > 0):
                    return
                failures = 0
            except Exception:
                failures += 1
                if not self._pause(backoff(failures)):
                    return

    def _wait(self) -> bool:
        """:returns: whether there is anything to send; not if the session has ended and all is sent."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_waiting() or self._give_up_at is not None)
            if self._gather_seconds > 0:
                self._changed.wait_for(lambda: self._give_up_at is not None, self._gather_seconds)
            return self._is_waiting()

    def _pause(self, seconds: float) -> bool:
        """:returns: whether there is time for another try."""
        until = monotonic() + seconds
        with self._changed:
            while (left := until - monotonic()) > 0:
                if self._give_up_at is not None and until > self._give_up_at:
                    return False
                self._changed.wait(left)
        return True


def is_away(error: Exception) -> bool:
    """Whether another try may succeed. Also when a test has replaced or forbidden sockets: for its time, nothing can be
    sent."""
    return not isinstance(error, TapedeckError) or error.status in (0, 429, 502, 503, 504)
