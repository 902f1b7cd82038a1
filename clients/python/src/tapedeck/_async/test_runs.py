"""Test runs: results that no job recorded, such as those of headless browsers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import cast
from uuid import uuid4

from typing_extensions import Unpack

from .._calls import LARGE, file_call, file_of
from ..types import (
    Attachment,
    CreateTestRun,
    DecideGate,
    EndTestRun,
    Gate,
    NewTestResult,
    TestResult,
    TestRun,
    TestRunDetail,
    TestRunFilter,
)
from .transport import AsyncTransport
from .tus import attach_file


class AsyncTestRuns:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, **body: Unpack[CreateTestRun]) -> TestRun:
        """Creates a test run. The organization has one run with each ``key``, which is returned again. Without one,
        each call has a key of its own, so that its tries create one run."""
        keyed = {"key": str(uuid4()), **body}
        return cast(TestRun, await self._transport.call("POST", "/v1/test-runs", body=keyed, repeatable=True))

    async def get(self, test_run_id: int) -> TestRunDetail:
        """A run with its attachments."""
        return cast(TestRunDetail, await self._transport.call("GET", f"/v1/test-runs/{test_run_id}"))

    def list(self, **filters: Unpack[TestRunFilter]) -> AsyncIterator[TestRun]:
        """Test runs, the newest first. The pages are read as they are used."""
        return self._transport.pages("/v1/test-runs", cast("dict[str, object]", filters))

    async def add_tests(self, test_run_id: int, results: Sequence[NewTestResult]) -> Sequence[TestResult]:
        """Reports what became of tests, as ``client.jobs.add_tests()`` does."""
        return await self._transport.report_tests(f"/v1/test-runs/{test_run_id}/tests", results)

    async def add_attachment(
        self, test_run_id: int, name: str, content: bytes | str | Path, *, content_type: str | None = None
    ) -> Attachment:
        """Attaches a file to the run, such as its output: at most 20, of at most 256 MiB each.

        :param content: the bytes, a text, or the path of the file.
        :param content_type: such as ``image/png``; by default guessed from the name.
        """
        data, kind = file_of(name, content, content_type)
        if len(data) > LARGE:
            sent = await attach_file(self._transport, {"testRunId": test_run_id}, name, data, kind)
            if sent is not None:
                return cast(Attachment, sent)
        # The same file under the same name is stored once.
        call = file_call({"name": name}, data, kind, repeatable=True)
        return cast(Attachment, await self._transport.call("POST", f"/v1/test-runs/{test_run_id}/attachments", **call))

    async def end(self, test_run_id: int, **body: Unpack[EndTestRun]) -> TestRun:
        """Ends a run with its outcome: tests that have none get ``error``."""
        path = f"/v1/test-runs/{test_run_id}/end"
        return cast(TestRun, await self._transport.call("POST", path, body=body, repeatable=True))

    async def gate(self, test_run_id: int, **body: Unpack[DecideGate]) -> Gate:
        """Decides whether its failures are all known, so that CI passes, as ``client.jobs.gate()`` does.

        :param failed: ids of results that are known to have failed: if the run lacks one, the gate stays shut.
        """
        path = f"/v1/test-runs/{test_run_id}/gate"
        return cast(Gate, await self._transport.call("POST", path, body=body, repeatable=True))

    async def delete(self, test_run_id: int) -> None:
        """Deletes a run with its results, for good."""
        await self._transport.call("DELETE", f"/v1/test-runs/{test_run_id}")
