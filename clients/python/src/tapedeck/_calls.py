"""Shared parts of both clients that make no calls: settings, retries and the meaning of answers."""

from __future__ import annotations

import base64
import json
import logging
import mimetypes
import os
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar, cast, overload
from urllib.parse import quote, urlsplit

import httpx
from typing_extensions import Required

from ._clock import DashboardClock, now
from ._known_variables import take_warning
from .errors import TapedeckError, error_of, not_a_dashboard
from .types import CreateJobMarker, CreateRecordingMarker, Job, NewTestResult, Selector

CALL_TIMEOUT = 30.0
DEFAULT_RETRIES = 5
MAX_WAIT = 60
"""The longest that one call may wait for a job, in seconds."""
IDENTITY = {"accept-encoding": "identity"}
"""Compressed bytes could not be counted."""

MAX_MESSAGE = 8 * 1024
"""The longest message of a marker and of a test result, in bytes of UTF-8."""
MAX_STACK = 32 * 1024
"""The longest stack of a test result."""
MAX_STEPS = 2_000
_MAX_STEPS_JSON, _MAX_RESULTS_JSON = 400_000, 900_000
"""Maximum size of one result, and of one call, in characters of ASCII JSON: the dashboard takes 1 MiB."""
_MAX_RESULTS = 1_000
_MAX_LEFT_OUT = 50_000
_CUT_NOTE = 64
"""At least as many as the note on what was cut."""

_CONNECT_TIMEOUT = 10.0
_MAX_RETRY_AFTER = 60.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 8.0
# Tests may have seeded the one that all share, and rely on its numbers.
_random = random.Random()

Query = Mapping[str, Any]
NewMarker = TypeVar("NewMarker", CreateJobMarker, CreateRecordingMarker)


def warn_of_misspelled_variables(url: str | None, api_key: str | None) -> None:
    """Logs one line, once in a process, if the environment is read at all."""
    warning = None if url and api_key else take_warning()
    if warning is not None:
        logging.getLogger("tapedeck").warning(warning)


def base_url_of(url: str | None) -> str:
    """:raises ValueError: without an address that a dashboard can have."""
    hint = "the dashboard's address, such as https://tapedeck.example.com, as url or in TAPEDECK_URL."
    url = (url or os.environ.get("TAPEDECK_URL") or "").strip()
    if not url:
        raise ValueError(f"Set {hint}")
    try:
        is_address = bool(re.match(r"https?://[^/]", url) and urlsplit(url).hostname and httpx.URL(url).host)
    except (ValueError, httpx.InvalidURL):
        is_address = False
    if not is_address:
        raise ValueError(f'"{url}" is no address. Set {hint}')
    return url.rstrip("/")


def api_key_of(api_key: str | None) -> str:
    """:raises ValueError: without a key."""
    key = (api_key or os.environ.get("TAPEDECK_API_KEY") or "").strip()
    if not key:
        raise ValueError(
            "Set an API key, which you create in the dashboard under Settings, as api_key or in TAPEDECK_API_KEY."
        )
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ValueError("The API key has characters that no key has. Copy it again.")
    return key


class CallOptions(TypedDict, total=False):
    query: Query | None
    body: Any
    """Sent as JSON."""
    content: str | bytes
    """Sent as it is, instead of ``body``; ``headers`` say what it is."""
    headers: Mapping[str, str]
    timeout: float
    """Seconds for one try; default 30."""
    repeatable: bool
    """Whether a call that was perhaps carried out may be sent again; default for all methods but POST."""
    patience: float
    """Seconds for which to keep trying, beyond the number of retries."""


def arguments_of(base_url: str, path: str, auth: Mapping[str, str], options: CallOptions) -> dict[str, Any]:
    """The arguments of httpx for a request."""
    query = options.get("query")
    return {
        "url": base_url + path,
        "params": _parameters(query) if query else None,
        "json": options.get("body"),
        "content": options.get("content"),
        "headers": {**auth, **options.get("headers", {})},
        "timeout": httpx.Timeout(options.get("timeout", CALL_TIMEOUT), connect=_CONNECT_TIMEOUT),
    }


UPLOAD_TIMEOUT = 600.0


