"""Jobs: requests to record."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import datetime
from itertools import chain
from typing import Literal, cast
from uuid import uuid4

import anyio
from typing_extensions import Unpack

from .._calls import (
    CALL_TIMEOUT,
    MAX_WAIT,
    NDJSON,
    NewTrackLine,
    batches_of_lines,
    fitting_marker,
    fitting_message,
    has_reached,
    instant,
    track_path,
)
from .._clock import monotonic, now
from ..errors import TapedeckError
from ..types import (
    AppendedTrack,
    CreateJob,
    CreateJobMarker,
    CreateScreenshotJob,
    DecideGate,
    Gate,
    Job,
    JobEvent,
    JobFilter,
    Marker,
    MarkerList,
    NewTestResult,
    Privacy,
    TestResult,
    Track,
    TrackFilter,
    TrackLine,
    TrackList,
    UpdateJob,
    Video,
)
from .transport import AsyncTransport

WaitFor = Literal["recording", "ended", "playable"]
MarkerKind = Literal["step", "pass", "fail", "note"]


class AsyncJobs:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, body: CreateJob, *, idempotency_key: str | None = None) -> Job:
        """Creates a job.

        :param idempotency_key: for 24 hours, the same key with the same body returns the same job. Without one, each
            call has a key of its own, so that its tries create one job.
        """
        headers = {"idempotency-key": idempotency_key or str(uuid4())}
        return cast(Job, await self._transport.call("POST", "/v1/jobs", body=body, headers=headers, repeatable=True))

    async def screenshot(
        self,
        runner_id: int,
        display_id: str,
        *,
        name: str | None = None,
        labels: dict[str, str] | None = None,
        video: Video | None = None,
        timeout: float = math.inf,
    ) -> Job:
        """Takes a picture of a display, and waits until it is stored.

        :param video: ``region`` or ``window``, the part of the display that it shows; by default all of it.
        :param timeout: seconds to wait; by default as long as it takes.
        :raises TapedeckError: ``timeout`` when the time is over.
        """
        body: CreateScreenshotJob = {"type": "screenshot", "runnerId": runner_id, "displayId": display_id}
        if name is not None:
            body["name"] = name
        if labels is not None:
            body["labels"] = labels
        if video is not None:
            body["video"] = video
        job = await self.create(body)
        return await self.wait(job["id"], timeout=timeout)

    async def get(self, job_id: int) -> Job:
        return cast(Job, await self._transport.call("GET", f"/v1/jobs/{job_id}"))

    def list(self, **filters: Unpack[JobFilter]) -> AsyncIterator[Job]:
        """Jobs, the newest first. The pages are read as they are used."""
        return self._transport.pages("/v1/jobs", cast("dict[str, object]", filters))

    async def wait(self, job_id: int, wait_for: WaitFor = "playable", *, timeout: float = math.inf) -> Job:
        """Waits until the job gets there, or ends without.

        :param wait_for: ``recording``: frames are captured; ``ended``; ``playable``: the video is stored and plays.
        :param timeout: seconds; by default as long as it takes.
        :raises TapedeckError: ``timeout`` when the time is over.
        """
        deadline = monotonic() + timeout
        while True:
            left = max(0, math.ceil(min(MAX_WAIT, deadline - monotonic())))
            try:
                job = cast(
                    Job,
                    await self._transport.call(
                        "GET",
                        f"/v1/jobs/{job_id}",
                        query={"waitFor": wait_for, "timeoutSeconds": left},
                        timeout=left + CALL_TIMEOUT,
                    ),
                )
            except TapedeckError as error:
                # So many calls of this key wait already: some of them end.
                pause = 1 if error.retry_after is None else error.retry_after
                if error.status != 429 or monotonic() + pause >= deadline:
                    raise
                await anyio.sleep(pause)
                continue
            if has_reached(job, wait_for):
                return job
            if monotonic() >= deadline:
                detail = f"Job {job_id} is still {job['status']} after {timeout:g} s. Wait longer, or cancel it."
                raise TapedeckError(0, "timeout", detail)

    async def cancel(self, job_id: int, *, patience: float = 0) -> Job:
        """Ends a job; what was recorded is kept. A job that has ended stays as it is.

        :param patience: seconds for which to go on trying while the dashboard is away.
        """
        return cast(
            Job,
            await self._transport.call("POST", f"/v1/jobs/{job_id}/cancel", repeatable=True, patience=patience),
        )

    async def set_privacy(self, job_id: int, on: bool, *, patience: float = 0) -> Privacy:
        """Begins or ends a private stretch, which is black in the video.

        Returns once that is so: after ``set_privacy(id, True)``, nothing of what the display shows is recorded.

        :param patience: seconds for which to go on trying while the dashboard is away.
        :raises TapedeckError: ``privacy_unconfirmed`` when the runner takes longer than 10 s: the display may still be
            recorded.
        """
        path = f"/v1/jobs/{job_id}/privacy"
        body = {"on": on}
        return cast(Privacy, await self._transport.call("POST", path, body=body, repeatable=True, patience=patience))

    async def update(self, job_id: int, body: UpdateJob, *, patience: float = 0) -> Job:
        """Changes name, labels, outcome, keep or pinned. Labels are merged; None removes one.

        :param patience: seconds for which to go on trying while the dashboard is away.
        """
        return cast(Job, await self._transport.call("PATCH", f"/v1/jobs/{job_id}", body=body, patience=patience))

    def events(self, job_id: int) -> AsyncIterator[JobEvent]:
        """Returns the events of the job, in order."""
        return self._transport.pages(f"/v1/jobs/{job_id}/events", {})

    async def mark(
        self,
        job_id: int,
        label: str,
        *,
        kind: MarkerKind | None = None,
        at: datetime | None = None,
        message: str | None = None,
    ) -> Marker:
        """Names a moment of the recording: ``at``, by this machine's clock, or now.

        :param kind: ``fail`` also makes the outcome ``failed`` if there is none; default ``note``.
        :param message: text of several lines, such as an error. What is longer than 8 KiB is cut, with a note.
        """
        time = None if at is None else await self._transport.time_of(at)
        body = {"label": label, "kind": kind, "at": instant(time), "message": fitting_message(message)}
        sent = {name: value for name, value in body.items() if value is not None}
        return cast(Marker, await self._transport.call("POST", f"/v1/jobs/{job_id}/markers", body=sent))

    async def mark_all(self, job_id: int, markers: Sequence[CreateJobMarker]) -> Sequence[Marker]:
        """Names up to 500 moments in one call: all, or none if one is not valid.

        :param markers: each ``at`` is by the dashboard's clock, as in its answers: see ``client.dashboard_time()``.
        :returns: the markers in the same order.
        """
        body = {"markers": [fitting_marker(marker) for marker in markers]}
        answer = await self._transport.call("POST", f"/v1/jobs/{job_id}/markers/batch", body=body)
        return cast(MarkerList, answer)["data"]

    async def add_tests(self, job_id: int, results: Sequence[NewTestResult]) -> Sequence[TestResult]:
        """Reports what became of tests. A result that is sent again under its key replaces itself, so that one may
        begin without an outcome, and get it later.

        :param results: any number, which are sent in calls of up to 1,000. Times are by the dashboard's clock, as in
            its answers: see ``client.dashboard_time()``. Long messages, and steps above 2,000, are cut.
        :returns: the results in the same order.
        """
        return await self._transport.report_tests(f"/v1/jobs/{job_id}/tests", results)

    async def gate(self, job_id: int, **body: Unpack[DecideGate]) -> Gate:
        """Decides whether all failures of a job's tests have causes that the dashboard lets pass, so that CI passes.

        :param failed: ids of results that are known to have failed: if the job lacks one, the gate stays shut.
        """
        path = f"/v1/jobs/{job_id}/gate"
        return cast(Gate, await self._transport.call("POST", path, body=body, repeatable=True))

    async def tracks(self, job_id: int) -> Sequence[Track]:
        """The tracks of the recording: timed lines, such as its log."""
        return cast(TrackList, await self._transport.call("GET", f"/v1/jobs/{job_id}/tracks"))["data"]

    def track(self, job_id: int, name: str, **filters: Unpack[TrackFilter]) -> AsyncIterator[TrackLine]:
        """Lines of a track, by time. The pages are read as they are used."""
        return self._transport.pages(track_path(job_id, name), cast("dict[str, object]", filters))

    async def add_track_lines(
        self, job_id: int, name: str, lines: Iterable[NewTrackLine], *, start: int | None = None
    ) -> AppendedTrack:
        """Appends lines to a track, which begins with the first ones: any name of letters, digits, dots, underscores
        and hyphens. One sender writes a track: another one's calls fail with ``conflict``.

        :param lines: any number, which are sent in several calls.
        :param start: the ``received`` of an earlier call: the same lines may then be sent again after a failure, and
            are stored once.
        :returns: the track. A line that the dashboard could not read is counted in ``refused``.
        """
        # Times of this machine's clock need the dashboard's.
        await self._transport.time_of(now())
        path, headers = track_path(job_id, name), {"content-type": NDJSON}
        track: AppendedTrack | None = None
        refused, received = 0, start
        # Begins where it ends, so that what is sent twice changes nothing.
        for batch in chain([] if start is not None else [""], batches_of_lines(lines, self._transport.clock)):
            answer = await self._transport.call(
                "POST", path, query={"from": received}, content=batch, headers=headers, repeatable=True
            )
            track = cast(AppendedTrack, answer)
            received = track["received"]
            refused += track["refused"]
        if track is None:
            return await self.add_track_lines(job_id, name, [])
        return {**track, "refused": refused}

    def markers(self, job_id: int) -> AsyncIterator[Marker]:
        return self._transport.pages(f"/v1/jobs/{job_id}/markers", {})

    async def delete_marker(self, job_id: int, marker_id: int) -> None:
        await self._transport.call("DELETE", f"/v1/jobs/{job_id}/markers/{marker_id}")
