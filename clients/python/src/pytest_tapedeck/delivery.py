"""The results and markers that wait to be sent: as many in a call as there are."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Sequence
from typing import cast

from tapedeck import Tapedeck, TapedeckError
from tapedeck._calls import batches_of
from tapedeck.types import CreateJobMarker, NewTestResult, TestResult

from .background import BackgroundSender, is_away

MAX_MARKERS, MAX_MARKERS_BYTES = 500, 500_000
"""Maximum number of results in one call, and roughly the size of their JSON."""
MAX_RESULTS = 1_000
MAX_ID_SECONDS = 1.0
"""Seconds that a failed test waits for the id of its result, which its link needs."""


AddTests = Callable[[Sequence[NewTestResult]], Sequence[TestResult]]


class Delivery:
    def __init__(self, client: Tapedeck, job_id: int | None, add_tests: AddTests | None = None) -> None:
        """
        :param job_id: the job that has the results and markers; None for results of a test run, which has no markers.
        :param add_tests: stores results of a test run.
        """
        self._client = client
        self._job_id = job_id
        self._add_tests = add_tests or (lambda results: client.jobs.add_tests(cast(int, job_id), results))
        self._markers: list[CreateJobMarker] = []
        self._results: dict[str, NewTestResult] = {}
        """By key: a test that has ended while its beginning waits is sent once."""
        self._ids: dict[str, int] = {}
        """Ids of the stored results, by their keys."""
        self._test_ids: dict[str, int] = {}
        self._patience = MAX_ID_SECONDS
        self._changed = threading.Condition()
        self._refused_markers = self._refused_results = 0
        self._problem = ""
        self._has_ended = False
        self._sender = BackgroundSender(
            "tapedeck-results", self._changed, lambda: bool(self._markers or self._results), self._send
        )

    def mark(self, marker: CreateJobMarker) -> None:
        if self._job_id is None:
            return
        with self._changed:
            self._markers.append(marker)
            self._changed.notify()

    def report(self, result: NewTestResult) -> None:
        """Takes the place of an earlier result of this key."""
        with self._changed:
            self._results[result["key"]] = result
            self._changed.notify()

    def id_of(self, key: str, *, waits: bool) -> int | None:
        """The id of a result, for a link to it.

        :param waits: whether to wait for a result that is being sent, for a moment.
        """
        with self._changed:
            if waits and key in self._results and self._problem == "":
                found = self._changed.wait_for(lambda: key in self._ids or self._problem != "", self._patience)
                if not found:
                    # The dashboard is slow. No other test waits for it.
                    self._patience = 0
            return self._ids.get(key)

    def test_id_of(self, key: str) -> int | None:
        """The id of the test of a result that is stored."""
        with self._changed:
            return self._test_ids.get(key)

    def when_stored(self, key: str) -> int | None:
        """Waits until a result is stored as it was reported last; None if it will not be."""
        with self._changed:
            self._changed.wait_for(lambda: key not in self._results or self._has_ended)
            return self._ids.get(key)

    def finish(self, until: float) -> tuple[str | None, str]:
        """Sends what is left.

        :param until: when to give up if the dashboard is away, by ``monotonic()``.
        :returns: what is missing, and a sentence why.
        """
        self._sender.finish(until)
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()
        counts = {
            "test result": len(self._results) + self._refused_results,
            "marker": len(self._markers) + self._refused_markers,
        }
        missing = [f"{count} {what}{'' if count == 1 else 's'}" for what, count in counts.items() if count > 0]
        return " and ".join(missing) or None, self._problem

    def _send(self, is_again: bool) -> bool:
        """Sends what there is in one call. What comes meanwhile is the next call's."""
        markers, results = self._next_markers(), self._next_results()
        try:
            if markers:
                self._send_markers(markers, is_again=is_again)
            else:
                self._remove_results(results, self._add_tests(results))
        except Exception as error:
            with self._changed:
                self._problem = sentence_of(error)
                self._changed.notify_all()
            if not isinstance(error, TapedeckError) or is_away(error):
                raise
            if error.status in (401, 403, 404):
                # The key has no access any more, or the job was deleted.
                return False
            self._take_refusal(markers, results, error)
        return True

    def _next_markers(self) -> list[CreateJobMarker]:
        with self._changed:
            batch, size = self._markers[:MAX_MARKERS], 0
        for count, marker in enumerate(batch):
            size += len(json.dumps(marker))
            if size > MAX_MARKERS_BYTES and count > 0:
                return batch[:count]
        return batch

    def _next_results(self) -> list[NewTestResult]:
        with self._changed:
            waiting = list(self._results.values())[:MAX_RESULTS]
        # The batch is what the client would send in one call: an error then names one of these.
        return waiting[: len(next(batches_of(waiting), []))]

    def _send_markers(self, batch: list[CreateJobMarker], *, is_again: bool) -> None:
        if is_again:
            # The answer to an earlier try may have been lost.
            stored = {(each["label"], each["at"]) for each in self._client.jobs.markers(cast(int, self._job_id))}
            added = [marker for marker in batch if (marker["label"], marker.get("at")) in stored]
            self._remove_markers(added)
            batch = [marker for marker in batch if marker not in added]
        if batch:
            self._client.jobs.mark_all(cast(int, self._job_id), batch)
        self._remove_markers(batch)

    def _take_refusal(self, markers: list[CreateJobMarker], results: list[NewTestResult], error: TapedeckError) -> None:
        """The rest is sent again."""
        # For example markers after the end of a recording that ended early.
        refused = refused_of(len(markers or results), error)
        if markers:
            self._refused_markers += len(refused)
            self._remove_markers([markers[index] for index in refused])
        else:
            self._refused_results += len(refused)
            self._remove_results([results[index] for index in refused])

    def _remove_markers(self, markers: Sequence[CreateJobMarker]) -> None:
        gone = {id(marker) for marker in markers}
        with self._changed:
            self._markers = [marker for marker in self._markers if id(marker) not in gone]

    def _remove_results(self, results: Sequence[NewTestResult], stored: Sequence[TestResult] = ()) -> None:
        with self._changed:
            for result, each in zip(results, stored, strict=False):
                self._ids[result["key"]] = each["id"]
                self._test_ids[result["key"]] = each["testId"]
            self._changed.notify_all()
            for result in results:
                # It may have ended meanwhile.
                if self._results.get(result["key"]) is result:
                    del self._results[result["key"]]


def refused_of(count: int, error: TapedeckError) -> Sequence[int]:
    """The places of those that the error names; all if it names none."""
    named = [re.match(r"(?:markers\.)?(\d+)\b", fault["path"]) for fault in error.errors]
    places = {int(place[1]) for place in named if place is not None}
    return [place for place in range(count) if place in places] or range(count)


def sentence_of(error: Exception) -> str:
    if isinstance(error, TapedeckError):
        return next((fault["message"] for fault in error.errors), error.detail)
    return str(error) or type(error).__name__
