"""Converts the reports of pytest to test results: one for each run of each test. A failure is also a marker."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any, cast

import pytest

from tapedeck._calls import MAX_MESSAGE, MAX_STACK, fitting_message
from tapedeck._clock import now
from tapedeck.ci import plain_text
from tapedeck.types import CreateJobMarker, NewTestResult, Outcome

from .secret_mask import SecretMask

MAX_LABEL = 200
MAX_KEY = 500
MAX_TITLE = 10_000
"""The dashboard keeps less. A longer one ends with a number made of the whole."""
MAX_SUBTESTS = 100_000
PHASES = {"setup": "hook", "call": "test", "teardown": "hook"}
"""The parts of a run, with the category of their step."""
NOTED = "tapedeck"
"""The attribute of a report with what is known where the test runs. xdist and pytest-forked pass it on."""


@dataclass
class Step:
    title: str
    category: str
    begun: datetime
    ended: datetime
    outcome: Outcome
    message: str | None


@dataclass
class Failure:
    """Or why a test was skipped."""

    outcome: str
    at: datetime
    message: str | None
    stack: str | None


@dataclass
class Run:
    """One run of a test, from what is reported of its phases."""

    nodeid: str
    location: tuple[str, int | None, str] | None
    begun: datetime
    attempt: int
    ended: datetime | None = None
    failure: Failure | None = None
    """The first."""
    was_called: bool = False
    steps: list[Step] = field(default_factory=list)
    subtests: list[Step] = field(default_factory=list)
    failed_subtests: list[Failure] = field(default_factory=list)


class Results:
    """Gets the reports of all tests, in the order in which pytest reports them."""

    def __init__(
        self,
        report: Callable[[NewTestResult], None],
        mark: Callable[[CreateJobMarker], None],
        instant: Callable[[datetime], str],
        mask: SecretMask,
        project: str | None = None,
    ) -> None:
        """
        :param instant: what the dashboard's clock showed at a time of this machine's.
        :param mask: for all that is reported, before it is cut: what is left of a secret would not be recognized.
        :param project: distinguishes these tests from the same ones elsewhere.
        """
        self._report, self._mark, self._instant, self._project = report, mark, instant, project
        self._mask = mask
        self._runs: dict[str, Run] = {}
        self._attempts: dict[str, int] = {}
        """Number of reported runs of a test, by its name: tests may differ in a secret only."""
        self._unreported: dict[str, Failure] = {}
        self._phase_begun = now()
        self._phase: tuple[datetime, datetime] | None = None
        """The report that is being made: pytest-retry reports and repeats the test meanwhile."""
        self.has_failure = False

    def begin(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        """A test begins. Its result has no outcome yet: if pytest is killed, it is known what ran."""
        run = self._runs[nodeid] = self._new_run(nodeid, location, now())
        self._report(self._body(run))

    def begin_phase(self) -> None:
        self._phase_begun = now()

    def end_phase(self, at: datetime) -> None:
        self._phase = (self._phase_begun, at)

    def made(self, report: pytest.TestReport, at: datetime) -> None:
        """Notes the time and the error, before the report is changed and passed on."""
        self._phase = None
        message, stack = error_of(report, self._mask)
        times = {"begun": self._phase_begun.timestamp(), "at": at.timestamp()}
        setattr(report, NOTED, {**times, "message": message, "stack": stack})
        if report.when == "call":
            self._unreported[report.nodeid] = Failure("failed", at, message, stack)

    def add(self, report: pytest.TestReport) -> None:
        begun, at = self._times_of(report)
        message, stack = noted_error_of(report, self._mask)
        failure = Failure(report.outcome, at, message, stack)
        if report.when == "call":
            self._unreported.pop(report.nodeid, None)
        run = self._runs.get(report.nodeid)
        if run is None:
            run = self._runs[report.nodeid] = self._new_run(report.nodeid, report.location, begun)
        if is_subtest(report):
            outcome = outcome_of(report.outcome)
            begun = min(at, max(begun, at - timedelta(seconds=report.duration)))
            title = self._mask.apply(description_of(report))
            if len(run.subtests) < MAX_SUBTESTS:
                run.subtests.append(Step(title, "subtest", begun, at, outcome, message))
            if report.failed:
                run.failed_subtests.append(failure)
                self._fail(f"{self.label_of(report.nodeid)} {title}", failure)
            return
        if report.when in PHASES:
            outcome = outcome_of(report.outcome)
            run.steps.append(Step(report.when, PHASES[report.when], begun, at, outcome, message))
        run.ended = at
        if report.outcome not in ("passed", "failed", "skipped"):
            # For example "rerun" and "retried": another plugin runs the test again, and the last run counts.
            run.failure = failure
            self._finish(run, is_last=False)
            self._runs[report.nodeid] = self._new_run(report.nodeid, report.location, at)
            return
        if report.when == "setup":
            # A repeated run may have waited before.
            run.begun = begun if run.attempt > 1 else run.begun
        run.was_called = run.was_called or report.when == "call"
        if report.outcome != "passed" and run.failure is None:
            run.failure = failure
        if report.when == "teardown":
            self.finish(report.nodeid)

    def finish(self, nodeid: str) -> None:
        """The test has ended, and so has its last run, or one that flaky doesn't report."""
        run, unreported = self._runs.pop(nodeid, None), self._unreported.pop(nodeid, None)
        if run is not None and unreported is not None:
            run.failure = unreported
            self._finish(run, is_last=False)
        # pytest-rerunfailures also reports the teardown of a run that does not count.
        elif run is not None and (run.was_called or run.failure is not None):
            self._finish(run, is_last=True)

    def finish_all(self) -> None:
        """The session has ended, perhaps in the middle of a test."""
        for nodeid, run in list(self._runs.items()):
            if run.failure is None and not run.was_called:
                run.failure = Failure("interrupted", now(), "The test was interrupted.", None)
            self.finish(nodeid)

    def collected(self, report: pytest.CollectReport) -> None:
        """A module that cannot be collected is a test that cannot be run."""
        if report.failed:
            self._add_failure(report.nodeid or "collection", *error_of(report, self._mask))

    def fail(self, title: str, message: str) -> None:
        """Reports an error outside of tests."""
        self._add_failure(title, self._mask.apply(message), None)

    def key_of(self, nodeid: str) -> str:
        """Returns the key of a running test's result; empty for other tests."""
        run = self._runs.get(nodeid)
        return "" if run is None else self._body(run)["key"]

    def label_of(self, nodeid: str) -> str:
        """Returns the place of a test, where it is known."""
        return self._mask.apply_to_name(nodeid.partition("::")[2] or nodeid)

    def _add_failure(self, nodeid: str, message: str | None, stack: str | None) -> None:
        at = now()
        run = self._new_run(nodeid, None, at)
        run.failure, run.ended = Failure("error", at, message, stack), at
        self._finish(run, is_last=True)
        self._fail(self._mask.apply_to_name(nodeid), run.failure)

    def _new_run(self, nodeid: str, location: tuple[str, int | None, str] | None, begun: datetime) -> Run:
        return Run(nodeid, location, begun, self._attempts.get(self._identity_of(nodeid)["test"], 0) + 1)

    def _identity_of(self, nodeid: str) -> NewTestResult:
        return identity_of(self._mask.apply_to_name(nodeid))

    def _times_of(self, report: pytest.TestReport) -> tuple[datetime, datetime]:
        """When the phase began and ended. What is not known is now."""
        if self._phase is not None and noted(report, "at") is None:
            return self._phase
        at = time_of(report)
        begun = noted(report, "begun")
        return at if begun is None else datetime.fromtimestamp(begun, timezone.utc), at

    def _finish(self, run: Run, *, is_last: bool) -> None:
        """:param is_last: whether no other run of the test follows, which would count in place of this one."""
        self._attempts[self._identity_of(run.nodeid)["test"]] = run.attempt
        self._report(self._body(run, is_ended=True))
        if run.failure is None and run.failed_subtests:
            count = len(run.failed_subtests)
            message = f"contains {count} failed subtest{'s' if count > 1 else ''}"
            run.failure = Failure("failed", run.ended or now(), message, None)
        if is_last and run.failure is not None and run.failure.outcome == "failed":
            self._fail(self.label_of(run.nodeid), run.failure)

    def _fail(self, label: str, failure: Failure) -> None:
        """A marker where the display showed it, which is before teardown closes the browser."""
        self.has_failure = True
        marker: CreateJobMarker = {"label": label_of(label), "kind": "fail", "at": self._instant(failure.at)}
        message = marker_message(failure)
        if message is not None:
            marker["message"] = message
        self._mark(marker)

    def _body(self, run: Run, *, is_ended: bool = False) -> NewTestResult:
        identity = self._identity_of(run.nodeid)
        body: NewTestResult = {
            **identity,
            "key": key_of(f"[{self._project}] {identity['test']}" if self._project else identity["test"], run.attempt),
            "attempt": run.attempt,
            "startedAt": self._instant(run.begun),
        }
        if self._project is not None:
            body["project"] = self._project
        if run.location is not None:
            file, line, _ = run.location
            body["file"] = fitting_title(file.replace("\\", "/"))
            body["line"] = None if line is None else line + 1
        if not is_ended:
            return body
        failure = run.failure
        if run.failed_subtests and (failure is None or (failure.message or "").startswith("contains ")):
            # The failure says more than the number of failures.
            failure = run.failed_subtests[0]
        body["outcome"] = outcome_of("passed" if failure is None else failure.outcome)
        body["endedAt"] = self._instant(max(run.begun, run.ended or now()))
        if failure is not None:
            body["message"] = failure.message
            body["stack"] = None if failure.stack is None else last_of(failure.stack, MAX_STACK - 64)
        steps = [self._step(step, run.subtests if step.title == "call" else []) for step in run.steps]
        # Without the call, the test was interrupted.
        is_called = any(step.title == "call" for step in run.steps)
        body["steps"] = steps if is_called else [*steps, *(self._step(each, []) for each in run.subtests)]
        return body

    def _step(self, step: Step, inner: list[Step]) -> dict[str, Any]:
        has_failed = step.outcome == "passed" and any(each.outcome == "failed" for each in inner)
        return {
            **{"title": plain_text(step.title, MAX_TITLE), "category": step.category},
            "outcome": "failed" if has_failed else step.outcome,
            **{"startedAt": self._instant(step.begun), "endedAt": self._instant(max(step.begun, step.ended))},
            **({} if step.message is None else {"message": step.message}),
            **({"steps": [self._step(each, []) for each in inner]} if inner else {}),
        }


