"""Ends the recording of a process that was killed, and of one whose dashboard was away when it ended.

It runs as a program of its own, in the background. Until there is something to do, it needs the standard library alone.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tapedeck.types import Outcome

PATIENCE = 15 * 60.0
"""Seconds for which it keeps trying while the dashboard is away."""


@dataclass
class Guardian:
    """As the guarded process has it."""

    _pipe: IO[bytes]

    @classmethod
    def start(cls, url: str, api_key: str, job_id: int) -> Guardian | None:
        """:returns: None where there can be none."""
        if os.name != "posix" or not sys.executable or getattr(sys, "frozen", False):
            return None
        path = [os.path.abspath(folder) for folder in sys.path]
        order = {"pid": os.getpid(), "path": path, "url": url, "key": api_key, "job": job_id}
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
        except OSError:
            return None
        assert process.stdin is not None
        guardian = cls(process.stdin)
        guardian._send(order)
        # Only its first process is waited for: tests that wait for all their children must not wait for this one.
        try:
            is_started = process.wait(timeout=10) == 0
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            is_started = False
        return guardian if is_started else None

    def follow(self, test: str | None) -> None:
        """The running test, which has failed if the process ends here."""
        self._send({"test": test})

    def end(self, outcome: Outcome | None) -> None:
        """Asks for what the process has tried in vain: to end its recording."""
        self._send({"end": outcome})
        self._close()

    def dismiss(self) -> None:
        self._send({"done": True})
        self._close()

    def _send(self, message: dict[str, Any]) -> None:
        # It is gone, or a test has closed what it did not open.
        with suppress(OSError, ValueError):
            self._pipe.write(json.dumps(message).encode() + b"\n")
            self._pipe.flush()

    def _close(self) -> None:
        with suppress(OSError):
            self._pipe.close()


def main() -> None:
    order = json.loads(sys.stdin.buffer.readline())
    process = open_process(order["pid"])
    if os.fork() > 0:
        os._exit(0)
    messages = Messages()
    watch(process, messages)
    if not messages.is_done:
        end_recording(order, messages)


class Messages:
    def __init__(self) -> None:
        self.test: str | None = None
        self.outcome: Outcome | None = "error"
        self.is_done = self.is_asked = self.is_closed = False
        self._rest = b""

    def read(self) -> None:
        data = os.read(0, 65536)
        self.is_closed = not data
        *lines, self._rest = (self._rest + data).split(b"\n")
        for message in map(json.loads, lines):
            self.test = message.get("test", self.test)
            self.is_done = self.is_done or "done" in message
            self.is_asked = self.is_asked or "end" in message
            self.outcome = message.get("end", self.outcome)


def open_process(pid: int) -> int | None:
    """A file descriptor that becomes readable when the process ends; None where there is none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def watch(process: int | None, messages: Messages) -> None:
    """Returns when the process has ended, or has said all."""
    while not messages.is_done and not messages.is_asked:
        watched = [*([] if messages.is_closed else [0]), *([] if process is None else [process])]
        if not watched:
            return
        ready, _, _ = select.select(watched, [], [])
        if 0 in ready:
            messages.read()
        elif process in ready:
            return


def end_recording(order: dict[str, Any], messages: Messages) -> None:
    sys.path[:] = order["path"]
    from tapedeck import Tapedeck, TapedeckError

    until = time.monotonic() + PATIENCE
    with Tapedeck(order["url"], order["key"]) as client:
        while True:
            try:
                job = client.jobs.get(order["job"])
                break
            except TapedeckError as error:
                if 0 < error.status < 500 or time.monotonic() > until:
                    return
                time.sleep(5)
        if job["status"] not in ("queued", "starting", "recording") or job["cancelRequestedAt"] is not None:
            # It has ended in its usual way.
            return
        if not messages.is_asked:
            label = messages.test or "pytest ended without a result"
            with suppress(TapedeckError):
                client.jobs.mark(
                    job["id"], label, kind="fail", message="pytest was killed, or crashed, at this moment."
                )
        if messages.outcome is not None:
            with suppress(TapedeckError):
                client.jobs.update(job["id"], {"outcome": messages.outcome}, patience=PATIENCE)
        client.jobs.cancel(job["id"], patience=max(0, until - time.monotonic()))


if __name__ == "__main__":
    main()
