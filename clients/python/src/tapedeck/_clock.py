"""The time, whatever time a test has set with freezegun or time-machine: they replace what ``time`` has. And the
dashboard's clock, as its answers tell it: this machine's may be wrong."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone


def _system_clock(name: str) -> Callable[[], float] | None:
    """A clock of the C library, which neither of the two replaces; None where there is no such library."""
    try:
        import ctypes

        class Timespec(ctypes.Structure):
            _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]

        number = getattr(time, name)
        read = ctypes.CDLL(None).clock_gettime
        read.argtypes, read.restype = (ctypes.c_int, ctypes.POINTER(Timespec)), ctypes.c_int
        if read(number, ctypes.byref(Timespec())) != 0:
            return None
    except (ImportError, OSError, AttributeError, TypeError):
        return None

    def now() -> float:
        value = Timespec()
        read(number, ctypes.byref(value))
        return float(value.seconds + value.nanoseconds / 1e9)

    return now


def _since_import(first: float) -> Callable[[], float]:
    """Counts from the import on. The counter is in a closure, because freezegun replaces what is a module's."""
    count, begin = time.perf_counter, time.perf_counter()
    return lambda: first + count() - begin


seconds: Callable[[], float] = _system_clock("CLOCK_REALTIME") or _since_import(time.time())
"""Seconds since 1970."""
monotonic: Callable[[], float] = _system_clock("CLOCK_MONOTONIC") or _since_import(time.monotonic())


def now() -> datetime:
    return datetime.fromtimestamp(seconds(), timezone.utc)


TIME_HEADER = "tapedeck-time"
"""In answers of the API: what the dashboard's clock showed, as RFC 3339, and for how many ms it had had the call."""
_DRIFT = 1e-4
"""Upper bound for the drift between two clocks, in seconds per second."""
_MIN_SHIFT = 0.5
"""Clocks that NTP sets differ by less: smaller differences may be latency, and change no time that the caller gave."""


@dataclass(frozen=True)
class _Reading:
    time: float
    """The dashboard's clock at ``measured_at``, in seconds since 1970."""
    measured_at: float
    """``monotonic()`` then, if the request and its answer took the same time on their way."""
    error: float
    """At most: half of that time."""

    def error_after(self, passed: float) -> float:
        return self.error + passed * _DRIFT

    def is_better_than(self, best: _Reading) -> bool:
        passed = self.measured_at - best.measured_at
        # The best can be outdated: the monotonic clock stops while a machine sleeps, and the dashboard's can be set.
        # The clocks of two dashboards differ a little: a late answer of the one must not contradict the other.
        apart = abs(best.time + passed - self.time)
        contradicts = apart > best.error_after(passed) + self.error + _MIN_SHIFT
        return contradicts or self.error <= best.error_after(passed)


class DashboardClock:
    """Keeps the reading of the fastest call. It is compared with the monotonic clock, so that setting this machine's
    clock is noticed at once. As clients/typescript/src/dashboard-clock.ts does."""

    def __init__(self) -> None:
        self._best: _Reading | None = None

    def read(self, dashboard_time: str | None, called_at: float) -> None:
        """Takes the dashboard's time from an answer.

        :param dashboard_time: its header.
        :param called_at: ``monotonic()`` when the call was sent.
        """
        text, _, held = (dashboard_time or "").partition("; dur=")
        try:
            time = datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
            held_seconds = int(held or 0) / 1000
        except ValueError:
            return
        now = monotonic()
        # Some calls are held for a minute until something happens.
        error = max(0.0, now - called_at - held_seconds) / 2
        reading = _Reading(time, now - error, error)
        if self._best is None or reading.is_better_than(self._best):
            self._best = reading

    @property
    def shift(self) -> float | None:
        """Seconds to add to this machine's clock to get the dashboard's; None before the first answer."""
        best = self._best
        if best is None:
            return None
        passed = monotonic() - best.measured_at
        shift = best.time + passed - seconds()
        # A slow answer alone must not change times.
        return 0.0 if abs(shift) <= best.error_after(passed) else shift

    def time_of(self, local: datetime) -> datetime:
        """The dashboard's time at a time of this machine's clock: the same, unless that clock is known to be wrong."""
        shift = self.shift or 0.0
        return local if abs(shift) < _MIN_SHIFT else local.astimezone(timezone.utc) + timedelta(seconds=shift)