LARGE = 4 * 1024 * 1024
"""Bytes above which a file is sent by tus, which continues after a broken connection."""
PIECE = 16 * 1024 * 1024
"""Bytes of a file in one request of tus."""
MAX_FRUITLESS = 5
"""Maximum number of broken requests in a row after which nothing has arrived."""
TUS = {"tus-resumable": "1.0.0"}
_TUS_CODES = {
    **{403: "forbidden", 404: "not_found", 409: "conflict", 413: "payload_too_large"},
    **{415: "unsupported_media_type", 422: "validation_failed", 507: "quota_exceeded"},
}


def file_of(name: str, content: bytes | str | Path, content_type: str | None) -> tuple[bytes, str]:
    """The bytes and the media type of a file. The file of a path is read into memory."""
    if isinstance(content, str):
        return content.encode(), content_type or "text/plain"
    data = content.read_bytes() if isinstance(content, Path) else content
    return data, content_type or mimetypes.guess_type(name)[0] or "application/octet-stream"


def file_call(query: Query, data: bytes, content_type: str, *, repeatable: bool) -> CallOptions:
    """The options of a call whose body is a file."""
    return {
        "query": query,
        "content": data,
        "headers": {"content-type": content_type},
        "timeout": UPLOAD_TIMEOUT,
        "repeatable": repeatable,
    }


def tus_metadata(fields: Mapping[str, object]) -> str:
    return ",".join(
        f"{key} {base64.b64encode(str(value).encode()).decode()}" for key, value in fields.items() if value is not None
    )


def tus_refusal(error: TapedeckError) -> TapedeckError:
    """Refusals are text in this protocol."""
    code = _TUS_CODES.get(error.status)
    text = (error.text or "").strip()
    if code is None or not text or text.startswith("<"):
        return error
    return TapedeckError(error.status, code, text)


def is_broken(error: TapedeckError) -> bool:
    """409 is a conflict of offsets, too, when a request that seemed broken went on."""
    if error.status == 409:
        return (error.text or "").startswith("Upload-Offset")
    return error.status in (0, 429, 500, 502, 503, 504)


def _parameters(query: Query) -> httpx.QueryParams:
    """Without those that are None; a list repeats its parameter."""
    return httpx.QueryParams(
        [
            (name, each)
            for name, value in query.items()
            for each in (value if isinstance(value, list | tuple) else [value])
            if each is not None
        ]
    )


def body_of(response: httpx.Response, base_url: str) -> Any:
    """The parsed body of an answer that has been read; the text of one that is not JSON; None when it is empty.

    :raises TapedeckError: for an answer that is not a success, or not the API's.
    """
    if not response.is_success:
        raise error_of(response, base_url)
    if not response.content:
        return None
    content_type = response.headers.get("content-type", "")
    if content_type.startswith("text/html"):
        raise not_a_dashboard(response.status_code, base_url)
    if "json" in content_type and "jsonl" not in content_type:
        try:
            return response.json()
        except ValueError:
            raise not_a_dashboard(response.status_code, base_url) from None
    return response.text


def pause_before_retry(error: TapedeckError, failures: int, *, repeatable: bool) -> float | None:
    """Seconds before the next try; None when another try makes no sense.

    :param repeatable: whether a call that was perhaps carried out may be sent again.
    """
    was_refused = error.status in (429, 503) or was_never_sent(error)
    if not was_refused and not (is_lost(error) and repeatable):
        return None
    if error.retry_after is None:
        return backoff(failures)
    return None if error.retry_after > _MAX_RETRY_AFTER else error.retry_after + backoff(1)


def was_never_sent(error: TapedeckError) -> bool:
    return isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)


def is_lost(error: TapedeckError) -> bool:
    """Whether the call was perhaps carried out."""
    return error.status in (0, 502, 504) and not was_never_sent(error)


def backoff(attempt: int) -> float:
    """Seconds before try number ``attempt``, which counts from 1: longer each time, and never for all alike."""
    return float(min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (attempt - 1))) * (0.5 + _random.random() / 2)


