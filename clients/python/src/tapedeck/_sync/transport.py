# Written by scripts/generate.py from _async.
"""Calls of the API over httpx: credentials, time limits, tries, and failures as TapedeckError."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, cast

import httpx
from typing_extensions import Unpack

from .._calls import (
    CALL_TIMEOUT,
    DEFAULT_RETRIES,
    CallOptions,
    Query,
    api_key_of,
    arguments_of,
    base_url_of,
    batches_of,
    body_of,
    pause_before_retry,
    warn_of_misspelled_variables,
)
from .._clock import TIME_HEADER, DashboardClock, monotonic
from .._connection import open_client
from ..errors import TapedeckError, error_of, unreachable
from ..types import NewTestResult, TestResult, TestResultList

_TIME_TIMEOUT = 5.0


class Transport:
    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        retries: int = DEFAULT_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        warn_of_misspelled_variables(url, api_key)
        self.url = base_url_of(url)
        self._headers = {"authorization": f"Bearer {api_key_of(api_key)}"}
        self.clock = DashboardClock()
        self._retries = retries
        self._owns_client = http_client is None
        self._client = http_client or open_client(httpx.Client, self.url)

    def close(self) -> None:
        if self._owns_client:
            self._client.close()

    def call(self, method: str, path: str, **options: Unpack[CallOptions]) -> Any:
        """The parsed body of the answer."""
        response = self._send(method, path, options)
        return None if response is None else body_of(response, self.url)

    def fetch(self, path: str, query: Query, *, timeout: float) -> httpx.Response:
        """The whole answer to a GET of what is not JSON.

        :param timeout: seconds without a byte.
        """
        response = self._send("GET", path, {"query": query, "timeout": timeout})
        assert response is not None
        return response

    def open(self, path: str, headers: dict[str, str], *, timeout: float = CALL_TIMEOUT) -> httpx.Response:
        """The answer to a GET, with its body not read yet; the caller closes it.

        :param timeout: seconds without a byte.
        """
        response = self._send("GET", path, {"headers": headers, "timeout": timeout}, stream=True)
        assert response is not None
        return response

    def exchange(self, method: str, path: str, **options: Unpack[CallOptions]) -> httpx.Response:
        """The answer to a call whose headers matter."""
        response = self._send(method, path, options)
        assert response is not None
        return response

    def time_of(self, local: datetime) -> datetime:
        """The dashboard's time at a time of this machine's clock. Before the first answer, this makes calls for it."""
        if self.clock.shift is None:
            with contextlib.suppress(TapedeckError):
                # The first one also opens a connection, so that it says less about the time.
                for _ in range(2):
                    self.call("GET", "/v1/health", timeout=_TIME_TIMEOUT)
        return self.clock.time_of(local)

    def pages(self, path: str, query: Query) -> Iterator[Any]:
        """The entries of a list, page after page as they are used."""
        cursor = query.get("cursor")
        while True:
            page = self.call("GET", path, query={**query, "cursor": cursor})
            yield from page["data"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def report_tests(self, path: str, results: Sequence[NewTestResult]) -> Sequence[TestResult]:
        """Reports results of a job or a test run, and returns them in the same order."""
        stored: list[TestResult] = []
        for batch in batches_of(results):
            # Each has a key, so that sending it twice changes nothing.
            answer = self.call("POST", path, body=batch, repeatable=True)
            stored += cast(TestResultList, answer)["data"]
        return stored

    def _send(self, method: str, path: str, options: CallOptions, *, stream: bool = False) -> httpx.Response | None:
        """An answer that is a success; None for a deletion that an earlier try has done."""
        request = self._client.build_request(method, **arguments_of(self.url, path, self._headers, options))
        repeatable = options.get("repeatable", method != "POST")
        patient_until = monotonic() + options.get("patience", 0)
        failures = 0
        while True:
            called_at = monotonic()
            try:
                # A redirected POST would arrive as a GET, and without the key.
                response = self._client.send(request, stream=stream, follow_redirects=False)
                self.clock.read(response.headers.get(TIME_HEADER), called_at)
                if response.is_success:
                    return response
                response.read()
                error = error_of(response, self.url)
            # The second one is about a name that no host can have.
            except (httpx.RequestError, UnicodeError) as cause:
                error = unreachable(cause, self.url)
            # A deletion whose answer was lost.
            if method == "DELETE" and error.status == 404 and failures > 0:
                return None
            failures += 1
            pause = pause_before_retry(error, failures, repeatable=repeatable)
            if pause is None or (failures > self._retries and monotonic() + pause > patient_until):
                raise error
            time.sleep(pause)
