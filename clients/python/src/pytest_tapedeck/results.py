"""What pytest reports, as markers: each test, each subtest that failed, and the runs of a test that do not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal

import pytest

from tapedeck._calls import MAX_MESSAGE, fitting_message
from tapedeck._clock import now
from tapedeck.ci import plain_text

MAX_LABEL = 200
Kind = Literal["pass", "fail", "note"]
KINDS: dict[str, Kind] = {"passed": "pass", "failed": "fail"}
NOTED = "tapedeck"
"""The attribute of a report with what is known where the test runs. xdist and pytest-forked pass it on."""


@dataclass(frozen=True, eq=False)
class ResultMarker:
    label: str
    kind: Kind
    at: datetime
    message: str | None = None


@dataclass
class Run:
    """Of a test, from what is reported of its phases."""

    outcome: str = "passed"
    at: datetime | None = None
    message: str | None = None
    was_called: bool = False
    failed_subtests: int = 0


class Results:
    """Gets the reports of all tests, in the order in which pytest reports them."""

    def __init__(self, mark: Callable[[ResultMarker], None]) -> None:
        self._mark = mark
        self._runs: dict[str, Run] = {}
        self._unreported: dict[str, ResultMarker] = {}
        self.has_failure = False

    def made(self, report: pytest.TestReport, at: datetime) -> None:
        """Notes the time and the error, before the report is changed and passed on."""
        message = message_of(report)
        setattr(report, NOTED, {"at": at.timestamp(), "message": message})
        if report.when == "call":
            label = label_of(f"{name_of(report.nodeid)} (rerun)")
            self._unreported[report.nodeid] = ResultMarker(label, "note", at, message)

    def add(self, report: pytest.TestReport) -> None:
        name, at, message = name_of(report.nodeid), time_of(report), noted(report, "message") or message_of(report)
        if report.when == "call":
            self._unreported.pop(report.nodeid, None)
        if is_subtest(report):
            if report.failed:
                self._run(report).failed_subtests += 1
                self._add(ResultMarker(label_of(f"{name} {description_of(report)}"), "fail", at, message))
            return
        if report.outcome not in ("passed", "failed", "skipped"):
            # Such as "rerun" and "retried": another plugin runs the test again, and that run counts.
            self._runs.pop(report.nodeid, None)
            self._add(ResultMarker(label_of(f"{name} ({report.outcome})"), "note", at, message))
            return
        run = self._run(report)
        run.was_called = run.was_called or report.when == "call"
        # The display shows the failure until teardown closes the browser.
        if report.when == "call" or (report.outcome != "passed" and run.outcome == "passed"):
            run.outcome, run.at, run.message = report.outcome, at, message
        if report.when == "teardown":
            self.finish(report.nodeid)

    def finish(self, nodeid: str) -> None:
        """The test has ended, and so has its last run, or one that flaky doesn't report."""
        run, unreported = self._runs.pop(nodeid, None), self._unreported.pop(nodeid, None)
        if unreported is not None:
            self._add(unreported)
        # pytest-rerunfailures also reports the teardown of a run that does not count.
        elif run is not None and (run.was_called or run.outcome != "passed"):
            if run.outcome == "passed" and run.failed_subtests > 0:
                run.outcome = "failed"
                run.message = f"contains {run.failed_subtests} failed subtest{'s' if run.failed_subtests > 1 else ''}"
            kind = KINDS.get(run.outcome, "note")
            self._add(ResultMarker(label_of(name_of(nodeid)), kind, run.at or now(), run.message))

    def finish_all(self) -> None:
        """The session has ended, perhaps in the middle of a test."""
        for nodeid, run in list(self._runs.items()):
            if run.outcome == "passed" and not run.was_called:
                run.outcome, run.message = "interrupted", "The test was interrupted."
            self.finish(nodeid)

    def collected(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._add(ResultMarker(label_of(report.nodeid), "fail", now(), message_of(report)))

    def fail(self, label: str, message: str | None) -> None:
        """What is no test's."""
        self._add(ResultMarker(label_of(label), "fail", now(), message))

    def _run(self, report: pytest.TestReport) -> Run:
        return self._runs.setdefault(report.nodeid, Run())

    def _add(self, marker: ResultMarker) -> None:
        self.has_failure = self.has_failure or marker.kind == "fail"
        self._mark(marker)


def name_of(nodeid: str) -> str:
    return nodeid.partition("::")[2] or nodeid


def label_of(text: str) -> str:
    """As the API takes it."""
    return plain_text(text, MAX_LABEL) or "test"


def is_subtest(report: object) -> bool:
    """Of pytest 9, or of pytest-subtests."""
    return type(report).__name__ in ("SubtestReport", "SubTestReport")


def description_of(report: object) -> str:
    describe = getattr(report, "_sub_test_description", None) or getattr(report, "sub_test_description", None)
    return str(describe()) if callable(describe) else "(subtest)"


def noted(report: object, key: str) -> Any:
    return getattr(report, NOTED, {}).get(key)


def time_of(report: object) -> datetime:
    at = noted(report, "at")
    return now() if at is None else datetime.fromtimestamp(at, timezone.utc)


def message_of(report: pytest.TestReport | pytest.CollectReport) -> str | None:
    """The error, and the end of its traceback; the reason of a test that is skipped or expected to fail."""
    reason = getattr(report, "wasxfail", None)
    if reason is not None:
        return fitting_message(str(reason)) or None
    if report.longrepr is None:
        return None
    if isinstance(report.longrepr, tuple):
        return fitting_message(str(report.longrepr[2]))
    crash = getattr(report.longrepr, "reprcrash", None)
    text = report.longreprtext
    if crash is None:
        return fitting_message(text)
    # The error first: it is what lists show.
    error = str(crash.message)
    if len(error.encode("utf-8", "replace")) > MAX_MESSAGE // 2:
        return fitting_message(error)
    left = MAX_MESSAGE - len(error.encode("utf-8", "replace")) - 64
    return f"{error}\n\n{last_of(text, left)}"


def last_of(text: str, size: int) -> str:
    """The last lines that fit into so many bytes: an error is at the end of its traceback."""
    data = text.encode("utf-8", "replace")
    if len(data) <= size:
        return data.decode()
    kept = data[-size:].decode(errors="ignore").partition("\n")[2]
    return f"… ({len(text) - len(kept):,} characters before)\n{kept}"
