"""Errors of calls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from ._clock import seconds
from .types import Fault


class TapedeckError(Exception):
    """A call that failed.

    ``code`` is that of the problem document, or one of the client's own: ``unreachable``, ``timeout``, ``redirected``
    and ``not_a_dashboard`` for answers that are not the API's, ``not_started`` for a recording without a frame.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        errors: Sequence[Fault] = (),
        *,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        faults = [f"{fault['path']}: {fault['message']}" if fault["path"] else fault["message"] for fault in errors]
        super().__init__("\n".join(faults) or detail)
        self.status = status
        """The HTTP status; 0 without an answer."""
        self.code = code
        self.detail = detail
        """The problem and its remedy."""
        self.errors = tuple(errors)
        """Every fault of what was sent, by its path."""
        self.request_id = request_id
        """By which the dashboard's log has the call."""
        self.retry_after = retry_after
        """Seconds after which to call again, if the dashboard said so."""
        self.text: str | None = None
        """The body of an answer that is no problem document."""


def error_of(response: httpx.Response, base_url: str) -> TapedeckError:
    """The error of an answer that is not a success. Its body has been read."""
    status, headers = response.status_code, response.headers
    if 300 <= status < 400:
        to = headers.get("location", "another address")
        return TapedeckError(status, "redirected", f"{base_url} redirects to {to}. Use the final address as the url.")
    retry_after = _seconds(headers.get("retry-after"))
    problem = _problem(response.text)
    if problem is not None:
        return TapedeckError(
            status,
            problem["code"],
            problem["detail"],
            problem.get("errors", ()),
            request_id=problem.get("requestId"),
            retry_after=retry_after,
        )
    if status >= 500:
        detail = (
            f"The dashboard at {base_url} can't be reached: its proxy answers with status {status}. "
            "Check that it is running."
        )
        error = TapedeckError(status, "unreachable", detail, retry_after=retry_after)
    else:
        error = not_a_dashboard(status, base_url)
    error.text = response.text
    return error


def not_a_dashboard(status: int, base_url: str) -> TapedeckError:
    detail = f"The server at {base_url} is not a Tapedeck dashboard (status {status}). Check the url."
    return TapedeckError(status, "not_a_dashboard", detail)


def unreachable(cause: Exception, base_url: str) -> TapedeckError:
    timed_out = isinstance(cause, httpx.TimeoutException)
    why = "no response in time" if timed_out else str(cause).rstrip(".") or type(cause).__name__
    detail = f"The dashboard at {base_url} can't be reached: {why}. Check the url, and that it is running."
    error = TapedeckError(0, "timeout" if timed_out else "unreachable", detail)
    error.__cause__ = cause
    return error


def _problem(text: str) -> dict[str, Any] | None:
    try:
        problem = json.loads(text)
    except ValueError:
        return None
    if isinstance(problem, dict) and isinstance(problem.get("code"), str) and isinstance(problem.get("detail"), str):
        return problem
    return None


def _seconds(text: str | None) -> float | None:
    """``Retry-After``, in seconds or as a date."""
    if text is None:
        return None
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - seconds())
    except ValueError:
        return None