@overload
def instant(time: datetime) -> str: ...
@overload
def instant(time: datetime | None) -> str | None: ...
def instant(time: datetime | None) -> str | None:
    return None if time is None else time.astimezone(timezone.utc).isoformat(timespec="milliseconds")[:-6] + "Z"


@overload
def fitting_message(text: str, size: int = MAX_MESSAGE) -> str: ...
@overload
def fitting_message(text: str | None, size: int = MAX_MESSAGE) -> str | None: ...
def fitting_message(text: str | None, size: int = MAX_MESSAGE) -> str | None:
    """A message, cut to what the API takes, with a note of how much is missing.

    :param size: in bytes of UTF-8.
    """
    if text is None:
        return None
    # Text that is not Unicode, such as half of a surrogate pair, can't be sent.
    data = text.encode("utf-8", "replace")
    if len(data) <= size:
        return data.decode()
    kept = data[: size - _CUT_NOTE].decode(errors="ignore")
    return f"{kept}\n… (cut, {len(text) - len(kept):,} more characters)"


def fitting_marker(marker: NewMarker) -> NewMarker:
    message = marker.get("message")
    return marker if message is None else cast(NewMarker, {**marker, "message": fitting_message(message)})


def batches_of(results: Sequence[NewTestResult]) -> Iterator[list[NewTestResult]]:
    """Test results as calls take them: up to 1,000 of up to 1 MiB in each."""
    batch: list[NewTestResult] = []
    left = _MAX_RESULTS_JSON
    for result in map(fitting_result, results):
        size = len(json.dumps(result)) + 2
        if batch and (size > left or len(batch) == _MAX_RESULTS):
            yield batch
            batch, left = [], _MAX_RESULTS_JSON
        batch.append(result)
        left -= size
    if batch:
        yield batch


def fitting_result(result: NewTestResult) -> NewTestResult:
    """A test result, cut to what fits into one call. The dashboard keeps no more of it."""
    fitting = cast(NewTestResult, {**result})
    if fitting.get("message") is not None:
        fitting["message"] = fitting_message(fitting["message"])
    if fitting.get("stack") is not None:
        fitting["stack"] = fitting_message(fitting["stack"], MAX_STACK)
    steps = fitting.get("steps")
    if steps is not None:
        fitting["steps"] = _fitting_steps(steps)
    return fitting


