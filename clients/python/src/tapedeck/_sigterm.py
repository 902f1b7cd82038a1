"""SIGTERM ends what is recorded as Ctrl-C does. By default, it ends the process alone, and the recording continues."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from ._clock import monotonic

_REPEATED = 1.0
"""Seconds within which a second signal is the same one, passed on by a parent process as well."""


class Terminated(KeyboardInterrupt):
    """Raised where the program is when SIGTERM comes. Test frameworks and event loops stop at it as at Ctrl-C."""


class SigtermInterrupt:
    """The effect of SIGTERM where nothing else handles the signal."""

    def __init__(self, deliver: Callable[[], None] | None = None) -> None:
        """:param deliver: what the signal does, instead of raising ``Terminated``."""
        self.came = False
        self._deliver = deliver or _raise_terminated
        self._came_at = 0.0
        self._deferrals = 0
        self._is_pending = False
        self._handles_forks = False
        self._forking = threading.local()

    def install(self) -> bool:
        """:returns: whether the signal is handled here; not in other threads, and not if the program handles it."""
        if threading.current_thread() is not threading.main_thread():
            return False
        if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
            return self._is_installed()
        signal.signal(signal.SIGTERM, self._handle)
        if not self._handles_forks and hasattr(os, "register_at_fork"):
            os.register_at_fork(
                before=self._before_fork, after_in_parent=self._after_fork, after_in_child=self._after_fork_in_child
            )
            self._handles_forks = True
        return True

    def remove(self) -> None:
        # Another thread cannot change it.
        with suppress(ValueError):
            if self._is_installed():
                signal.signal(signal.SIGTERM, signal.SIG_DFL)

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """Inside, nothing is raised. The signal is pending then."""
        self._deferrals += 1
        try:
            yield
        finally:
            self._deferrals -= 1

    def raise_pending(self) -> None:
        if self._is_pending and self._deferrals == 0:
            self._is_pending = False
            raise Terminated

    def end_process(self) -> None:
        """Ends the process as the signal would have done at once."""
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        self.remove()
        signal.raise_signal(signal.SIGTERM)

    # A child has the signal's default. One that is sent before that is set would be lost.
    def _before_fork(self) -> None:
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM]) if self._is_installed() else None
        self._forking.mask = mask

    def _after_fork(self) -> None:
        mask = getattr(self._forking, "mask", None)
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def _after_fork_in_child(self) -> None:
        self.remove()
        self._after_fork()

    def _is_installed(self) -> bool:
        return signal.getsignal(signal.SIGTERM) == self._handle

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.came:
            if monotonic() - self._came_at > _REPEATED:
                self.end_process()
            return
        self.came, self._came_at = True, monotonic()
        if self._deferrals > 0:
            self._is_pending = True
            return
        self._deliver()


def _raise_terminated() -> None:
    raise Terminated


class Block:
    """A block that is recorded, in the program's main thread."""

    def __init__(self, *, in_loop: bool) -> None:
        self._scope: Any = None
        self.cancel: Callable[[], object] | None = None
        """Ends it from outside; None for one that an exception has to end."""
        self.has_ended = False
        if not in_loop:
            return
        trio = sys.modules.get("trio")
        if trio is not None and trio.lowlevel.in_trio_run():
            self._scope = trio.CancelScope().__enter__()
            token, end = trio.lowlevel.current_trio_token(), self._scope.cancel
            self.cancel = lambda: token.run_sync_soon(end)
        else:
            import asyncio

            loop, task = asyncio.get_running_loop(), asyncio.current_task()
            if task is not None:
                cancel = task.cancel
                self.cancel = lambda: loop.call_soon_threadsafe(cancel)

    def waits_for_others(self) -> bool:
        """Whether blocks of other tasks are still ending: what the first one leaves would cut them short."""
        self.has_ended = True
        return self.cancel is not None and recorded_blocks.are_ending()

    def leave(self) -> None:
        self.has_ended = True
        if self._scope is not None:
            # Fixtures may leave it in another task.
            with suppress(RuntimeError):
                self._scope.__exit__(None, None, None)
        recorded_blocks.end(self)


class _RecordedBlocks:
    """All that are recorded: the first installs the handler, and after the last the process ends."""

    def __init__(self) -> None:
        self.interrupt = SigtermInterrupt(self._deliver)
        self._blocks: list[Block] = []

    def begin(self, *, in_loop: bool) -> Block | None:
        """:param in_loop: whether it is a task of an event loop, in whose code no exception must be raised.
        :returns: None where the signal is not handled here.
        """
        if not self.interrupt.install():
            return None
        block = Block(in_loop=in_loop)
        self._blocks.append(block)
        return block

    def end(self, block: Block) -> None:
        self._blocks.remove(block)
        if self.interrupt.came and all(each.has_ended for each in self._blocks):
            self.interrupt.end_process()
        if not self._blocks:
            self.interrupt.remove()

    def are_ending(self) -> bool:
        return self.interrupt.came and not all(each.has_ended for each in self._blocks if each.cancel is not None)

    def _deliver(self) -> None:
        if not self._blocks or self._blocks[-1].cancel is None:
            raise Terminated
        for block in self._blocks:
            if block.cancel is not None:
                block.cancel()


recorded_blocks = _RecordedBlocks()