def identity_of(nodeid: str) -> NewTestResult:
    """The names of a test, as pytest has them in its JUnit reports: ``tests.test_shop.TestCart › test_total[20]``."""
    # "@group" is xdist's, with --dist=loadgroup.
    head, bracket, parameters = re.sub(r"(::.*)@[^\]@:]*$", r"\1", nodeid).partition("[")
    file, *names = head.split("::")
    names = [re.sub(r"\.py$", "", file).replace("/", "."), *names]
    names[-1] += bracket + parameters
    *outer, title = names
    if not outer:
        return cast(NewTestResult, {"test": fitting_title(title)})
    suite = ".".join(outer)
    return cast(NewTestResult, {"test": fitting_title(f"{suite} › {title}"), "suite": fitting_title(suite)})


def fitting_title(text: str) -> str:
    title = plain_text(text, MAX_TITLE)
    return title if len(text) <= MAX_TITLE else f"{title[: MAX_TITLE // 2]}…{digest_of(text)}"


def key_of(test: str, attempt: int) -> str:
    """The key of a result in its job: the same for all reports of this test, such as its JUnit report. Where it
    would be too long, it ends with a number made of the whole."""
    name = test if len(test) <= MAX_KEY - 50 else f"{test[: MAX_KEY - 100]}…{digest_of(test)}"
    return f"{name}#{attempt}"


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def outcome_of(outcome: str) -> Outcome:
    """The outcome of a test, from that of a report. A repeated run has failed; an interrupted one says nothing."""
    if outcome in ("passed", "failed", "skipped"):
        return cast(Outcome, outcome)
    return "error" if outcome in ("error", "interrupted") else "failed"


