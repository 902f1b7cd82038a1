# Written by scripts/generate.py from _async.
"""Recordings: the videos."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, cast
from uuid import uuid4

import httpx
from typing_extensions import Unpack

from .._calls import (
    CLIP_TIMEOUT,
    FULL_WIDTH,
    IDENTITY,
    LARGE,
    Clip,
    backoff,
    clip_of,
    file_call,
    fitting_marker,
    fitting_message,
    instant,
    version_of,
)
from ..errors import TapedeckError, unreachable
from ..types import (
    CreateRecordingMarker,
    Marker,
    MarkerList,
    NewShareLink,
    Recording,
    RecordingFilter,
    SignedUrl,
    UpdateRecording,
)
from .jobs import MarkerKind
from .transport import Transport
from .tus import send_by_tus

_MAX_FRUITLESS = 5
"""Maximum number of connections in a row that break without a single byte."""


class Recordings:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **filters: Unpack[RecordingFilter]) -> Iterator[Recording]:
        """Recordings, by default the newest first. The pages are read as they are used."""
        return self._transport.pages("/v1/recordings", cast("dict[str, object]", filters))

    def get(self, recording_id: int) -> Recording:
        return cast(Recording, self._transport.call("GET", f"/v1/recordings/{recording_id}"))

    def upload(
        self,
        name: str,
        content: bytes | Path,
        *,
        test_result_id: int | None = None,
        started_at: datetime | str | None = None,
        content_type: str | None = None,
    ) -> Recording:
        """Uploads a video in MP4 or WebM.

        :param content: the bytes, or the path of the file.
        :param test_result_id: makes it the video of this result of a test run.
        :param started_at: when its first frame was shown; by default now, or when the test began.
        :param content_type: the content decides, whatever this says.
        """
        data = content.read_bytes() if isinstance(content, Path) else content
        at = instant(started_at) if isinstance(started_at, datetime) else started_at
        fields = {"name": name, "testResultId": test_result_id, "startedAt": at}
        kind = content_type or "video/webm"
        if len(data) > LARGE:
            sent = send_by_tus(self._transport, data, {**fields, "filetype": kind}, "tapedeck-recording")
            if sent is not None:
                return self.get(sent)
        call = file_call(fields, data, kind, repeatable=False)
        return cast(Recording, self._transport.call("POST", "/v1/recordings", **call))

    def update(self, recording_id: int, body: UpdateRecording) -> Recording:
        """Changes name, labels, outcome, keep or pinned, also of its job."""
        return cast(Recording, self._transport.call("PATCH", f"/v1/recordings/{recording_id}", body=body))

    def delete(self, recording_id: int) -> None:
        """Deletes the recording and its file."""
        self._transport.call("DELETE", f"/v1/recordings/{recording_id}")

    def download(
        self,
        recording_id: int,
        target: str | os.PathLike[str] | None = None,
        *,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Path:
        """Downloads the video. The file appears at its place when it is whole.

        When the connection breaks, the download goes on where it ended.

        :param target: default ``recording-<id>.mp4`` in the working directory.
        :param on_progress: called with the bytes that are there, and with all.
        :returns: where the file is.
        """
        path = Path(target) if target is not None else Path(f"recording-{recording_id}.mp4")
        part = path.with_name(f".{path.name}.{uuid4().hex[:12]}.part")
        try:
            with part.open("xb", buffering=0) as file:
                for chunk, at, total in self._chunks(f"/v1/recordings/{recording_id}/video"):
                    file.write(chunk)
                    if on_progress is not None:
                        on_progress(at, total)
                os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        return path

    def _chunks(self, path: str) -> Iterator[tuple[bytes, int, int]]:
        """The file's bytes, over as many connections as it takes, with how many are there, and all."""
        url = self._transport.url
        response = self._transport.open(path, IDENTITY)
        at = fruitless = 0
        try:
            etag, total = version_of(response, url)
            while True:
                before = at
                error = TapedeckError(0, "unreachable", f"The download from {url} broke. Download it again.")
                try:
                    for chunk in response.iter_raw():
                        at += len(chunk)
                        yield chunk, at, total
                except httpx.RequestError as cause:
                    error = unreachable(cause, url)
                if at >= total:
                    return
                fruitless = fruitless + 1 if at == before else 0
                if fruitless > _MAX_FRUITLESS:
                    raise error
                response.close()
                time.sleep(backoff(fruitless + 1))
                response = self._transport.open(path, {**IDENTITY, "range": f"bytes={at}-", "if-range": etag})
                if response.status_code != 206 or response.headers.get("etag") != etag:
                    detail = "The video changed while it was downloaded. Download it again."
                    raise TapedeckError(response.status_code, "changed", detail)
        finally:
            response.close()

    def clip(
        self,
        recording_id: int,
        *,
        start: float | None = None,
        end: float | None = None,
        max_bytes: int | None = None,
        format: Literal["mp4", "gif"] | None = None,
        size: int | None = None,
        exact: bool = False,
        against: Literal["last-passed"] | None = None,
    ) -> Clip:
        """A stretch of the video as a small file that plays everywhere, such as
        ``Path("clip.mp4").write_bytes(client.recordings.clip(12, start=60, end=75).content)``.

        :param start: seconds from the beginning. Without ``start`` and ``end``, it is around the first failure.
        :param max_bytes: never exceeded; default 10,000,000.
        :param size: its width in pixels.
        :param exact: whether it begins with the frame at ``start``, and not a little earlier.
        :param against: beside it, on the right, the last recording of the same test that passed.
        """
        query = {"from": start, "to": end, "maxBytes": max_bytes, "format": format, "size": size, "against": against}
        path = f"/v1/recordings/{recording_id}/clip"
        asked = {**query, "exact": 1 if exact else None}
        return clip_of(self._transport.fetch(path, asked, timeout=CLIP_TIMEOUT))

    def proof(
        self,
        recording_id: int,
        *,
        max_seconds: int | None = None,
        max_bytes: int | None = None,
        format: Literal["mp4", "gif"] | None = None,
    ) -> bytes:
        """A review cut of the whole video: stretches without change are shortened to a second, markers and steps
        are captions and chapters, and the failure comes last.

        :param max_seconds: never exceeded; default 60.
        :param max_bytes: never exceeded; default 10,000,000.
        :param format: default MP4.
        """
        query = {"maxSeconds": max_seconds, "maxBytes": max_bytes, "format": format}
        path = f"/v1/recordings/{recording_id}/proof"
        return (self._transport.fetch(path, query, timeout=CLIP_TIMEOUT)).content

    def frame(self, recording_id: int, at: float | Literal["failure"], *, width: int = FULL_WIDTH) -> bytes:
        """The frame that the video shows at a moment, as JPEG.

        :param at: seconds from the beginning, or ``"failure"`` for the moment of the first failure.
        :param width: in pixels, at most the video's own, which is the default.
        """
        query = {"of": at, "width": width} if at == "failure" else {"at": at, "width": width}
        path = f"/v1/recordings/{recording_id}/frame"
        return (self._transport.fetch(path, query, timeout=CLIP_TIMEOUT)).content

    def digest(self, recording_id: int, *, max_tokens: int | None = None, frames: int | None = None) -> str:
        """Describes the recording as Markdown of about ``max_tokens`` at most, for a chat or an agent."""
        query = {"maxTokens": max_tokens, "frames": frames}
        path = f"/v1/recordings/{recording_id}/digest"
        return (self._transport.fetch(path, query, timeout=CLIP_TIMEOUT)).text

    def sheet(self, recording_id: int, *, frames: int | None = None) -> bytes:
        """The frames that the digest names in one JPEG, from left to right and from top to bottom."""
        query = {"part": "sheet", "frames": frames}
        path = f"/v1/recordings/{recording_id}/digest"
        return (self._transport.fetch(path, query, timeout=CLIP_TIMEOUT)).content

    def share(
        self,
        recording_id: int,
        *,
        expires_at: datetime | None = None,
        opens: Literal["page", "clip", "frame"] | None = None,
        at: float | None = None,
        start: float | None = None,
        end: float | None = None,
        include: Sequence[Literal["tests", "steps", "attachments", "tracks"]] | None = None,
        format: Literal["mp4", "gif"] | None = None,
        width: int | None = None,
    ) -> NewShareLink:
        """Makes a link for everyone who has its ``url``, which is returned this once: to a page that plays the video,
        or to nothing but one clip or one frame of it.

        :param expires_at: default never.
        :param at: the moment at which the page opens, or that of the frame, in seconds from the beginning.
        :param start: where the stretch begins that the page repeats, or that the clip has; with ``end``.
        :param include: what the page shows besides the video and its markers.
        :param format: of the clip; default mp4.
        :param width: of the clip or the frame, in pixels.
        """
        moments = {"at": at, "from": start, "to": end}
        shown = {"opens": opens, **moments, "include": include, "format": format, "width": width}
        chosen = {name: value for name, value in shown.items() if value is not None}
        body = {"expiresAt": instant(expires_at), **chosen}
        return cast(NewShareLink, self._transport.call("POST", f"/v1/recordings/{recording_id}/links", body=body))

    def revoke_link(self, recording_id: int, link_id: int) -> None:
        self._transport.call("DELETE", f"/v1/recordings/{recording_id}/links/{link_id}")

    def signed_url(self, recording_id: int, *, expires_in_seconds: int | None = None) -> SignedUrl:
        """URLs of the video and its poster that need no credentials until they expire; default after an hour."""
        query = {"expiresInSeconds": expires_in_seconds}
        return cast(SignedUrl, self._transport.call("GET", f"/v1/recordings/{recording_id}/url", query=query))

    def mark(
        self,
        recording_id: int,
        label: str,
        *,
        offset_seconds: float,
        kind: MarkerKind | None = None,
        message: str | None = None,
    ) -> Marker:
        """Names a position in the video.

        :param message: text of several lines, such as an error. What is longer than 8 KiB is cut, with a note.
        """
        body = {"label": label, "offsetSeconds": offset_seconds, "kind": kind, "message": fitting_message(message)}
        sent = {name: value for name, value in body.items() if value is not None}
        return cast(Marker, self._transport.call("POST", f"/v1/recordings/{recording_id}/markers", body=sent))

    def mark_all(self, recording_id: int, markers: Sequence[CreateRecordingMarker]) -> Sequence[Marker]:
        """Names up to 500 positions in one call: all, or none if one is not valid.

        :returns: the markers in the same order.
        """
        body = {"markers": [fitting_marker(marker) for marker in markers]}
        answer = self._transport.call("POST", f"/v1/recordings/{recording_id}/markers/batch", body=body)
        return cast(MarkerList, answer)["data"]

    def markers(self, recording_id: int) -> Iterator[Marker]:
        return self._transport.pages(f"/v1/recordings/{recording_id}/markers", {})

    def delete_marker(self, recording_id: int, marker_id: int) -> None:
        self._transport.call("DELETE", f"/v1/recordings/{recording_id}/markers/{marker_id}")
