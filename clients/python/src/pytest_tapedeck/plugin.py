"""The hooks: when a recording begins and ends, and where its links are shown."""

from __future__ import annotations

import os
import re
from collections.abc import Generator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Literal, cast

import pytest
from _pytest._code.code import ExceptionRepr

from tapedeck import TapedeckError, ci_labels
from tapedeck.ci import plain_text
from tapedeck.types import Outcome

from .session_recording import Order, ResultMarker, SessionRecording, end_abandoned

LINK_PROPERTY = "tapedeck.url"
MAX_LABEL = 200
KINDS: dict[str, Literal["pass", "fail"]] = {"passed": "pass", "failed": "fail"}


@dataclass
class Result:
    """Of a test's phases so far."""

    outcome: str = "passed"
    at: datetime | None = None


# pytest keeps plugins in sets.
@dataclass(eq=False)
class TapedeckPlugin:
    """Of one process: a worker of xdist, its controller, or the only one."""

    config: pytest.Config
    recording: SessionRecording | None = None
    outcomes: set[str] = field(default_factory=set)
    results: dict[str, Result] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    """The recordings, by their worker."""
    warnings: dict[str, None] = field(default_factory=dict)
    """In their order; workers often have the same one."""
    worker_jobs: dict[str, int] = field(default_factory=dict)
    """What has to be ended if the worker crashes."""

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self) -> None:
        # The controller runs no tests. In a worker, a display of its own is known by now.
        if self.config.pluginmanager.hasplugin("dsession"):
            return
        try:
            self.recording = SessionRecording.start(self._order())
        except (TapedeckError, ValueError) as error:
            self._warn(f"{str(error).rstrip('.')}. The tests run without a recording.")
        else:
            self.links[worker_of(self.config)] = self.recording.url

    def _warn(self, sentence: str | None) -> None:
        if sentence is not None:
            self.warnings[sentence] = None

    def _order(self) -> Order:
        option = self.config.getoption
        worker = worker_of(self.config)
        name = option("tapedeck_name") or self.config.rootpath.name or "pytest"
        display = option("tapedeck_display") or (None if option("tapedeck_runner") else local_display())
        return Order(
            runner=option("tapedeck_runner"),
            display=display,
            name=label_of(f"{name} ({worker})" if worker else name),
            labels={**ci_labels(), **dict(option("tapedeck_label"))},
            keep=option("tapedeck"),
            max_seconds=option("tapedeck_max"),
        )

    # Outermost: other plugins have decided what the report says.
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if self.recording is not None:
            self._follow(self.recording, item, call, report)
        return report

    def _follow(
        self, recording: SessionRecording, item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport
    ) -> None:
        result = self.results.setdefault(item.nodeid, Result())
        # The display shows the failure until teardown closes the browser.
        decides = report.when == "call" or (report.outcome != "passed" and result.outcome == "passed")
        if decides:
            result.outcome, result.at = report.outcome, datetime.fromtimestamp(call.stop, timezone.utc)
            link = recording.url_at(result.at)
            item.user_properties[:] = [each for each in item.user_properties if each[0] != LINK_PROPERTY]
            item.user_properties.append((LINK_PROPERTY, link))
            report.user_properties = list(item.user_properties)
            if report.failed:
                show_link(report, link)
            html = self.config.pluginmanager.getplugin("html")
            if html is not None:
                cast(Any, report).extras = [*getattr(report, "extras", []), html.extras.url(link, name="Tapedeck")]
        if recording.is_own:
            # For the controller, which ends it if this worker crashes.
            cast(Any, report).tapedeck_job = recording.job_id
        if report.when == "teardown":
            del self.results[item.nodeid]
            self.outcomes.add(result.outcome)
            name = item.nodeid.partition("::")[2] or item.name
            recording.mark(
                ResultMarker(label_of(name), KINDS.get(result.outcome, "note"), result.at or datetime.now(timezone.utc))
            )

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if self.recording is not None:
            self._warn(self.recording.end(outcome_of(self.outcomes, exitstatus)))
            self.recording = None
        if is_worker(self.config):
            cast(Any, self.config).workeroutput["tapedeck"] = {"links": self.links, "warnings": list(self.warnings)}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        node, job_id = getattr(report, "node", None), getattr(report, "tapedeck_job", None)
        if node is not None and job_id is not None:
            self.worker_jobs[node.gateway.id] = job_id

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker has ended, or crashed: then there is nothing from its end."""
        output = getattr(node, "workeroutput", {}).get("tapedeck")
        worker = node.gateway.id
        job_id = self.worker_jobs.pop(worker, None)
        if output is not None:
            self.links.update(output["links"])
            self.warnings.update(dict.fromkeys(output["warnings"]))
        elif job_id is not None:
            self._warn(end_abandoned(job_id, f"{worker} crashed"))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.links and not self.warnings:
            return
        terminalreporter.section("tapedeck")
        for worker, url in sorted(self.links.items()):
            terminalreporter.line(f"{worker}: {url}" if worker and len(set(self.links.values())) > 1 else url)
        for sentence in self.warnings:
            terminalreporter.line(f"Warning: {sentence}", yellow=True)


def is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def worker_of(config: pytest.Config) -> str:
    """Such as ``gw0``; empty without xdist."""
    return str(cast(Any, config).workerinput["workerid"]) if is_worker(config) else ""


def local_display() -> str | None:
    """``DISPLAY`` as the API names it, unless it is on another machine."""
    match = re.fullmatch(r"(?:unix)?(:\d{1,5})(?:\.\d+)?", os.environ.get("DISPLAY", ""))
    return None if match is None else match[1]


def label_of(text: str) -> str:
    """As the API takes it."""
    return plain_text(text, MAX_LABEL) or "test"


def outcome_of(outcomes: set[str], exitstatus: int) -> Outcome:
    if "failed" in outcomes:
        return "failed"
    if exitstatus in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
        return "error"
    return "passed" if "passed" in outcomes else "skipped"


def show_link(report: pytest.TestReport, link: str) -> None:
    """In the terminal's failure section, whatever ``--show-capture`` says."""
    if isinstance(report.longrepr, ExceptionRepr):
        report.longrepr.addsection("tapedeck", link)
    else:
        report.sections.append(("tapedeck", link))
