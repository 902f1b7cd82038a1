"""Test results: what became of each attempt of each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

from typing_extensions import Unpack

from .._calls import LARGE, file_call, file_of
from ..types import (
    Attachment,
    ListedTest,
    TestFilter,
    TestHistory,
    TestHistoryFilter,
    TestResult,
    TestResultDetail,
    TestSummaryFilter,
)
from .transport import AsyncTransport
from .tus import attach_file


class AsyncTests:
    """``client.jobs.add_tests()`` and ``client.test_runs.add_tests()`` report them."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, **filters: Unpack[TestFilter]) -> AsyncIterator[TestResult]:
        """Test results, the newest first, with the beginning of their stacks and steps. The pages are read as they
        are used."""
        return self._transport.pages("/v1/tests", cast("dict[str, object]", filters))

    async def get(self, result_id: int) -> TestResultDetail:
        """A result with all that is stored of it."""
        return cast(TestResultDetail, await self._transport.call("GET", f"/v1/tests/{result_id}"))

    async def add_attachment(
        self, result_id: int, name: str, content: bytes | str | Path, *, content_type: str | None = None
    ) -> Attachment:
        """Attaches a file to a result, such as a screenshot or a trace: at most 20, of at most 256 MiB each.

        :param content: the bytes, a text, or the path of the file.
        :param content_type: such as ``image/png``; by default guessed from the name.
        """
        data, kind = file_of(name, content, content_type)
        if len(data) > LARGE:
            sent = await attach_file(self._transport, {"testResultId": result_id}, name, data, kind)
            if sent is not None:
                return cast(Attachment, sent)
        # The same file under the same name is stored once.
        call = file_call({"name": name}, data, kind, repeatable=True)
        return cast(Attachment, await self._transport.call("POST", f"/v1/tests/{result_id}/attachments", **call))

    async def delete_attachment(self, attachment_id: int) -> None:
        """Deletes an attachment of a result or of a test run, for good."""
        await self._transport.call("DELETE", f"/v1/attachments/{attachment_id}")

    def summaries(self, **filters: Unpack[TestSummaryFilter]) -> AsyncIterator[ListedTest]:
        """Tests, each with what its newest results come to: pass rate, flakiness, duration. The pages are read as they
        are used."""
        return self._transport.pages("/v1/test-summaries", cast("dict[str, object]", filters))

    async def history(self, **filters: Unpack[TestHistoryFilter]) -> TestHistory:
        """The results of a test over time, the newest first, and their sum. Its next page is at ``cursor``."""
        query = cast("dict[str, object]", filters)
        return cast(TestHistory, await self._transport.call("GET", "/v1/test-history", query=query))
