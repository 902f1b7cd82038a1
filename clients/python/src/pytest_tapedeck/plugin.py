"""The hooks: when a recording begins and ends, and where its links are shown."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from _pytest._code.code import ExceptionRepr

from tapedeck import TapedeckError, ci_labels
from tapedeck._clock import now
from tapedeck._known_variables import take_warning
from tapedeck._sigterm import SigtermInterrupt
from tapedeck.types import Outcome

from .delivery import sentence_of
from .gate import passes_gate
from .own_display import display_environment, record_own_display, worker_count
from .own_session import OwnSession, start_session
from .results import Results, label_of, time_of
from .session_recording import Order, Owner, SessionRecording, set_outcome

OWN_DISPLAY = "worker"
"""As ``--tapedeck-display``: each process of tests gets a display of its own."""
LINK_PROPERTY = "tapedeck.url"
PAGE_FIXTURES = ("context", "page")
"""Fixtures of pytest-playwright, in the order in which they are set up: a video begins with its page."""
LACKS_RESULTS = "The recording may lack test results."
OUTCOMES: dict[int, Outcome] = {
    pytest.ExitCode.OK: "passed",
    pytest.ExitCode.TESTS_FAILED: "failed",
    pytest.ExitCode.NO_TESTS_COLLECTED: "skipped",
}


@dataclass
class WorkerRecording:
    """A worker of xdist, as its controller knows it."""

    job_id: int
    outcome: Outcome | None = None
    """None for a worker that has not said: it crashed, or was ended."""


# pytest keeps plugins in sets.
@dataclass(eq=False)
class TapedeckPlugin:
    """The plug-in in one process: a worker of xdist, its controller, or the only one. Its errors never fail a test."""

    config: pytest.Config
    session: pytest.Session | None = None
    recording: SessionRecording | OwnSession | None = None
    results: Results | None = None
    job_id: int | None = None
    """The recording that this process has begun, even after its end."""
    outcome: Outcome | None = None
    has_run: bool = False
    """Whether any test began in this process."""
    failed_links: dict[str, str] = field(default_factory=dict)
    """Links to the first failure of the running tests."""
    reruns: int = 0
    links: dict[str, str] = field(default_factory=dict)
    """The recordings, by their worker."""
    warnings: dict[str, None] = field(default_factory=dict)
    """In their order; workers often have the same one."""
    workers: dict[str, WorkerRecording] = field(default_factory=dict)
    owner: Owner | None = None
    """The owner of this process's results, once they have all arrived."""
    owners: dict[str, Owner | None] = field(default_factory=dict)
    """Owners of the results of workers whose tests failed; None for one whose results have not all arrived."""
    failed_reports: int = 0
    gate_lines: list[str] = field(default_factory=list)
    is_let_through: bool = False
    """Whether the gate has made the exit status 0."""
    environment: pytest.MonkeyPatch = field(default_factory=pytest.MonkeyPatch)
    """The state of a process that has a display of its own."""
    sigterm: SigtermInterrupt = field(default_factory=SigtermInterrupt)

    @contextmanager
    def _harmless(self, consequence: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self._warn(f"{sentence_of(error).rstrip('.')}. {consequence}")

    def _warn(self, sentence: str | None) -> None:
        if sentence is not None:
            self.warnings[sentence] = None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self.session = session
        self.sigterm.install()
        # The controller runs no tests. In a worker, a display of its own is known by now.
        if self.config.pluginmanager.hasplugin("dsession"):
            return
        self._warn(take_warning())
        with self._harmless("The tests run without a recording."):
            recording = self.recording = self._start()
            project = self.config.getoption("tapedeck_project")
            self.results = Results(recording.report, recording.mark, recording.instant, recording.mask, project)
            if recording.url is not None:
                self.links[worker_of(self.config)] = recording.url
            if recording.is_own:
                self.job_id = recording.job_id

    def _start(self) -> SessionRecording | OwnSession:
        option = self.config.getoption
        if option("tapedeck_display") == OWN_DISPLAY:
            try:
                return self._show_on(record_own_display(self._order(), worker_count()))
            except (TapedeckError, ValueError) as error:
                consequence = "Tests get no display of their own, and browsers are shown as configured."
                self._warn(f"{sentence_of(error).rstrip('.')}. {consequence}")
                return start_session(self._order(), names_display=False)
        names_display = bool(option("tapedeck_display") or option("tapedeck_runner"))
        return start_session(self._order(), names_display=names_display)

    def _show_on(self, recording: SessionRecording) -> SessionRecording:
        """Shows what the tests start on the display of the recording, in place of any other screen."""
        for name, value in display_environment(recording.display, os.environ).items():
            if value is None:
                self.environment.delenv(name, raising=False)
            else:
                self.environment.setenv(name, value)
        # The options of pytest-playwright.
        if hasattr(self.config.option, "headed"):
            self.environment.setattr(self.config.option, "headed", True)
        return recording

    def _order(self) -> Order:
        option = self.config.getoption
        named = option("tapedeck_display")
        worker = worker_of(self.config)
        name = option("tapedeck_name") or self.config.rootpath.name or "pytest"
        is_named = named not in (None, OWN_DISPLAY)
        display = named if is_named else None if option("tapedeck_runner") else local_display()
        return Order(
            runner=option("tapedeck_runner"),
            display=display,
            name=label_of(f"{name} ({worker})" if worker else name),
            labels={**ci_labels(), **dict(option("tapedeck_label"))},
            keep=option("tapedeck"),
            max_seconds=option("tapedeck_max"),
            worker=worker,
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        if self.recording is None:
            return (yield)
        with self.recording.log.listening():
            return (yield)

    def pytest_runtest_logstart(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        with self._harmless(LACKS_RESULTS):
            # A test may have left another handler of the signal, or none.
            self.sigterm.install()
            self.has_run = True
            if self.recording is not None and self.results is not None:
                self.recording.follow(label_of(self.results.label_of(nodeid)))
                self.results.begin(nodeid, location)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        if self.results is not None:
            self.results.begin_phase()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self) -> None:
        if self.results is not None:
            self.results.begin_phase()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self) -> None:
        if self.results is not None:
            self.results.begin_phase()

    # Innermost: the fixture has just opened its page.
    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        value = yield
        if isinstance(self.recording, OwnSession) and fixturedef.argname in PAGE_FIXTURES:
            self.recording.page_opened(request.node.nodeid, now())
        return value

    # Outermost: other plugins have decided what the report says.
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        at, reruns = now(), self.reruns
        if self.results is not None:
            self.results.end_phase(at)
        report = yield
        if self.recording is not None and self.results is not None:
            with self._harmless("A report lacks its link."):
                # pytest-retry runs the test again in between.
                self.results.made(report, at if self.reruns == reruns else now())
                self.recording.log.add_captured(report, at)
                self._link(self.recording, item, call, report)
        return report

    def _link(
        self,
        recording: SessionRecording | OwnSession,
        item: pytest.Item,
        call: pytest.CallInfo[None],
        report: pytest.TestReport,
    ) -> None:
        if call.when == "setup":
            self.failed_links.pop(item.nodeid, None)
        key = "" if self.results is None else self.results.key_of(item.nodeid)
        own_link = recording.link_to(key, time_of(report), waits=report.failed)
        link = self.failed_links.get(item.nodeid, own_link)
        if report.outcome != "passed":
            self.failed_links.setdefault(item.nodeid, link)
        if call.when == "call" or report.outcome != "passed":
            item.user_properties[:] = [each for each in item.user_properties if each[0] != LINK_PROPERTY]
            item.user_properties.append((LINK_PROPERTY, link))
            report.user_properties = list(item.user_properties)
            html = self.config.pluginmanager.getplugin("html")
            if html is not None and hasattr(html, "extras"):
                cast(Any, report).extras = [*getattr(report, "extras", []), html.extras.url(link, name="Tapedeck")]
        if report.failed:
            show_link(report, own_link)
        if call.when == "teardown":
            title = "" if self.results is None else self.results.label_of(item.nodeid)
            recording.attach(key, title, item)
            self.failed_links.pop(item.nodeid, None)
        if self.job_id is not None:
            # The controller of xdist reads this.
            cast(Any, report).tapedeck_job = self.job_id

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome not in ("passed", "failed", "skipped"):
            self.reruns += 1
        # Counts failures as pytest does. If its count is higher in the end, something failed outside of tests.
        if report.failed and not hasattr(report, "wasxfail"):
            self.failed_reports += 1
        with self._harmless(LACKS_RESULTS):
            node, job_id = getattr(report, "node", None), getattr(report, "tapedeck_job", None)
            if node is not None and job_id is not None:
                self.workers[node.gateway.id] = WorkerRecording(job_id)
            if self.results is not None:
                self.results.add(report)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        with self._harmless(LACKS_RESULTS):
            if self.results is not None and self.recording is not None:
                self.results.finish(nodeid)
                self.recording.follow(None)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        with self._harmless(LACKS_RESULTS):
            if self.results is not None:
                self.results.collected(report)

    def pytest_internalerror(self, excrepr: object) -> None:
        with self._harmless(LACKS_RESULTS):
            if self.results is not None:
                self.results.fail("pytest has failed internally", str(excrepr))

    # Innermost of those around: all others have decided what the exit status is, and the summary is not yet printed.
    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        try:
            return (yield)
        finally:
            with self._harmless("The recording may not have ended."), self.sigterm.deferred():
                self._end(int(session.exitstatus))
            if is_worker(self.config):
                cast(Any, self.config).workeroutput["tapedeck"] = {
                    **{"links": self.links, "warnings": list(self.warnings)},
                    **{"job": self.job_id if self.has_run else None, "outcome": self.outcome},
                    **{"owner": self.owner and tuple(self.owner), "has_run": self.has_run},
                }
            elif self.config.getoption("tapedeck_gate") and session.exitstatus == pytest.ExitCode.TESTS_FAILED:
                with self._harmless("The gate stays shut."):
                    self._ask_gate(session)

    def _ask_gate(self, session: pytest.Session) -> None:
        is_controller = self.config.pluginmanager.hasplugin("dsession")
        # Workers may share a recording.
        owners = set(self.owners.values()) if is_controller else {self.owner}
        known = [owner for owner in owners if owner is not None]
        problem = None
        if session.shouldfail or session.shouldstop:
            problem = "the run stopped early"
        elif session.testsfailed != self.failed_reports:
            problem = "something failed outside of tests"
        elif self.failed_reports == 0:
            problem = "pytest failed, and no test did"
        elif len(known) < len(owners):
            problem = "not all results have arrived"
        if passes_gate(known, problem, self.gate_lines.append):
            self.is_let_through = True
            session.exitstatus = pytest.ExitCode.OK

    def _end(self, exitstatus: int) -> None:
        self.outcome = OUTCOMES.get(exitstatus, "error")
        recording, self.recording = self.recording, None
        self.environment.undo()
        if recording is not None:
            if self.results is not None:
                self.results.finish_all()
                if exitstatus == pytest.ExitCode.TESTS_FAILED and not self.results.has_failure:
                    self.results.fail("No test failed, but pytest did", why_failed(self.config))
            # Such as a worker that replaces one that crashed in the last test: it says nothing about any test.
            is_idle_worker = is_worker(self.config) and not self.has_run
            problem = recording.end(None if is_idle_worker else self.outcome)
            self._warn(problem)
            self.owner = recording.owner if problem is None else None
            if recording.url is not None:
                self.links[worker_of(self.config)] = recording.url
        for job_id in self._wrong_workers(self.outcome):
            set_outcome(job_id, self.outcome)

    def _wrong_workers(self, outcome: Outcome) -> list[int]:
        """Recordings of workers whose outcome is not what the exit status of all says."""
        outcomes = {worker: each.outcome for worker, each in self.workers.items()}
        if outcome == "failed" and any(each != "passed" for each in outcomes.values()):
            # It is those that failed.
            return []
        return [each.job_id for each in self.workers.values() if each.outcome != outcome]

    def pytest_unconfigure(self) -> None:
        """After what other plugins and the signal have done to the exit status, and to the end of the session."""
        session = self.session
        if session is None:
            return
        if self.sigterm.came:
            # The status that pytest would have if the signal had ended it at once.
            cast(Any, session).exitstatus = 128 + signal.SIGTERM
        self.sigterm.remove()
        known = set(self.warnings)
        with self._harmless("The recording may not have ended."):
            outcome = OUTCOMES.get(int(session.exitstatus), "error")
            if self.recording is not None:
                self._end(int(session.exitstatus))
            elif (
                self.job_id is not None
                and self.outcome != outcome
                and not is_worker(self.config)
                and not self.is_let_through
            ):
                set_outcome(self.job_id, outcome)
        # The summary is printed by now, if there was one.
        for sentence in self.warnings.keys() - known:
            print(f"tapedeck: Warning: {sentence}", file=sys.stderr)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker has ended, or crashed: then there is nothing from its end, and its guardian ends its recording."""
        with self._harmless("The recording of a worker may have a wrong outcome."):
            output = getattr(node, "workeroutput", {}).get("tapedeck")
            if output is None:
                # It crashed, and its last results may not have arrived.
                self.owners[node.gateway.id] = None
                return
            if output["has_run"] and output["outcome"] != "passed":
                self.owners[node.gateway.id] = None if output["owner"] is None else Owner(*output["owner"])
            self.links.update(output["links"])
            self.warnings.update(dict.fromkeys(output["warnings"]))
            if output["job"] is not None:
                self.workers[node.gateway.id] = WorkerRecording(output["job"], output["outcome"])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.links and not self.warnings and not self.gate_lines:
            return
        terminalreporter.section("tapedeck")
        for worker, url in sorted(self.links.items()):
            terminalreporter.line(f"{worker}: {url}" if worker and len(set(self.links.values())) > 1 else url)
        for sentence in self.warnings:
            terminalreporter.line(f"Warning: {sentence}", yellow=True)
        for sentence in self.gate_lines:
            terminalreporter.line(sentence)


def is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def worker_of(config: pytest.Config) -> str:
    """Such as ``gw0``; empty without xdist."""
    return str(cast(Any, config).workerinput["workerid"]) if is_worker(config) else ""


def local_display() -> str | None:
    """``DISPLAY`` as the API names it, unless it is on another machine."""
    match = re.fullmatch(r"(?:unix)?(:\d{1,5})(?:\.\d+)?", os.environ.get("DISPLAY", ""))
    return None if match is None else match[1]


def why_failed(config: pytest.Config) -> str:
    cov: Any = config.pluginmanager.getplugin("_cov")
    total, required = getattr(cov, "cov_total", None), getattr(getattr(cov, "options", None), "cov_fail_under", None)
    if total is not None and required and total < required:
        return f"The coverage is {total:.2f} %, less than the required {required:g} %."
    return "Its exit status is 1. A plugin has set it, or an error outside of all tests."


def show_link(report: pytest.TestReport, link: str) -> None:
    """In the terminal's failure section, whatever ``--show-capture`` says."""
    if isinstance(report.longrepr, ExceptionRepr):
        report.longrepr.addsection("tapedeck", link)
    else:
        report.sections.append(("tapedeck", link))
