"""The test run of a session without a display: its results, files and end. No test waits for the dashboard."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tapedeck import Tapedeck
from tapedeck._calls import instant
from tapedeck._clock import monotonic, now
from tapedeck.types import CreateJobMarker, NewTestResult, Outcome, TestResult, TestRun

from .delivery import Delivery, sentence_of
from .results import label_of
from .secret_mask import SecretMask
from .session_recording import END_PATIENCE, Order, Owner, SessionRecording, WithoutRunner, open_own_client, runner_with
from .uploads import Uploads

UNREACHED_PATIENCE = 3.0
"""Seconds for which the end of the tests waits for a dashboard that was away all the time."""
UPLOAD_PATIENCE = 60.0
MAX_TEXT = 1024 * 1024
"""Characters of the captured output of a test: its end is kept."""
VIDEOS = {".webm": "video/webm", ".mp4": "video/mp4"}
TEXTS = (".txt", ".log", ".json", ".md", ".html", ".xml", ".csv")


def start_session(order: Order, *, names_display: bool) -> SessionRecording | OwnSession:
    """Records the display of the tests if the options name one, or if a runner has it; or else begins a test run.

    :raises TapedeckError, ValueError: with a sentence why nothing can be recorded.
    """
    if names_display or os.environ.get("TAPEDECK_JOB_ID"):
        return SessionRecording.start(order)
    if order.display is None:
        return OwnSession(open_own_client(), order)
    client = open_own_client()
    try:
        runner_with(client, order.display)
    except WithoutRunner:
        return OwnSession(client, order)
    client.close()
    return SessionRecording.start(order)


class OwnSession:
    job_id = None
    is_own = False

    def __init__(self, client: Tapedeck, order: Order) -> None:
        self._client = client
        self._order = order
        self._run: TestRun | None = None
        self.mask = SecretMask()
        self._delivery = Delivery(client, None, self._add_tests)
        self._uploads = Uploads()
        self._pages: dict[str, datetime] = {}
        """When the page of each running test was open."""
        self.log = CapturedOutput()

    @property
    def url(self) -> str | None:
        """None while the dashboard does not know of the run."""
        return None if self._run is None else self._run["url"] or self._client.url

    @property
    def owner(self) -> Owner | None:
        return None if self._run is None else Owner("test run", self._run["id"])

    def link_to(self, key: str, moment: datetime, *, waits: bool) -> str:
        result_id = self._delivery.id_of(key, waits=waits)
        test_id = self._delivery.test_id_of(key)
        return self._client.url if test_id is None else f"{self._client.url}/tests/{test_id}?result={result_id}"

    def instant(self, moment: datetime) -> str:
        """By this machine's clock: the dashboard's is known when results are sent."""
        return instant(moment)

    def report(self, result: NewTestResult) -> None:
        self._delivery.report(result)

    def mark(self, marker: CreateJobMarker) -> None:
        """A failure is in its result: there is no video that could have a marker."""

    def follow(self, test: str | None) -> None:
        """Nothing needs to know what runs."""

    def attach(self, key: str, title: str, item: pytest.Item) -> None:
        """Sends the output that was captured, if the test has failed, and the files of pytest-playwright."""
        if not key:
            return
        output = self.log.take()
        if output:
            self._attach(key, title, "output.txt", self.mask.apply(output[-MAX_TEXT:]))
        folder = (getattr(item, "funcargs", None) or {}).get("output_path")
        if isinstance(folder, (str, Path)) and Path(folder).is_dir():
            files = sorted(each for each in Path(folder).rglob("*") if each.is_file())
            # Videos of further pages are files like others.
            video = next((path for path in files if path.suffix in VIDEOS), None)
            for path in files:
                if path is video:
                    self._add_video(key, title, path, self._pages.get(item.nodeid))
                else:
                    self._attach(key, title, path.name, path)
        self._pages.pop(item.nodeid, None)

    def page_opened(self, nodeid: str, at: datetime) -> None:
        """A fixture has opened the page of a test: its video begins here."""
        self._pages[nodeid] = at

    def end(self, outcome: Outcome | None) -> str | None:
        """Sends what is left, and ends the run.

        :returns: what went wrong, as a sentence.
        """
        until = monotonic() + (UNREACHED_PATIENCE if self._run is None else END_PATIENCE)
        missing, problem = self._delivery.finish(until)
        if self._run is None:
            self._client.close()
            return None if missing is None else f"{problem.rstrip('.')}. The results of these tests are not kept."
        faults = [] if missing is None else [f"lacks {missing}"]
        try:
            # An idle worker of xdist has no run.
            self._run = self._client.test_runs.end(self._run["id"], outcome=outcome or "skipped")
        except Exception as error:
            problem = sentence_of(error)
            faults.insert(0, "was not ended")
        lost = self._uploads.finish(UPLOAD_PATIENCE)
        self._client.close()
        sentences = [f"The test run {' and '.join(faults)}: {problem.rstrip('.')}."] if faults else []
        return " ".join([*sentences, *([lost] if lost else [])]) or None

    def _attach(self, key: str, title: str, name: str, content: str | Path) -> None:
        def send() -> None:
            result_id = self._delivery.when_stored(key)
            if result_id is None:
                raise ValueError("the dashboard does not have its result")
            if isinstance(content, Path) and content.suffix in TEXTS:
                text = self.mask.apply(content.read_text(errors="replace"))
                self._client.tests.add_attachment(result_id, self.mask.apply_to_name(name), text)
            else:
                self._client.tests.add_attachment(result_id, self.mask.apply_to_name(name), content)

        self._uploads.add(self.mask.apply_to_name(f"{name} of {title}"), send)

    def _add_video(self, key: str, title: str, path: Path, opened: datetime | None) -> None:
        """A video is the recording of its result; it begins with the test if nothing says when its page was opened."""

        def send() -> None:
            result_id = self._delivery.when_stored(key)
            if result_id is None:
                raise ValueError("the dashboard does not have its result")
            self._client.recordings.upload(
                label_of(self.mask.apply_to_name(title)),
                path,
                test_result_id=result_id,
                started_at=None if opened is None else instant(self._client.dashboard_time(opened)),
                content_type=VIDEOS[path.suffix],
            )

        self._uploads.add(self.mask.apply_to_name(f"{path.name} of {title}"), send)

    def _add_tests(self, results: Sequence[NewTestResult]) -> Sequence[TestResult]:
        """In the thread that sends: creates the run before its first results."""
        if self._run is None:
            order = self._order
            self._run = self._client.test_runs.create(name=order.name, labels=dict(order.labels), source="pytest")
        here = now()
        shift = self._client.dashboard_time(here) - here
        return self._client.test_runs.add_tests(self._run["id"], [shifted(each, shift) for each in results])


def shifted(result: Any, shift: timedelta) -> Any:
    """A result, or one of its steps, with its times moved."""
    moved = {
        name: instant(datetime.fromisoformat(result[name].replace("Z", "+00:00")) + shift)
        for name in ("startedAt", "endedAt")
        if result.get(name) is not None
    }
    steps = [shifted(each, shift) for each in result.get("steps") or []]
    return {**result, **moved, **({"steps": steps} if steps else {})}


class CapturedOutput:
    """Returns the output and the log of the phases of a failed test."""

    def __init__(self) -> None:
        self._sections: list[tuple[str, str]] = []
        self._has_failed = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        yield

    def add_captured(self, report: pytest.TestReport, at: datetime) -> None:
        # A report also has the sections of the phases before it.
        self._sections = [section for section in report.sections if section[0].startswith("Captured ")]
        self._has_failed = self._has_failed or report.failed

    def take(self) -> str:
        """The output at the end of a test; empty unless it has failed."""
        sections, has_failed = self._sections, self._has_failed
        self._sections, self._has_failed = [], False
        return "\n".join(f"--- {title} ---\n{text}" for title, text in sections) if has_failed else ""
