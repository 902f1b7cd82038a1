"""A recording that lasts as long as a ``with`` block."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from types import TracebackType
from uuid import uuid4

import anyio

from .._calls import has_ended, is_lost, only_display, selector_of, url_at, url_of
from .._clock import monotonic, now
from .._sigterm import Block, recorded_blocks
from ..errors import TapedeckError
from ..types import CreateInterruptJob, Job, Keep, Marker, Outcome, Selector, VideoOptions
from .jobs import AsyncJobs, MarkerKind
from .runners import AsyncRunners
from .transport import AsyncTransport

_ENDING_PATIENCE = 60.0
"""Seconds for which the end of a block keeps trying to stop the recording."""
_GIVING_UP_TIMEOUT = 10.0
_POLL = 0.02
DEFAULT_MAX_SECONDS = 4 * 60 * 60
"""A script that is killed doesn't end its recording."""

logger = logging.getLogger("tapedeck")


class AsyncRecorder:
    """Records while its block runs. Inside of it, the first frame is captured."""

    def __init__(
        self,
        transport: AsyncTransport,
        jobs: AsyncJobs,
        runners: AsyncRunners,
        *,
        runner: int | str | None = None,
        display: str | None = None,
        selector: Selector | None = None,
        name: str | None = None,
        labels: Mapping[str, str] | None = None,
        keep: Keep | None = None,
        video: VideoOptions | None = None,
        pre_seconds: int | None = None,
        max_duration_seconds: int | None = DEFAULT_MAX_SECONDS,
        start_timeout: float = 60,
        playable_timeout: float = 60,
    ) -> None:
        self._transport = transport
        self._jobs = jobs
        self._runners = runners
        self._runner, self._display, self._selector = runner, display, selector
        self._order: CreateInterruptJob = {"stopCondition": "interrupt", "outcomeExpected": True}
        if name is not None:
            self._order["name"] = name
        if labels:
            self._order["labels"] = dict(labels)
        if keep is not None:
            self._order["keep"] = keep
        if video is not None:
            self._order["video"] = video
        if pre_seconds is not None:
            self._order["preSeconds"] = pre_seconds
        if max_duration_seconds is not None:
            self._order["maxDurationSeconds"] = max_duration_seconds
        self._start_timeout, self._playable_timeout = start_timeout, playable_timeout
        self._job: Job | None = None
        self._outcome: Outcome | None = None
        self._block: Block | None = None

    @property
    def job(self) -> Job:
        """The job as it was when the recording began, or as it ended."""
        if self._job is None:
            raise RuntimeError("The recording has not begun. Use it in a with statement.")
        return self._job

    @property
    def url(self) -> str:
        """The page of the recording; until something of it is stored, that of the job."""
        return url_of(self._transport.url, self.job)

    def url_at(self, moment: datetime) -> str:
        """The link to what the display showed at a time of this machine's clock."""
        return url_at(self.url, self.job, self._transport.clock.time_of(moment))

    async def mark(
        self,
        label: str,
        *,
        kind: MarkerKind | None = None,
        at: datetime | None = None,
        message: str | None = None,
    ) -> Marker:
        """Names a moment: ``at``, by this machine's clock, or now. The kind ``fail`` also makes the outcome ``failed``
        if there is none.

        :param message: text of several lines, such as an error. What is longer than 8 KiB is cut, with a note.
        """
        if kind == "fail" and self._outcome is None:
            self._outcome = "failed"
        if at is None and self._transport.clock.shift is not None:
            at = now()
        # Without a time, it is the dashboard's when the call arrives there.
        return await self._jobs.mark(self.job["id"], label, kind=kind, at=at, message=message)

    async def outcome(self, outcome: Outcome) -> None:
        """Says how the test ended. Without it, the block does: an exception means ``failed``."""
        self._outcome = outcome
        self._job = await self._jobs.update(self.job["id"], {"outcome": outcome})

    async def __aenter__(self) -> AsyncRecorder:
        self._block = recorded_blocks.begin(in_loop=True)
        try:
            await self._begin()
        except BaseException:
            await self._leave()
            raise
        return self

    async def _begin(self) -> None:
        order, key = await self._whole_order(), str(uuid4())
        try:
            self._job = await self._jobs.create(order, idempotency_key=key)
            job = await self._jobs.wait(self._job["id"], "recording", timeout=self._start_timeout)
            if job["startedAt"] is None or has_ended(job):
                error = job["error"]
                raise _not_started(f"job {job['id']} is {job['status']}" if error is None else error["message"])
            self._job = job
        except BaseException as cause:
            await self._withdraw(order, key, cause)
            if isinstance(cause, TapedeckError) and cause.status == 0 and cause.code == "timeout":
                why = cause.detail.replace(" Wait longer, or cancel it.", "")
                raise _not_started(f"{why} Check that a runner with this display is online") from None
            raise

    async def _withdraw(self, order: CreateInterruptJob, key: str, cause: BaseException) -> None:
        """Cancels what nobody would stop later: a job that has not begun, or may have been created all the same."""
        if self._job is None and isinstance(cause, TapedeckError) and not is_lost(cause):
            return
        with (
            anyio.move_on_after(_GIVING_UP_TIMEOUT, shield=True),
            recorded_blocks.interrupt.deferred(),
            suppress(TapedeckError),
        ):
            # The same key creates no second job.
            job = self._job or await self._jobs.create(order, idempotency_key=key)
            await self._jobs.cancel(job["id"], patience=_GIVING_UP_TIMEOUT)

    async def __aexit__(
        self, kind: type[BaseException] | None, exception: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if exception is not None and not isinstance(exception, Exception):
            # A caller that cancels or interrupts does not want to wait for the video.
            self._playable_timeout = 0
        try:
            # A cancelled task has to end its recording all the same.
            with anyio.move_on_after(2 * _ENDING_PATIENCE + self._playable_timeout, shield=True):
                await self.end(_outcome_of(exception))
        except TapedeckError as error:
            sentence = f"The end of the recording {self.url} failed: {error.detail}"
            if exception is None:
                error.args, error.detail = (sentence,), sentence
                raise
            # The error of the block counts.
            logger.warning(sentence)
        finally:
            await self._leave()

    async def _leave(self) -> None:
        if self._block is None:
            return
        with anyio.move_on_after(2 * _ENDING_PATIENCE, shield=True):
            while self._block.waits_for_others():
                await anyio.sleep(_POLL)
        self._block.leave()

    async def end(self, outcome: Outcome | None = None, *, patience: float = _ENDING_PATIENCE) -> Job:
        """Sets the outcome, stops the recording, and waits until it plays. The end of a block does that, too.

        :param outcome: unless there is one.
        :param patience: seconds for which to go on trying while the dashboard is away.
        """
        with recorded_blocks.interrupt.deferred():
            self._job = await self._stop(self._outcome or outcome, patience)
        recorded_blocks.interrupt.raise_pending()
        if self._playable_timeout > 0:
            try:
                self._job = await self._jobs.wait(self._job["id"], "playable", timeout=self._playable_timeout)
            except TapedeckError as error:
                # It is stopped, and plays later.
                if error.code != "timeout":
                    raise
                self._job = await self._jobs.get(self._job["id"])
        return self._job

    async def _stop(self, outcome: Outcome | None, patience: float) -> Job:
        job_id, until = self.job["id"], monotonic() + patience
        try:
            if outcome is not None and self.job["outcome"] != outcome:
                await self._jobs.update(job_id, {"outcome": outcome}, patience=patience)
        finally:
            job = await self._jobs.cancel(job_id, patience=max(0, until - monotonic()))
        return job

    async def _whole_order(self) -> CreateInterruptJob:
        if self._runner is None:
            return {**self._order, "selector": selector_of(self._selector, self._display)}
        if isinstance(self._runner, int) and self._display is not None:
            return {**self._order, "runnerId": self._runner, "displayId": self._display}
        async for runner in self._runners.list():
            if self._runner in (runner["id"], runner["name"]):
                display = self._display or only_display(
                    (each["id"] for each in runner["displays"]), f'Runner "{runner["name"]}"'
                )
                return {**self._order, "runnerId": runner["id"], "displayId": display}
        raise ValueError(f"There is no runner {self._runner!r}. See client.runners.list().")


def _outcome_of(exception: BaseException | None) -> Outcome:
    if exception is None:
        return "passed"
    # Not an Exception: Ctrl-C, an exit or a cancelled task, which says nothing about the test.
    return "failed" if isinstance(exception, Exception) else "error"


def _not_started(why: str) -> TapedeckError:
    return TapedeckError(0, "not_started", f"The recording did not begin: {why.rstrip('.')}.")