def _fitting_steps(steps: Sequence[Any]) -> list[Any]:
    """The first ones, and those that failed, for which a part is set aside. Each of the others is a None at the end:
    the dashboard counts what is no step."""
    reserved = min(MAX_STEPS // 2, _failures_in(steps))
    count = {True: reserved, False: MAX_STEPS - reserved}
    size = {True: _MAX_STEPS_JSON // 2, False: _MAX_STEPS_JSON // 2}
    left_out = 0

    def fit(sent: Sequence[Any]) -> list[Any]:
        nonlocal left_out
        kept = []
        for step in sent:
            if not isinstance(step, dict):
                left_out += 1
                continue
            inner = step.get("steps") or []
            own = {name: value for name, value in step.items() if name != "steps"}
            bytes_of_step = len(json.dumps(own)) + 12
            has_failed = _failures_in([step]) > 0
            if count[has_failed] == 0 or size[has_failed] < bytes_of_step:
                left_out += count_of([step])
                continue
            count[has_failed] -= 1
            size[has_failed] -= bytes_of_step
            kept.append({**own, "steps": fit(inner)} if inner else own)
        return kept

    fitting = fit(steps)
    return [*fitting, *[None] * min(left_out, _MAX_LEFT_OUT)]


def _failures_in(steps: Sequence[Any]) -> int:
    """Steps that failed, and those around them."""
    failures = 0
    for step in steps:
        if isinstance(step, dict):
            inner = _failures_in(step.get("steps") or [])
            failures += inner + (1 if inner > 0 or step.get("outcome") in ("failed", "error") else 0)
    return failures


def count_of(steps: Sequence[Any]) -> int:
    """Counts steps, including nested ones."""
    return sum(1 + count_of(step.get("steps") or []) if isinstance(step, dict) else 1 for step in steps)


NDJSON = "application/x-ndjson"
_MAX_LINES_JSON = 500_000
"""Maximum size of one call, in characters of ASCII JSON."""


class NewTrackLine(TypedDict, total=False):
    """A line of a track."""

    text: Required[str]
    """The line including terminal colours. Text of more than 16 KiB is cut."""
    at: datetime | str
    """Now, without ``at`` and ``offsetMs``. A datetime is a time of this machine's clock; as text, it is one of the
    dashboard's, as its answers have it."""
    offsetMs: float
    """In place of ``at``: milliseconds from the first frame."""
    level: Literal["debug", "info", "warn", "error"] | None
    data: Mapping[str, Any] | None


def track_path(job_id: int, name: str) -> str:
    return f"/v1/jobs/{job_id}/tracks/{quote(name, safe='')}"


def batches_of_lines(lines: Iterable[NewTrackLine], clock: DashboardClock) -> Iterator[str]:
    """Lines as calls take them, as NDJSON."""
    batch: list[str] = []
    left = _MAX_LINES_JSON
    for line in lines:
        at = line.get("at")
        sent: dict[str, Any] = {**line}
        if "offsetMs" not in line and not isinstance(at, str):
            sent["at"] = instant(clock.time_of(at or now()))
        text = json.dumps(sent) + "\n"
        if batch and len(text) > left:
            yield "".join(batch)
            batch, left = [], _MAX_LINES_JSON
        batch.append(text)
        left -= len(text)
    if batch:
        yield "".join(batch)


def has_ended(job: Job) -> bool:
    return job["status"] in ("completed", "failed", "cancelled")


def has_reached(job: Job, wait_for: str) -> bool:
    if wait_for == "recording":
        return job["startedAt"] is not None or has_ended(job)
    if not has_ended(job):
        return False
    recording = job["recording"]
    return wait_for == "ended" or recording is None or recording["state"] != "live"


def url_of(base_url: str, job: Job) -> str:
    """The page of the job's recording; until something of it is stored, that of the job."""
    recording = job["recording"]
    return f"{base_url}/jobs/{job['id']}" if recording is None else recording["url"]


def url_at(url: str, job: Job, moment: datetime) -> str:
    begun = datetime.fromisoformat((job["startedAt"] or job["createdAt"]).replace("Z", "+00:00"))
    seconds = max(0.0, (moment.astimezone(timezone.utc) - begun).total_seconds())
    # The number has no exponent, and no zeros at its end.
    return f"{url}?t={seconds:.3f}".rstrip("0").rstrip(".")


def selector_of(selector: Selector | None, display: str | None) -> Selector:
    chosen: Selector = {} if display is None else {"display": display}
    return {**chosen, **(selector or {})}


CLIP_TIMEOUT = 240.0
"""Encoding a long clip takes a while, and others may be made before it."""
FULL_WIDTH = 8_192
"""Wider than any video, in pixels."""


@dataclass(frozen=True)
class Clip:
    content: bytes
    content_type: str
    """``video/mp4`` or ``image/gif``."""
    start: float
    """The seconds of the recording that it has: it may begin a little before those that were asked for."""
    end: float


def clip_of(response: httpx.Response) -> Clip:
    start, _, end = response.headers.get("tapedeck-clip", "nan-nan").partition("-")
    content_type = response.headers.get("content-type", "video/mp4")
    return Clip(response.content, content_type, float(start), float(end))


def version_of(response: httpx.Response, base_url: str) -> tuple[str, int]:
    """ETag and size of a file.

    :raises TapedeckError: when the answer doesn't say.
    """
    etag, size = response.headers.get("etag"), response.headers.get("content-length", "")
    if etag is not None and size.isdecimal():
        return etag, int(size)
    detail = f"The size of the video is unknown. If it has ended, check what is between here and {base_url}."
    raise TapedeckError(response.status_code, "no_size", detail)


def only_display(displays: Iterable[str], runner: str) -> str:
    """:raises ValueError: unless there is exactly one."""
    ids = list(displays)
    if len(ids) == 1:
        return ids[0]
    if not ids:
        raise ValueError(f"{runner} has no display. Start one, or name one as display.")
    raise ValueError(f"{runner} has {', '.join(ids)}. Choose one as display.")
