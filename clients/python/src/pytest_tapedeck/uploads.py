"""Sends the files of tests in the background, two at a time. No test waits for them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from tapedeck._clock import monotonic

from .delivery import sentence_of

AT_ONCE = 2
MAX_NAMED = 5
"""Files that are named when they were not sent."""


class Uploads:
    def __init__(self) -> None:
        self._waiting: deque[tuple[str, Callable[[], object]]] = deque()
        self._changed = threading.Condition()
        self._sending: list[str] = []
        self._missing: list[str] = []
        self._problem = ""

    def add(self, title: str, send: Callable[[], object]) -> None:
        """
        :param title: such as ``trace.zip of test_pays``.
        :param send: sends the file, or raises.
        """
        with self._changed:
            self._waiting.append((title, send))
            if len(self._sending) < AT_ONCE:
                self._sending.append("")
                # A thread of ours: the log leaves out what it logs.
                threading.Thread(target=self._run, name="tapedeck-files", daemon=True).start()

    def finish(self, seconds: float) -> str | None:
        """Waits until all are sent, or the time is over.

        :returns: a sentence about those that were not.
        """
        until = monotonic() + seconds
        with self._changed:
            while self._sending and (left := until - monotonic()) > 0:
                self._changed.wait(left)
            late = [title for title in self._sending if title] + [title for title, _ in self._waiting]
            self._waiting.clear()
            missing = self._missing + late
            problem = self._problem or f"there was no time left after {seconds:g} s"
        if not missing:
            return None
        more = f" and {len(missing) - MAX_NAMED} more files" if len(missing) > MAX_NAMED else ""
        return f"Not uploaded: {', '.join(missing[:MAX_NAMED])}{more}: {problem.rstrip('.')}."

    def _run(self) -> None:
        title = ""
        while True:
            with self._changed:
                self._sending.remove(title)
                if not self._waiting:
                    self._changed.notify_all()
                    return
                title, send = self._waiting.popleft()
                self._sending.append(title)
            try:
                send()
            except Exception as error:
                with self._changed:
                    self._missing.append(title)
                    self._problem = self._problem or sentence_of(error)
