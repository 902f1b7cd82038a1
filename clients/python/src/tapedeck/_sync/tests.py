# Written by scripts/generate.py from _async.
"""Test results: what became of each attempt of each test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from typing_extensions import Unpack

from ..types import ListedTest, TestFilter, TestHistory, TestHistoryFilter, TestResult, TestSummaryFilter
from .transport import Transport


class Tests:
    """``client.jobs.add_tests()`` and ``client.test_runs.add_tests()`` report them."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **filters: Unpack[TestFilter]) -> Iterator[TestResult]:
        """Test results, the newest first, with the beginning of their stacks and steps. The pages are read as they
        are used."""
        return self._transport.pages("/v1/tests", cast("dict[str, object]", filters))

    def get(self, result_id: int) -> TestResult:
        """A result with all that is stored of it."""
        return cast(TestResult, self._transport.call("GET", f"/v1/tests/{result_id}"))

    def summaries(self, **filters: Unpack[TestSummaryFilter]) -> Iterator[ListedTest]:
        """Tests, each with what its newest results come to: pass rate, flakiness, duration. The pages are read as they
        are used."""
        return self._transport.pages("/v1/test-summaries", cast("dict[str, object]", filters))

    def history(self, **filters: Unpack[TestHistoryFilter]) -> TestHistory:
        """The results of a test over time, the newest first, and their sum. Its next page is at ``cursor``."""
        query = cast("dict[str, object]", filters)
        return cast(TestHistory, self._transport.call("GET", "/v1/test-history", query=query))