def label_of(text: str) -> str:
    """As the API takes it."""
    return plain_text(text, MAX_LABEL) or "test"


def is_subtest(report: object) -> bool:
    """A subtest of pytest 9, or of pytest-subtests."""
    return type(report).__name__ in ("SubtestReport", "SubTestReport")


def description_of(report: object) -> str:
    describe = getattr(report, "_sub_test_description", None) or getattr(report, "sub_test_description", None)
    return str(describe()) if callable(describe) else "(subtest)"


def noted(report: object, key: str) -> Any:
    return getattr(report, NOTED, {}).get(key)


def time_of(report: object) -> datetime:
    at = noted(report, "at")
    return now() if at is None else datetime.fromtimestamp(at, timezone.utc)


def noted_error_of(report: pytest.TestReport, mask: SecretMask) -> tuple[str | None, str | None]:
    message, stack = noted(report, "message"), noted(report, "stack")
    return (message, stack) if message else error_of(report, mask)


def error_of(report: pytest.TestReport | pytest.CollectReport, mask: SecretMask) -> tuple[str | None, str | None]:
    """The error, and its traceback; the reason of a test that is skipped or expected to fail. Without secrets."""

    def message_of(text: object) -> str:
        return fitting_message(mask.apply(str(text)))

    reason = getattr(report, "wasxfail", None)
    if reason is not None:
        return message_of(reason) or None, None
    if report.longrepr is None:
        return None, None
    if isinstance(report.longrepr, tuple):
        return message_of(report.longrepr[2]), None
    crash = getattr(report.longrepr, "reprcrash", None)
    text = report.longreprtext
    if crash is None:
        return message_of(text), None
    return message_of(crash.message), mask.apply(text)


def marker_message(failure: Failure) -> str | None:
    """The error first: it is what lists show."""
    message, stack = failure.message, failure.stack
    if message is None or stack is None:
        return message
    size = len(message.encode("utf-8", "replace"))
    return message if size > MAX_MESSAGE // 2 else f"{message}\n\n{last_of(stack, MAX_MESSAGE - size - 64)}"


def last_of(text: str, size: int) -> str:
    """The last lines that fit into so many bytes: an error is at the end of its traceback."""
    data = text.encode("utf-8", "replace")
    if len(data) <= size:
        return data.decode()
    kept = data[-size:].decode(errors="ignore").partition("\n")[2]
    return f"… ({len(text) - len(kept):,} characters before)\n{kept}"
